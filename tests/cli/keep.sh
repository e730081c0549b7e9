#!/bin/sh
# Verification and cleaning of a runs folder: verify, gc, tag, export and diff on a small trained grid.
. "$(dirname "$0")/../support/cli.sh"
task keep_cli 300
runs=$work/runs

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 1
train: {steps: 20, batch_tokens: 256, warmup: 10, validate_every: 10}
rows:
  - name: A
  - name: B
    model.dropout: 0.2
evaluate: {bleu: {split: dev, beam: 2}}
END
sed -e 's/^grid: g/grid: h/' -e 's/dropout: 0.2/dropout: 0.3/' $work/g.yaml > $work/h.yaml
try run $work/g.yaml --runs $runs --quiet
try run $work/h.yaml --runs $runs --quiet
try verify --runs $runs
says "what was just computed is sound" 0 "^7 stages, [1-9][0-9]* digests, 3 scored again: 0 problems"

# folder NAME KIND: prints the folder of that stage.
folder() {
    echo $runs/stages/"$(./sanlab ls "name='$1' and kind=$2" --runs $runs | awk 'NR == 3 { print $1 }')"
}
score=$(folder g/B/1 score) train=$(folder g/B/1 train)

# found WHAT PATTERN FILE: passes if verify reports the damage to the file, then restores it from
# $work/copy.
found() {
    expect "$1" 1 "$2" verify --runs $runs
    holds "one line for it" [ "$(printf '%s\n' "$output" | grep -c '^[a-z]*-[0-9a-f]*: ')" -ge 1 ]
    cp $work/copy "$3"
}
hypotheses=$score/hypotheses.txt
cp "$hypotheses" $work/copy
cp $work/data/dev.b "$hypotheses"
found "other hypotheses" "^${score##*/}: hypotheses.txt has changed since it was written" "$hypotheses"
# A missing file is one problem, although other stages need it.
for file in "$hypotheses" "$score/items.tsv" "$train/metrics.jsonl"; do
    mv "$file" $work/away
    touch -d '1 hour ago' "${file%/*}"
    expect "${file##*/} is missing" 1 "^[a-z]*-[0-9a-f]*: ${file##*/} is gone$" verify --runs $runs
    says "which is one problem" 1 ': 1 problem$'
    mv $work/away "$file"
done
expect "put back, it is sound again" 0 "0 problems" verify --runs $runs
printf 'x' >> "$hypotheses"
found "a byte too many in an output" "^${score##*/}: hypotheses.txt has changed since it was written" "$hypotheses"
model=$(ls "$train"/ckpt/step-*/model.safetensors | head -1)
cp "$model" $work/copy
printf '\377' | dd of="$model" bs=1 seek=5000 conv=notrunc 2> /dev/null
found "a byte of a checkpoint" "^${train##*/}: checkpoint of step [0-9]+: model.safetensors has a wrong digest" "$model"
cp "$train/metrics.jsonl" $work/copy
sed '$d' $work/copy > "$train/metrics.jsonl"
found "a line that is gone" "^${train##*/}: metrics.jsonl has changed since it was written" "$train/metrics.jsonl"
# Changes one digit in the metrics of every stage. A done.json of an older program has no digest of them.
cp -r $runs $work/digits
digits $work/digits
sed -i '/"metrics.jsonl":/d' "$work"/digits/stages/*/done.json
sed -i -z 's/,\n  }/\n  }/' "$work"/digits/stages/*/done.json
rm -r "$work"/digits/stages/score-*
try verify --runs $work/digits
says "of an older program it is unchecked" 0 '^4 stages, .* 0 problems \(4 unchecked metrics.jsonl: an older program recorded no digest\)$'
rm -r $work/digits
# The first format of done.json has values, some of them also in metrics.jsonl.
cp -r tests/runs $work/older
expect "equal copies of values in an older folder" 0 '^13 stages, .* 0 problems' verify --runs $work/older
sed -i 's/"gate": 0.87/"gate": 0.88/' $work/older/stages/gates-6f6a3a1cf132/done.json
expect "copies that differ" 1 \
    '^gates-6f6a3a1cf132: done.json: gate is 0.8801391827632.*, but 0.8701391827632.* in metrics.jsonl$' verify --runs $work/older
rm -r $work/older
cp "$train/options.yaml" $work/copy
sed 's/dropout: 0.2/dropout: 0.25/' $work/copy > "$train/options.yaml"
found "an option" "^${train##*/}: .*no longer give its id" "$train/options.yaml"
cp "$train/stage.json" $work/copy
sed 's/train.steps=20/train.steps=21/' $work/copy > "$train/stage.json"
found "the canonical text of the id" "the digest of its canonical text is not its id" "$train/stage.json"
# The database omits a stage without a usable stage.json.
rm "$train/stage.json"
found "a done stage without stage.json" "^${train##*/}: stage.json is gone$" "$train/stage.json"
rm "$train/stage.json"
expect "also where a filter is given" 1 "^${train##*/}: stage.json is gone$" verify "name='g/A/1'" --runs $runs
head -c 50 $work/copy > "$train/stage.json"
found "half of a stage.json" "^${train##*/}: stage.json: is damaged, or belongs to another folder$" "$train/stage.json"
expect "nothing else" 0 "0 problems" verify --runs $runs

# Names of stages, and their tags and notes.
try tag g/A/1/train best --note "why; '\`id\`" --runs $runs
says "a stage is tagged by its name" 0 "^1 stage: tags and notes added"
expect "and found by its tag" 0 "^train-.* [[]best[]]$" ls tag=best --runs $runs
expect "a grid's stages are tagged" 0 "^5 stages" tag h second --runs $runs
try tag g/A/1 worse --runs $runs
says "a name of several stages is no one" 65 "matches 3 stages: corpus-[0-9a-f]+ train-[0-9a-f]+ score-.*NAME/1/score"
try tag h second --remove --runs $runs
try ls tag=second --runs $runs
holds "tags can be taken away" [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
try show g/A/1/train --runs $runs
says "names of both grids, notes and readers are shown" 0 "^  names    g/A/1, h/A/1$"
says "the note as it was typed" 0 "  why; '\`id\`$"
expect "defaults beside what was given" 0 "^  train.clip " show g/B/1/train --all --runs $runs
says "steps alone decide: no epochs" 0 "^  train.epochs +0$"
says "which is marked" 0 "^\* model.dropout +0.2$"
expect "diff shows an option that differs" 0 "^model.dropout +0.1 +0.2$" diff g/A/1/train g/B/1/train --runs $runs
for all in "" --all; do
    ./sanlab diff g/A/1/train g/B/1/train $all --runs $runs > $work/diff
    output=$(./sanlab show g/A/1/train g/B/1/train $all --runs $runs 2>&1 | cmp - $work/diff 2>&1)
    [ -s $work/diff ] && [ -z "$output" ]
    ok "show of two stages is diff, byte for byte${all:+, also with }$all" $?
done
try show g/A/1/train g/B/1/train g/B/1/score --runs $runs
says "which takes no third one" 65 '^sanlab: show: expected two stages, got 3$'
expect "ls for programs" 0 '"kind": "score"' ls kind=score --format json --runs $runs
try export csv g --stages --out $work/g.csv --runs $runs
holds "export of a grid with --stages: a line for each stage" [ "$(wc -l < $work/g.csv)" = 6 ]
try export csv $work/g.yaml --runs $runs
says "without: its axes, options and results" 0 "^grid,row,seed,status,wall,option.model.dropout,corpus.dev,.*,dev_loss,.*,bleu,"
says "and a line for each point and seed" 0 "^g,B,1,done,[0-9.]+,0.2,40,"
holds "nothing else" [ "$(printf '%s\n' "$output" | wc -l)" = 3 ]
try export jsonl $work/g.yaml 'seeds=[7]' model.dropout=0.3 --runs $runs
says "of what has not run, too" 0 '"row":"B","seed":7,"status":"new","wall":null,"axes":..,"options":..,"results"'
sed -e '/^train:/d' -e 's/- name: A/- {name: A, train.epochs: 3}/' -e 's/- name: B/- name: B\n    train.steps: 20/' \
    -e '/model.dropout: 0.2/d' $work/g.yaml > $work/e.yaml
try export csv $work/e.yaml --runs $runs
says "what differs although no row says it" 0 '^grid,row,seed,status,wall,option.train.epochs,option.train.steps'
says "of rows that end by steps" 0 '^g,B,1,new,,0,20'
expect "a grid without its file: what its record knows" 0 '^g,B,1,done,' export csv g --runs $runs
echo "s1 s2" > $work/line
expect "translate takes a name, and knows which kind it needs" 0 "t[0-9]" translate g/A/1 $work/line --runs $runs

# gc after the record of h is removed: no grid refers to B of h (train and score).
rm -r $runs/grids/h
mkdir -p $work/outside "$train/ckpt/quarantine/step-1"
echo precious > $work/outside/file
ln -s ../../outside $runs/stages/train-ffffffffffff
ln -s ../../../../outside "$train/ckpt/quarantine/out"
echo x > "$train/stage.json.tmp-1"
touch -d '2 hours ago' "$train/stage.json.tmp-1" "$train"/*.json "$train"/*.jsonl "$train"/ckpt/step-*
echo x > "$train/stage.json.tmp-2"
expect "stages that no grid names" 0 "^stage +stages/train-[0-9a-f]+ .*no grid, report or tag refers to it" gc --dry-run --runs $runs
says "and their scores" 0 "^stage +stages/score-[0-9a-f]+ "
says "optimizers of trainings that are over" 0 "^optimizer +stages/train-"
says "quarantined checkpoints" 0 "^leftover +stages/${train##*/}/ckpt/quarantine "
says "temporary files" 0 "^leftover +stages/${train##*/}/stage.json.tmp-1 "
[ "$(printf '%s\n' "$output" | grep -c '^leftover ')" = 2 ]
ok "neither what is as old but the stage's own, nor what is written just now" $?
rm "$train/stage.json.tmp-2"
[ "$(printf '%s\n' "$output" | grep -c '^stage ')" = 2 ] && ! printf '%s\n' "$output" | grep -v "warning: .* is a link" | grep -q ffff
ok "nothing else, and no link" $?
orphan=$(printf '%s\n' "$output" | awk '$1 == "stage" { sub("stages/", "", $2); print $2 }' | grep train)
id=$(sed -n 's/^  "id": "\(.*\)",/\1/p' "$runs/stages/$orphan/stage.json")
mkdir $runs/reports
echo "{\"grid\": \"h\", \"pages\": {\"h.html\": [\"$id\"]}}" > $runs/reports/h.json
try gc --dry-run --runs $runs
lacks "what a report cites is kept" "^stage .*$orphan"
rm -r $runs/reports
try tag "$orphan" keep --runs $runs
try gc --dry-run --runs $runs
lacks "what somebody has tagged is kept" "^stage .*$orphan"
try tag "$orphan" keep --remove --runs $runs
echo "elsewhere 1 boot 1 space 0123456789abcdef 1 600000" > "$runs/stages/$orphan/lock"
try gc --yes --runs $runs
holds "what somebody works on is kept" [ -f "$runs/stages/$orphan/stage.json" ]
[ -f $work/outside/file ] && [ -L $runs/stages/train-ffffffffffff ]
ok "nothing is removed through a link" $?
rm "$runs/stages/$orphan/lock"
expect "the rest goes" 0 "bytes are free again" gc --yes --runs $runs
[ ! -e "$runs/stages/$orphan" ] && [ ! -e "$train/ckpt/quarantine" ] && [ -e $runs/names/g/A/1/train/done.json ]
ok "with its folder" $?
expect "then nothing is left to do" 0 "^0 items" gc --runs $runs
expect "what is kept is sound" 0 "^5 stages, .* 2 scored again: 0 problems" verify --runs $runs
expect "and nothing need be done again" 0 "5 of 5 stages done" run $work/g.yaml --runs $runs
finish
