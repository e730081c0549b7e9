#!/bin/sh
# rm, forget and redo: removed stages, kept stages with the reason, and stages that run again.
. "$(dirname "$0")/../support/cli.sh"
task remove_cli 300
runs=$work/runs

cat > $work/g.yaml << 'EOF'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, test: dev, merges: 20}
model: {preset: tiny, dropout: 0}
encoder.layers: 1
train: {steps: 20, batch_tokens: 256, warmup: 20, validate_every: 10}
seeds: [1, 2]
rows:
  - {name: A}
  - {name: B, encoder.layers: 2}
evaluate: {bleu: {split: test, beam: 2}}
EOF
# h shares the training of A with seed 1.
sed -e 's/^grid: g/grid: h/' -e 's/^seeds.*/seeds: [1]/' -e '/name: B/d' $work/g.yaml > $work/h.yaml
folders() {
    ls $runs/stages | sed 's/-.*//' | sort | uniq -c | tr -s ' \n' ' '
}
# name PLACE: prints the target folder of a readable name.
name() {
    basename "$(readlink "$runs/names/$1")"
}
try run $work/g.yaml --runs $runs --quiet
expect "two grids run" 0 '^$' run $work/h.yaml --runs $runs --quiet
holds "and share stages" [ "$(folders)" = " 1 corpus 4 score 4 train " ]

# rm
expect "rm asks; without a terminal nothing goes" 0 '^nothing was removed; --yes removes them' rm g/B/1 --runs $runs
says "it shows what would go" 0 '^stage +stages/train-[0-9a-f]+ .*named in the command'
says "and what stays" 0 '^corpus-[0-9a-f]+ stays: h needs it'
holds "nothing has gone" [ "$(folders)" = " 1 corpus 4 score 4 train " ]
gone=$(name g/B/1/train) && other=$(name g/B/2/train)
expect "--yes does it" 0 'bytes are free again' rm g/B/1 --yes --runs $runs
[ "$(folders)" = " 1 corpus 3 score 3 train " ] && [ ! -e "$runs/stages/$gone" ] && [ -e "$runs/stages/$other" ]
ok "a training and its score, and no others" $?
expect "what another grid needs stays" 0 '^train-[0-9a-f]+ stays: h needs it' rm g/A --yes --runs $runs
holds "the other seed has gone" [ "$(folders)" = " 1 corpus 2 score 2 train " ]
expect "then nothing of it may go" 1 '^score-[0-9a-f]+ stays: h needs it' rm g/A --yes --runs $runs
expect "a row that is not there" 65 'rm: there is no place "Aa"; nearest is "A"' rm g/Aa --yes --runs $runs
expect "run does it again" 0 '^$' run $work/g.yaml --runs $runs --quiet
expect "a stage that two grids name stays" 1 'stays: g and h need it' rm "$(name g/A/1/corpus)" --yes --runs $runs
train=$(name g/B/2/train)
./sanlab tag "$train" best --quiet --runs $runs
mkdir -p $runs/reports
id=$(sed -n 's/^  "id": "\(.*\)",/\1/p' "$runs/stages/$(name g/B/2/score)/stage.json")
echo "{\"grid\": \"g\", \"pages\": {\"g.html\": [\"$id\"]}}" > $runs/reports/g.json
try rm "$train" --yes --runs $runs
says "a score that a report cites stays" 1 '^score-[0-9a-f]+ stays: a report cites it'
says "and the training that it reads" 1 "^$train stays: score-[0-9a-f]+ reads it"
holds "with its folder" [ -e "$runs/stages/$train/done.json" ]
rm -r $runs/reports
expect "a stage goes with what reads it" 0 "reads $train" rm "$train" --yes --runs $runs
says "tags are no hindrance, and shown" 0 "$train .*named in the command, tagged best"
holds "and alone" [ "$(folders)" = " 1 corpus 3 score 3 train " ]
try run $work/g.yaml --runs $runs --quiet

# A run with an assignment needs the stages that it shares.
try run $work/g.yaml evaluate.bleu.beam=1 --runs $runs --quiet
try rm g/B/2 --yes --runs $runs
says "what a run with assignments needs stays" 0 '^train-[0-9a-f]+ stays: g\+evaluate.bleu.beam=1 needs it'
try forget g evaluate.bleu.beam=1 --runs $runs
says "that run is forgotten" 0 '^g\+evaluate.bleu.beam=1: 1 record and its readable names are removed'
[ ! -e $runs/names/g+evaluate.bleu.beam=1 ] && [ -e $runs/names/g ]
ok "with its names, and no other" $?
expect "then it may go" 0 'bytes are free again' rm g/B/2/train --yes --runs $runs
try run $work/g.yaml --runs $runs --quiet
try gc --yes --runs $runs
holds "its scores go with gc" [ "$(folders)" = " 1 corpus 4 score 4 train " ]

# redo
train=$(name g/A/1/train)
score=$(name g/A/1/score)
before=$(cd $runs/stages && md5sum "$train"/ckpt/*/model.safetensors "$score/hypotheses.txt")
started=$(stat -c %Y.%i "$runs/stages/$train" "$runs/stages/$score" | tr '\n' ' ')
table=$(./sanlab table $work/g.yaml --runs $runs)
expect "several stages are none" 65 'matches 3 stages' redo g/A/1 --runs $runs
expect "a stage is done again" 0 "^$train: done again" redo g/A/1/train --runs $runs
says "and what reads it, which is said" 0 "^$score reads it: done again as well"
says "both" 0 '3 of 3 stages done'
holds "in new folders" [ "$started" != "$(stat -c %Y.%i "$runs/stages/$train" "$runs/stages/$score" | tr '\n' ' ')" ]
[ "$before" = "$(cd $runs/stages && md5sum "$train"/ckpt/*/model.safetensors "$score/hypotheses.txt")" ]
ok "with the same bytes" $?
holds "what there was is kept" [ "$(ls $runs/replaced | wc -l)" = 2 ]
holds "the table is what it was" [ "$table" = "$(./sanlab table $work/g.yaml --runs $runs)" ]
expect "its names are what they were" 0 'names .*g/A/1, h/A/1' show "$train" --runs $runs
expect "all is sound" 0 ': 0 problems' verify --runs $runs
# After an interrupted redo no stage has results of another model.
SANLAB_CRASH_AT=checkpoint-renamed:1 ./sanlab redo g/A/1/train --runs $runs --quiet > $work/log 2>&1
try plan $work/g.yaml --runs $runs
says "a redo that was killed leaves no score of another model" 0 "^$score +A/1 +(new|blocked)"
expect "and a run of the grid goes on" 0 "done   $score" run $work/g.yaml --runs $runs --retry failed
[ "$before" = "$(cd $runs/stages && md5sum "$train"/ckpt/*/model.safetensors "$score/hypotheses.txt")" ]
ok "to the same bytes again" $?
# A stage that a runner considered done is redone by another process: no score belongs to a half-trained
# model.
thaw_at_end
train=$(name g/B/2/train) score=$(name g/B/2/score)
hypotheses=$(md5sum < "$runs/stages/$score/hypotheses.txt")
./sanlab rm "$score" --yes --quiet --runs $runs > $work/log
mkdir "$runs/stages/$score"
echo "elsewhere 1 boot 1 space 0123456789abcdef 1 600000" > "$runs/stages/$score/lock"
./sanlab run $work/g.yaml --runs $runs 2> $work/waiting &
waiting=$!
wait_for grep -q "wait   $score" $work/waiting
SANLAB_FREEZE_AT=step:15 ./sanlab redo "$train" --runs $runs > $work/log 2>&1 &
redo=$!
wait_for frozen $redo 1
worker=$(pgrep -P $redo)
rm "$runs/stages/$score/lock"
wait_for grep -q "wait   $train\|done   $score" $work/waiting
holds "a score waits for the training that is done again" [ ! -e "$runs/stages/$score/done.json" ]
kill -CONT "$worker"
wait $redo && wait $waiting
ok "both end" $?
output=$(cat $work/waiting)
holds "and the score is that of the whole training" [ "$hypotheses" = "$(md5sum < "$runs/stages/$score/hypotheses.txt")" ]
rm "$runs/stages/$score/done.json"
SANLAB_FREEZE_AT=before-rename:2 ./sanlab work --stage "$runs/stages/$score" > $work/log 2>&1 &
worker=$!
wait_for frozen $$ 1
mv "$runs/stages/$train/done.json" $work/done.json
kill -CONT "$worker"
wait "$worker"
code=$? output=$(cat $work/log)
says "what a stage has read must be there when it ends" 65 \
    "$train was removed or computed again while this stage read it; start again"
expect "and when it begins" 74 "$score: its input $train is not done" work --stage "$runs/stages/$score"
holds "else it is not done" [ ! -e "$runs/stages/$score/done.json" ]
mv $work/done.json "$runs/stages/$train/done.json"
expect "until it is there" 0 "done   $score" run $work/g.yaml --runs $runs --retry failed
# A foreign folder may have no names, or invalid ones.
for names in '[]' '["nobody"]'; do
    rm -rf $work/sent
    cp -a $runs $work/sent
    sed -i "/\"names\": \[/,/\]/c \"names\": $names" "$work/sent/stages/$train/stage.json"
    expect "a stage of the names $names is done again" 0 "done   $train .*in " redo "$train" --runs $work/sent
done
mv $work/data/train.a $work/data/away
expect "text that is gone" 65 'redo: corpus-[0-9a-f]*: missing input: ' redo g/A/1/corpus --runs $runs
mv $work/data/away $work/data/train.a
echo "s1 s1" >> $work/data/train.a
echo "t1 t1" >> $work/data/train.b
try redo "$(basename $runs/stages/corpus-*)" --runs $runs
says "text that has changed" 65 'redo: corpus-[0-9a-f]*: the files that it read have changed'
holds "nothing was begun" [ "$(ls $runs/replaced | wc -l)" = 5 ]
sed -i '$d' $work/data/train.a $work/data/train.b
echo "elsewhere 1 boot 1 space 0123456789abcdef 1 600000" > "$runs/stages/$train/lock"
expect "what somebody works on" 65 "redo: $train: process 1 on elsewhere works on it" redo "$train" --runs $runs
try forget g --runs $runs
says "nor is its grid forgotten" 65 "forget: g: process 1 on elsewhere works on its $train; stop it first"
try rm g/A/1 --yes --runs $runs
rm "$runs/stages/$train/lock"

# forget
expect "a grid is forgotten" 0 '^h: 1 record and its readable names are removed' forget h --runs $runs
[ ! -e $runs/grids/h ] && [ ! -e $runs/names/h ] && [ "$(folders)" = " 1 corpus 4 score 4 train " ]
ok "its stages stay" $?
expect "once" 65 'no such grid' forget h --runs $runs
expect "by its file, too" 65 'forget: h has not run in ' forget $work/h.yaml --runs $runs
worked=$runs/stages/$(name g/A/2/train)
echo "elsewhere 1 boot 1 space 0123456789abcdef 1 600000" > "$worked/lock"
expect "what somebody works on stays" 0 '^train-[0-9a-f]+ stays: process 1 on elsewhere works on it' \
    rm g/A/2 --runs $runs
says "and what another row needs" 0 '^corpus-[0-9a-f]+ stays: g/A/1 needs it'
says "but not what reads it" 0 '^stage +stages/score-[0-9a-f]+ .*named in the command'
try rm "$(name g/A/2/score)" --runs $runs
says "a stage alone goes if one grid has it" 0 '^stage +stages/score-'
rm "$worked/lock"
expect "then nobody else needs them" 0 'bytes are free again' rm g/A --yes --runs $runs

# The prompt may stay open for long: stages that have come into use meanwhile are kept.
./sanlab run $work/g.yaml --runs $runs --quiet
./sanlab forget g --runs $runs --quiet
mkfifo $work/answer
script -qfec "./sanlab gc --runs $runs" $work/typed < $work/answer > $work/log 2>&1 &
asked=$!
exec 9> $work/answer
wait_for grep -q 'remove these' $work/typed
stages=$(folders)
./sanlab run $work/g.yaml --runs $runs --quiet
echo y >&9
exec 9>&-
wait $asked
output=$(cat $work/typed)
[ "$stages" = "$(folders)" ] && echo "$output" | grep -q 'stages/corpus-.*: was not removed: it is in use now'
ok "gc leaves what a grid has asked for since it was shown" $?
finish
