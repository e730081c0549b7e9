#!/bin/sh
# Probes by layer and by share of tr: a sweep in short form, figures of both, and what they refuse.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
task probe_layers 200
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# Two tasks of 360 lines: which of six words a sentence has; how many words.
awk -v dir=$work/data 'BEGIN {
    srand(5)
    for (i = 0; i < 360; i++) {
        n = 3 + int(rand() * 4); s = ""
        for (j = 0; j < n; j++) { w[j] = 6 + int(rand() * 6); s = s (j ? " s" : "s") w[j] }
        split_name = i < 240 ? "tr" : i < 300 ? "va" : "te"
        print split_name "\t" n "\t" s > (dir "/count.txt")
        k = int(rand() * 6); w[int(rand() * n)] = k; s = ""
        for (j = 0; j < n; j++) s = s (j ? " s" : "s") w[j]
        print split_name "\tw" k "\t" s > (dir "/word.txt")
    }
}'
cat > $work/mine.yaml << 'END'
groups: [Surface]
tasks:
  - {name: Word, file: word.txt, group: Surface}
  - {name: Count, file: count.txt, group: Surface}
END
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
encoder.layers: 3
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 20}
seeds: [1, 2]
evaluate:
  probe: {tasks: mine.yaml, protocol: senteval}
END

# plans WHAT EXPECTED GRID..: so many stages that are not cached, by kind.
plans() {
    what=$1 expected=$2
    shift 2
    output=$(./sanlab plan "$@" --runs $work/runs 2>&1 |
        awk '/^[a-z]+-[0-9a-f]+ / { sub(/-.*/, "", $1); if (!/ cached/) n[$1]++ }
             END { for (k in n) print n[k], k }' | sort -k 2 | tr '\n' ' ')
    [ "$output" = "$expected" ]
    ok "$what" $?
}
# with LINE: the grid with another line.
with() {
    (cat $work/g.yaml && printf '%s\n' "$1") > $work/with.yaml
}

# ---- sweeps ----

with 'sweep: {probe.path: [encoder.1, encoder.2]}'
plans "a sweep of two paths trains and encodes once" "1 corpus 4 encode 8 probe 2 train " $work/with.yaml
with 'sweep: {evaluate.probe.path: [encoder.1, encoder.2]}'
plans "as with the whole key" "1 corpus 4 encode 8 probe 2 train " $work/with.yaml
with 'sweep: {probe.path: layers}'
plans "so does one of layers: a row for each" "1 corpus 4 encode 12 probe 2 train " $work/with.yaml
try plan $work/with.yaml --runs $work/runs
says "which is called by its path" 0 '^probe-[0-9a-f]+ +path=encoder.3/2 Word@encoder.3 +new'
with 'sweep: {encoder.layers: [2, 3], probe.path: layers}'
plans "each encoder has its own layers" "1 corpus 4 encode 10 probe 2 train " $work/with.yaml seeds=1
with 'sweep: {prob.path: layers}'
try run $work/with.yaml --runs $work/runs
says "a slip" 65 '^sanlab: .*/with.yaml:9:9: sweep: unknown key "prob"; nearest is "probe"'
finish
