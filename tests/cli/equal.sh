#!/bin/sh
# Values at equal dev loss or at a step: checkpoint: at(..), train.keep_at. Trainings keep their bytes,
# values are interpolated between two checkpoints, and bad numbers are refused.
. "$(dirname "$0")/../support/cli.sh"
task equal_cli 200
export OMP_NUM_THREADS=1
runs=$work/runs
key=evaluate.bleu.checkpoint

# grid NAME CHECKPOINTS [TRAIN] [MORE]: writes a grid of two rows with a score for each checkpoint.
grid() {
    cat > "$work/$1.yaml" << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
seeds: [1, 2]
train: {batch_tokens: 128, warmup: 20, steps: 100, validate_every: 20, keep_best: 1, keep_average: 1${3-}}
evaluate: {bleu: {split: dev, beam: 1}}
sweep: {$key: [$2]}
rows: [{name: A}, {name: B, model.heads: 2}]
table: {columns: [bleu, test_loss, residual(bleu)]}
${4-}
END
}
# training RUNS ROW/SEED: prints the folder of a training, GRID/ROW, ../SEED or GRID/ROW/SEED.
training() { dirname "$(grep -lE "/$2(, $key=[^/]*)?/$3\"" "$1"/stages/train-*/stage.json | head -n 1)"; }
# losses FOLDER: prints "STEP LOSS" of each validation.
losses() { sed -n 's/^{"name":"dev_loss","step":\([0-9]*\),"value":\([0-9.e-]*\)}/\1 \2/p' "$1/metrics.jsonl"; }
# cell CHECKPOINT ROW SEED COLUMN: prints a value of $points.
cell() {
    printf '%s\n' "$points" | sed 's/^\([^"]*\)"\([^"]*\)"/\1\2/; s/, '$key'=/@/; s/, checkpoint=/@/' |
        awk -F, -v row="$2@$1" -v seed="$3" -v column="$4" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
            $2 == row && $3 == seed { print $c }'
}
# digests FOLDER: prints the digests of the checkpoints of steps 80 and 100 and of the metrics.
digests() { (cd "$1" && find ckpt/step-*80 ckpt/step-*100 metrics.jsonl -type f | sort | xargs sha256sum); }

# ---- the bytes of trainings
grid plain best
expect "without at(..), a training keeps the newest and the best" 0 '9 of 9 stages done' run $work/plain.yaml --runs $runs
plain=$(training $runs A 1)
equals "which are two" 2 "$(ls "$plain/ckpt" | wc -l)"
first=$(losses "$plain" | sed -n '2s/.* //p') exact=$(losses "$plain" | sed -n '3s/.* //p')
target=$(awk "BEGIN { printf \"%.6f\", 0.3 * $first + 0.7 * $exact }")
grid equal "at(dev_loss = $target), at(dev_loss = $exact), 'at( step=44 )', at(dev_loss = 0.5)"
expect "a finished training without the checkpoints is refused, with what to do" 65 \
    "equal.yaml:8:3[0-9]: $key: before\(dev_loss=$target\) needs the checkpoint of step [24]0, which ${plain##*/} did not keep; .run --retry kept. trains it again" \
    run $work/equal.yaml --runs $runs
expect "before anything is computed, also by plan" 65 "did not keep" plan $work/equal.yaml --runs $runs
expect "a fresh run keeps them by itself" 0 'stages done' run $work/equal.yaml --runs $work/fresh
fresh=$work/fresh/stages/${plain##*/}
equals "under the same id, with the same bytes" "$(digests "$plain")" "$(digests "$fresh")"
equals "and without the key in the metadata of checkpoints" 0 "$(grep -c keep_at "$fresh"/ckpt/*100/model.safetensors)"
grid same best ', keep_at: [{dev_loss: 3}, {step: 25}]'
expect "keep_at as written is in no id" 0 "${plain##*/}.* done" plan $work/same.yaml --runs $work/fresh
expect "--retry kept trains again" 0 'again .did not keep' run $work/equal.yaml --runs $runs --retry kept
equals "to the same bytes" "$(digests "$fresh")" "$(digests "$plain")"

# ---- values
points=$(./sanlab export csv $work/equal.yaml --runs $work/fresh)
# scored SIDE CHECKPOINT COLUMN: prints a value of the stage of A/1 with the checkpoint SIDE(CHECKPOINT).
scored() {
    stage=$(grep -lF "\"$1($2)\"" "$work"/fresh/stages/score-*/stage.json | xargs grep -lE "/A, [^/]*/1\"" | head -n 1)
    stage_value "$(dirname "$stage")" "$3"
}
for column in bleu test_loss; do
    expected=$(awk "BEGIN { l = $first; h = $exact; w = (l - $target) / (l - h)
        printf \"%.9g\", (1 - w) * $(scored before dev_loss=$target $column) + w * $(scored after dev_loss=$target $column) }")
    got=$(awk "BEGIN { printf \"%.9g\", $(cell "at(dev_loss = $target)" A 1 $column) }")
    equals "$column is interpolated by dev loss" "$expected" "$got"
    expected=$(awk "BEGIN { printf \"%.9g\", 0.8 * $(scored before step=44 $column) + 0.2 * $(scored after step=44 $column) }")
    got=$(awk "BEGIN { printf \"%.9g\", $(cell "at( step=44 )" A 1 $column) }")
    equals "$column is interpolated by step" "$expected" "$got"
    equals "at a validation's loss, $column is that of its checkpoint" "$(scored after dev_loss=$exact $column)" \
        "$(scored before dev_loss=$exact $column)"
    equals "with all digits" "$(scored after dev_loss=$exact $column)" "$(cell "at(dev_loss = $exact)" A 1 $column)"
done
equals "which is the dev loss, since test is dev" "$(awk "BEGIN { printf \"%.5f\", $target }")" \
    "$(cell "at(dev_loss = $target)" A 1 test_loss | awk '{ printf "%.5f", $1 }')"
try table $work/equal.yaml --runs $work/fresh
matches "a row that never crosses is not reached" '^A, .*0\.5).*not reached  *not reached  *not reached$'
matches "the residual of a step is in steps" '^A, .*step=44.* 4\.0000 '
expect "verify finds no fault" 0 ': 0 problems' verify --runs $work/fresh
expect "nothing is left to do" 0 'done' run $work/equal.yaml --runs $work/fresh
lacks "also not where it was not reached" ' start '

# ---- killed and restarted
grid killed "at(dev_loss = $target), at(step = 44)"
SANLAB_CRASH_AT=step:47 ./sanlab run $work/killed.yaml seeds=1 --only "name ~ A" --runs $work/killed -j 1 > $work/log 2>&1
expect "a killed run can be restarted" 0 'stages done' run $work/killed.yaml seeds=1 --only "name ~ A" --runs $work/killed --retry failed
equals "and its training has the same checkpoints" "$(ls "$fresh/ckpt")" "$(ls "$work/killed/stages/${plain##*/}/ckpt")"
equals "with the same bytes" "$(digests "$fresh")" "$(digests "$work/killed/stages/${plain##*/}")"

# ---- claims and figures
grid claimed "at(dev_loss = $target), at(dev_loss = $exact), at(dev_loss = 0.5)" '' "claims:
  - {text: area, compare: [A, B], metric: test_loss, along: $key, expect: equal, smallest: 0.5}
  - {text: each, compare: [A, B], metric: test_loss, expect: greater}
figures:
  - {kind: trajectory, axis: $key, left: bleu}"
expect "an area leaves out what a row does not reach" 0 'area .*supported +-?0\.0000 ' claims $work/claimed.yaml --runs $work/fresh
matches "and says so" '1\. .*over 2 of 3 pairs of rows.*1 of 3 pairs have no values (A.*: not reached by seed 1)'
matches "a claim of such a row is inconclusive" 'each .*0\.5.*inconclusive (not reached)'
if command -v gnuplot > /dev/null; then
    expect "a trajectory has a line for each row" 0 'Gray: each seed' plot $work/claimed.yaml --runs $work/fresh --out $work/figure
else
    skipped "a trajectory is drawn" "no gnuplot"
fi

# ---- what is refused
# refused WHAT PATTERN CHECKPOINT [TRAIN] [MORE]
refused() {
    grid bad "$3" "${4-}" "${5-}"
    expect "$1" 65 "bad.yaml:[0-9]+:[0-9]+: .*$2" run $work/bad.yaml --runs $work/fresh
}
refused "an unknown metric" "$key: at\(dev_los = 2\): unknown metric \"dev_los\"; expected dev_loss or step" 'at(dev_los = 2)'
refused "a number that is none" 'expected a dev loss above 0, got "two"' 'at(dev_loss = two)'
refused "a negative loss" 'expected a dev loss above 0, got "-1"' 'at(dev_loss = -1)'
refused "a negative step" 'expected a step from 0 to 1000000000, got "-5"' 'at(step = -5)'
refused "a part of a step" 'expected a step from 0 to 1000000000, got "2.5"' 'at(step = 2.5)'
refused "no number" 'expected at\(dev_loss = NUMBER\) or at\(step = NUMBER\), got "at\(2\)"' 'at(2)'
refused "a loss that no training reached" "$key: at\(dev_loss=0.25\): no training reaches it; the lowest dev loss of a validation is [0-9.]+ \(train-" 'at(dev_loss = 0.25)'
refused "a step after the end" "at\(step=500\): no training reaches it; the last validated step is 100" 'at(step = 500)'
refused "an unknown key of keep_at" 'train.keep_at: .*"dev_los".*dev_loss' best ', keep_at: [{dev_los: 2}]'
refused "a negative step of keep_at" 'train.keep_at: step: .*-3' best ', keep_at: [{step: -3}]'
refused "keep_at without a list" 'train.keep_at: expected a list' best ', keep_at: {step: 3}'
refused "a trajectory along words" 'figures.axis: a trajectory needs an axis of checkpoints' 'best, last' '' \
    "figures: [{kind: trajectory, axis: $key, left: bleu}]"
finish
