#!/bin/sh
# Halving: the worse trials of a tuned row stop at rungs, and the others continue their own trainings.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
task halving_cli 200

# grid NAME [HALVING]: writes a grid of the rows A and B, with 12 trials. `seeds` are those of a full training.
grid() {
    cat > $work/"$1".yaml << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {steps: 24, validate_every: 2, batch_tokens: 256, warmup: 2, rate: 1}
seeds: [1, 2]
rows:
  - {name: A}
  - {name: B, encoder.attention: [{layers: 1, branches: [{window: 1}]}]}
tune:
  over:
    train.rate: loguniform(0.3, 3)
    model.dropout: [0, 0.1, 0.2]
  trials: 12
${2:+  halving: $2}
table: {columns: [dev_loss, trials, hours]}
END
}

# rungs RUNS GRID ROW END: prints a line for each rung and the end as halving.py does, from the choices in RUNS.
rungs() {
    python3 - "$@" << 'END'
import json, pathlib, sys
runs, grid, row, end = sys.argv[1:]
found = {}
for record in pathlib.Path(runs, "stages").glob("train-*/stage.json"):
    for name in json.loads(record.read_text())["names"]:
        start = f"{grid}/{row} (trial "
        if name.startswith(start) and name.endswith("/9001") and record.with_name("done.json").exists():
            number, _, rest = name[len(start):].partition(")")[0].partition(" to ")
            found.setdefault(int(rest.split()[0]) if rest else int(end), []).append(int(number))
correlation, trial = {}, None
for record in pathlib.Path(runs, "stages").glob("choice-*/stage.json"):
    if not any(name.startswith(f"{grid}/{row}/") for name in json.loads(record.read_text())["names"]):
        continue
    for line in map(json.loads, record.with_name("metrics.jsonl").read_text().splitlines()):
        if line["name"] == "rung_correlation":
            correlation[line["set"]] = f"{line['value']:.2f}"
        if line["name"] == "trial":
            trial = int(line["value"])
for i, length in enumerate(sorted(found)):
    if length == int(end):
        print("end", *sorted(found[length]), "best", trial)
    else:
        print(length, *sorted(found[length]), correlation.get(i + 1, "unknown"))
END
}

# results RUNS: prints digests of the results of all stages. Only the hours of a choice differ between runs.
results() {
    (cd "$1/stages" && for stage in *; do
        sha256sum "$stage/metrics.jsonl"
        sed 's/"hours": .*//' "$stage/done.json"
    done)
}

grid g
grid h '{from: 4 steps, keep: 1/2}'
expect "trials that all run to the end" 0 'stages done$' run $work/g.yaml --runs $work/full
try plan $work/h.yaml --runs $work/new --all
says "plan lists the first rung" 0 '^train-[0-9a-f]* +A \(trial 11 to 4 steps\)/9001 +new'
matches "its choice" -E '^choice-[0-9a-f]* +A/9001 dev_loss@best\.rung-4-keep-6 '
lacks "but not the second rung" 'to 8 steps)/9001'
# Of 12 trials, 3 always run to the end, and 6, 3 and 2 go on.
matches "the rungs and their cost" -E 'halving of "B": trials: 12 to 4 steps, at most 9 to 8 steps, at most 6 to 16 steps, at most 5 to the end; core time at most [0-9.]+ s, expected [0-9.]+ s, without halving [0-9.]+ s$'
lacks "no trial runs beyond the rung" '(trial 11)/9001'
printf '%s\n' "$output" | grep -oE '^(train|choice)-[0-9a-f]* +A[ /][^ ]*' > $work/of_a
expect "the grid runs to its end" 0 'stages done$' run $work/h.yaml --runs $work/runs
matches "a trial continues its own training" -E \
    'start +train-[0-9a-f]* A \(trial 4 to 16 steps\)/9001 \(continues train-[0-9a-f]* from step 8;'
for row in A B; do
    python3 tests/support/halving.py $work/full g $row 9001 12 4 1/2 24 > $work/expected
    equals "rungs, correlations and choice of $row are those of another program" "$(cat $work/expected)" \
        "$(rungs $work/runs h $row 24)"
done
same=0
for stage in "$work"/full/stages/train-*; do
    twin=$work/runs/stages/${stage##*/}
    [ -d "$twin" ] || continue
    for file in metrics.jsonl ckpt/step-00000024/model.safetensors ckpt/step-00000016/model.safetensors; do
        if [ ! -e "$stage/$file" ] && [ ! -e "$twin/$file" ]; then continue; fi
        if cmp "$stage/$file" "$twin/$file"; then same=$((same + 1)); else same=-99; fi
    done
done
output="$same files are the same"
[ $same -ge 30 ]
ok "a trial that continued has the bytes of one that was not interrupted" $?

try table $work/h.yaml --runs $work/runs
correlations=$(head -n 3 $work/expected | sed 's/\([0-9]*\).* /\1 /' | awk '{ printf "%s%s after %s steps", (NR > 1 ? ", " : ""), $2, $1 }')
# Of the 12 trials, those at the end are 5 at most.
ended=$(tail -n 1 $work/expected | sed 's/end \(.*\) best.*/\1/' | wc -w)
matches "the caption has the rank correlations" -F \
    "12 trials, $((12 - ended)) stopped by halving, rank correlation of rung and end over the 3 that always run to the end $correlations"
median=$(python3 - $work/runs/stages << 'END'
import json, pathlib, sys
for record in pathlib.Path(sys.argv[1]).glob("choice-*/stage.json"):
    names, lines = json.loads(record.read_text())["names"], record.with_name("metrics.jsonl").read_text()
    lines = [json.loads(line) for line in lines.splitlines()]
    if names[0].startswith("h/B/") and any(line["name"] == "trial" for line in lines):
        of = [line["value"] for line in lines if line["name"] == "trial_metric" and line["set"] in (1, 5, 9)]
        print(f"{sorted(of)[1]:.4f}")
END
)
matches "the median is that of the trials that always run to the end" -F \
    "median trial of those that always run to the end $median;"

# Other orders of the work, and kills, give the same choices and the same bytes.
results $work/runs > $work/expected
for runners in 1 2 4; do
    for i in $(seq $runners); do
        ./sanlab run $work/h.yaml --runs $work/$runners -j 1 --quiet 2> $work/log.$i &
    done
    wait
    results $work/$runners > $work/got
    output=$(cat $work/log.*)
    holds "$runners runners give the same results" cmp $work/expected $work/got
done
for seconds in 0.4 0.9 1.6; do
    timeout -s KILL $seconds ./sanlab run $work/h.yaml --runs $work/kill -j 1 --quiet > /dev/null 2>&1
done
for point in before-done step:3 step:7 before-done step:15 before-done step:23; do
    SANLAB_CRASH_AT=$point ./sanlab run $work/h.yaml --runs $work/kill --retry failed --quiet > /dev/null 2>&1
done
try run $work/h.yaml --runs $work/kill --retry failed --quiet
results $work/kill > $work/got
holds "so does a run whose workers were killed" cmp $work/expected $work/got

# A row that is added later changes no stage of the others.
sed 's/^grid: h/grid: later/; s/^rows:/&\
  - {name: C, encoder.layers: 2}/' $work/h.yaml > $work/later.yaml
try plan $work/later.yaml --runs $work/new --all
printf '%s\n' "$output" | grep -oE '^(train|choice)-[0-9a-f]* +A[ /][^ ]*' > $work/got
holds "another row changes no trial and no rung" cmp $work/of_a $work/got
try gc --dry-run --runs $work/runs
lacks "every stage of the rungs is needed" -E '^stage '
try archive $work/h.yaml $work/h.tar.gz --runs $work/runs
try table $work/h.tar.gz
matches "an archive has the caption, too" 'stopped by halving, rank correlation'

# At a rate of 0, all trials have the same loss. The first ones go on.
sed 's/^grid: h/grid: ties/; /train.rate/d; s/, rate: 1}/, rate: 0}/; s/\[0, 0.1, 0.2\]/uniform(0, 0.5)/; /name: B/d' \
    $work/h.yaml > $work/ties.yaml
try run $work/ties.yaml --runs $work/ties --quiet
equals "ties go to the first trials" "4 0 1 2 3 4 5 6 7 8 9 10 11 unknown
8 0 1 2 3 4 5 8 unknown
16 0 1 2 4 8 unknown
end 0 1 4 8 best 0" "$(rungs $work/ties ties A 24)"
expect "a correlation may be unknown" 0 'the 3 that always run to the end unknown after 4 steps' \
    table $work/ties.yaml --runs $work/ties

# Trials of a high rate diverge. They do not go on.
sed 's/^grid: h/grid: lost/; s/loguniform(0.3, 3)/[300, 1, 0.001]/; /name: B/d' $work/h.yaml > $work/lost.yaml
expect "a trial that diverges is no fault of a run" 0 'trials? diverged$' run $work/lost.yaml --runs $work/lost
expect "the table counts it" 0 ', [1-9] diverged, ' table $work/lost.yaml --runs $work/lost

# Finalists are among the trials at the end. Each search has its own rungs. The metric may need a score.
sed 's/^grid: h/grid: f/; s/^  trials: 12/  trials: 6\
  finalists: 2\
  repeats: 3\
  metric: bleu/; s/^seeds: .*/seeds: [1, 2, 3]\
evaluate: {bleu: {split: dev, beam: 1}}/; /name: B/d; s/from: 4 steps/from: 12 steps/' $work/h.yaml > $work/f.yaml
try plan $work/f.yaml --runs $work/f
matches "the cost is that of all searches" 'at most 5 to the end, in each search; core time at most'
expect "finalists, searches and a metric of a score" 0 'stages done$' run $work/f.yaml --runs $work/f
try table $work/f.yaml --runs $work/f
matches "means are over the searches" -E 'over 3 seeds, own seeds .*means over searches; 3 searches of 6 trials, [0-9]+ stopped by halving'
expect "a second run has nothing to do" 0 'stages done$' run $work/f.yaml --runs $work/f
lacks "not one stage" ' start '

# The first rung is at least twice the longest warm-up, also if both are in other units.
sed 's/from: 4 steps/from: 3 steps/' $work/h.yaml > $work/short.yaml
expect "a first rung below twice the warm-up is refused" 65 \
    'short.yaml:16:19: tune.halving.from: 3 steps; expected at least 4 steps, twice the longest warm-up of row "A", 2 steps' \
    plan $work/short.yaml --runs $work/runs
sed 's/  trials: 12/    train.warmup: int(2, 90)\
&/; s/train: {steps: 24/train: {epochs: 40/; s/from: 4 steps/from: 2 epochs/' $work/h.yaml > $work/epochs.yaml
try plan $work/epochs.yaml --runs $work/full
says "so is one in epochs" 65 'epochs.yaml:17:19: tune.halving.from: 2 epochs are about [0-9]+ steps; expected at least [0-9]+ epochs, twice the longest warm-up of row "A", 90 steps'
try run $work/epochs.yaml --runs $work/full
says "and run starts nothing" 65 'expected at least [0-9]+ epochs, twice'
least=$(printf '%s\n' "$output" | sed -n 's/.*expected at least \([0-9]*\) epochs.*/\1/p' | head -n 1)
sed "s/from: 2 epochs/from: $least epochs/" $work/epochs.yaml > $work/least.yaml
expect "the number of the message is enough" 0 "halving of \"A\": trials: 12 to $least epochs" plan $work/least.yaml --runs $work/full

# 12 trials of 5 rows are planned within a second.
{
    sed -n '1,/^rows/p' $work/h.yaml | sed 's/^grid: h/grid: wide/'
    for row in 1 2 3 4 5; do echo "  - {name: R$row, encoder.layers: $row}"; done
    sed -n '/^tune/,/halving/p' $work/h.yaml
} > $work/wide.yaml
output=$(timeout "$(patience 1)" ./sanlab plan $work/wide.yaml --runs $work/new)
ok "12 trials of 5 rows are planned within a second" $?
finish
