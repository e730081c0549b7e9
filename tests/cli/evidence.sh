#!/bin/sh
# scripts/evidence: a queue of grids is stopped, loses its runs folder and continues from its published
# parts.
. "$(dirname "$0")/../support/cli.sh"
task evidence_cli 200
tree=$work/tree
mkdir -p $tree/scripts $tree/experiments/evidence
cp scripts/evidence $tree/scripts
printf '# in this order\nsecond\nfirst # the last\n' > $tree/experiments/evidence/QUEUE
echo 0123abcd > $tree/experiments/evidence/COMMIT

# built: makes a worktree that is already built.
built() {
    source=$tree/runs/evidence/source/0123abcd
    mkdir -p $source/experiments/evidence
    ln -sf "$PWD/sanlab" $source/sanlab
    ln -sfn "$PWD/experiments/models" $source/experiments/models
    cp $work/first.yaml $work/second.yaml $source/experiments/evidence
    touch $source/.built
}
cat > $work/first.yaml << 'END'
grid: first
corpus: {source: a, target: b, train: train, dev: dev, test: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
train: {steps: 20, batch_tokens: 256, warmup: 10, validate_every: 10}
seeds: [1, 2]
sweep: {layers: [1, 2], split: [test, dev]}
rows:
  - {name: Plain}
  - {name: "Deep, with → (gate)", encoder.layers: $layers, model.width: 16}
evaluate: {bleu: {split: $split, beam: 2}}
END
sed 's/first/second/; /^sweep/d; s/\$split/dev/; s/\$layers/1/; s/\[1, 2\]/[1]/' $work/first.yaml |
    sed 's/{name: Plain/&, tune: false/; s/{name: "Deep/{tune: false, name: "Deep/; s/^evaluate/  - {name: Tuned}\n&/' > $work/second.yaml
echo 'tune: {over: {model.dropout: [0, 0.2]}, grid: true}' >> $work/second.yaml
built
export EVIDENCE_NICE=0
evidence() {
    SANLAB_DATA=$PWD/$work/data run $tree/scripts/evidence "$@"
}
# until_over: waits for the end of the queue.
until_over() {
    flock $tree/runs/evidence/lock true
}
parts() {
    (cd $tree/results/published && ls -- */*.tar.xz)
}

evidence state
says "before it begins, stages are left" 0 '^first: 0 parts; [0-9]+ stages: '
evidence start
says "it starts in the background" 0 "the queue runs in the background"
sleep 0.2
until_over
all='first/Deep_with_to_gate_layers_1.1.tar.xz
first/Deep_with_to_gate_layers_1.2.tar.xz
first/Deep_with_to_gate_layers_2.1.tar.xz
first/Deep_with_to_gate_layers_2.2.tar.xz
first/Plain.1.tar.xz
first/Plain.2.tar.xz
second/Deep_with_to_gate_.1.tar.xz
second/Plain.1.tar.xz
second/Tuned.all.tar.xz'
output=$(parts; tail -n 30 $tree/runs/evidence/log)
holds "a part for each row and seed, and one for a tuned row" [ "$(parts)" = "$all" ]
output=$(tar -tf $tree/results/published/second/Tuned.all.tar.xz)
[ "$(printf '%s\n' "$output" | grep -c 'train-.*/done.json')" = 4 ]
ok "with its three trials and its own training" $?
output=$(grep ': [A-Z]' $tree/runs/evidence/log | sed 's/^[^ ]* //' | head -n 3)
[ "$output" = "second: Tuned, seed all
second: Plain, seed 1
second: Deep, with → (gate), seed 1" ]
ok "in the order of the queue" $?
output=$(tar -tf $tree/results/published/first/Plain.2.tar.xz)
lacks "without checkpoints and text" -e ckpt -e safetensors -e shard
[ "$(printf '%s\n' "$output" | grep -c 'score-.*/done.json')" = 2 ]
ok "with the stages of both splits, and of its seed alone" $?
evidence state
says "afterwards nothing is left" 0 '^first: 6 parts; [0-9]+ stages: [0-9]+ done$'
evidence stop
says "nothing is running then" 1 '^evidence: the queue is not running$'

# The runs folder is lost, and one part was never written: only its seed is trained.
(cd $tree/results/published && sha256sum */*.tar.xz) > $work/sums
cp $tree/results/published/first/Plain.2.tar.xz $work/before.tar.xz
rm -rf $tree/runs $tree/results/published/first/Plain.2.tar.xz
built
evidence start
sleep 0.2
until_over
output=$(cat $tree/runs/evidence/log)
holds "only the seed without a part is trained" [ "$(grep -c '  done   train-' $tree/runs/evidence/log)" = 1 ]
(cd $tree/results/published && sha256sum --quiet -c "$OLDPWD/$work/sums" 2>&1) | grep -v Plain > $work/changed
[ ! -s $work/changed ] || [ "$(grep -c FAILED$ $work/changed)" = 0 ]
ok "parts that were there are not written again" $?
for kind in before after; do
    mkdir $work/$kind
    [ $kind = before ] && from=$work/before.tar.xz || from=$tree/results/published/first/Plain.2.tar.xz
    tar -xf $from -C $work/$kind --wildcards '*/metrics.jsonl' '*/hypotheses.txt' '*/items.tsv'
done
holds "and the new one has the same results" diff -r $work/before $work/after
./sanlab verify --runs $tree/runs/evidence/runs > $work/verified 2>&1
output=$(cat $work/verified)
tail -n 1 $work/verified | grep -q ' 0 problems'
ok "what was unpacked verifies" $?

# One archive of all rows replaces the parts of a grid: its stages are unpacked, and it is not trained again.
mkdir $work/parts
mv $tree/results/published/first/*.tar.xz $work/parts
./sanlab archive $work/first.yaml --only 'name != ""' $tree/results/published/first/first.tar.xz --quiet --runs $tree/runs/evidence/runs
rm -rf $tree/runs
built
evidence start
sleep 0.2
until_over
output=$(cat $tree/runs/evidence/log)
lacks "a grid with an archive of all rows is not trained" -e ': first: commit' -e '  done   train-'
evidence state
says "and nothing of it is left" 0 '^first: 1 parts; [0-9]+ stages: [0-9]+ done$'
rm $tree/results/published/first/first.tar.xz
mv $work/parts/*.tar.xz $tree/results/published/first

# With a grid, only this grid is trained. Parts above the size limit are refused.
evidence start frist
says "a grid that is not in the queue is refused" 1 '^evidence: frist: expected a grid of experiments/evidence/QUEUE$'
rm -f $tree/results/published/first/Plain.2.tar.xz $tree/runs/evidence/log
output=$(EVIDENCE_MOST=1 SANLAB_DATA=$PWD/$work/data $tree/scripts/evidence start first 2>&1)
sleep 0.2
until_over
output=$(parts; tail -n 5 $tree/runs/evidence/log)
tail -n 2 $tree/runs/evidence/log | grep -q 'first/Plain.2.tar.xz: [0-9]* kB, at most 1: it is not written'
ok "a part that is too large is named" $?
output=$(cat $tree/runs/evidence/log)
lacks "the other grid is not begun" -e '^[^ ]* second: '
holds "and not written" [ ! -e $tree/results/published/first/Plain.2.tar.xz ]

# A grid that cannot be read ends the queue, and does not begin.
rm -rf $tree/runs $tree/results
built
echo 'rows: [' > $tree/runs/evidence/source/0123abcd/experiments/evidence/second.yaml
evidence start
sleep 0.2
until_over
output=$(cat $tree/runs/evidence/log)
holds "a grid that cannot be read ends the queue" grep -q '^evidence: second: its rows cannot be listed' $tree/runs/evidence/log
holds "and does not begin" [ ! -e $tree/results/published/second ]
lacks "nor does the next grid" ': first: commit'

# A queue that is stopped during a training continues it.
rm -rf $tree/runs $tree/results
sed -i 's/steps: 20,/steps: 4000,/' $work/first.yaml $work/second.yaml
built
evidence start
wait_for there "$tree/runs/evidence/runs/stages/train-*/ckpt/step-*"
evidence start
says "a second queue is refused" 1 '^evidence: the queue is running'
evidence stop
says "it stops" 0 '^$'
output=$(tail -n 3 $tree/runs/evidence/log)
tail -n 1 $tree/runs/evidence/log | grep -q ' stopped$'
ok "and says so in its log" $?
evidence state
says "the training can go on" 0 'stopped'
finish
