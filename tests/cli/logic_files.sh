#!/bin/sh
# Classifiers of pairs and files: other names of variables, a test on other files, the exported file. Ids
# omit the test text, also with the run folder of an older program.
#   PYTHON: an interpreter that has numpy (python3)
. "$(dirname "$0")/../support/cli.sh"
fresh_data logic_files_cli
python=${PYTHON:-python3}
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
expect "files with other words train and test" 0 "^$" run $work/g.yaml $runs --quiet
sed 's/abby/a/g; s/ollie/b/g; s/oona/c/g; s/pumpkin/d/g; s/marcel/e/g; s/mertz/f/g' \
    $work/data/words/train5 | cmp -s - $work/data/letters/train5
ok "(the pairs are the same but for the words)" $?
at=$work/runs/names/g
output=$(cmp $at/Letters/1/relate/metrics.jsonl $at/Words/1/relate/metrics.jsonl &&
    cmp $at/Letters/1/logic/items.tsv $at/Words/1/logic/items.tsv)
ok "and so are the training and its test" $?

expect "a name that is a symbol" 65 'logic.names=.*variable "and": is already a symbol' \
    plan $work/g.yaml logic.names=[x,and] $runs
expect "more names than variables" 65 'more than 6 variables' plan $work/g.yaml "logic.names=[p,q,r,s,t,u,v]" $runs
expect "more variables than names" 65 'logic.variables: 3; expected at most 2, as many as logic.names has' \
    plan $work/g.yaml "logic.names=[p,q]" logic.variables=3 $runs

# ---- a test on other files ----

# by_bin ROW: prints the mean accuracy by number of operators from the items of its stage.
by_bin() {
    awk -F'\t' 'NR > 1 { n[$2]++; sum[$2] += $1 }
        END { for (k in n) printf "%s %d %.1f\n", k, n[k], sum[k] / n[k] }' "$at/$1/1/logic/items.tsv" | sort
}
for row in Letters Words; do
    folder=$(echo $row | tr LW lw)
    try logic test g/$row/1 $work/data/$folder/test[1-9]* $runs
    output=$(printf '%s\n' "$output" | awk '$1 ~ /^[1-9]/ && NF == 4 { gsub(",", "", $2); print $1, $2, $3 }' | sort)
    holds "$row: a test on the files of its grid has the grid's accuracies" [ "$output" = "$(by_bin $row)" ]
done
try logic test g/Letters/1 --names $words $work/data/words/test[1-9]* $runs
output=$(printf '%s\n' "$output" | awk '$1 ~ /^[1-9]/ && NF == 4 { gsub(",", "", $2); print $1, $2, $3 }' | sort)
holds "of other words, which --names lists" [ "$output" = "$(by_bin Letters)" ]
cat $work/data/letters/test1 $work/data/letters/train0 > $work/some.txt
try logic test g/Mean/1 $work/some.txt $work/data/letters/test1 --checkpoint last $runs
says "files of any name, a line for each number of operators" 0 "^0 +$(wc -l < $work/data/letters/train0) "
says "and all" 0 "^all +[0-9]+ +[0-9.]+ +[0-9.]+$"
says "says what was tested" 0 "Trained on operators 0-6, checkpoint last"
try logic test g/Mean/1 $work/some.txt --checkpoint start --format csv $runs
says "the start, in another form" 0 '^all,[0-9]+,'
./sanlab logic generate --out $work/data/three --pairs 3000 --seed 5 --variables 3 --quiet
sed 's/^grid: g/grid: three/; /^rows:/,$d' $work/g.yaml > $work/three.yaml
try run $work/three.yaml logic.data=three logic.variables=3 train.steps=1 $runs --quiet
expect "more names than the model has variables" 65 'logic test: --names: 6 names; relate-[0-9a-f]+ was trained with 3 variables' \
    logic test "$(basename "$(ls -d $work/runs/names/three*/*/*/relate | head -n 1 | xargs readlink)")" --names $words $work/data/words/test3 $runs
expect "words that are no names" 65 "words/test3:1:[0-9]+: .*unknown word" \
    logic test g/Letters/1 $work/data/words/test3 $runs
expect "another stage" 65 "is a formulas stage; expected a relate stage" \
    logic test "$(basename "$(readlink $at/Mean/1/formulas)")" $work/some.txt $runs
expect "no file" 65 "usage: sanlab logic .* test STAGE FILE" logic test g/Mean/1 $runs
expect "an option of another action" 65 "test has no option --train" logic test g/Mean/1 $work/some.txt --train 3 $runs

# ---- the exported file ----

header() {
    head -c $((8 + $(od -An -tu8 -N8 "$1"))) "$1" | tail -c +9 | sed 's/\\"/"/g'
}
try export model g/Words/1 --out $work/words.safetensors $runs
says "a classifier of pairs is exported" 0 "^relate-.*, checkpoint best, steps \[[24]0\]: $work/words.safetensors$"
output=$(header $work/words.safetensors)
echo "$output" | grep -qF '"symbols":"["(",")","not","and","or","abby","ollie","oona","pumpkin","marcel","mertz"]","relations":"["=","<",">","^","|","v","#"]"' &&
    echo "$output" | grep -q '"logic":{"bins":"0-6",.*"features":"match",.*"pool":{"queries":2}' &&
    echo "$output" | grep -q '"projection":true'
ok "with its options, symbols and relations" $?
try export model g/Mean/1 --checkpoint start --out $work/mean.safetensors $runs
says "as the training began" 0 "checkpoint start, steps \[\]"
try logic probe $work/words.safetensors --train 100 --pool mean $runs
says "logic probe takes no file of one" 65 "words.safetensors: the file of a classifier of statement pairs; expected its stage, or a translation model"
try logic probe g/Words/1 --train 100 --pool mean $runs
says "but the training of the file" 0 "^12 +[0-9.]+ +[0-9.]+ +[0-9.]+"
if $python -c 'import numpy' 2> /dev/null; then
    ./sanlab export model g/Letters/1 --out $work/letters.safetensors $runs --quiet
    for row in letters:Letters words:Words mean:Mean; do
        folder=${row%:*} checkpoint=best
        [ $folder != mean ] || folder=letters checkpoint=start
        ours=$(./sanlab logic test g/${row#*:}/1 --checkpoint $checkpoint $work/data/$folder/test[24] $runs |
            awk '$1 == "all" { gsub(",", "", $2); print $2, $3 }')
        output=$($python scripts/load_pairs.py $work/${row%:*}.safetensors $work/data/$folder/test[24] 2>&1)
        [ "$(echo "$output" | awk '{ printf "%d %.1f\n", $3, $2 }')" = "$ours" ]
        ok "${row#*:}: load_pairs.py computes the same accuracy" $?
    done
    output=$($python scripts/load_model.py $work/mean.safetensors a b 2>&1)
    holds "load_model.py names it" [ "$output" = "load_model: a classifier of pairs of statements; expected load_pairs.py" ]
else
    skipped "load_pairs.py" "$python has no numpy (pip install numpy)"
fi

# ---- ids without the test text ----

# A folder of an older program, which had the test text in the ids of its trainings.
relate=relate-738d308fba1c logic=logic-cc8359141bee
old=$work/older
mkdir -p $old
cp -r tests/runs/logic/stages $old
cp tests/runs/logic/grid.yaml $work/older.yaml
./sanlab logic generate --out $work/data/logic --pairs 2500 --seed 3 --quiet
stages() {
    ./sanlab plan $work/older.yaml "$@" --stale ignore 2>&1 | awk '/^[a-z]+-[0-9a-f]+ / {
        sub("LSTM/1", ""); print $1, $2 }' | sort | tr '\n' ' '
}
output=$(stages --runs $old)
[ "$output" = "formulas-d3d88e3cf944 done $logic done $relate done " ]
ok "stages of an older program are found under their old ids" $?
expect "their values are shown" 0 "^LSTM .*[0-9]+\.[0-9]" table $work/older.yaml --runs $old
expect "nothing is done again" 0 "^$" run $work/older.yaml --runs $old --stale ignore --quiet
try gc --runs $old
printf '%s\n' "$output" | grep -q "formulas\|logic-"
holds "gc takes none of them" [ $? = 1 ]
try verify --runs $old
equals "verify finds nothing wrong in them" "" "$(printf '%s\n' "$output" | grep "$relate\|$logic")"
output=$(stages train.steps=60 --runs $old)
case $output in *" $relate "*) false ;; *"relate-"*" continues "*) true ;; *) false ;; esac
ok "a longer training continues it" $?

sed 1d $work/data/logic/test5 > $work/test5 && mv $work/test5 $work/data/logic/test5
output=$(stages --runs $old)
case $output in "formulas-"*" new logic-"*" new $relate done ") true ;; *) false ;; esac
ok "of another test text, too: only the test is new" $?
fresh=$(stages --runs $work/fresh)
case $fresh in *"$relate"*) false ;; *) true ;; esac
ok "(a new training has another id)" $?
expect "it runs" 0 "^$" run $work/older.yaml --runs $old --stale ignore --quiet
try logic probe $relate --train 100 --pool mean --runs $old --stale ignore
says "logic probe reads it" 0 "^12 +[0-9.]+ +[0-9.]+"
[ "$(cd $old/stages && echo relate-*)" = "$relate" ] && [ "$(cd $old/stages && ls -d logic-* | wc -l)" = 2 ]
ok "without a training" $?
output=$(stages --runs $old)
case $output in "formulas-"*" done logic-"*" done $relate done ") true ;; *) false ;; esac
ok "and is done under that id" $?
expect "which the test names" 0 "$relate" show "$(cd $old/stages && ls -d logic-* | grep -v $logic)" --runs $old

./sanlab run $work/older.yaml --runs $work/fresh --quiet
# The last lines have no step: older programs wrote these values to done.json.
grep '"step":' $work/fresh/stages/relate-*/metrics.jsonl | cmp -s - $old/stages/$relate/metrics.jsonl
ok "the test text changes nothing of the training" $?
sed 1d $work/data/logic/test6 > $work/test6 && mv $work/test6 $work/data/logic/test6
output=$(stages --runs $work/fresh)
case $output in "formulas-"*" new logic-"*" new relate-"*" done ") true ;; *) false ;; esac
ok "nor of its id" $?
sed 1d $work/data/logic/train6 > $work/train6 && mv $work/train6 $work/data/logic/train6
output=$(stages --runs $work/fresh)
case $output in *" relate-"*" new ") true ;; *) false ;; esac
ok "the training text does" $?
finish
