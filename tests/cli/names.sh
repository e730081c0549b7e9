#!/bin/sh
# Names of grids: GRID is the present content of its file, independent of the last run. The same
# assignments select the results of a run with assignments.
. "$(dirname "$0")/../support/cli.sh"
task names_cli 300
runs=$work/runs

cat > $work/g.yaml << 'EOF'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, test: dev, merges: 20}
model: {preset: tiny, dropout: 0}
encoder.layers: 1
train: {steps: 60, batch_tokens: 256, warmup: 20, validate_every: 30}
rows:
  - {name: Base}
  - name: + Gate
    encoder.attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate}]
evaluate: {bleu: {split: test, beam: 2}}
table: {columns: [bleu, test_loss]}
EOF
# Another test set, in which half of the references are wrong.
head -20 $work/data/dev.a > $work/data/other.a
head -20 $work/data/dev.b | awk '{ print NR % 2 ? "t1 t2 t3" : $0 }' > $work/data/other.b
other=corpus.test=other

# losses WORDS...: prints the test loss of each point of an export.
losses() {
    ./sanlab export jsonl "$@" --runs $runs | sed -n 's/.*"test_loss":\([0-9.]*\).*/\1/p' | sort
}
# stages NAME: prints the targets of the links below a name.
stages() {
    find "$runs/names/$1" -type l | sort | xargs -d '\n' -n 1 readlink
}
same() {
    holds "$3" [ "$1" = "$2" ]
}

expect "the grid runs" 0 '^$' run $work/g.yaml --runs $runs --quiet
expect "the name is the heading of a grid without a title" 0 '^g$' table $work/g.yaml --runs $runs
table=$output
export=$(losses g)
links=$(stages g)
expect "ls lists its stages" 0 '^score-' ls g --runs $runs
holds "five of them" [ "$(printf '%s\n' "$output" | grep -c '^[a-z]*-')" = 5 ]
expect "it runs with another test set" 0 '^$' run $work/g.yaml $other --runs $runs --quiet

same "$(losses g)" "$export" "the export is that of the file"
same "$(losses $work/g.yaml)" "$export" "by its path as by its name"
[ "$(losses g $other | wc -l)" = 2 ] && [ "$(losses g $other)" != "$export" ]
ok "the other scores are exported by the same words" $?
same "$(losses g+$other)" "$(losses g $other)" "and by the name that they have in RUNS"
try table g --runs $runs
same "$output" "$table" "the table is that of the file"
expect "that of the other says so" 0 "^g[+]$other$" table g $other --runs $runs
same "$(stages g)" "$links" "the links are those of the file"
[ "$(stages g+$other | wc -l)" = 6 ] && [ "$(stages g+$other)" != "$links" ]
ok "the others have a folder of their own" $?
try ls --runs $runs
holds "trainings are shared" [ "$(printf '%s\n' "$output" | grep -c '^[a-z]*-')" = 8 ]
try ls g $other --runs $runs
[ "$(printf '%s\n' "$output" | grep -c '^[a-z]*-')" = 5 ] &&
    ! printf '%s\n' "$output" | grep -q "^score.* g/"
ok "ls lists those with assignments" $?
expect "verify takes the grid" 0 '^5 stages, .* 2 scored again: 0 problems' verify g --runs $runs
expect "also with assignments" 0 '^5 stages, .* 2 scored again: 0 problems' verify g $other --runs $runs
expect "tag takes assignments" 0 '^5 stages' tag g $other elsewhere --runs $runs
try ls 'tag = elsewhere and kind = score' --runs $runs
lacks "and no score of the file has the tag" ' g/'
expect "compare takes the file's scores" 0 'sentences:40' compare g/Base "g/+ Gate" --runs $runs --sentences 0
try compare g/Base g+$other/Base --runs $runs --sentences 0
says "which are not those with assignments" 65 'cannot be compared'
expect "and those with assignments" 0 'sentences:20' compare g/Base "g/+ Gate" $other --runs $runs --sentences 0
expect "show lists what a row is made of" 0 '^score-.* g/Base/1' show g/Base --runs $runs
expect "a stage with assignments" 0 'other|g\+corpus.test' show g/Base/1/score $other --runs $runs
echo "s1 s2" > $work/line
expect "translate takes a row" 0 't[0-9]' translate g/Base $work/line --runs $runs
try translate g/Bass $work/line --runs $runs
says "a row that is not there" 65 'g: translate: there is no train stage at "Bass"; nearest is "Base"'
try show g/Base/7 --runs $runs
says "a seed that is not there" 65 'g: show: there is no place "Base/7"; nearest is "Base/1"'
try show g/Zzzzz --runs $runs
says "rows come before their seeds and stages" 65 'g: show: there is no place "Zzzzz"; expected one of: Base, "?[+] Gate"?, Base/1'

# The file counts, not the last run.
cp $work/g.yaml $work/kept.yaml
sed -i '/name: + Gate/,/fusion/d' $work/g.yaml
try ls g --runs $runs
holds "a row that is gone from the file is gone from its name" [ "$(printf '%s\n' "$output" | grep -c '^[a-z]*-')" = 3 ]
try export csv g train.steps=70 --runs $runs
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c ,score,)" = 0 ]
ok "assignments that have not run have no stages" $?
expect "which a question about one says" 0 '^2 of 3 stages have not begun' show g/Base train.steps=70 --runs $runs
try translate g/Base train.steps=70 $work/line --runs $runs
says "one that needs it" 65 'translate: no stage of "g/Base" has begun'
cp $work/kept.yaml $work/g.yaml

# Ids are unknown without the text. The record of a grid with the same options has them.
mv $work/data $work/away
expect "without the text" 0 'its input files are missing .*; these are the stages of its last run$' table g --runs $runs
same "$(printf '%s\n' "$output" | grep -v 'are missing')" "$table" "the table of the same points"
same "$(losses g 2> /dev/null)" "$export" "and the same export"
sed -i 's/^corpus: {/&origin: an archive, /' $work/g.yaml
try table g --runs $runs
says "that it came from somewhere makes it no other grid" 0 'these are the stages of its last run$'
cp $work/kept.yaml $work/g.yaml
expect "with assignments" 0 '^Base +[0-9]' table g $other --runs $runs
try run $work/g.yaml --runs $runs --force
says "a run finds no text" 1 '^sanlab: corpus train is missing \(4 files, 5 stages wait\): train.a, '
same "$(losses g 2> /dev/null)" "$export" "but takes nothing away from what is known"
same "$(stages g)" "$links" "nor from the links"
sed -i 's/steps: 60/steps: 61/' $work/g.yaml
try table g --runs $runs
says "of a file that has changed no run is known" 0 'no run of this grid with its current file is recorded$'
says "so there is no number" 0 '^Base +new'
mv $work/away $work/data
cp $work/kept.yaml $work/g.yaml

# If the file is missing, the record in RUNS replaces it.
mv $work/g.yaml $work/gone.yaml
same "$(losses g)" "$export" "without its file a grid is its record"
try table g --runs $runs
says "a table wants the file" 65 "table: g: has run in $runs, but its file $work/g.yaml is missing"
try ls g train.steps=3 --runs $runs
says "a run that nobody knows" 65 "ls: g: its file $work/g.yaml is missing, and no run of it with these assignments is recorded"
mv $work/gone.yaml $work/g.yaml
expect "a name that is none" 65 'gg: no such grid' ls gg --runs $runs

# A bare name means a file next to the program.
mkdir -p $work/there/grids $work/there/experiments
cp sanlab $work/there
cp -r experiments/models $work/there/experiments
cp $work/g.yaml $work/there/grids/mine.yaml
sed -i 's/^grid: g/grid: mine/' $work/there/grids/mine.yaml
run $work/there/sanlab run mine --runs $work/mine --quiet
says "a grid runs by its name" 0 '^$'
rm $work/there/grids/mine.yaml
run $work/there/sanlab table mine --runs $work/mine
says "a table says which file that was" 65 "but its file [^ ]*/$work/there/grids/mine.yaml is missing"

# A name of two grids.
sed 's/steps: 60/steps: 30/' $work/g.yaml > $work/two.yaml
try run $work/two.yaml --runs $runs
says "a second grid of that name" 65 "two.yaml: the name of this grid, \"g\", is also that of $work/g.yaml, which has run"
expect "the heading of a plan has the name and the file" 0 "^g \\($work/two.yaml\\)$" plan $work/two.yaml --runs $runs
cp $work/g.yaml $work/two.yaml
expect "a copy of the file is no second grid" 0 'stages done' run $work/two.yaml --runs $runs
sed -i 's/steps: 60/steps: 30/' $work/two.yaml
mv $work/g.yaml $work/away.yaml
expect "a file that has moved may change" 0 '^$' run $work/two.yaml --runs $runs --quiet
mv $work/away.yaml $work/g.yaml
try run $work/g.yaml --runs $runs
says "the name is that of the file that ran last" 65 "g.yaml: the name of this grid, \"g\", is also that of $work/two.yaml, which has run"
output=$(./sanlab ls g --runs $runs | sort)
[ "$output" = "$(./sanlab ls $work/two.yaml --runs $runs | sort)" ] && [ "$output" != "$(./sanlab ls $work/g.yaml --runs $runs | sort)" ]
ok "for other verbs, too" $?
expect "the other one has a path" 0 '^score-' ls $work/g.yaml --runs $runs
rm $work/two.yaml

# A user who ran the grid only with assignments gets a message about it.
./sanlab run $work/g.yaml train.steps=20 --runs $work/small --quiet
try ls $work/g.yaml --runs $work/small
says "the file has not run" 0 'warning: g: has not run in .*/small with its current file: sanlab run .*/g.yaml --runs .*/small$'
expect "nor of a row" 0 '^2 of 3 stages have not begun' show $work/g.yaml/Base --runs $work/small
expect "with them it has" 0 '^train-' show $work/g.yaml/Base train.steps=20 --runs $work/small

# A selection of rows.
expect "plan of some rows" 0 '^train-[0-9a-f]+ +\+ Gate/1' plan g --only 'name ~ Gate' --runs $runs
lacks "and of no others" '^train.* Base/1 '
output=$(printf '%s\n' "$output" | awk '/^train-/ { print }')
[ -n "$output" ] && ! printf '%s\n' "$output" | grep -q '[+][0-9]'
ok "with no difference to a baseline that is left out" $?
expect "table of some rows" 0 '^\+ Gate +[0-9]' table g --only 'name ~ Gate' --runs $runs
says "says so" 0 '^1 of 2 lines are shown; '
lacks "only those" '^Base '
try table g --only 'name ~ Gate' table.significance.samples=100 --runs $runs
says "where the others are tested that is said, too" 0 '^1 of 2 lines are shown; tests cover all\.'
rm -rf $work/some
try run $work/g.yaml --only 'not encoder.attention.window = 1' --runs $work/some
says "run of some rows" 0 '3 of 3 stages done'
try plan $work/g.yaml --todo --runs $work/some
says "plan --todo has what is left" 0 '^train-[0-9a-f]+ +\+ Gate/1 +new'
lacks "and nothing else" 'Base/1 '
expect "whose name is that of the whole grid" 0 '^score-' ls g --runs $work/some
try run $work/g.yaml --runs $work/some --quiet
expect "nothing is left" 0 '^5 stages: 5 done' plan $work/g.yaml --todo --runs $work/some
try plan g --only 'name ~ gate' --runs $runs
says "no row is meant" 65 'command line: --only: no row has name ~ "gate"; nearest is '
try plan g --only 'nmae ~ Gate' --runs $runs
says "a key that no row has" 65 '--only: no row has "nmae"; did you mean "name"'
try plan g --only 'encoder.stack ~ onlstm' --runs $runs
says "an option that no row sets is not proposed for itself" 65 '--only: no row has "encoder.stack"$'
try plan g --only 'decoder.attention_bias = true' --runs $runs
says "a word of another section" 65 '--only: no row has "decoder.attention_bias"; did you mean "model.attention_bias"'

# File of a name: the first in grids/ and experiments/ of the current folder, then among the shipped
# grids.
here=$PWD user=$work/user
mkdir -p $user/grids $user/experiments
./sanlab completion bash > $user/completion
in_user() {
    output=$(cd $user && "$here/sanlab" "$@" 2>&1)
    code=$?
}
sed 's/^grid: g/grid: mine/' $work/g.yaml > $user/grids/mine.yaml
sed 's/^grid: g/grid: older/; s/steps: 60/steps: 50/' $work/g.yaml > $user/experiments/older.yaml
in_user plan mine
says "a grid in ./grids" 0 'Base/1 .* 60 '
in_user plan older.yaml
says "one in ./experiments, with the ending" 0 'Base/1 .* 50 '
in_user plan xu2019-table1
says "a shipped one from elsewhere" 1 '^train-.* 44,141,056'
in_user plan mien
says "the nearest name of all" 65 "^sanlab: mien: no such grid; nearest is mine \(looked for in grids/, experiments/ and $here/grids\)$"
in_user plan xu2019-tabel1
says "also of the shipped ones" 65 'no such grid; nearest is xu2019-table1 '
in_user check older
says "a verb that takes a model, too, takes a grid's name" 0 '^row +Base'
output=$(cd $user && bash -c '. ./completion; COMP_WORDS=(sanlab plan m); COMP_CWORD=2; _sanlab; echo ${COMPREPLY[@]}' 2>&1)
case $output in *multi30k-small*" mine"*) true ;; *) false ;; esac
ok "a shell completes both" $?
in_user run mine --quiet
says "it runs by its name" 0 '^$'
mv $user/grids/mine.yaml $user/away
in_user table mine
says "records have its path" 65 'but its file grids/mine.yaml is missing'
mv $user/away $user/grids/mine.yaml

sed 's/steps: 60/steps: 50/' $user/grids/mine.yaml > $user/experiments/mine.yaml
in_user plan mine
says "grids/ comes before experiments/" 0 'Base/1 .* 60 '
in_user plan experiments/mine.yaml
says "which has a path" 0 'Base/1 .* 50 '
rm $user/experiments/mine.yaml
sed 's/^grid: g/grid: demo/' $work/g.yaml > $user/grids/demo.yaml
in_user plan demo
says "both come before a shipped grid" 0 'Base/1 '

# Two files of a folder give their grids the same name.
sed 's/steps: 60/steps: 40/; s/^grid: mine/grid: "mine" # too/' $user/grids/mine.yaml > $user/grids/copy.yaml
in_user run copy --quiet
says "the second one does not run" 65 'the name of this grid, "mine", is also that of grids/mine.yaml, which has run'
rm $user/grids/copy.yaml

# A base, given by name.
printf 'grid: more\nbase: mine\nseeds: [2]\n' > $user/grids/more.yaml
in_user plan more
says "a base in the folder of the grid" 0 '\+ Gate/2 .* 60 '
printf 'grid: logics\nbase: logic-64-bag\nseeds: [2]\n' > $user/grids/logics.yaml
in_user plan logics
says "a shipped one, which has a base itself" 1 '^relate-.* Bag of words/2 '
printf 'grid: more\nbase: mien\n' > $user/more.yaml
in_user plan more.yaml
says "the nearest one" 65 '^sanlab: more.yaml:2:7: base: "mien": no such grid; nearest is mine '
printf 'grid: more\nbase: older\nseeds: [2]\n' > $user/grids/more.yaml
in_user run more --quiet
says "one in another folder" 0 '^$'
in_user archive more more.tar.gz
says "goes into an archive" 0 '^more.tar.gz: '
mkdir $work/unpacked
tar -xzf $user/more.tar.gz -C $work/unpacked
output=$(cd $work/unpacked/more && "$here/sanlab" table grid.yaml --runs . 2>&1)
code=$?
says "where it is found again" 0 '^Base '
finish
