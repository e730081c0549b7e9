#!/bin/sh
# The module python/sanlab. Its tables have the numbers of `export`, `table` and of the stages' files. docs/python.md has
# the output that it prints. Arrays need numpy.
. "$(dirname "$0")/../support/cli.sh"
python=${PYTHON:-python3}
command -v "$python" > /dev/null || {
    skipped "import sanlab" "$python is missing"
    finish
    exit
}
. tests/support/analyses.sh
analyses_task python
root=$PWD
PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1 SANLAB_DATA=$root/$work/data
export PYTHONPATH PYTHONDONTWRITEBYTECODE SANLAB_DATA

# py WHAT EXPECTED PROGRAM: passes if a Python program prints EXPECTED. It has `sanlab`, `csv`, `json`, `pathlib`.
py() {
    output=$("$python" -c "import csv, json, pathlib, sanlab
path, runs = '$work/hybrid.yaml', '$runs'
$3" 2>&1)
    [ "$output" = "$2" ] || echo "# expected: $2"
    [ "$output" = "$2" ]
    ok "$1" $?
}
"$python" - << 'END'
import ast, pathlib
for path in pathlib.Path("python/sanlab").glob("*.py"):
    ast.parse(path.read_text(), str(path), feature_version=(3, 9))
END
ok "the syntax of Python 3.9" $?
hybrid='encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]'
grid hybrid "$hybrid" 'gates: {by: [layer, head]}
  bleu: {split: dev}' 'seeds: [1, 2]'
./sanlab run $work/hybrid.yaml --runs $runs --quiet || exit 1
./sanlab export csv $work/hybrid.yaml --runs $runs --out $work/points.csv
py "results are the lines of export csv" True "
lines = list(csv.DictReader(open('$work/points.csv')))
rows = sanlab.results(path, runs=runs)
def text(value): return '' if value is None else str(value)
print(len(rows) == 2 and all(text(row[key]) == line[key] or float(row[key]) == float(line[key])
                             for row, line in zip(rows, lines) for key in line if key in row)
      and {key for key in lines[0]} == set(rows.columns))"
py "whose columns can be chosen" '[{"seed": 2, "status": "done"}]' "
print(json.dumps(sanlab.results(path, runs=runs).where(seed=2).select('seed', 'status')))"
py "an option that is changed is of another grid" "new" "
print(sanlab.results(path, 'train.steps=5', runs=runs)[0]['status'])"
py "curves are the lines of metrics.jsonl" True "
want = sorted(json.loads(line)['value'] for file in pathlib.Path(runs).glob('stages/train-*/metrics.jsonl')
              for line in open(file) if '\"dev_loss\"' in line)
have = sanlab.curves(path, runs=runs).where(name='dev_loss')
print(sorted(have.column('value')) == want and have.column('validation') == [1, 2, 3, 4, 5] * 2
      and have.column('seed') == [1] * 5 + [2] * 5)"
py "gates too" True "
want = sorted(one['value'] for file in pathlib.Path(runs).glob('stages/gates-*/metrics.jsonl')
              for one in map(json.loads, open(file)) if one['name'] == 'gate' and 'head' in one)
have = sanlab.gates(path, runs=runs)
print(sorted(row['value'] for row in have if row['name'] == 'gate' and row['head']) == want and len(want) == 48)"
py "items have the sentences of dev" True "
items = sanlab.items(path, runs=runs).where(seed=1, kind='score', name='bleu')
text = open('$work/data/dev.b').read().splitlines()
print(items.column('reference') == text and items.column('line') == list(range(1, 41)))"
py "a table is text and HTML" 'seed  name  value
   1  a<b     0.5
   2        1e-06
<table><tr><th>seed</th><th>name</th><th>value</th></tr><tr><td>1</td><td>a&lt;b</td><td>0.5</td></tr><tr><td>2</td><td></td><td>1e-06</td></tr></table>' "
table = sanlab.Table([{'seed': 1, 'name': 'a<b', 'value': 0.5}, {'seed': 2, 'name': None, 'value': 1e-6}])
print(table)
print(table._repr_html_())"
py "also an empty or a long one" "a  b
True 10 more rows" "
print(sanlab.Table([], ['a', 'b']))
long = repr(sanlab.Table({'a': i} for i in range(30))).splitlines()
print(len(long) == 22, long[-1])"
py "a grid with every kind of value" "$work/g.yaml
train new" "
file = sanlab.grid({'grid': 'g', 'corpus': {'source': 'a', 'target': 'b', 'train': 'train', 'dev': 'dev', 'merges': 8},
    'title': 'ä: \"#', 'model': 'tiny', 'train': {'epochs': 0, 'steps': 3}, 'seeds': [1],
    'rows': [{'name': 'Row: 1'}]}, '$work/g.yaml')
print(file)
print('train', sanlab.results(file, runs=runs)[0]['status'])"
printf 'grid: lines\nbase: hybrid.yaml\nrows:\n  - {name: "a\\u2028b", %s}\n' "$hybrid" > $work/lines.yaml
py "a name with a separator of lines" "'a\u2028b'" "
print(ascii(sanlab.results('$work/lines.yaml', runs=runs)[0]['row']))"
refused='try:
    %s
except sanlab.Error as error:
    print(error)'
# shellcheck disable=SC2059 # the format is above
bad() { py "$1" "$2" "$(printf "$refused" "$3")"; }
bad "a grid without a name" 'grid: expected the key "grid" with the name of the grid' 'sanlab.grid({})'
bad "no such verb" 'there is no verb "tabel"; nearest is "table" (sanlab --help lists them)' 'sanlab.command("tabel")'
bad "no program" "there is no program none; expected its path in the variable SANLAB" \
    'import os; os.environ["SANLAB"] = "none"; sanlab.command("table")'

mkdir -p $work/target/sanlab-0.dist-info && cp -r python/sanlab $work/target
printf 'Metadata-Version: 2.1\nName: sanlab\nVersion: 0\n' > $work/target/sanlab-0.dist-info/METADATA
echo ../../bin/sanlab,, > $work/target/sanlab-0.dist-info/RECORD
output=$(env -u SANLAB PYTHONPATH="$work/target" PATH=/nowhere \
    "$("$python" -c 'import sys; print(sys.executable)')" -m sanlab --version 2>&1)
equals "no program in the folder of pip install --target" "sanlab: there is no program sanlab; expected its path in the variable SANLAB" "$output"

if ! "$python" -c 'import numpy' 2> /dev/null; then
    skipped "arrays, and docs/python.md" "$python has no numpy (pip install numpy)"
    finish
    exit
fi
./sanlab export model hybrid/Row/1 --checkpoint last --out $work/m.safetensors --runs $runs --quiet
py "parameters of a file" "True 32 ['<pad>', '<eos>', '<unk>'] True" "
model = sanlab.parameters('$work/m.safetensors')
total = sum(array.size for array in model.values())
print(total == sanlab.results(path, runs=runs)[0]['parameters'], model.options['model']['width'],
      model.vocabulary['source'][:3], model['embedding'].shape == (len(model.vocabulary['target']), 32))"
py "and of a stage are the same" True "
one, other = sanlab.parameters('$work/m.safetensors'), sanlab.parameters('hybrid/Row/1', 'last', runs)
print(list(one) == list(other) and all((one[name] == other[name]).all() for name in one))"
cp $work/data/dev.a $work/m.safetensors.codes.bpe
bad "of another model's merges" "$work/m.safetensors.codes.bpe: belongs to another model than $work/m.safetensors (another SHA-256)" \
    "sanlab.parameters('$work/m.safetensors')"
bad "of no model" "$work/data/dev.a: not a safetensors file" "sanlab.model.Model('$work/data/dev.a')"
py "of a file whose header is no map of tensors" "not a safetensors file, 6 times" "
import struct
def read(header):
    pathlib.Path('$work/x.safetensors').write_bytes(struct.pack('<Q', len(header)) + header + b'abcd')
    try:
        sanlab.parameters('$work/x.safetensors')
    except sanlab.Error as error:
        return str(error)[len('$work/x.safetensors: '):]
headers = [b'[]', b'3', b'{\"a\":1}', b'{\"a\":{\"dtype\":\"F32\"}}', b'{\"__metadata__\":null}',
           b'{\"a\":{\"dtype\":\"F32\",\"shape\":null,\"data_offsets\":[0,4]}}']
said = [read(header) for header in headers]
print(*set(said), end=f', {len(said)} times')"
bad "of a file without options" "$work/x.safetensors: its metadata do not say what it is (format sanlab, version 1)" \
    "pathlib.Path('$work/x.safetensors').write_bytes(b'\\x40' + bytes(7) + b'{\"__metadata__\":{\"format\":\"sanlab\",\"format_version\":\"1\"}}'.ljust(64)); sanlab.parameters('$work/x.safetensors')"
py "vectors of layers that numpy counts" "['$work/v/encoder.1/Has.npy']" "
import numpy
print(sanlab.write_vectors('$work/v', {'Has': [[1]]}, layer=numpy.arange(1, 2)[0]))"
bad "of layer 0" 'write_vectors: layer 0: expected a number from 1, or a path, such as "bag"' \
    "sanlab.write_vectors('$work/v', {'Has': [[1]]}, layer=0)"
py "numbers and arrays of numpy, and paths, in a grid" "seeds: [1, 2] corpus: {\"train\": \"data/train\"}" "
import numpy
file = sanlab.grid({'grid': 'n', 'seeds': numpy.arange(1, 3), 'corpus': {'train': pathlib.Path('data/train')}}, '$work/n.yaml')
print(*open(file).read().splitlines()[1:])"
py "vectors by seed and layer" "['$work/v/2/encoder.3/Has.npy'] (2, 3) float32" "
import numpy
written = sanlab.write_vectors('$work/v', {'Has': [[1, 2, 3], [4, 5, 6]]}, seed=2, layer=3)
print(written, numpy.load(written[0]).shape, numpy.load(written[0]).dtype)"
bad "vectors that are not finite" "write_vectors: Has: expected finite numbers [lines, width], got (1, 1)" \
    "sanlab.write_vectors('$work/v', {'Has': [[float('nan')]]})"
bad "vectors of no stage" "vectors: $work/hybrid.yaml has no vectors of Has for row=None, seed=None" \
    "sanlab.vectors(path, 'Has', runs=runs)"
unset SANLAB_DATA
output=$("$python" scripts/check/notebook docs/python.md 2>&1)
ok "docs/python.md has the output of its commands" $?
cp docs/python.md $work/page.md
sed -i 's/^(32, 0.98)$/(33, 0.98)/' $work/page.md
output=$("$python" scripts/check/notebook $work/page.md 2>&1)
code=$?
says "which is compared" 1 '^.33, 0.98.$'
finish
