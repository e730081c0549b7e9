#!/bin/sh
# The stages encode and probe: parts in the plan, columns in a table, shared and repeated work. They
# are killed and continued, with folds, seeds and a device. Verbs show them.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/probing.sh
probing_task probe_stages

cat > $work/mine.yaml << 'END'
groups: [Order, Surface]
tasks:
  - {name: Shift, file: shift.txt, group: Order}
  - {name: Word, file: word.txt, group: Surface}
END
sed '$a\  - {name: Count, file: count.txt, group: Surface}' $work/mine.yaml > $work/more.yaml
small $work/g.yaml tiny << 'END'
train: {epochs: 0, steps: 40, batch_tokens: 256, warmup: 20}
evaluate:
  probe: {tasks: mine.yaml, path: [encoder.output, encoder.1], controls: [majority, bag, start]}
table:
  columns: [probe.Word, probe.Word@encoder.1, probe.Word@bag, probe.Word@encoder.output@start, probe.Word.majority, encode.Word.words, probe.Shift@bag, probe.Shift.majority, {column: probe.Word, class: all}]
END
sed '/^table/,$d' $work/g.yaml > $work/plain.yaml

# folder PART [RUNS]: prints the folder of a stage.
folder() {
    ls -d ${2:-$work/runs}/names/g/g/1/$1
}

expect "plan lists what is encoded" 0 "^encode-[0-9a-f]+ +g/1 Word +new" plan $work/g.yaml --runs $work/runs
says "also with the parameters of the start" 0 "^encode-[0-9a-f]+ +g/1 Word@start +new"
says "a probe of a path" 0 "^probe-[0-9a-f]+ +g/1 Word@encoder.1 +new"
says "of the start" 0 "^probe-[0-9a-f]+ +g/1 Shift@encoder.output@start +new"
says "and of the bag" 0 "^probe-[0-9a-f]+ +g/1 Shift@bag +new"
plans "the majority is no stage" "1 corpus 4 encode 10 probe 1 train " $work/g.yaml
expect "it runs" 0 "" run $work/g.yaml --runs $work/runs --quiet
plans "once" "" $work/g.yaml

# ---- the table ----

# right PART [CLASS]: prints the per cent of correct predictions
right() {
    awk -F'\t' -v class="$2" '!class || $2 == class { n++; right += $2 == $3 }
        END { printf "%.2f", 100 * right / n }' "$(folder "$1")/predictions.tsv"
}
# majority FILE: prints the accuracy of tr's most frequent label; ties go to the first label
majority() {
    awk -F'\t' '$1 == "tr" { n[$2]++ } $1 == "te" { te++; m[$2]++ }
        END { for (k in n) if (n[k] > n[b] || (n[k] == n[b] && k < b)) b = k
              printf "%.2f", 100 * m[b] / te }' "$1"
}
expected="$(right probe.Word@encoder.output),$(right probe.Word@encoder.1),$(right probe.Word@bag)"
expected="$expected,$(right probe.Word@encoder.output@start),$(majority $work/data/word.txt)"
output=$(./sanlab table $work/g.yaml --runs $work/runs --format csv | tr -d '\r')
output="$output
expected g,$expected,.."
matches "a table has accuracies of the predictions, and the majority" "^g,$expected,"
classes=$(for k in 0 1 2 3 4 5; do printf ',%s' "$(right probe.Word@encoder.output w$k)"; done)
output="$output; expected $classes"
printf '%s\n' "$output" | sed -n 2p | grep -q "$classes$"
ok "and those of every class" $?
try table $work/g.yaml --notes full --runs $work/runs
says "its signature names the protocol" 0 "Word@encoder.output.*: accuracy.protocol:fixed.seeds:1"
says "and of each task its text" 0 "Word@encoder.output.*: .*task:[0-9a-f]+.items:60"
says "and so does its caption" 0 "protocol fixed"
output="the bag: $(right probe.Shift@bag), majority $(majority $work/data/shift.txt)"
awk -v bag="$(right probe.Shift@bag)" -v most="$(majority $work/data/shift.txt)" \
    'BEGIN { exit !(bag <= most + 2) }'
ok "a bag of words knows nothing of their order" $?
output="the bag: $(right probe.Word@bag), majority $(majority $work/data/word.txt)"
awk -v bag="$(right probe.Word@bag)" -v most="$(majority $work/data/word.txt)" \
    'BEGIN { exit !(bag >= most + 20) }'
ok "but which they are" $?
output=$(cd $work/runs/names/g/g/1 && md5sum encode.Word/*.npy encode.Word@start/*.npy)
[ "$(printf '%s\n' "$output" | cut -c 1-32 | sort -u | wc -l)" = 6 ]
ok "the training has changed all vectors, those of the bag, too" $?

cp -r $work/runs $work/less
rm -rf "$(readlink -f $work/less/names/g/g/1/probe.Word@encoder.output)" \
    "$(readlink -f $work/less/names/g/g/1/probe.Word@encoder.1)"
output=$(./sanlab table $work/g.yaml --runs $work/less --format csv | tr -d '\r')
output="$output
expected no value, no value, $(right probe.Word@bag), $(right probe.Word@encoder.output@start)"
printf '%s\n' "$output" |
    grep -Eq "^g,[^0-9,]*,[^0-9,]*,$(right probe.Word@bag),$(right probe.Word@encoder.output@start),"
ok "no control stands in for a probe that is not done" $?

# ---- several paths ----

# A column without a path means encoder.output, independent of the order in the list.
sed 's/^grid: g/grid: h/; s/\[encoder.output, encoder.1\]/[encoder.1, encoder.output]/
    s/^  columns:.*/  columns: [probe.Word, margin(probe.Word), mean(Surface)]\
  means: all/' $work/g.yaml > $work/h.yaml
echo 'claims: [{text: Training helps, compare: [h], metric: margin(probe.Word), expect: greater}]' >> $work/h.yaml
output=$(./sanlab table $work/h.yaml --runs $work/runs --format csv | tr -d '\r')
printf '%s\n' "$output" | grep -q "^h,$(right probe.Word@encoder.output),.*,$(right probe.Word@encoder.output)$"
ok "a column without a path is encoder.output" $?
matches "its header says so" ',Word@encoder.output,Word@encoder.output − start,Surface@encoder.output$'
try table $work/h.yaml --notes full --runs $work/runs
says "and the caption" 0 'vectors of encoder.1, encoder.output'
expect "and a claim" 0 'Word@encoder.output − start' claims $work/h.yaml --runs $work/runs
try plan $work/g.yaml --runs $work/runs 'evaluate.probe.path=[encoder.2, encoder.1]'
says "without it a column names its path" 65 '^sanlab: .*/g.yaml:8:13: probe.Word: a row has several paths and not encoder.output; expected one of probe.Word@encoder.2, probe.Word@encoder.1$'
sed 's/^  columns:.*/  columns: [mean(Surface)]/' $work/g.yaml > $work/mean.yaml
try plan $work/mean.yaml --runs $work/runs evaluate.probe.path=layers
says "so does one of a mean" 65 '/mean.yaml:8:13: mean.Surface.: a row has several paths and not encoder.output; expected one of probe.Word@encoder.1, .*, probe.Word@encoder.6$'

# ---- means ----

# The encoder knows less of the words than the bag, and more of their order than a guess.
order=$(right probe.Shift@encoder.output) words=$(right probe.Word@encoder.output)
sed 's/^  columns:.*/  columns: [mean(Both), mean(Surface)]\
  groups: {Both: [probe.Word, probe.Shift]}/' $work/g.yaml > $work/mean.yaml
echo 'claims: [{text: It helps, compare: [g], metric: margin(mean(Both)), expect: greater}]' >> $work/mean.yaml
output=$(./sanlab table $work/mean.yaml --runs $work/runs --format csv | tr -d '\r')
matches "a mean leaves out a task that is not above its controls" "^g,$order,not above controls$"
try table $work/mean.yaml --runs $work/runs
says "and a line says so" 0 "^mean\(Both\): without Word \(not above controls\)\.$"
says "also of a mean without tasks" 0 "^mean\(Surface\): without .*Word.* \(not above controls\)\.$"
expect "so does an explanation" 0 "  mean\(Both\): without Word \(not" \
    table $work/mean.yaml --runs $work/runs --explain g "mean(Both)"
expect "and a claim" 0 "; mean\(Both\): without Word \(not above controls\); " \
    claims $work/mean.yaml --runs $work/runs
try report $work/mean.yaml --runs $work/runs --out $work/mean.html
holds "and a report" grep -q 'mean(Both): without Word (not above controls)' $work/mean.html
output=$(./sanlab table $work/mean.yaml table.means=all --runs $work/runs --format csv | tr -d '\r')
matches "unless the table asks for all of them" \
    "^g,$(echo "$order $words" | awk '{ printf "%.2f", ($1 + $2) / 2 + 1e-9 }'),$words$"
expect "in one of two words" 65 'means: unknown word "al"; nearest is "all"; expected one of: above, all$' \
    table $work/mean.yaml table.means=al --runs $work/runs

# ---- repeated and cached stages ----

plans "another task: one encode, one probe" "1 encode 1 probe " $work/plain.yaml \
    evaluate.probe.tasks=$work/more.yaml evaluate.probe.path=encoder.output \
    evaluate.probe.controls=majority 'evaluate.encode.keep=[encoder.1, bag]'
plans "and with controls those of its own" "2 encode 5 probe " $work/plain.yaml \
    evaluate.probe.tasks=$work/more.yaml
plans "another protocol encodes nothing" "10 probe " $work/plain.yaml evaluate.probe.protocol=senteval
plans "fewer controls need nothing new" "" $work/plain.yaml 'evaluate.probe.controls=[bag]'
sed 's/^grid: g/grid: h/; s/\[encoder.output, encoder.1\]/[encoder.1, encoder.output]/
    s/\[majority, bag, start\]/[start, bag]/' \
    $work/plain.yaml > $work/h.yaml
plans "another grid that asks the same in another order has it" "" $work/h.yaml
sed 's/^grid: g/grid: s/; s/path: \[.*\], con/con/; s/^evaluate:/sweep: {evaluate.probe.path: [encoder.1, encoder.2]}\n&/
    s/, bag, start//' $work/plain.yaml > $work/sweep.yaml
plans "a sweep of paths encodes a task once and trains nothing" "2 encode 2 probe " $work/sweep.yaml
expect "which runs" 0 "" run $work/sweep.yaml --runs $work/runs --quiet
output=$(ls $work/runs/stages | grep -c '^encode' && ls $work/runs/stages | grep -c '^train' &&
    ls $work/runs/names/s/path=encoder.2/1/encode.Word/)
[ "$(printf '%s' "$output" | tr '\n' ' ')" = "6 1 done.json encoder.1.npy encoder.2.npy environment.json events.jsonl log.txt metrics.jsonl options.yaml stage.json" ]
ok "with both paths kept" $?
cmp -s $work/runs/names/s/path=encoder.2/1/encode.Word/encoder.1.npy "$(folder encode.Word)/encoder.1.npy"
ok "what else is kept changes no bit" $?
plans "all layers: one encode a task" "2 encode 8 probe " $work/plain.yaml evaluate.probe.path=layers \
    evaluate.probe.controls=majority
plans "layers are those of each row's encoder" "4 encode 12 probe 2 train " $work/plain.yaml \
    evaluate.probe.path=layers evaluate.probe.controls=majority encoder.layers=2,4 train.steps=3

# ---- killed and continued ----

small $work/k.yaml tiny << 'END'
train: {epochs: 0, steps: 40, batch_tokens: 256, warmup: 20}
evaluate:
  probe: {tasks: [{name: Count, file: count.txt, group: A}], protocol: xu2019, seeds: 2, path: [encoder.output]}
END
results() {
    (cd $1/stages && for file in probe-*/items.tsv probe-*/predictions.tsv probe-*/metrics.jsonl; do
        sha256sum $file
    done) 2> /dev/null
}
cp -r $work/runs $work/whole
rm -rf $work/whole/stages/probe-*
./sanlab run $work/k.yaml --runs $work/whole --quiet > $work/log 2>&1
results $work/whole > $work/expected
output=$(cat $work/log $work/expected; ls $work/whole/stages/probe-*)
[ "$(wc -l < $work/expected)" = 3 ] && ! there "$work/whole/stages/probe-*/partial-*"
ok "undisturbed: nothing partial is left" $?
# same RUNS WHAT: continues RUNS and compares it with the undisturbed run
same() {
    ./sanlab run $work/k.yaml --runs $1 --retry failed --quiet > $work/log 2>&1
    results $1 > $work/got
    output=$(cat $work/log; diff $work/expected $work/got)
    cmp -s $work/expected $work/got && ! there "$1/stages/probe-*/partial-*"
    ok "$2" $?
}
begin() {
    rm -rf $work/killed
    cp -r $work/whole $work/killed
    rm -rf $work/killed/stages/probe-*
}
# the runner writes fewer files than its worker, which writes one for each trained setting
for point in before-rename:12 before-rename:70 before-done:1; do
    begin
    SANLAB_CRASH_AT=$point ./sanlab run $work/k.yaml --runs $work/killed --quiet > $work/log 2>&1
    code=$?
    output=$(cat $work/log; ls $work/killed/stages/probe-*)
    holds "killed at $point" [ $code -ne 0 ]
    same $work/killed "$point: the same bytes in the end"
done
begin
SANLAB_FREEZE_AT=before-rename:50 setsid ./sanlab run $work/k.yaml --runs $work/killed --quiet > $work/log 2>&1 &
runner=$!
wait_for frozen $runner 1
kill -KILL -$runner 2> /dev/null
wait $runner 2> /dev/null
trained=$(ls $work/killed/stages/probe-*/partial-*-1-*.npy | wc -l)
output="$trained settings of the second seed"
holds "killed in the second of two trainings" [ "$trained" -ge 1 ]
same $work/killed "the same bytes in the end"
begin
freeze before-rename:20 1 run $work/k.yaml --runs $work/killed --quiet
child=$(pgrep -P $runner)
kill -INT $runner
kill -CONT $child
wait $runner
expect "interrupted, it goes on" 0 "^probe-[0-9a-f]+ .* stopped  " plan $work/k.yaml --runs $work/killed
same $work/killed "with the same bytes"

# ---- folds, seeds, devices ----

sed "s/^grid: g/grid: f/; s/path: \[.*/path: encoder.output, controls: majority, folds: 5, seeds: 2, protocol: senteval}/" \
    $work/plain.yaml > $work/f.yaml
echo 'table: {columns: [probe.Word, probe.Word.accuracy_sd]}' >> $work/f.yaml
expect "folds and seeds" 0 "" run $work/f.yaml --runs $work/folds --quiet
expect "their signature" 0 "accuracy.protocol:senteval.folds:5.seeds:2$" table $work/f.yaml --runs $work/folds
output=$(./sanlab table $work/f.yaml --runs $work/folds --format csv | tr -d '\r'
    awk -F'\t' '{ a += $2 == $3; b += $2 == $4; lines[$1]++ }
        END { for (i = 1; i <= 360; i++) once += lines[i] == 1
              a /= 3.6; b /= 3.6; printf "%d %.2f %.2f\n", once, (a + b) / 2, (a > b ? a - b : b - a) / sqrt(2) }' \
        $work/folds/names/f/f/1/probe.Word@encoder.output/predictions.tsv)
printf '%s\n' "$output" | awk -F'[, ]' 'NR == 2 { mean = $2; sd = $3 }
    NR == 3 { exit !($1 == 360 && $2 == mean && $3 == sd) }'
ok "every item is tested once; the mean and the deviation of the seeds" $?
output=$(printf '%s\n' "$output" | sed -n 2p
    awk 'NR > 1 { n++; sum += $8; seen[$1 " " $2]++; hidden += $3 } END { for (each in seen) different++
        printf "%d %d %d %.1f\n", n, different, hidden, sum / n }' \
        $work/folds/names/f/f/1/probe.Word@encoder.output/trainings.tsv)
printf '%s\n' "$output" | awk -F'[, ]' 'NR == 1 { mean = $2 }
    NR == 2 { exit !($1 == 10 && $2 == 10 && $3 == 0 && $4 - mean < .11 && mean - $4 < .11) }'
ok "what each of the ten trainings chose" $?

# a slow device: few items, of which four are 5%
awk -F'\t' '$1 == "te" || NR % 3 == 0' $work/data/word.txt > $work/data/few.txt
sed "s/^grid: g/grid: e/; s/probe: {.*/probe: {tasks: [{name: Few, file: few.txt, group: A}], path: [encoder.output, bag], protocol: fixed}/" \
    $work/plain.yaml > $work/e.yaml
for device in cpu emu; do
    cp -r $work/folds $work/$device
    rm -rf $work/$device/stages/probe-* $work/$device/stages/encode-*
    expect "on $device" 0 "" run $work/e.yaml --runs $work/$device --device $device --quiet
done
for path in encoder.output bag; do
    output=$(for device in cpu emu; do
        awk -F'\t' '{ n++; right += $2 == $3 } END { print 100 * right / n }' \
            $work/$device/names/e/e/1/probe.Few@$path/predictions.tsv
    done)
    printf '%s\n' "$output" | awk '{ a[NR] = $1 } END { exit !(NR == 2 && (a[1] - a[2]) ^ 2 < 25) }'
    ok "$path: the accuracy is near that of the cpu" $?
done
expect "the device is said" 0 "backend +emu" show e/e/1/probe.Few@bag --runs $work/emu

# ---- verbs that show probes ----

expect "a probe is shown by its part" 0 "part +Word@encoder.1$" show g/g/1/probe.Word@encoder.1 --runs $work/runs
expect "and what was encoded by its own" 0 "part +Word@start$" show g/g/1/encode.Word@start --runs $work/runs
try ls 'probe.Word.accuracy >= 0 and probe.Word >= 0' --runs $work/runs
says "stages by what a column is called" 0 'Word@'
try ls kind=probe --runs $work/runs
says "ls has it" 0 "^probe-[0-9a-f]+ +done +accuracy .* Word@encoder.output@start$"
expect "gc finds nothing of theirs to take" 0 "^1 items" gc --runs $work/runs
expect "a report is made" 0 "" report $work/g.yaml --runs $work/runs --out $work/report
holds "and has the columns" grep -rq 'Word@encoder.1' $work/report
expect "verify counts items again" 0 "[1-9][0-9]* scored again: 0 problems" verify --runs $work/runs
predictions=$(folder probe.Word@bag)/predictions.tsv
sed -i '3s/$/x/' "$predictions"
expect "and sees a prediction that was changed" 1 "predictions.tsv" verify --runs $work/runs
vectors=$(folder encode.Word)/bag.npy
printf '\377' | dd of="$vectors" bs=1 seek=200 conv=notrunc 2> /dev/null
expect "and a vector" 1 "bag.npy" verify --runs $work/runs
finish
