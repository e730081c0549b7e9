#!/bin/sh
# Classifiers of pairs and files: variables of other names.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/logic_files_cli
rm -rf $work
mkdir -p $work/data
SANLAB_DATA=$PWD/$work/data
export SANLAB_DATA
runs="--runs $work/runs"
words=abby,ollie,oona,pumpkin,marcel,mertz

# ---- names ----

./sanlab logic generate --out $work/data/letters --pairs 3000 --seed 5 --quiet
./sanlab logic generate --out $work/data/words --pairs 3000 --seed 5 --names $words --quiet
cat > $work/g.yaml << 'END'
grid: g
task: logic
logic: {hidden: [8]}
model: {width: 16, heads: 2, feedforward: 16}
train: {steps: 40, batch_pairs: 32, rate: 1e-2, schedule: constant, validate_every: 20}
rows:
  - name: Letters
    logic: {data: letters, pool: {queries: 2}, features: match}
    encoder.stack: [{onlstm: {direction: forward, projection: true}}, {san: 1}]
  - name: Words
    logic: {data: words, names: [abby, ollie, oona, pumpkin, marcel, mertz], pool: {queries: 2}, features: match}
    encoder.stack: [{onlstm: {direction: forward, projection: true}}, {san: 1}]
  - name: Mean
    logic: {data: letters, pool: mean}
    model.norm: none
    encoder.stack: [{lstm: {direction: forward}}]
END
try run $work/g.yaml $runs --quiet
says "files with other words train and test" 0 "^$"
sed 's/abby/a/g; s/ollie/b/g; s/oona/c/g; s/pumpkin/d/g; s/marcel/e/g; s/mertz/f/g' \
    $work/data/words/train5 | cmp -s - $work/data/letters/train5
ok "(the pairs are the same but for the words)" $?
at=$work/runs/names/g
output=$(cmp $at/Letters/1/relate/metrics.jsonl $at/Words/1/relate/metrics.jsonl &&
    cmp $at/Letters/1/logic/items.tsv $at/Words/1/logic/items.tsv)
ok "and so are the training and its test" $?

# refused WHAT PATTERN ARGUMENTS...: in one line.
refused() {
    what=$1 pattern=$2
    shift 2
    try "$@"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || output="several lines: $output" code=several
    says "$what" 65 "$pattern"
}
refused "a name that is a symbol" 'logic.names=.*variable "and": this is a symbol already' \
    plan $work/g.yaml logic.names=[x,and] $runs
refused "more names than variables" 'more than 6 variables' plan $work/g.yaml "logic.names=[p,q,r,s,t,u,v]" $runs
refused "more variables than names" 'logic.variables: 3; expected at most 2, as many as logic.names has' \
    plan $work/g.yaml "logic.names=[p,q]" logic.variables=3 $runs
finish
