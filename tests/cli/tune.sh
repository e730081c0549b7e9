#!/bin/sh
# Tuned rows: trials, the choice, and the row's own seeds with the chosen options.
. "$(dirname "$0")/../support/cli.sh"
task tune_cli 200

# grid NAME: writes a grid of the rows and the key tune of standard input.
grid() {
    cat > $work/"$1".yaml << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {steps: 12, validate_every: 4, batch_tokens: 256, warmup: 4, rate: 1}
seeds: [1, 2]
evaluate: {bleu: {split: dev, beam: 1}}
END
    cat >> $work/"$1".yaml
}

# results RUNS: prints digests of the results of all stages. Only the hours of a choice differ between runs.
results() {
    (cd "$1/stages" && for stage in *; do
        sha256sum "$stage/metrics.jsonl"
        sed 's/"hours": .*//' "$stage/done.json"
    done)
}

# chosen RUNS: prints the numbers of the chosen trials, by the name of the row.
chosen() {
    for stage in "$1"/stages/choice-*; do
        grep -q '"trial"' "$stage/metrics.jsonl" || continue # of the row's own seeds
        row=$(sed -n 's/.*"[a-z]*\/\(.*\)\/9001".*/\1/p' "$stage/stage.json" | head -n 1)
        echo "$row $(stage_value "$stage" trial | sed "s,\.0,,")"
    done | sort
}

# best RUNS GRID ROW TRIALS: prints the number of the trial with the lowest dev loss of a validation. This is the
# loss of the checkpoint `best`.
best() {
    for trial in $(seq 0 $(($4 - 1))); do
        folder=$(./sanlab show "$2/$3 (trial $trial)/9001/train" --runs "$1" | sed -n 's/.*\(train-[0-9a-f]*\).*/\1/p' | head -n 1)
        grep -o '"name":"dev_loss".*"value":[0-9.e+-]*' "$1/stages/$folder/metrics.jsonl" |
            sed "s/.*:\(.*\)/\1 $trial/" | sort -g | head -n 1
    done | sort -g -k 1,1 | head -n 1 | cut -d ' ' -f 2
}

grid g << 'END'
rows:
  - {name: A}
  - {name: B, encoder.attention: [{layers: 1, branches: [{window: 1}]}]}
tune:
  over:
    train.rate: loguniform(0.3, 3)
    model.dropout: [0, 0.1, 0.2]
  trials: 4
table: {columns: [bleu, trials, hours, tuned(train.rate)]}
claims:
  - {text: Alike, compare: [A, B], metric: dev_loss, expect: less, undertrained: allow}
END
try plan $work/g.yaml --runs $work/new --all
says "plan lists the trials" 0 '^train-[0-9a-f]* +A \(trial 3\)/9001 +new'
matches "a choice for each row" -E '^choice-[0-9a-f]* +B/9001'
matches "and the stages that wait for it" -E '^5 stages wait for the choice of "A"; with its options as written, about'
lacks "but not the row's own stages" -E '^train-[0-9a-f]* +A/1 '
printf '%s\n' "$output" | grep -oE '^train-[0-9a-f]* +. .trial .' | sort > $work/trials
expect "the grid runs to its end" 0 '^[0-9:]+  21 of 21 stages done' run $work/g.yaml --runs $work/runs
try table $work/g.yaml --runs $work/runs
says "its table has no trials" 0 '^A +0'
lacks "in its rows" 'trial 3'
matches "but their number, core hours, and the mark of an edge" -E '^B .* 4 +0\.00 +0\.3042 \(edge\)$'
equals "the best trial of A is chosen" "A $(best $work/runs g A 4)" "$(chosen $work/runs | grep '^A')"
equals "and that of B" "B $(best $work/runs g B 4)" "$(chosen $work/runs | grep '^B')"
winner=$(best $work/runs g A 4)
try diff "g/A (trial $winner)/9001/train" g/A/1/train --runs $work/runs
lacks "the row's own seeds have the options of the trial" -E 'train.rate|model.dropout'
expect "a second run has nothing to do" 0 '^[0-9:]+  21 of 21 stages done$' run $work/g.yaml --runs $work/runs

try claims $work/g.yaml --runs $work/runs
says "a claim about an option at the edge of its space" 0 '^1\. Alike +inconclusive \(edge of the space\)'
matches "names the option" 'train.rate of A is at the edge of its space: 0.3042 (edge)'
matches "and that of the other row" 'train.rate of B is at the edge of its space: 0.3042 (edge)'

# Other orders of the work give the same choice and the same bytes.
results $work/runs > $work/expected
try run $work/g.yaml --runs $work/one -j 1 --quiet
results $work/one > $work/got
holds "one worker gives the same results" cmp $work/expected $work/got
for i in 1 2 3 4; do
    ./sanlab run $work/g.yaml --runs $work/four -j 1 --quiet 2> $work/four.$i &
done
wait
results $work/four > $work/got
output=$(cat $work/four.*)
holds "four runners do, too" cmp $work/expected $work/got
for seconds in 0.3 0.6 0.9; do
    timeout -s KILL $seconds ./sanlab run $work/g.yaml --runs $work/kill -j 1 --quiet > /dev/null 2>&1
done
for point in step:9 step:9 before-done; do
    SANLAB_CRASH_AT=$point ./sanlab run $work/g.yaml --runs $work/kill --retry failed --quiet > /dev/null 2>&1
done
try run $work/g.yaml --runs $work/kill --retry failed --quiet
results $work/kill > $work/got
holds "and a run whose workers were killed" cmp $work/expected $work/got

# The row waits until its trials are done.
mkdir -p $work/part/stages
cp -r $work/runs/grids $work/part
cp -r $work/runs/stages/corpus-* $work/part/stages
expect "a table says that a row waits" 0 '^A +waits for its trials' table $work/g.yaml --runs $work/part
expect "an export does for each seed" 0 '^g,A,2,waits for its trials,' export csv $work/g.yaml --runs $work/part
expect "a claim names the first row that waits" 0 'A: waits for its trials' claims $work/g.yaml --runs $work/part
expect "--only cannot know an option that is tuned" 65 '^sanlab: .*--only: tune varies train.rate; expected an option' \
    plan $work/g.yaml --only 'rate=1' --runs $work/runs
sed 's/^table: {/&by: train.rate, /' $work/g.yaml > $work/by.yaml
expect "nor can a table be arranged by it" 65 'by.yaml:17:13: by: tune varies train.rate in row "A"' \
    plan $work/by.yaml --runs $work/runs

# A row that is added later changes no trial of the others. A row that equals a trial is done.
sed 's/^grid: g/grid: h/; s/^rows:/&\
  - {name: C, encoder.layers: 2}/' $work/g.yaml > $work/h.yaml
try plan $work/h.yaml --runs $work/new --all
printf '%s\n' "$output" | grep -oE '^train-[0-9a-f]* +[AB] .trial .' | sort > $work/more
holds "another row changes no trial" cmp $work/trials $work/more
rate=$(./sanlab show "g/A (trial 1)/9001/train" --runs $work/runs | sed -n 's/.*train\.rate *\([0-9.]*\).*/\1/p' | head -n 1)
dropout=$(./sanlab show "g/A (trial 1)/9001/train" --runs $work/runs | sed -n 's/.*model\.dropout *\([0-9.]*\).*/\1/p' | head -n 1)
grid same << END
train.rate: $rate
model.dropout: $dropout
rows: [{name: A}]
END
sed -i 's/^seeds: .*/seeds: [9001]/; s/, rate: 1}/}/; s/, dropout: 0.1}/}/' $work/same.yaml
expect "a row of another grid that equals a trial is done" 0 '^train-[0-9a-f]* +A/9001 +done \(by g/A \(trial 1\)/9001' \
    plan $work/same.yaml --runs $work/runs

# Finalists get two more seeds, and the mean decides. The loss of averaged parameters is that of a score on dev.
grid f << 'END'
rows:
  - {name: A}
  - {name: B, tune: {over: {encoder.attention: {near: [{layers: 1, branches: [{window: 1}]}], far: [{layers: 1, branches: [{window: 4}]}]}}}}
  - {name: C, tune: false}
tune: {over: {model.dropout: [0, 0.1, 0.2]}, trials: 4, finalists: 2}
table: {columns: [bleu, tuned(model.dropout), tuned(encoder.attention), trials, choice.metric]}
claims:
  - {text: Tuned alike, compare: [A, B], metric: dev_loss, expect: less, undertrained: allow}
  - {text: Not alike, compare: [A, C], metric: dev_loss, expect: less, undertrained: allow, untuned: allow}
END
sed -i 's/beam: 1}/beam: 1, checkpoint: average(2)}, speed: {rounds: 2, steps: 1}/' $work/f.yaml
try plan $work/f.yaml --runs $work/runs
# In each row two finalists have 4 more trainings and 4 scores, the row has 2 of both, and there are 2 choices.
matches "plan counts what comes after the first choice" -E '^14 stages wait for the choice of "A"'
lacks "a stage of all rows waits, too" -E '^speed-'
./sanlab run $work/f.yaml --runs $work/runs -j 1 --quiet 2> $work/other &
try run $work/f.yaml --runs $work/runs -j 1
wait
says "finalists have further trials" 0 'stages done$'
output=$(ls $work/runs/stages)
matches "then come stages of all rows" '^speed-'
# loss TRIAL SEED: prints the dev loss of the averaged parameters of a trial of A.
loss() {
    folder=$(./sanlab show "f/A (trial $1)/$2/score" --runs $work/runs | sed -n 's/.*\(score-[0-9a-f]*\).*/\1/p' | head -n 1)
    stage_value "$work/runs/stages/$folder" test_loss
}
# Trials that are the same training are one.
for trial in 0 1 2 3; do echo "$(loss $trial 9001) $trial"; done | sort -g -k 1,1 -u | head -n 2 | cut -d ' ' -f 2 > $work/finalists
for trial in $(cat $work/finalists); do
    echo "$(loss $trial 9001) $(loss $trial 9002) $(loss $trial 9003) $trial" | awk '{ printf "%.4f %d\n", ($1 + $2 + $3) / 3, $4 }'
done | sort -g | head -n 1 > $work/winner
try table $work/f.yaml --runs $work/runs
says "the finalist with the best mean is chosen" 0 "^A .* 4 +$(cut -d ' ' -f 1 $work/winner)$"
matches "the label of a chosen map" -E '^B .* (near|far|\[\{layers: all.*) +4 '
matches "a row that is not tuned has no value" -E '^C +[0-9.]+ ± [0-9.]+ +- +- +- +-'
matches "a line has the chosen options and three values" -E \
    '^Tuned \(dev_loss on dev\): A model.dropout: [0-9.]+( \(edge\))? \(chosen trial [0-9.]+ over 3 seeds, own seeds [0-9.]+, median trial [0-9.]+ over one seed; 4 trials, 0\.[0-9]{2} core hours\); B '
median=$(for trial in 0 1 2 3; do loss $trial 9001; done | sort -g -u |
    awk '{ loss[NR] = $1 } END { printf "%.4f", loss[int((NR + 1) / 2)] }')
matches "the median is the better one of two in the middle" "median trial $median over one seed; 4 trials, "
own=$(for seed in 1 2; do
    folder=$(./sanlab show "f/A/$seed/score" --runs $work/runs | sed -n 's/.*\(score-[0-9a-f]*\).*/\1/p' | head -n 1)
    stage_value "$work/runs/stages/$folder" test_loss
done | awk '{ sum += $1 } END { printf "%.4f", sum / 2 }')
matches "that of the own seeds is their mean" "A model.dropout: .*, own seeds $own, .*; B"
try table $work/f.yaml --explain A bleu --runs $work/runs
says "an explanation has the same" 0 "^tuned: model.dropout: .* \(chosen trial .*, own seeds $own, median trial "
try claims $work/f.yaml --runs $work/runs
matches "a comparison with a row that is not tuned says so" 'untuned, allowed: row "A" has [0-9]* trials, but row "C" has 0;'
sed 's/^table.*/table: {columns: [bleu, p(bleu)]}/' $work/f.yaml > $work/f3.yaml
expect "a table with p says so, too" 0 'Compared although only one of the two is tuned: C with A\.$' \
    table $work/f3.yaml --runs $work/runs
sed 's/, untuned: allow//' $work/f.yaml > $work/f2.yaml
expect "and is refused otherwise" 65 'f2.yaml:17:5: claims: row "A" has [0-9]* trials, but row "C" has 0; expected ' \
    plan $work/f2.yaml --runs $work/runs
expect "a name of several choices needs a part" 65 \
    'matches 3 stages: choice-.*\(append a seed, a kind or a part to select one' \
    show f/A/9001/choice --runs $work/runs
try gc --dry-run --runs $work/runs
lacks "every stage of trials and finalists is needed" -E '^stage '

# Three searches, one for each seed. The second has other draws, and the seed 9004 of trials.
sed "s/^grid: g/grid: r/; s/^seeds: .*/seeds: [1, 2, 3]/; s/  trials: 4/  trials: 3\n  repeats: 3/" $work/g.yaml |
    sed 's/^table.*/table: {columns: [dev_loss, p(dev_loss), trials, "tuned(train.rate)", "tuned(model.dropout)"]}/; /^claims/,$d' > $work/r.yaml
cat >> $work/r.yaml << 'END'
claims:
  - {text: Alike, compare: [A, B], metric: dev_loss, expect: less, undertrained: allow}
END
try plan $work/r.yaml --runs $work/new
matches "plan says what waits for the choice" '^7 stages wait for the choice of "A"; .* of core time$'
expect "three searches run to their end" 0 'stages done$' run $work/r.yaml --runs $work/runs
for search in 0 1 2; do
    for trial in $((3 * search)) $((3 * search + 1)) $((3 * search + 2)); do
        folder=$(./sanlab show "r/A (trial $trial)/$((9001 + 3 * search))/train" --runs $work/runs |
            sed -n 's/.*\(train-[0-9a-f]*\).*/\1/p' | head -n 1)
        grep -o '"name":"dev_loss".*"value":[0-9.e+-]*' "$work/runs/stages/$folder/metrics.jsonl" |
            sed "s/.*:\(.*\)/\1 $trial/" | sort -g | head -n 1
    done | sort -g -k 1,1 | head -n 1 | cut -d ' ' -f 2 > $work/winner.$search
    try diff "r/A (trial $(cat $work/winner.$search))/$((9001 + 3 * search))/train" r/A/$((search + 1))/train --runs $work/runs
    lacks "seed $((search + 1)) has the options of its own search" -E 'train.rate|model.dropout'
done
try table $work/r.yaml --runs $work/runs
matches "the table lists the choices of the searches" -E '^A .* [0-9.]+( \(edge\))?, [0-9.]+( \(edge\))?, [0-9.]+'
matches "and says what is tested" 'each seed has its own search'
lacks "which is not one choice" 'one search'
matches "means and sums are over the searches" 'means over searches; 3 searches of 3 trials, '
try claims $work/r.yaml --runs $work/runs
lacks "a claim over searches has no remark" 'one search'
matches "but says what its seeds are" 'each seed has its own search'
sed 's/^grid: r/grid: once/; /^  repeats/d; s/^  trials: .*/  trials: 2/; s/loguniform(0.3, 3)/[0.4, 0.5]/' $work/r.yaml > $work/once.yaml
try run $work/once.yaml --runs $work/runs --quiet
expect "a claim about one search says so" 0 '^1\. Alike +[a-z]+, of the chosen options \(one search\), training ' claims $work/once.yaml --runs $work/runs
expect "a table, too" 0 '; of the chosen options \(one search\)\.' table $work/once.yaml --runs $work/runs

try table $work/once.yaml --explain B dev_loss --runs $work/runs
matches "so does the explanation of a cell" 'n = 3, of the chosen options (one search):'

# The value of a budget: the mean, over all pairs of the 4 trials, of the lower loss. The bootstrap resamples numbers
# of trials, the same for both rows.
sed 's/^grid: g/grid: value/; s/loguniform(0.3, 3)/[0.3, 0.5]/; s/dropout: \[.*/dropout: {a: 0, b: 0.1, c: 0.2}/
    s/^table.*/table: {baseline: A, columns: ["expected(dev_loss, 2)", "expected(dev_loss, 1000 hours)", "delta(expected(dev_loss, 2))"]}/; /^claims/,$d' \
    $work/g.yaml > $work/value.yaml
cat >> $work/value.yaml << 'END'
figures: [{kind: budget}]
claims:
  - {text: Cheap, compare: [A, B], budget: 2 trials, expect: less, undertrained: allow}
  - {text: Dear, compare: [A, B], metric: dev_loss, budget: 1000 hours, expect: less, undertrained: allow}
END
try run $work/value.yaml --runs $work/runs --quiet
for row in A B; do
    for trial in 0 1 2 3; do
        folder=$(./sanlab show "value/$row (trial $trial)/9001/train" --runs $work/runs |
            sed -n 's/.*\(train-[0-9a-f]*\).*/\1/p' | head -n 1)
        grep -o '"name":"dev_loss".*"value":[0-9.e+-]*' "$work/runs/stages/$folder/metrics.jsonl" |
            sed 's/.*://' | sort -g | head -n 1
    done > $work/losses.$row
done
paste $work/losses.A $work/losses.B | awk '
    { loss[0, NR - 1] = $1; loss[1, NR - 1] = $2 }
    function best(row, at,   i, k, sum) {
        for (i = 0; i < 4; i++) for (k = 0; k < i; k++)
            sum += loss[row, at[i]] < loss[row, at[k]] ? loss[row, at[i]] : loss[row, at[k]]
        return sum / 6
    }
    END {
        for (i = 0; i < 4; i++) at[i] = i
        a = best(0, at); b = best(1, at)
        for (n = 0; n < 256; n++) {
            for (i = 0; i < 4; i++) at[i] = int(n / 4 ^ i) % 4
            more += best(0, at) - best(1, at) >= 0
        }
        printf "%.4f %.4f %.4f %.4f\n", a, b, a - b, more / 256
    }' > $work/budget
try table $work/value.yaml --runs $work/runs
matches "the expected best of two trials" -E "^A +$(cut -d ' ' -f 1 $work/budget) +-"
matches "of the other row" -E "^B +$(cut -d ' ' -f 2 $work/budget) +- +[+-]?[0-9]"
try claims $work/value.yaml --runs $work/runs --format jsonl
matches "rows are compared at a budget" -E '"text":"Cheap","verdict":"[a-z]+, of one search","metric":"expected.dev_loss, 2 trials.'
matches "more than half of the trials have no value" '"text":"Dear","verdict":"not tested".*"note":"A: no value at this budget; B: no value at this budget"'
difference=$(printf '%s\n' "$output" | sed -n '1s/.*"difference":\([0-9.e-]*\).*/\1/p')
p=$(printf '%s\n' "$output" | sed -n '1s/.*"p":\([0-9.e-]*\).*/\1/p')
equals "their difference" "$(cut -d ' ' -f 3 $work/budget)" "$(printf '%.4f' "$difference")"
output="$p $(cat $work/budget)"
awk -v p="$p" -v all="$(cut -d ' ' -f 4 $work/budget)" 'BEGIN { all = all < 1 / 16 ? 1 / 16 : all; exit !(p - all < 0.02 && all - p < 0.02) }'
ok "p agrees with all 256 resamples of the numbers, and with 4 trials is at least 1 / 16" $?
try plot $work/value.yaml --runs $work/runs --out $work/plots --keep
says "a figure has the values by budget" 0 .
output=$(cat $work/plots/value*/data.tsv)
matches "a point for each number of trials up to half" "^A.*	2	.*	$(cut -d ' ' -f 1 $work/budget | cut -c 1-5)"
equals "beyond a third of the trials, the line of each row is dotted" 2 \
    "$(grep dasharray $work/plots/value-1.svg | grep -vc gridline)"
sed 's/{name: B,/&tune: false,/; s/undertrained: allow/&, untuned: allow/' $work/value.yaml > $work/value2.yaml
expect "a row that is not tuned is refused" 65 'value2.yaml:[0-9:]* claims: row "B" is not tuned, so it has no expected best trial' \
    claims $work/value2.yaml --runs $work/runs

# Trial 2 of A diverges, and is worse than all others. That of B is its best one.
grid lost << 'END'
rows: [{name: A}, {name: B, train.warmup: 250}]
tune: {over: {train.rate: [0.002, 300, 0.001]}, grid: true}
table: {columns: ["expected(dev_loss, 1)", "expected(dev_loss, 2)"]}
figures: [{kind: budget}]
claims: [{text: Worse, compare: [A, B], budget: 2 trials, expect: greater, undertrained: allow}]
END
sed -i 's/, rate: 1}/, rate: 0.002}/; s/steps: 12, validate_every: 4/steps: 8/' $work/lost.yaml
try run $work/lost.yaml --runs $work/lost --quiet
says "a trial diverges" 0 'DIVERGED train-[0-9a-f]* A \(trial 2\)/9001'
for trial in 0 1 3; do
    folder=$(./sanlab show "lost/A (trial $trial)/9001/train" --runs $work/lost | sed -n 's/.*\(train-[0-9a-f]*\).*/\1/p' | head -n 1)
    sed -n 's/.*"name":"dev_loss".*"value":\([0-9.]*\).*/\1/p' "$work/lost/stages/$folder/metrics.jsonl" | tail -n 1
done | sort -g > $work/losses
two=$(awk '{ sum += (4 - NR) * $1 } END { printf "%.4f", sum / 6 }' $work/losses)
expect "each pair has a trial that did not diverge" 0 "^A +- +$two\$" table $work/lost.yaml --runs $work/lost
# A is better only in resamples without trial 2, a share of (3 / 4)^4. If those were left out in which A has only lost
# pairs, it would be 0.43.
output=$(./sanlab claims $work/lost.yaml --runs $work/lost --format jsonl)
awk -v p="$(printf '%s\n' "$output" | sed -n 's/.*"p":\([0-9.e-]*\).*/\1/p')" 'BEGIN { exit !(p > 0.29 && p < 0.34) }'
ok "no resample is left out" $?
try plot $work/lost.yaml --runs $work/lost --out $work/lost.plots
equals "a line of one value is a point, as in the legend" 2 "$(grep -c "<use xlink:href='#gpPt6'" $work/lost.plots/lost-1.svg)"

# Trials that are the same training take one place among the finalists, and their hours count once.
for trials in 2 5; do
    echo "tune: {over: {train.rate: [1]}, trials: $trials, finalists: 2}" | grid same$trials
    try run $work/same$trials.yaml --runs $work/same -j 1 --quiet
done
# choices VALUE FORM: prints a value of all choices, and how often it occurs.
choices() {
    for file in $work/same/stages/choice-*/done.json; do
        tr -d ' \n' < "$file" | grep -o "\"$1\":$2"
    done | sort | uniq -c
}
output=$(choices best '\[[^]]*\]')
matches "equal trials are one finalist" -E '^ *4 "best":\[0\]$'
output=$(choices hours '[0-9.e-]*')
lacks "their hours do not depend on their number" -E '^ *1 "'
matches "but on their seeds" -E '^ *2 "'

# Rows with unequal numbers of trials are compared only if the claim says so.
grid uneven << 'END'
rows: [{name: A}, {name: B, tune: {over: {train.warmup: [2, 4]}}}]
tune: {over: {model.dropout: [0, 0.2]}, grid: true}
claims: [{text: Alike, compare: [A, B], metric: dev_loss, expect: less, undertrained: allow}]
END
expect "a claim about unequal numbers of trials is refused" 65 \
    'uneven.yaml:11:10: claims: row "A" has 3 trials, but row "B" has 5; expected ' \
    plan $work/uneven.yaml --runs $work/new
sed -i 's/undertrained: allow/&, untuned: allow/' $work/uneven.yaml
expect "but not with untuned: allow" 0 'B \(trial' plan $work/uneven.yaml --runs $work/new

# What comes after the choice is estimated as new, also if the row as written is done.
grid w << 'END'
rows: [{name: A}]
END
try run $work/w.yaml --runs $work/w --quiet
try plan $work/g.yaml --runs $work/w
matches "the row as written is no saving" -E '^5 stages wait for the choice of "A"; .* about (0\.[1-9]|[1-9])'

# Trials may be shorter than the row. Its own seeds continue from their first half, which measures the choice.
sed 's/^grid: g/grid: ep/; s/steps: 12, validate_every: 4/epochs: 4/; s/  trials: 4/  trials: 2\n  epochs: 2/; /^table/,$d' \
    $work/g.yaml > $work/ep.yaml
try run $work/ep.yaml --runs $work/ep --only A -j 1
matches "the seeds of a row continue shorter ones" -E 'start +train-[0-9a-f]* A/1 \(continues train-'
expect "a table says how long trials are" 0 '; 2 trials of 2 epochs, ' table $work/ep.yaml --runs $work/ep

# Metrics of translations, on dev.
for metric in bleu nats_per_character; do
    sed "/^claims/,\$d; s/^grid: g/grid: $metric/; s/trials: 4/trials: 3\\n  metric: $metric/; s/^table.*/table: {columns: [bleu, choice.metric]}/" \
        $work/g.yaml > $work/$metric.yaml
    expect "$metric is a metric" 0 'stages done$' run $work/$metric.yaml --runs $work/runs --only A
done
folder=$(./sanlab show "nats_per_character/A (trial 1)/9001/score" --runs $work/runs | sed -n 's/.*\(score-[0-9a-f]*\).*/\1/p' | head -n 1)
characters=$(tr -d '\n' < $SANLAB_DATA/dev.b | wc -m)
tokens=$(sed -n 's/.*"test_loss".*"n":\([0-9]*\).*/\1/p' "$work/runs/stages/$folder/metrics.jsonl")
nats=$(awk -v loss="$(stage_value "$work/runs/stages/$folder" test_loss)" -v n="$tokens" -v all="$characters" \
    'BEGIN { printf "%.6f", loss * n / all }')
output=$(grep -h '"trial_metric"' "$work"/runs/stages/choice-*/metrics.jsonl | grep '"set":2' |
    sed 's/.*"value":\([0-9.]*\).*/\1/' | awk '{ printf "%.6f\n", $1 }')
matches "nats are per character of the references" "^$nats$"

# A plan of 12 trials of 5 rows takes less than a second.
{
    sed -n '1,/^rows/p' $work/g.yaml | sed 's/^grid: g/grid: wide/'
    for row in 1 2 3 4 5; do echo "  - {name: R$row, encoder.layers: $row}"; done
    echo 'tune: {over: {train.rate: "loguniform(0.3, 3)"}, trials: 12}'
} > $work/wide.yaml
output=$(timeout "$(patience 1)" ./sanlab plan $work/wide.yaml --runs $work/new)
ok "12 trials of 5 rows are planned within a second" $?
matches "a line has all trials of a row" -E '^12 train +R5 \(trials\) +new'

# Trials that diverge are not chosen. If all diverge, the row fails, and others go on.
grid bad << 'END'
rows:
  - {name: Some, tune: {over: {train.rate: [1, 300]}}}
  - {name: All, train.rate: 300}
tune: {over: {model.dropout: [0, 0.1]}, grid: true}
table: {columns: [bleu]}
END
sed -i 's/^seeds: .*/seeds: [1]/; s/, rate: 1}/}/; s/steps: 12, validate_every: 4/steps: 8/' $work/bad.yaml
try run $work/bad.yaml --runs $work/bad --max-failures 2
says "a row whose trials all diverge fails, with the reason" 1 'FAILED choice-[0-9a-f]* All/9001.*all 3 trials of this row diverged'
matches "another row goes on" -E ' done +score-[0-9a-f]* Some/1'
lacks "a trial that diverged is not chosen" 'start  train.* All/1 '
expect "a trial that diverged is no fault of a run" 0 'stages done, 2 trials diverged$' \
    run $work/bad.yaml --runs $work/bad --only Some
expect "the table says so" 0 '^All +failed' table $work/bad.yaml --runs $work/bad
expect "and shows the other row" 0 '^Some +[0-9]' table $work/bad.yaml --runs $work/bad
expect "plan says why" 0 'all 3 trials of this row diverged' plan $work/bad.yaml --runs $work/bad
lacks "and that no stage waits" 'wait for the choice'
sed -i 's/columns: \[bleu\]/columns: [bleu, tuned(model.dropout)]/' $work/bad.yaml
expect "its chosen options have failed, too" 0 '^All +failed +failed' table $work/bad.yaml --runs $work/bad
matches "the number of trials that diverged is below the table" -E '; 5 trials, 2 diverged, [0-9.]+ core hours\)\.$'
finish
