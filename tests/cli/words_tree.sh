#!/bin/sh
# The task tree of the stage words, and the stage trees: structural probes, and trees of gates and cells. An
# independent program computes the values again from the vectors and the maps.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit 0
fi
task words_tree 200
export OMP_NUM_THREADS=1

# Treebanks with random trees, and vectors of their words. The first numbers of a vector are 1 at the words on the way
# to the root; so they have the tree. Others are noise.
cat > $work/make.py << 'END'
import array, os, random, struct, sys
work = sys.argv[1]
os.makedirs(work + "/other")
rows, index, D = [], open(work + "/other/sentences.tsv", "w"), 16
for seed, (name, path, sentences) in enumerate((("train", "t-train", 1200), ("dev", "t-dev", 60),
                                                ("test", "t-test", 60), ("further", "more", 40))):
    random.seed(seed)
    out = open(f"{work}/data/{path}.conllu", "w")
    for s in range(sentences):
        n = random.randint(1, 9)
        heads = [0]
        for w in range(1, n):
            heads.append(random.choice([h for h in range(w) if tags[h] != "PUNCT"]) + 1 if w > 1 else 1)
            if w == 1:
                tags = ["X", "X"]
            else:
                tags.append(random.choice(["X", "X", "X", "PUNCT"]))
        if n == 1:
            tags = ["X"]
        if s % 6 == 0:
            print("# newdoc", file=out)
        words = ["s%d" % random.randrange(12) for _ in range(n)]
        for w in range(n):
            print(w + 1, words[w], "_", tags[w], "_", "_", heads[w], "x", "_", "_", sep="\t", file=out)
        print(file=out)
        print(name, s + 1, " ".join(words), sep="\t", file=index)
        for w in range(n):
            row = [random.gauss(0, 0.1) for _ in range(D)]
            while heads[w]:
                row[w] += 1
                w = heads[w] - 1
            rows.append(row)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), D)
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(work + "/other/words.npy", "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for row in rows:
        array.array("f", row).tofile(out)
END
python3 $work/make.py $work
cat > $work/o.yaml << 'END'
grid: o
evaluate:
  words: {tasks: [tree], treebank: t, further: more.conllu, vectors: other, ranks: [4, 8, 64]}
table:
  columns: [words.tree, words.tree.root, words.tree.neighbors, words.tree.rank]
END
expect "plan prints the power" 0 '^power of words.tree: test has [0-9]+ edges in 10 documents; joined neighbors have ' \
    plan $work/o.yaml --runs $work/runs
expect "structural probes of vectors of another program" 0 "" run $work/o.yaml --runs $work/runs --quiet
stage=$(readlink -f $work/runs/names/o/o/1/words.*)
PYTHONDONTWRITEBYTECODE=1 python3 tests/support/tree_scores.py $stage $work/other $work/data/t-train.conllu \
    $work/data/t-dev.conllu $work/data/t-test.conllu $work/data/more.conllu > $work/expected
output=$(while read -r name value; do echo "$name $value $(stage_value $stage $name)"; done < $work/expected)
printf '%s\n' "$output" | awk 'NF != 3 || ($2 - $3) ^ 2 > ($1 ~ /distance|depth/ ? 1e-6 : 1e-18) { bad = 1 }
    END { exit bad || NR != 15 }'
ok "another program has the same values" $?
output=$(stage_value $stage accuracy)
awk -v neighbors="$(stage_value $stage neighbors)" -v uuas="$output" 'BEGIN { exit !(uuas > neighbors + 20 && uuas > 80) }'
ok "the probe finds the trees" $?
output=$(awk -F'\t' 'NR > 1 { n += $1; w += $4 } END { printf "%.9f", n / w }' $stage/items.tsv)
holds "the items are documents, and their mean is the value" \
    [ "$output $(wc -l < $stage/items.tsv)" = "$(printf '%.9f' "$(stage_value $stage accuracy)") 11" ]
output=$(cat $stage/metrics.jsonl)
matches "correlations are by length" '"name":"distance",.*"class":"7","n":[0-9]'
cp $stage/distance.npy $work/one.npy
OMP_NUM_THREADS=2 ./sanlab run $work/o.yaml --runs $work/more --quiet
holds "two threads give the same bytes" cmp -s $work/one.npy $work/more/stages/words-*/distance.npy

# ---- gates and cells ----

. tests/support/analyses.sh
runs=$work/runs
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 8}
model: tiny
train: {epochs: 0, steps: 5, batch_tokens: 256, warmup: 10}
rows:
  - {name: ON-LSTM, encoder.stack: [{san: 1}, {onlstm: {layers: 1, chunk: 8}}, {lstm: {layers: 1, direction: forward}}]}
  - {name: LSTM, encoder.stack: [{lstm: 2}]}
  - {name: SAN}
evaluate:
  trees: {text: t-dev.conllu}
table:
  columns: [trees.uuas, trees.start_uuas, trees.cells, trees.neighbors, {column: trees.gates_last, layer: 2}]
END
expect "trees of gates and of cells" 0 "" run $work/g.yaml --runs $runs --quiet
on=$(readlink -f $runs/names/g/ON-LSTM/1/trees) lstm=$(readlink -f $runs/names/g/LSTM/1/trees)
output=$(grep '"name":"gates"' $on/metrics.jsonl)
holds "gates are of layer 2 alone, and their mean" [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
matches "with the layer" '"layer":2'
holds "uuas is of gates" [ "$(stage_value $on uuas)" = "$(stage_value $on gates)" ]
holds "cells are of layers 2 and 3, and their mean" [ "$(grep -c '"name":"cells"' $on/metrics.jsonl)" = 3 ]
output=$(cat $lstm/metrics.jsonl)
lacks "an LSTM has no gates" '"name":"gates'
holds "without gates, uuas is of cells" [ "$(stage_value $lstm uuas)" = "$(stage_value $lstm cells)" ]
holds "neighbors do not depend on the encoder" [ "$(stage_value $on neighbors)" = "$(stage_value $lstm neighbors)" ]
expect "a table has them" 0 '^SAN +- +- +- +- +-$' table $work/g.yaml --runs $runs

# ---- bad input ----

expect "a rank of 0" 65 'evaluate.words.ranks: "0": expected a number from 1' \
    plan $work/o.yaml --runs $work/none 'evaluate.words.ranks=[0]'
expect "no rank" 65 'evaluate.words.ranks: 0 ranks; expected 1 to 16' \
    plan $work/o.yaml --runs $work/none 'evaluate.words.ranks=[]'
printf '1\ta\t_\tX\t_\t_\t_\tx\t_\t_\n\n' > $work/data/bad.conllu
expect "a treebank without heads" 65 'bad.conllu:1:.*the head "_"; expected' \
    plan $work/g.yaml --runs $work/none evaluate.trees.text=bad.conllu
printf '1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\ta\t_\tX\t_\t_\t1\tx\t_\t_\n\n' > $work/data/bad.conllu
expect "heads in a circle" 65 'bad.conllu:1:.*the heads form a circle' \
    plan $work/g.yaml --runs $work/none evaluate.trees.text=bad.conllu
finish
