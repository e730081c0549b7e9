#!/bin/sh
# Exported models: `sanlab export model` writes a self-contained file. scripts/load_model.py, which
# shares no code with the program, computes the dev loss of sanlab from these files alone.
#   PYTHON: an interpreter that has numpy (python3)
. "$(dirname "$0")/../support/cli.sh"
task load_model 200
python=${PYTHON:-python3} runs=$work/runs out=$work/out
mkdir -p $out

# Adds to the plain lines of dev: other letters, an empty line, a truncated line and an omitted line.
for side in a b; do cp $work/data/dev.$side $work/plain.$side; done
awk -v dir=$work/data 'BEGIN {
    for (i = 0; i < 40; i++) { a = a " S" i % 12; b = b " t" i % 12 }
    print "S1\tÄS2  s3 Σσς", "" > (dir "/dev.a"); print "T1 öt2 t3" > (dir "/dev.b")
    print "" > (dir "/dev.a"); print "" > (dir "/dev.b")
    print substr(a, 2, 66) > (dir "/dev.a"); print substr(b, 2, 60) > (dir "/dev.b")
    print substr(a, 2) > (dir "/dev.a"); print "t1" > (dir "/dev.b")
}'
for side in a b; do cat $work/plain.$side >> $work/data/dev.$side; done

# The rows use every composition that the script supports, one per layer.
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 20, max_words: 35}
model: {preset: tiny, dropout: 0.1, attention_dropout: 0.1}
train: {epochs: 0, steps: 30, batch_tokens: 256, warmup: 20, validate_every: 10}
rows:
  - name: Transformer
    corpus: {lowercase: true, max_length: 24}
    model: {norm: post, source_bias: true}
    encoder: {layers: 2, position: interleaved}
  - name: Hybrid
    corpus.joint: false
    model.share: target
    encoder.layers: 5
    encoder.attention:
      - {layers: 1-2, branches: [global, {window: 1}], fusion: gate}
      - {layers: 3, branches: [forward, {window: 2, dropout: false}], fusion: {gate: {source: input}}}
      - {layers: 4, branches: [backward, {window: 0}], fusion: {gate: {heads: one}}}
      - {layers: 5, branches: [global, {window: 3}, forward], fusion: concat}
    decoder.attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate}]
  - name: Localness
    corpus: {joint: false, max_length: 24}
    model: {share: none, attention_bias: false}
    encoder.layers: 6
    encoder.attention:
      - {layers: 1, terms: [localness]}
      - {layers: 2, terms: [{gauss: {window: layer, scaling: paper}}, neighbor_sigma]}
      - {layers: 3, terms: [{gauss: {window: head, scaling: paper_from_1, heads: 2}}]}
      - {layers: 4, terms: [{gauss: {center: self, hidden: 5, bias: false}}]}
      - {layers: 5, terms: [local_h], branches: [global, {window: 1}], fusion: gate}
    decoder: {position: none}
    decoder.attention: [{layers: 1, terms: [{gauss: {window: layer}}]}]
    decoder.cross: [{layers: 1, terms: [localness]}]
  - name: Stack
    encoder.stack:
      - {lstm: {direction: forward}}
      - {onlstm: {chunk: 4, layers: 2}}
      - {san: 2}
      - {lstm: {direction: backward, projection: true}}
      - {onlstm: {direction: forward}}
      - {lstm: 1}
    encoder.shortcut: true
    encoder.attention: [{layers: 5, terms: [localness]}]
  - name: Post-norm
    model.norm: post
    encoder.stack: [{onlstm: 1}, {san: 1}, {onlstm: {direction: backward, projection: true, chunk: 8}}]
  - name: Post-norm-sum
    model.norm: post
    encoder: {stack: [{lstm: 1}, {san: 1}], shortcut: true}
  - name: Embedding
    model.feedforward: 1
    encoder.layers: 0
END
try run $work/g.yaml --runs $runs --quiet
holds "seven models are trained" [ $code = 0 ]

# header FILE, tensors FILE: print the header of a file of tensors, and the bytes after it.
header() {
    head -c $((8 + $(od -An -tu8 -N8 "$1"))) "$1" | tail -c +9
}
tensors() {
    tail -c +$((9 + $(od -An -tu8 -N8 "$1"))) "$1"
}

try export model g/Transformer/1 --out $out/best.safetensors --runs $runs
says "the best checkpoint, where no other is asked for" 0 "^train-.* checkpoint best, steps \[[123]0\]: "
try export model g/Hybrid/1 --checkpoint "average(2)" --out $out/average.safetensors --runs $runs
says "the mean of several" 0 "checkpoint average.2., steps \[20,30\]"
last=$(basename "$(readlink $runs/names/g/Localness/1/train)")
try export model "$last" --checkpoint last --out $out/last.safetensors --runs $runs --quiet
says "the last one of a stage by its folder's name" 0 "^$"
output=$(ls $out | tr '\n' ' ')
[ "$output" = "average.safetensors average.safetensors.codes.bpe average.safetensors.vocabulary.source \
average.safetensors.vocabulary.target best.safetensors best.safetensors.codes.bpe \
best.safetensors.vocabulary last.safetensors last.safetensors.codes.bpe \
last.safetensors.vocabulary.source last.safetensors.vocabulary.target " ]
ok "vocabularies and merges beside each; a joint vocabulary once" $?
output=$(header $out/last.safetensors | sed 's/\\"/"/g')
status=0
digest() { sha256sum < "$out/last.safetensors.$1" | cut -c1-64; }
while read -r text; do
    case $output in *"$text"*) ;; *) status=1 output="lacks $text: $output" ;; esac
done << END
"format":"sanlab","format_version":"1","step":"30","seed":"1","options":"{
"max_length":24,
"width":32,
{"layers":2,"branches":["global"],"terms":[{"gauss":{"bias":true,"center":"query","hard_cut":false,
"window":{"fixed":10}}}],"fusion":{"gate":{"heads":"auto","source":"query"}}},
{"layers":6,"branches":["global"],"terms":[]}],"layers":6,"position":"sinusoid","shortcut":false,"stack":[{"san":{"layers":6}}],"timescale":10000},
"beta2":0.98,
"keep_best":5,
"source_vocabulary":"$(digest vocabulary.source)",
"target_vocabulary":"$(digest vocabulary.target)",
"codes":"$(digest codes.bpe)",
"checkpoint":"last","steps":"[30]"
END
ok "the file says what it is" $status
checkpoint=$runs/stages/$last/ckpt/step-00000030/model.safetensors
tensors $out/last.safetensors > $work/tensors
output=$(tensors "$checkpoint" | cmp - $work/tensors 2>&1)
ok "its tensors are those of the checkpoint" $?
output=$(header "$checkpoint" | sed 's/.*\("format":"sanlab",.*,"codes":"[0-9a-f]*"\)}.*/\1/')
header $out/last.safetensors | grep -qF -e "$output"
ok "which says the same of itself" $?
try export model g/Localness/1 --checkpoint start --out $work/start --runs $runs
says "the start, which is no checkpoint" 0 "checkpoint start, steps \[\]"

# Checkpoints of older programs have no options; their stages have them.
mkdir $work/older
cp -r tests/runs/stages tests/runs/grids $work/older
old=$(ls -d $work/older/stages/train-*/ckpt/*/model.safetensors | head -n 1)
output=$(header "$old")
printf '%s' "$output" | grep -qv __metadata__
ok "(those of tests/runs have no metadata)" $?
stage=${old%/ckpt/*}
try export model "${stage##*/}" --checkpoint last --out $work/old.safetensors --runs $work/older
says "an older checkpoint is exported" 0 "checkpoint last"
output=$(header $work/old.safetensors)
printf '%s' "$output" | grep -q '"format":"sanlab".*"options":"{.*beta2.*"codes":"'
ok "and its file says what it is" $?

# refused WHAT PATTERN ARGUMENTS...: passes if `sanlab export ARGUMENTS` is refused in one line.
refused() {
    refused_what=$1 refused_line=$2
    shift 2
    [ "$1" = export ] || set -- export "$@"
    expect "$refused_what" 65 "$refused_line" "$@"
    holds "$refused_what: in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
}
none=$work/none.safetensors
SANLAB_CRASH_AT=step:3 ./sanlab run $work/g.yaml --runs $work/dead -j 1 > $work/log 2>&1
corpus=$(basename "$(readlink $runs/names/g/Hybrid/1/corpus)")
refused "no stage is named" "export model: expected one train or relate stage" export model --out $none
refused "no such stage" 'there is no train stage at "Hybird/1"; nearest is "Hybrid/1"' export model g/Hybird/1 --out $none --runs $runs
refused "a stage of another kind" "is a corpus stage; expected a train stage" \
    export model "$corpus" --out $none --runs $runs
refused "a training without a checkpoint" "train-.*: has no checkpoint" \
    export model g/Hybrid/1 --out $none --runs $work/dead
refused "no file" "export: --out is missing; usage: sanlab export .* model STAGE --out FILE" export model g/Hybrid/1 --runs $runs
not="expected the path of a file; this path is not a regular file"
refused "a folder" "export: --out \"$work\": $not" export model g/Hybrid/1 --out $work --runs $runs
mkfifo $work/pipe $work/beside.codes.bpe
refused "a pipe" "export: --out \"$work/pipe\": $not" export model g/Hybrid/1 --out $work/pipe --runs $runs
refused "a pipe beside it" "export: --out \"$work/beside.codes.bpe\": $not" \
    export model g/Hybrid/1 --out $work/beside --runs $runs
refused "a pipe for a table" "export: --out \"$work/pipe\": $not" export csv --out $work/pipe --runs $runs
[ -p $work/pipe ] && [ -p $work/beside.codes.bpe ] && ! there "$work/beside.v*"
ok "pipes stay" $?
refused "an empty path" 'export: --out "": expected the path of a file$' \
    export model g/Hybrid/1 --out "" --runs $runs
! there ".[a-z]*tmp-*" && ! there ".codes.bpe*" && ! there ".vocabulary*"
ok "which leaves no file" $?
refused "a folder that is not there" "cannot be written: No such file" \
    export model g/Hybrid/1 --out $work/nowhere/none --runs $runs
refused "other words for a checkpoint" 'expected best, last, at\(dev_loss = NUMBER\), average\(N\) or start, got "bets"' \
    export model g/Hybrid/1 --checkpoint bets --out $none --runs $runs
refused "several models" "mean_of_best\(2\) selects several models" \
    export model g/Hybrid/1 --checkpoint "mean_of_best(2)" --out $none --runs $runs
refused "more than there are" "average\(9\) needs 9 checkpoints, .* has 3" \
    export model g/Hybrid/1 --checkpoint "average(9)" --out $none --runs $runs
refused "an option of other formats" "export: model has no option --long" \
    export model g/Hybrid/1 --long --out $none --runs $runs
refused "which is not of sqlite" "export: sqlite has no option --long" \
    export sqlite --long --out $none --runs $runs
refused "a checkpoint of a table" "export: csv has no option --checkpoint" \
    export csv --checkpoint best --out $none --runs $runs
refused "another word" 'there is no action "modell"; nearest is "model"' export modell g/Hybrid/1 --out $none
! there "$none*"
ok "nothing of these is written" $?

# The script loads all following models. Without numpy it only checks the options.
if ! "$python" -c 'import numpy' 2> /dev/null; then
    for file in $out/best $out/last; do
        command -v "$python" > /dev/null || break
        output=$("$python" scripts/load_model.py $file.safetensors $work/data/dev.a $work/data/dev.b 2>&1)
        [ "$output" = "load_model: its options are known here; its numbers need numpy" ]
        ok "scripts/load_model.py knows the options of $(basename $file)" $?
    done
    skipped "scripts/load_model.py" "$python has no numpy (pip install numpy)"
    finish
    exit
fi

# load ARGUMENTS...: runs the script; leaves $output, $code and $loss.
load() {
    run "$python" scripts/load_model.py "$@"
    loss=$(printf '%s\n' "$output" | sed -n 's/^dev_loss \(.*\): .*/\1/p')
}

# equal WHAT OTHER: passes if the script's loss equals sanlab's within 1e-5.
equal() {
    output="$output; sanlab: $2"
    awk -v a="$loss" -v b="$2" 'BEGIN {
        difference = (a - b) / b
        printf "# %s and %s: relative difference %.1e\n", a, b, difference
        exit !(a > 0 && b > 0 && difference < 1e-5 && difference > -1e-5)
    }'
    ok "$1" $?
}

# logged ROW STEP: prints sanlab's dev_loss of a checkpoint.
logged() {
    sed -n "s/^{\"name\":\"dev_loss\",\"step\":$2,\"value\":\(.*\)}/\1/p" \
        "$runs/names/g/$1/1/train/metrics.jsonl"
}
step=$(header $out/best.safetensors | sed 's/.*"step":"\([0-9]*\)".*/\1/')
load $out/best.safetensors $work/data/dev.a $work/data/dev.b
equal "a Transformer's dev loss" "$(logged Transformer "$step")"
matches "of the pairs that are not too long" '43 pairs'
load $out/last.safetensors $work/data/dev.a $work/data/dev.b
equal "a localness model's" "$(logged Localness 30)"
for row in Stack Post-norm Post-norm-sum Embedding; do
    try export model "g/$row/1" --checkpoint last --out $out/stack.safetensors --runs $runs --quiet
    load $out/stack.safetensors $work/data/dev.a $work/data/dev.b
    equal "$row: dev loss" "$(logged "$row" 30)"
done
try export model g/Stack/1 --out $out/stack.safetensors --runs $runs --quiet
output=$(header $out/stack.safetensors | sed 's/\\"/"/g')
echo "$output" | grep -q '"projection":true' && ! echo "$output" | grep -q '"true"\|"false"'
ok "truth values are JSON's" $?
# sanlab logs losses of single checkpoints only. For an average, `score --contrast` prints log
# probabilities.
paste $work/plain.a $work/plain.b $work/plain.b | sed 's/$/ t0/' > $work/pairs.tsv
# told ARGUMENTS...: prints the loss of a checkpoint on plain.a and plain.b from these probabilities.
told() {
    ./sanlab score --contrast $work/pairs.tsv --verbose "$@" |
        awk 'NR > 1 { sum -= $2; pieces += $4 } END { printf "%.9f", sum / pieces }'
}
load $out/average.safetensors $work/plain.a $work/plain.b
equal "a hybrid's, averaged" "$(told g/Hybrid/1 --checkpoint "average(2)" --runs $runs)"
load $work/old.safetensors $work/plain.a $work/plain.b
equal "that of an older program's" "$(told "${stage##*/}" --checkpoint last --runs $work/older)"

# BPE merges on natural text.
sed 's/^ *//' README.md tests/unit/utf8_test.c > $work/text
./sanlab bpe learn --merges 500 --codes $work/codes README.md > $work/log 2>&1
./sanlab bpe apply --codes $work/codes $work/text > $work/applied
output=$("$python" - $work/codes $work/text << 'END' 2>&1 | diff - $work/applied | head -n 5
import sys
sys.path.insert(0, "scripts")
from load_model import Merges, lines_of
codes, text = (lines_of(open(path, "rb").read()) for path in sys.argv[1:])
merges = Merges(codes)
for line in text:
    print(" ".join(piece for word in line.split(" ") if word for piece in merges.split(word)))
END
)
[ -z "$output" ] && [ -s $work/applied ]
ok "words are split as sanlab bpe apply does" $?

# stopped WHAT PATTERN: passes if the last load failed with one line that matches.
stopped() {
    [ "$code" = 1 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] &&
        printf '%s\n' "$output" | grep -Eq "^load_model: .*$2"
    ok "$1" $?
}

# changed MODEL SED: writes a model with another header of the same length.
changed() {
    for file in $out/$1.safetensors*; do cp "$file" "$work/changed${file#"$out/$1"}"; done
    LC_ALL=C sed -i "$2" $work/changed.safetensors
    load $work/changed.safetensors $work/plain.a $work/plain.b
}

changed last 's/{\\"gauss\\"/{\\"alibi\\"/'
stopped "another term" "terms: alibi is not known here; expected gauss"
changed average 's/:\\"concat\\"/:\\"conkat\\"/'
stopped "another fusion" "fusion: conkat is not known here; expected gate, concat"
changed best 's/\\"branches\\":\[\\"global\\"\]/\\"branches\\":[\\"globul\\"]/'
stopped "a branch that it does not know" "branches: globul is not known here; expected global, forward"
changed best 's/\\"norm\\":\\"post\\"/\\"norm\\":\\"past\\"/'
stopped "a value" "model.norm: past is not known here; expected pre, post"
changed best 's/\\"zero_bias\\"/\\"zerofbias\\"/'
stopped "an option" "model: zerofbias is not known here"
changed best 's/\\"text\\":\\"tokens\\"/\\"text\\":\\"tokenz\\"/'
stopped "other text" "corpus.text: tokenz is not known here; expected tokens"
changed best 's/"format_version":"1"/"format_version":"2"/'
stopped "a later format" "metadata do not say what it is"
changed best 's/\\"source_bias\\":true/\\"source_bias\\":null/'
stopped "a tensor without a use" "the tensor encoder.bias has no use here"
changed best 's/encoder.2.attention.qkv.weight/encoder.2.attention.qkv.weicht/'
stopped "a tensor that is missing" "there is no tensor encoder.2.attention.qkv.weight"

# Invalid models, and options that contradict the tensors: WHAT|MODEL|CHANGE|PATTERN. CHANGE edits the
# header, its metadata and options, or the bytes after it.
cat > $work/changes << 'END'
truncated tensors|best|data = data[:-4]|4 bytes are missing at the end
bytes after the tensors|best|data += b"1234"|4 bytes behind the last tensor
the shape of a tensor|best|header["embedding"]["shape"][0] += 1|embedding is not .* numbers of dtype F32
no list of bytes|best|header["embedding"]["data_offsets"] = 0|not a safetensors file
another shape of so many numbers|best|header["embedding"]["shape"].reverse()|embedding is \(32, 26\); by its options it is \(26, 32\)
options that are no JSON|best|options = None; metadata["options"] = "{"|not a model of sanlab: JSONDecodeError
options that are a list|best|options = []|not a model of sanlab: AttributeError
metadata that are a list|best|header["__metadata__"] = []|not a safetensors file
no section|best|del options["decoder"]|not a model of sanlab: KeyError\('decoder'\)
no corpus.joint|best|del options["corpus"]["joint"]|not a model of sanlab: KeyError\('joint'\)
no model.norm|best|del options["model"]["norm"]|not a model of sanlab: KeyError\('norm'\)
no position|best|del options["encoder"]["position"]|not a model of sanlab: KeyError\('position'\)
no digest of the merges|best|del metadata["codes"]|not a model of sanlab: KeyError\('codes'\)
two branches without a fusion|average|del first["fusion"]|2 branches with fusion: None
three branches of a gate|average|first["branches"].append("global")|3 branches with fusion: gate
a window that is no number|average|first["branches"][1] = {"window": "1"}|not a model of sanlab: .*Type
what stands beside a branch|average|first["branches"][1]["center"] = 1|branches: center is not known
heads that do not fit|best|options["model"]["heads"] = 3|not a model of sanlab: ValueError
no heads|best|options["model"]["heads"] = 0|not a model of sanlab: ZeroDivisionError
another width|best|options["model"]["width"] = 64|; by its options it is \(26, 64\)
another feedforward|best|options["model"]["feedforward"] = 65|by its options it is \(32, 65\)
another section|best|options["memory"] = {}|options: memory is not known here; expected corpus, model
another option of the corpus|best|options["corpus"]["truecase"] = True|corpus: truecase is not known
another option of training|best|options["train"]["noise"] = 1|train: noise is not known here
another kind of layer|stack|stack[2] = {"gru": stack[2]["san"]}|stack: gru is not known here; expected san, lstm, onlstm
another direction|stack|stack[0]["lstm"]["direction"] = "up"|lstm.direction: up is not known here; expected both, forward
another projection|stack|stack[1]["onlstm"]["projection"] = "half"|onlstm.projection: half is not known here
a chunk of LSTM|stack|stack[0]["lstm"]["chunk"] = 1|lstm: chunk is not known here
another chunk|stack|stack[1]["onlstm"]["chunk"] = 2|encoder.2.recurrence.input.weight is \(32, 288\); by its options it is \(32, 320\)
a direction less|stack|stack[1]["onlstm"]["direction"] = "forward"|encoder.2.recurrence.input.weight is \(32, 288\); by its options it is \(32, 144\)
no projection|stack|stack[3]["lstm"]["projection"] = False|encoder.6.recurrence.output.bias has no use here
a stack of fewer layers|stack|stack.pop()|encoder.stack has 7 layers, not 8
attention elsewhere|stack|stack.insert(0, stack.pop())|encoder.attention is not an entry for each of 2
another precision|best|options["train"]["precision"] = "bf16"|train.precision: bf16 is not known here; expected fp32
more layers than in the stack|best|options["encoder"]["layers"] = 3|encoder.stack has 2 layers, not 3
more layers than entries|best|options["encoder"]["layers"] = stack[0]["san"]["layers"] = 3|encoder.attention is not an entry for each of 3
fewer layers than entries|best|options["encoder"]["layers"] = stack[0]["san"]["layers"] = 1|encoder.attention is not an entry for each of 1
another hidden width|last|first["terms"][0]["gauss"]["hidden"] = 5|gauss.hidden.weight is .* by its options it is \(32, 5\)
no bias where there is one|last|first["terms"][0]["gauss"]["bias"] = False|gauss.hidden.bias has no use here
a gate for all heads|average|first["fusion"]["gate"]["heads"] = "one"|gate.weight is \(32, 4\); by its options it is \(32, 1\)
text of which no pair is left|best|options["corpus"]["max_words"] = 1|no pair is left by corpus.max_words: 1
END
cat > $work/change.py << 'END'
import json, sys
sys.path.insert(0, "scripts")
import load_model

out, *text = sys.argv[1:]
for line in sys.stdin:
    what, model, change, pattern = line.rstrip("\n").split("|")
    path = f"{out}/{model}.safetensors"
    file = open(path, "rb").read()
    begin = 8 + int.from_bytes(file[:8], "little")
    header, data = json.loads(file[8:begin]), file[begin:]
    metadata = header["__metadata__"]
    options = json.loads(metadata["options"])
    first, stack = options["encoder"]["attention"][0], options["encoder"]["stack"]
    exec(change)
    if options is not None:
        metadata["options"] = json.dumps(options)
    header = json.dumps(header).encode()
    open(path, "wb").write(len(header).to_bytes(8, "little") + header + data)
    sys.argv = ["load_model.py", path, *text]
    try:
        load_model.main()
    except SystemExit as stop:
        print(what, pattern, stop, sep="|")
    except Exception as error:
        print(what, pattern, f"a traceback: {error!r}", sep="|")
    open(path, "wb").write(file)
END
"$python" $work/change.py $out $work/plain.a $work/plain.b < $work/changes > $work/messages 2>&1
while IFS='|' read -r what pattern output; do
    matches "$what" -E "^load_model: .*$pattern"
done < $work/messages
holds "each of these is answered in one line" [ "$(wc -l < $work/messages)" = "$(wc -l < $work/changes)" ]
cp $out/best.safetensors $work/changed.safetensors
echo >> $work/changed.safetensors.vocabulary
load $work/changed.safetensors $work/plain.a $work/plain.b
stopped "another vocabulary" "vocabulary: not the file that the model was trained with"
load $out/best.safetensors $work/plain.a $work/data/dev.b
stopped "text of unequal length" "plain.a has 40 lines, .*dev.b has 44"
load "$checkpoint" $work/plain.a $work/plain.b
stopped "a checkpoint that was not exported" "No such file or directory: .*vocabulary.source"
load README.md $work/plain.a $work/plain.b
stopped "what has no tensors" "README.md: not a safetensors file"
finish
