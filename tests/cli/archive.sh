#!/bin/sh
# sanlab archive: the grid, results and models of a paper in one file. The bytes are reproducible, and no
# partial file remains.
. "$(dirname "$0")/../support/cli.sh"
task archive_cli 200
runs=$work/runs
cat > $work/g.yaml << 'END'
grid: small
title: A small one
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
train: {steps: 20, batch_tokens: 256, warmup: 10, validate_every: 10}
seeds: [1, 2]
rows:
  - {name: A}
  - {name: B, encoder.attention: [{layers: 1, branches: [{window: 1}]}]}
evaluate: {bleu: {split: dev, beam: 2}}
table: {baseline: A, columns: [test_loss, delta(test_loss)]}
figures: [{kind: bars, left: test_loss}]
claims:
  - {text: A window helps, compare: [B, A], metric: test_loss, expect: less}
  - {text: A window helps BLEU, compare: [B, A], metric: bleu, expect: greater}
END
command -v gnuplot > /dev/null || sed -i '/^figures/d' $work/g.yaml
archive() { try archive $work/g.yaml --runs $runs "$@"; }
# left NAME: true if $work has a file whose name matches.
left() { ls -A "$work" | grep "$1"; }

mkdir -p $runs
archive $work/none.tar.gz
says "of nothing" 65 "^sanlab: archive: no stage of small is done in $runs \(sanlab run "
try run $work/g.yaml seeds=1 --runs $runs -j 1 --quiet
archive $work/part.tar.gz
says "of a part: what is missing is said" 0 "^sanlab: warning: archive: 4 of 9 stages are not done and are left out"
says "and what it is" 0 "^$work/part.tar.gz: 5 stages, [0-9]+ files, "
try run $work/g.yaml --runs $runs -j 1 --quiet
archive $work/a.tar.gz
says "of the whole" 0 "^$work/a.tar.gz: 9 stages, "

export MALLOC_PERTURB_=165 # overwrites freed memory
archive $work/b.tar.gz --only 'name = B'
unset MALLOC_PERTURB_
says "a part: the stages of some rows" 0 "^$work/b.tar.gz: 5 stages, "
output=$(tar -tzf $work/b.tar.gz | grep -v '^small/stages/')
[ "$output" = "small/
small/SHA256SUMS
small/left-out.txt" ]
ok "and nothing else" $?
archive $work/c.tar.gz seeds=1,2,3 --only 'name = B'
says "a part is of stages that are done" 65 "^sanlab: archive: train-[0-9a-f]+ is not done; with --only all stages of the rows must be done$"

# The bytes do not depend on the folder, on times and modes, or on support for links.
sleep 1
cp -r $runs $work/copy
chmod -R go-rwx $work/copy/stages
mkdir $work/there
(umask 077 && ./sanlab archive $work/g.yaml --runs $work/copy $work/there/b.tar.gz > /dev/null)
holds "the same bytes" cmp $work/a.tar.gz $work/there/b.tar.gz
if other=$(mktemp -d /dev/shm/sanlab-XXXXXX 2> /dev/null); then
    archive "$other/c.tar.gz"
    [ "$code" = 0 ] && output=$(cmp $work/a.tar.gz "$other/c.tar.gz" 2>&1)
    ok "the same on another file system" $?
    rm -r "$other"
fi
tar -tvzf $work/a.tar.gz > $work/list
output=$(grep -v '^[-d]rw[-x]r-[-x]r-[-x] 0/0 .* 1970-01-01 0[01]:00 small/' $work/list)
holds "no owner, no time, plain rights" [ -z "$output" ]
tar -tzf $work/a.tar.gz | sed 's|/$||' > $work/names
output=$(tr / '\001' < $work/names | LC_ALL=C sort -c 2>&1)
ok "names are sorted" $?

mkdir $work/out
tar -xzf $work/a.tar.gz -C $work/out
output=$(cd $work/out/small && LC_ALL=C sha256sum -c SHA256SUMS 2>&1)
ok "checksums hold" $?
output=$(cd $work/out/small && find . -type f ! -name SHA256SUMS | sed 's|^..||' | LC_ALL=C sort > ../found &&
    sed 's/^[0-9a-f]*  //' SHA256SUMS | LC_ALL=C sort | diff ../found -)
ok "and are of all files" $?
missing=
for file in README.txt table.txt table.csv table.tex claims.txt points.csv report.html grid.yaml SHA256SUMS; do
    [ -s "$work/out/small/$file" ] || missing="$missing $file"
done
for kind in train score; do
    for file in options.yaml environment.json metrics.jsonl stage.json done.json; do
        [ "$(ls $work/out/small/stages/$kind-*/$file | wc -l)" = 4 ] || missing="$missing $kind/$file"
    done
done
for file in hypotheses.txt items.tsv; do
    for stage in "$runs"/stages/score-*; do
        cmp "$stage/$file" "$work/out/small/stages/${stage##*/}/$file" || missing="$missing $file"
    done
done
output="missing:$missing"
holds "tables, report, hypotheses, items, options, environment, metrics" [ -z "$missing" ]
if command -v gnuplot > /dev/null; then
    holds "figures" [ "$(ls $work/out/small/figures)" = small-1.svg ]
fi
! grep -q -e /ckpt -e adam -e shard $work/names
ok "no checkpoints, no text of a corpus" $?
for verb in table claims "export csv"; do
    ./sanlab $verb $work/g.yaml --runs $runs > $work/ours
    # shellcheck disable=SC2086
    output=$(./sanlab $verb $work/g.yaml --runs $work/out/small 2>&1 | diff $work/ours - 2>&1)
    ok "what was unpacked is a runs folder: $verb" $?
done

# An archive, and a folder of archives of rows, are grids for verbs that print. No file is left behind.
archive $work/a.tar.xz
says "an archive by xz" 0 "^$work/a.tar.xz: 9 stages, "
xz -dc $work/a.tar.xz > $work/by-xz.tar
gzip -dc $work/a.tar.gz > $work/by-gz.tar
holds "has the same files" cmp $work/by-xz.tar $work/by-gz.tar
mkdir -p $work/parts/small $work/tmp
for row in A B; do
    for seed in 1 2; do
        ./sanlab archive $work/g.yaml "seeds=[$seed]" $work/parts/small/$row.$seed.tar.gz --only "name = $row" --runs $runs --quiet
    done
done
mkdir -p $work/shipped/experiments/evidence # parts have no grid: it is experiments/evidence/NAME.yaml
cp -r experiments/models experiments/recipes experiments/corpora experiments/rules experiments/tasks $work/shipped/experiments
cp $work/g.yaml $work/shipped/experiments/evidence/small.yaml
cp sanlab $work/shipped
# printed VERB.. PATH: prints what the verb prints of an archive, without the text of the corpus.
printed() { SANLAB_DATA=/nowhere TMPDIR=$work/tmp $work/shipped/sanlab "$@" 2>&1; }
for path in a.tar.gz a.tar.xz parts/small; do
    for verb in table claims "export csv"; do
        ./sanlab $verb $work/g.yaml --runs $runs > $work/ours
        # shellcheck disable=SC2086
        output=$(printed $verb $work/$path | grep -v ': its input files are missing' | diff $work/ours - 2>&1)
        ok "$verb of $path" $?
    done
done
# An archive without n-gram counts, as older versions wrote it, and one with other counts.
spoiled() { # WHAT COMMAND MESSAGE: runs the command in each score of an unpacked archive; claims print the message
    rm -rf $work/spoiled && mkdir $work/spoiled && tar -xzf $work/a.tar.gz -C $work/spoiled
    for stage in "$work"/spoiled/small/stages/score-*; do (cd "$stage" && eval "$2"); done
    output=$(./sanlab claims $work/g.yaml --runs $work/spoiled/small 2>&1)
    code=$?
    says "$1" 0 "$3"
}
spoiled "an older archive" 'rm ngrams.tsv' 'dev\.reference is gone'
spoiled "other counts" 'sed -i "2s/^[0-9]*/99/" ngrams.tsv' 'score [0-9.]+, but [0-9.]+ was recorded'
spoiled "half the counts" 'sed -i "\$d" ngrams.tsv' 'ngrams\.tsv has [0-9]+ lines, [0-9]+ were recorded'
spoiled "no numbers" 'sed -i "2s/^[0-9]*/x/" ngrams.tsv' 'ngrams\.tsv:2: "x" is not a hyp_len; expected a whole number from 0'
spoiled "counts of another order" 'sed -i 1s/match8/match9/ ngrams.tsv' 'ngrams\.tsv:1: expected "hyp_len, ref_len, '
output=$(printed export sqlite $work/a.tar.xz --out $work/a.db)
holds "a database of it" [ "$output" = "9 stages in $work/a.db" ]
output=$(printed table $work/parts/small seeds=1)
code=$?
says "with an assignment" 0 "^A +[0-9.]+$"
if command -v gnuplot > /dev/null; then
    ./sanlab plot $work/g.yaml --runs $runs --out $work/drawn > /dev/null
    output=$(printed plot $work/parts/small --out $work/drawn-there)
    holds "its figure" cmp $work/drawn/small-1.svg $work/drawn-there/small-1.svg
    output=$(printed plot $work/a.tar.xz)
    code=$?
    says "which needs a folder" 65 "^sanlab: plot: --out: expected a folder for the figures of an archive$"
fi
output=$(cd $work/parts && SANLAB_DATA=/nowhere ../shipped/sanlab table small 2>&1)
matches "a folder of archives in this folder" "^A  [0-9.]* ± "
mkdir -p $work/parts/grids && cp $work/g.yaml $work/parts/grids/small.yaml
output=$(cd $work/parts && ../shipped/sanlab table small 2>&1)
matches "unless the word is the name of a grid" "^sanlab: .*runs"
rm -r $work/parts/grids
# Two corpora with the same options are told apart by the paths of their texts.
for side in a b; do tac $work/data/train.$side > $work/data/other.$side; done
sed -e 's/^grid: small/grid: two/; s/^seeds.*/seeds: [1]/; /^figures/d; /^claims/,$d' \
    -e 's/{name: B, .*/{name: B, corpus.train: other}/' $work/g.yaml > $work/shipped/experiments/evidence/two.yaml
two=$work/shipped/experiments/evidence/two.yaml
./sanlab run $two --runs $work/two --quiet
mkdir $work/parts/two
for row in A B; do ./sanlab archive $two $work/parts/two/$row.tar.gz --only "name = $row" --runs $work/two --quiet; done
./sanlab table $two --runs $work/two > $work/ours
output=$(grep -cE '^[AB] +[0-9.]+' $work/ours && awk '/^[AB]  /{ print $2 }' $work/ours | uniq | wc -l && printed table $work/parts/two | diff $work/ours -)
holds "two corpora of the same options" [ "$output" = "2
2" ]
rm $work/parts/small/B.2.tar.gz
output=$(printed table $work/parts/small)
code=$?
says "stages that it lacks are named" 0 "^sanlab: warning: small: the archive lacks 2 of 9 stages: train-[0-9a-f]+, score-[0-9a-f]+$"
# refused_archive WHAT PATH MESSAGE: the only line is the message.
refused_archive() {
    output=$(printed table "$2")
    code=$?
    says "$1" 65 "^sanlab: table: $3$"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
    ok "in one line" $?
}
refused_archive "an archive that is not there" $work/none.tar.xz "$work/none.tar.xz: there is no such file"
cp $work/g.yaml $work/text.tar.gz
refused_archive "a file of another kind" $work/text.tar.gz "$work/text.tar.gz: is not an archive of .sanlab archive."
head -c 2000 $work/a.tar.gz > $work/half.tar.gz
refused_archive "half an archive" $work/half.tar.gz "$work/half.tar.gz: is not an archive of .sanlab archive."
tar -czf $work/other.tar.gz -C $work parts
refused_archive "files of another program" $work/other.tar.gz "$work/other.tar.gz: is not an archive of .sanlab archive."
mkdir -p $work/evil/small
: > $work/evil/small/SHA256SUMS
ln -s /etc $work/evil/small/stages
tar -czf $work/evil.tar.gz -C $work/evil small
refused_archive "a link" $work/evil.tar.gz "$work/evil.tar.gz: .small/stages -> /etc. is not a file or folder in one folder"
rm $work/evil/small/stages
: > $work/evil/escaped
tar -cPzf $work/evil.tar.gz -C $work/evil small/SHA256SUMS small/../escaped
refused_archive "a path that leads out" $work/evil.tar.gz "$work/evil.tar.gz: .small/../escaped. is not a file .*"
tar -cPzf $work/evil.tar.gz -C $work/evil "$PWD/$work/evil/escaped" small/SHA256SUMS
refused_archive "an absolute path" $work/evil.tar.gz "$work/evil.tar.gz: ./.*escaped. is not a file .*"
tar -czf $work/evil.tar.gz -C $work/evil small escaped
refused_archive "a second folder" $work/evil.tar.gz "$work/evil.tar.gz: .escaped. is not a file .*"
tar -xzf $work/parts/small/A.1.tar.gz -C $work/evil
(cd $work/evil && mv small+* other && sed -i 's/"format": [0-9]*/"format": 99/' other/stages/*/done.json && tar -czf ../newer.tar.gz other)
sed 's/^grid: small/grid: other/' $work/g.yaml > $work/shipped/experiments/evidence/other.yaml
output=$(printed table $work/newer.tar.gz seeds=1)
code=$?
says "of a newer program" 0 "has format 99, written by a newer program; this program reads formats up to 2"
cp $work/newer.tar.gz $work/parts/small/Z.tar.gz
refused_archive "parts of two grids" $work/parts/small "$work/parts/small/Z.tar.gz: is of the grid other, not small"
equals "no temporary folder is left" "" "$(ls $work/tmp)"

archive $work/models.tar.gz --checkpoints
says "with checkpoints" 0 "9 stages"
program=$PWD/sanlab
./sanlab table $work/g.yaml --runs $work/out/small > $work/ours 2>&1
output=$(cd $work/out && SANLAB_DATA=/nowhere "$program" table small --runs small 2> /dev/null | diff ../ours -)
ok "by the grid's name in another folder, without its text, the same" $?
tar -xzf $work/models.tar.gz -C $work/out
output=$(cd $work/out/small && LC_ALL=C sha256sum -c SHA256SUMS 2>&1) &&
    for stage in "$runs"/stages/train-*; do
        (cd "$stage" && find ckpt -type f ! -name 'adam-*') | while read -r file; do
            cmp "$stage/$file" "$work/out/small/stages/${stage##*/}/$file" || exit 1
        done || exit 1
    done
ok "all models, sound" $?
output=$(ls $work/out/small/stages/train-*/ckpt/*/adam-* 2>&1)
holds "no states of optimizers" [ $? != 0 ]

# An unpacked archive can be continued: missing stages run again, present stages stay.
plain=$work/plain models=$work/models
mkdir $plain $models
tar -xzf $work/a.tar.gz -C $plain
tar -xzf $work/models.tar.gz -C $models
# verify accepts the files that the archive omits on purpose, and checks the files that it has.
for there in $plain $models; do
    try verify --runs $there/small
    says "verify of what was unpacked, ${there##*/}" 0 \
        '^9 stages, .* 0 problems \([1-9][0-9]* checks not made: the archive leaves out their files\)$'
done
mv "$(ls $plain/small/stages/score-*/items.tsv | head -1)" $work/aside
expect "what is gone from it otherwise is one" 1 '^score-[0-9a-f]*: items.tsv is gone$' verify --runs $plain/small
tar -xzf $work/a.tar.gz -C $plain
line=$(head -1 $work/data/dev.a)
translate() { echo "$line" | ./sanlab translate small/A/1 --runs "$1" 2> /dev/null; }
output=$(translate $models/small)
[ -n "$output" ] && [ "$output" = "$(translate $runs)" ]
ok "an archive with models translates as they did" $?
try plan $work/g.yaml seeds=+3 --runs $models/small
says "another seed wants the text once more" 0 'corpus-[0-9a-f]+ +again: its train.shard is gone'
says "and nothing else that was there" 0 '^13 stages: 8 done, 5 new'
expect "which is prepared" 0 '^$' run $work/g.yaml seeds=+3 --runs $models/small --quiet
expect "to the same bytes" 0 ' 0 problems' verify --runs $models/small
try plan $work/g.yaml evaluate.bleu.beam=3 seeds=1 --only 'name = B' --runs $plain/small
says "without its checkpoints a model is trained again" 0 'train-[0-9a-f]+ +B/1 +again: its ckpt is gone'
says "for a score that is new" 0 '^3 stages: 3 new'
try run $work/g.yaml evaluate.bleu.beam=3 seeds=1 --only 'name = B' --runs $plain/small --quiet
try redo "$(cd $plain/small/stages && ls -d score-* | head -1)" --runs $plain/small --quiet
says "redo, too, does again what it lacks" 0 '^$'
expect "all of it to the same bytes" 0 ' 0 problems' verify --runs $plain/small
for there in $models $plain; do
    output=$(./sanlab table $work/g.yaml --runs $there/small 2>&1 | diff $work/ours - 2>&1)
    ok "the table stays, ${there##*/}" $?
done
mkdir $work/own
tar -xzf $work/models.tar.gz -C $work/own
output=$(SANLAB_DATA=/nowhere ./sanlab analyze small/A/1 maps --runs $work/own/small 2>&1)
says "without the text it is said what is missing" 0 'corpus-[0-9a-f]+: missing input: 4 of 4 files'
for kind in train score; do
    output=$(SANLAB_DATA=/nowhere ./sanlab redo small/A/1/$kind --runs $work/own/small 2>&1)
    says "nor is redo begun: $kind" 0 '^sanlab: redo: corpus-[0-9a-f]+: missing input: 4 of 4 files'
done
holds "and all stays as it was" [ ! -e $work/own/small/replaced ]
try analyze small/A/1 maps --runs $work/own/small --quiet
says "where the text is, its model is analyzed" 0 'analyze-[0-9a-f]+-1\.svg'

# Refused requests.
cksum < $work/a.tar.gz > $work/before
archive $work/a.tar.gz
says "a file that is there" 65 "^sanlab: archive: $work/a.tar.gz: exists already; expected the path of a new file$"
cksum < $work/a.tar.gz | cmp -s - $work/before
ok "it stays as it is" $?
ln -s nowhere $work/link.tar.gz
archive $work/link.tar.gz
says "a link that leads nowhere" 65 "exists already"
archive $work/no/a.tar.gz
says "a folder that is not there" 65 "there is no folder $work/no$"
archive $work/a.zip
says "another kind of file" 65 "^sanlab: archive: expected a file after the grid that ends in .tar.gz or .tar.xz, such as"
archive "$work/;touch canary;\$(touch canary) .tar.gz"
says "a name that a shell would take for commands" 0 "9 stages"
[ -s "$work/;touch canary;\$(touch canary) .tar.gz" ] && [ ! -e canary ] && [ ! -e $work/canary ]
ok "is a name" $?
mkdir $work/bin
ln -s "$(command -v tar)" $work/bin/tar
PATH=$work/bin try archive $work/g.yaml --runs $runs $work/d.tar.gz
says "without gzip" 65 "^sanlab: archive: the program gzip is not installed$"
printf '#!/bin/sh\nexit 3\n' > $work/gzip
chmod +x $work/gzip
mv $work/gzip $work/bin/gzip
PATH=$work/bin try archive $work/g.yaml --runs $runs $work/d.tar.gz
says "a gzip that fails" 65 "^sanlab: archive: tar with gzip ended with status 2$"
score=$(ls -d $runs/stages/score-* | head -1)
mv "$score/items.tsv" $work/items
ln -s /etc/passwd "$score/items.tsv"
archive $work/d.tar.gz
says "a link in the place of a file" 65 "^sanlab: archive: .*/items.tsv: not a regular file$"
rm "$score/items.tsv"
mv $work/items "$score/items.tsv"
equals "nothing half is left" "" "$(left d.tar.gz; left tmp-)"
stopped() { grep -q '^State:.T' "/proc/$1/status" 2> /dev/null; }
SANLAB_FREEZE_AT=before-archive:1 ./sanlab archive $work/g.yaml --runs $runs $work/d.tar.gz > $work/said 2>&1 &
wait_for stopped $!
echo mine > $work/d.tar.gz
kill -CONT $!
wait $!
code=$? output=$(cat $work/said)
says "another file of that name while it worked" 65 "d.tar.gz: exists already"
holds "stays" [ "$(cat $work/d.tar.gz)" = mine ]
rm $work/d.tar.gz
SANLAB_CRASH_AT=before-archive:1 ./sanlab archive $work/g.yaml --runs $runs $work/d.tar.gz > /dev/null 2>&1
output=$(left '^d.tar.gz')
holds "who is killed leaves nothing under that name" [ ! -e $work/d.tar.gz ]

# A signal during the archive, and a figure that cannot be drawn.
rm -r "$work"/d.tar.gz.tmp-*
for signal in TERM INT; do
    SANLAB_FREEZE_AT=before-archive:1 env --default-signal=INT ./sanlab archive $work/g.yaml --runs $runs $work/d.tar.gz > $work/said 2>&1 &
    wait_for stopped $!
    kill -$signal $!
    kill -CONT $!
    wait $!
    code=$?
    output="status $code; $(cat $work/said); $(left '^d.tar.gz')"
    [ $code -gt 128 ] && [ "$output" = "status $code; ; " ]
    ok "SIG$signal ends it and leaves nothing" $?
done
if command -v gnuplot > /dev/null; then
    rm $work/bin/gzip
    ln -s "$(command -v gzip)" $work/bin/gzip
    for verb in "archive $work/g.yaml $work/d.tar.gz" "report $work/g.yaml --out $work/d.html"; do
        PATH=$work/bin try $verb --runs $runs
        says "a figure that cannot be drawn: ${verb%% *}" 1 'is left out of the report: gnuplot is not installed'
    done
    [ -s $work/d.tar.gz ] && [ -s $work/d.html ]
    ok "all else is there" $?
    rm $work/d.tar.gz
fi

# Grids and their folders may have any name.
folder=$work/$(printf 'g\351')
mkdir "$folder"
sed 's/^grid: small/grid: packed/' $work/g.yaml > "$folder/g.yaml"
expect "a folder whose name is not UTF-8" 0 "^$" run "$folder/g.yaml" --runs $runs --quiet
try archive "$folder/g.yaml" --runs $runs $work/packed.tar.gz
says "a grid called packed" 0 "packed.tar.gz: 9 stages, "

# The archive has the files that a grid names in its own folder; it reports files elsewhere.
mkdir $work/grids $work/grids/beneath $work/apart
sed 's/^grid: small/grid: beneath/' $work/g.yaml > $work/grids/beneath/g.yaml
cp $work/data/dev.b $work/apart/hyp.txt
cp $work/data/dev.b $work/grids/hyp.txt
cat > $work/grids/child.yaml << 'END'
grid: child
base: beneath/g.yaml
rows: [{name: A}, {name: Theirs, hyp: hyp.txt}, {name: Others, hyp: ../apart/hyp.txt}]
table: {columns: [bleu]}
claims: ~
END
try run $work/grids/child.yaml --runs $runs --quiet
try archive $work/grids/child.yaml --runs $runs $work/child.tar.gz
says "a file that lies elsewhere" 0 "archive: .*/grids/../apart/hyp.txt is left out: it is not in the folder of the grid"
mkdir $work/reader
tar -xzf $work/child.tar.gz -C $work/reader
mv $work/grids $work/grids.gone
output=$(cd $work/reader && "$OLDPWD/sanlab" table child --runs child 2>&1)
code=$?
says "the others are there for readers" 0 '^A +[0-9.]+ '
[ -f $work/reader/child/beneath/g.yaml ] && [ -f $work/reader/child/hyp.txt ]
ok "with the base and the hypotheses" $?
mv $work/grids.gone $work/grids
name=$(printf 'two\nlines.txt')
cp $work/data/dev.b "$work/grids/$name"
sed -e 's/^grid: child/grid: broken/' -e 's/hyp: hyp.txt/hyp: "two\\nlines.txt"/' $work/grids/child.yaml > $work/grids/broken.yaml
try run $work/grids/broken.yaml --runs $runs --quiet
try archive $work/grids/broken.yaml --runs $runs $work/d.tar.gz
says "a line break in a file's name" 65 'archive: "two.lines.txt" has a line break in its name'
stage=$(readlink -f $runs/names/child/A/1/score)
name=$(printf 'a\nb')
: > "$stage/$name"
try archive $work/grids/child.yaml --runs $runs $work/d.tar.gz
says "also of one that it leaves out" 65 'archive: "stages/score-[0-9a-f]*/a.b" has a line break in its name'
rm "$stage/$name"
equals "leaves nothing" "" "$(left '^d.tar.gz')"
finish
