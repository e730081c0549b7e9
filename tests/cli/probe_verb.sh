#!/bin/sh
# sanlab probe and sanlab encode: stages of a finished training, identical with those of a grid. The
# training is given by its id or its name. Also trainings from elsewhere, vectors of other programs, and
# requests that are refused before anything runs.
. "$(dirname "$0")/../support/cli.sh"
task probe_verb 200
mkdir -p $work/data/probing

# Writes two tasks of 160 items: presence of s0, and number of words.
task_file() {
    awk -v seed="$1" -v task="$2" 'BEGIN {
        srand(seed)
        for (i = 0; i < 160; i++) {
            n = 2 + int(rand() * 4); text = ""; has = 0
            for (j = 0; j < n; j++) {
                w = int(rand() * 12); has = has || w == 0
                text = text (j ? " " : "") "s" w
            }
            label = task == "has" ? (has ? "YES" : "NO") : (n > 3 ? "long" : "short")
            print (i < 100 ? "tr" : i < 130 ? "va" : "te") "\t" label "\t" text
        }
    }' > "$work/data/probing/$2.txt"
}
task_file 5 has
task_file 6 long
cat > $work/mine.yaml << 'END'
groups: [Surface]
tasks:
  - {name: Has, file: probing/has.txt, group: Surface}
  - {name: Long, file: probing/long.txt, group: Surface}
END
small $work/g.yaml tiny << 'END'
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 20}
rows: [{name: One, seeds: 1}]
table: {columns: [train.dev_loss]}
END
sed -i 's/, seeds: 1//' $work/g.yaml
./sanlab run $work/g.yaml --runs $work/runs --quiet 2>&1
train=$(cd $work/runs/stages && echo train-*)

try probe g/One/1 --tasks $work/mine.yaml --protocol senteval --runs $work/runs
says "a training by its name" 0 "^Has@encoder.output +[0-9.]+ +[0-9.]+ +[0-9.]+$"
says "with all controls" 0 "^Has@encoder.output@start +[0-9.]+ +[0-9.]+ +[0-9.]+$"
says "in lines of their own" 0 "^Has@bag +[0-9.]+ +[0-9.]+ +[0-9.]+$"
says "of the same values" 0 "^ +Accuracy +Majority +Counted words$"
says "and what was done in the caption" 0 "^Probes: vectors of encoder.output; protocol senteval, .*; vectors: mean of the pieces and the end symbol, .*checkpoint best[.]$"
says "undertrained probes are named, controls, too" 0 "^Undertrained probes .*: Has@encoder.output, Has@encoder.output@start, Has@bag, Long@"
first=$(printf '%s\n' "$output" | grep -E '^(Has|Long)@')

# A grid with the same probes has nothing to do and prints the same numbers.
sed 's/^table.*/evaluate: {probe: {tasks: mine.yaml, protocol: senteval, controls: [majority, bag, start]}}/' \
    $work/g.yaml > $work/same.yaml
try plan $work/same.yaml --runs $work/runs
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c '^probe-.* done')" = 6 ] &&
    ! printf '%s\n' "$output" | grep -q '^[a-z]*-.* new'
ok "a grid that asks for the same finds them done" $?
echo 'table: {columns: [probe.Has, probe.Has.words, probe.Has@bag, probe.Has@encoder.output@start]}' >> $work/same.yaml
output=$(./sanlab table $work/same.yaml --runs $work/runs --format csv | grep '^One,' | tr ',\r' '  ')
output="$output
$first"
printf '%s\n' "$output" | awk '
    $1 == "One" { mine = $2 " " $3 " " $4 " " $5 }
    $1 == "Has@encoder.output" { plain = $2 " " $4 }
    $1 == "Has@bag" { bag = $2 }
    $1 == "Has@encoder.output@start" { start = $2 }
    END { exit mine != plain " " bag " " start }'
ok "and its table has the same numbers" $?
sed 's/^grid: g/grid: fixed/; s/, bag, start//; s/senteval/fixed/; /^table/d' $work/same.yaml > $work/fixed.yaml
./sanlab run $work/fixed.yaml --runs $work/runs --quiet
before=$(ls $work/runs/stages)
try probe "$train" --tasks $work/mine.yaml --controls majority --runs $work/runs
says "and the other way round" 0 "^Has@encoder.output +[0-9.]+"
holds "nothing is done again" [ "$before" = "$(ls $work/runs/stages)" ]
before=$(ls $work/runs/stages)
try probe "${train#train-}" --tasks $work/mine.yaml --protocol senteval --runs $work/runs --quiet
[ "$code" = 0 ] && [ "$before" = "$(ls $work/runs/stages)" ] &&
    [ "$first" = "$(printf '%s\n' "$output" | grep -E '^(Has|Long)@')" ]
ok "by its id, once more: nothing is done again" $?
try probe "$train" --tasks $work/mine.yaml --path bag,bag --controls '[]' --runs $work/runs --quiet
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c '^Has@bag ')" = 1 ]
ok "a path that is named twice is one" $?
try probe "$train" --tasks $work/mine.yaml --path encoder.2,bag --controls '[]' --seeds 2 --runs $work/runs --quiet
says "several paths are lines" 0 "^Has@encoder.2 "
says "seeds have a deviation" 0 "^ +Accuracy +SD +Majority"
try probe "$train" --tasks $work/mine.yaml --protocol senteval --controls '[]' --code true --runs $work/runs --quiet
says "the online code" 0 "^ +Accuracy +Majority +Counted words +Bits +Compression$"
says "says what it does not pay for" 0 "online code: .* stopped by dev, which the code does not pay for; "
says "of the same numbers" 0 "^Has@encoder.output +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$"
try probe "$train" --tasks $work/mine.yaml --path layers --controls majority --runs $work/runs --quiet --format csv
says "every layer" 0 "encoder.6"
mv $work/data/train.a $work/data/away.a
try probe "$train" --tasks $work/mine.yaml --controls majority --folds 5 --runs $work/runs --quiet
mv $work/data/away.a $work/data/train.a
says "the text that it was trained on need not be here" 0 "^Has@encoder.output "

# encode
expect "encode" 0 "" encode "$train" --out $work/vectors --tasks $work/mine.yaml --runs $work/runs --quiet
output=$(ls $work/vectors) && [ "$output" = "Has.npy
Long.npy" ]
ok "TASK.npy of each task" $?
same=
for file in $work/runs/stages/encode-*/encoder.output.npy; do
    cmp -s $work/vectors/Has.npy "$file" && rm "$file" && same="$same $file"
done
try encode "$train" --out $work/again --tasks $work/mine.yaml --runs $work/runs
says "vectors that are gone are made again" 0 'again: its \*.npy is gone'
holds "the same" cmp -s $work/vectors/Has.npy $work/again/Has.npy
for file in $same; do [ -e "$file" ] || cp $work/vectors/Has.npy "$file"; done
try encode "$train" --out $work/several --tasks $work/mine.yaml --path encoder.1,encoder.2 --runs $work/runs --quiet
[ "$code" = 0 ] && output=$(cd $work/several && echo */*) &&
    [ "$output" = "encoder.1/Has.npy encoder.1/Long.npy encoder.2/Has.npy encoder.2/Long.npy" ]
ok "of several paths in a folder each" $?
try encode "$train" --out $work/layers --tasks $work/mine.yaml --path bag,layers --runs $work/runs --quiet
output=$(cd $work/layers && echo */Has.npy)
[ "$output" = "bag/Has.npy encoder.1/Has.npy encoder.2/Has.npy encoder.3/Has.npy encoder.4/Has.npy encoder.5/Has.npy encoder.6/Has.npy" ]
ok "and of every layer" $?
grep -v Long $work/mine.yaml > $work/one.yaml
try encode "$train" --out $work/one --tasks $work/one.yaml --runs $work/runs
says "one is called one" 0 '^1 file in .*/one$'

echo mine > $work/vectors/Has.npy.mine
cp $work/vectors/Has.npy.mine $work/several/encoder.2/Has.npy
before=$(ls $work/runs/stages)
try encode "$train" --out $work/several --tasks $work/mine.yaml --path encoder.1,encoder.2 --pool max --runs $work/runs
says "a file that is there is kept" 65 "encode: --out: .*several/encoder.1/Has.npy already exists"
try encode "$train" --out $work/several --tasks $work/mine.yaml --path encoder.2,encoder.1 --runs $work/runs
says "whoever wrote it" 65 "encode: --out: .*several/encoder.2/Has.npy already exists"
cmp -s $work/vectors/Has.npy.mine $work/several/encoder.2/Has.npy && [ "$before" = "$(ls $work/runs/stages)" ]
ok "and nothing is encoded" $?
rm $work/vectors/Has.npy.mine
try encode "$train" --out $work/vectors --tasks $work/mine.yaml --runs $work/runs --quiet
says "what is the same already is no loss" 0 ""

# Assignments to keys of evaluate change the analysis; others belong to the name of a training.
try encode "$train" evaluate.encode.end=false --out $work/bare --tasks $work/mine.yaml --runs $work/runs --quiet
[ "$code" = 0 ] && ! cmp -s $work/bare/Has.npy $work/vectors/Has.npy
ok "without the end symbol vectors are others" $?
try encode g/One/1 encode.end=false --out $work/named --tasks $work/mine.yaml --runs $work/runs --quiet
[ "$code" = 0 ] && cmp -s $work/bare/Has.npy $work/named/Has.npy
ok "also of a row, in short" $?
# User-defined rules are files next to the grid, or have a path relative to the current folder.
printf 's0\ts1\n' > $work/own.tsv
sed 's/^grid: .*/grid: own/; s/^evaluate: {/&encode: {rules: own.tsv}, /' \
    $work/fixed.yaml > $work/own.yaml
echo 'table: {columns: [encode.Has.changed, encode.Has.words]}' >> $work/own.yaml
expect "rules of one's own" 0 "" run $work/own.yaml --runs $work/runs --quiet
share=$(cut -f 3 $work/data/probing/has.txt | awk '{ for (i = 1; i <= NF; i++) { n++; s += $i == "s0" } } END { printf "%.1f", 100 * s / n }')
expect "they are applied" 0 "^One +$share " table $work/own.yaml --runs $work/runs
before=$(ls $work/runs/stages)
try probe "$train" --tasks $work/mine.yaml --controls majority --rules $work/own.tsv --runs $work/runs --quiet
[ "$code" = 0 ] && [ "$before" = "$(ls $work/runs/stages)" ]
ok "on the command line they are the same" $?
expect "and when it is done again" 0 "" redo own/One/1/encode.Has --runs $work/runs --quiet
echo '# a remark' >> $work/own.tsv
try redo "$(basename "$(readlink -f $work/runs/names/own/One/1/encode.Has)")" --runs $work/runs --quiet
says "but not other ones" 65 "the files that it read have changed"
try probe g/One/1 evaluate.encode.edn=false --tasks $work/mine.yaml --runs $work/runs
says "a misspelled assignment" 65 '"edn"; nearest is "end"'
try probe g/One/1 evaluate.encode.end=true,false --tasks $work/mine.yaml --runs $work/runs
says "several values" 65 "expected one value of evaluate.encode.end=true,false"
try probe g/One/1 probe.vectors=$work/vectors --tasks $work/mine.yaml --runs $work/runs
says "a model and vectors" 65 "probe.vectors=.*: expected --vectors, without a model"
try probe "$train" model.width=64 --tasks $work/mine.yaml --runs $work/runs
says "an option of the training" 65 "probe: model.width=64: expected an option of evaluate; .* GRID[+]model.width=64/ROW/SEED$"
./sanlab run $work/g.yaml train.steps=10 --runs $work/runs --quiet
try probe g+train.steps=10/One/1 --tasks $work/mine.yaml --controls majority --runs $work/runs --quiet
says "the training of a run with an assignment" 0 "^Has@encoder.output "

# A training from elsewhere is copied by the user.
mkdir -p $work/other/stages
try probe "$work/runs/stages/$train/" --tasks $work/mine.yaml --runs $work/other
says "a folder elsewhere" 65 "$train"
[ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && [ -z "$(ls $work/other/stages)" ]
ok "is refused in one line, and not copied" $?
cp -r "$work/runs/stages/$train" $work/other/stages
try probe "$train" --tasks $work/mine.yaml --runs $work/other
says "what it reads is not there" 65 "stages/corpus-[0-9a-f]+: is not the folder of a stage"
cp -r $work/runs/stages/corpus-* $work/other/stages
expect "copied with its corpus it is sound" 0 "0 problems" verify --runs $work/other
try probe "$work/other/stages/$train" --tasks $work/mine.yaml --protocol senteval --runs $work/other --quiet
[ "$code" = 0 ] && [ "$first" = "$(printf '%s\n' "$output" | grep -E '^(Has|Long)@')" ]
ok "and gives the same numbers" $?
echo >> "$(ls $work/other/stages/corpus-*/vocabulary.source)"
sed -i 's/"status": "done"/"status": "fine"/' "$work/other/stages/$train/done.json"
try verify --runs $work/other
says "a changed file is found" 1 "^corpus-.*/vocabulary.source: changed since"
says "and a status" 1 "^$train: done.json: status is fine; expected done or diverged$"
sed -i 's/seed": 1/seed": 7/' "$work/other/stages/$train/stage.json"
try probe "$train" --tasks $work/mine.yaml --runs $work/other
says "an id that is not its own" 65 "other/stages/$train/stage.json: its options no longer give its id"
rm "$work/other/stages/$train/done.json"
cp "$work/runs/stages/$train/stage.json" "$work/other/stages/$train"
try probe "$train" --tasks $work/mine.yaml --runs $work/other
says "an unfinished one" 65 "probe: the training $train is not finished"
try probe "$(ls -d $work/runs/stages/encode-* | head -n 1)" --tasks $work/mine.yaml --runs $work/runs
says "one of another kind" 65 "is an encode stage; expected a train stage"

# Vectors of other programs; here, those of the encoder.
try probe --vectors $work/vectors --tasks $work/mine.yaml --protocol senteval --runs $work/runs
says "vectors without a model" 0 "^ +Accuracy +Majority +Counted words$"
output=$(printf '%s\n' "$output" | grep -E '^(Has|Long)@' | sed 's/@vectors//' | awk '{ print $1, $2, $3, $4 }')
holds "the same vectors give the same numbers" [ "$output" = "$(printf '%s\n' "$first" | awk 'sub(/@encoder.output$/, "", $1) { print $1, $2, $3, $4 }')" ]
mkdir -p $work/BERT/1 $work/BERT/2
cp $work/vectors/*.npy $work/BERT/1
cp $work/several/encoder.1/*.npy $work/BERT/2
try probe --vectors $work/BERT --tasks $work/mine.yaml --protocol senteval --runs $work/runs --quiet
says "of two seeds" 0 '^Has@vectors +[0-9.]+ ± [0-9.]+ \(2\)'
sed -e '/^table/d' -e 's/^grid: g/grid: bert/' -e "s/^rows.*/rows: [{name: One}, {name: BERT, vectors: BERT}]\nseeds: [1, 2]/" $work/same.yaml > $work/bert.yaml
echo 'table: {columns: [probe.Has, probe.Long, p(probe.Has), probe.Has@bag], baseline: One, significance: {}}' >> $work/bert.yaml
try plan $work/bert.yaml --runs $work/runs
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c '^probe-.* BERT/[12] .* done')" = 4 ] &&
    ! printf '%s\n' "$output" | grep -Eq '^(train|encode)-.* BERT'
ok "a row of a grid: no stage but its probes, and these are done" $?
./sanlab run $work/bert.yaml --runs $work/runs --quiet
try table $work/bert.yaml --runs $work/runs
says "beside ours, compared with them" 0 '^BERT +[0-9.]+ ± [0-9.]+.* [0-9.]+ ± [0-9.]+.* (0\.[0-9]+|1\.0+|< 0.001) +-$'
says "a warning says whose model that is" 0 "^BERT: vectors of another program[.]$"
try table $work/bert.yaml --notes full --runs $work/runs
says "nothing of pieces is said of them" 0 "^Probes of BERT: protocol .*; vectors: of another program, as they are[.]$"
try export csv $work/bert.yaml --runs $work/runs
printf '%s\n' "$output" | head -n 1 | grep -q ',option.evaluate.probe.vectors,' &&
    ! printf '%s\n' "$output" | head -n 1 | grep -Eq 'option.(train|model|encoder)'
ok "without a model, so without options of one" $?
expect "whose stages are sound" 0 "0 problems" verify --runs $work/runs
# Identical vectors for all seeds are one replicate, so the variation between trainings is unknown.
sed 's/vectors: BERT/vectors: vectors/; s/^grid: .*/grid: one/' $work/bert.yaml > $work/one.yaml
echo 'claims: [{text: Worse, compare: [BERT, One], metric: probe.Has, expect: less}]' >> $work/one.yaml
./sanlab run $work/one.yaml --runs $work/runs --quiet
try claims $work/one.yaml --runs $work/runs
says "vectors of all seeds decide nothing" 0 "^1. Worse +inconclusive .one seed.* 1$"
sed 's/probe.Has, probe.Long, .*probe.Has@bag]/probe.Has, mean(Surface)], means: all/' $work/one.yaml > $work/mean.yaml
try table $work/mean.yaml --runs $work/runs
says "nor is the mean of their tasks one of two seeds" 0 '^BERT +[0-9.]+[^0-9 ]* +[0-9.]+[^0-9 ]*$'
try export csv $work/one.yaml --runs $work/runs
[ "$(echo "$output" | grep -c ,BERT,)" = 1 ] && [ "$(echo "$output" | grep -c ,One,)" = 2 ]
ok "other programs have them once" $?
cp -r $work/BERT $work/copies
cp $work/BERT/1/*.npy $work/copies/2
sed 's/vectors: vectors/vectors: copies/; s/^grid: .*/grid: two/' $work/one.yaml > $work/two.yaml
./sanlab run $work/two.yaml --runs $work/runs --quiet
try claims $work/two.yaml --runs $work/runs
says "nor does a second file of the same numbers" 0 "^1. Worse +inconclusive .one seed.* 1$"
try plan $work/bert.yaml encoder.layers=2,3 evaluate.probe.protocol=fixed --runs $work/runs
says "options of encoders are not its own" 0 "^probe-[0-9a-f]+ +BERT/1 Has@vectors +new"
sed 's/^rows.*/rows: [{name: BERT, vectors: BERT}, {name: One}, {name: Small, encoder.layers: 3}]/
    s/^grid: .*/grid: speed/; s/^seeds.*/seeds: [1]/; s/^table.*/table: {columns: [parameters, speed, probe.Has]}/' $work/bert.yaml > $work/speed.yaml
./sanlab run $work/speed.yaml --runs $work/runs --quiet
expect "what has a model is measured" 0 '^Small +[0-9,]+ +[0-9.]+' table $work/speed.yaml --runs $work/runs
says "and it has none" 0 '^BERT +- +- +[0-9.]+$'
sed 's/name: BERT,/name: BERT, train.steps: 3,/' $work/bert.yaml > $work/wrong.yaml
try plan $work/wrong.yaml --runs $work/runs
says "it has no options" 65 "wrong.yaml:5:[0-9]+: train.*: a row with vectors has no model; expected no options"

# refused WHAT PATTERN: probes $work/bad, of two seeds; repairs it afterwards.
refused() {
    expect "$1" 65 "$2" probe --vectors $work/bad --tasks $work/mine.yaml --runs $work/runs
    rm -rf $work/bad
    cp -r $work/BERT $work/bad
}
# header NEW: replaces a word in the header of the file by one of the same length.
header() { sed -i "1s/$1/$2/" $work/bad/2/Long.npy; }
before=$(ls $work/runs/stages)
refused "no folder" "vectors: there is no folder .*/bad"
mv $work/bad/2/Long.npy $work/bad/2/Lang.npy
refused "a missing file" 'there is no file .*/bad/2/Long.npy; nearest is Lang.npy'
rm $work/bad/2/Long.npy && mkdir $work/bad/2/Long.npy
refused "a folder in the place of a file" 'there is no file .*/bad/2/Long.npy'
rm $work/bad/2/Long.npy && mkfifo $work/bad/2/Long.npy
refused "a pipe" 'there is no file .*/bad/2/Long.npy'
header "<f4" "<f8"
refused "another type" "bad/2/Long.npy: .*<f8.*expected.*<f4"
header "(160, " "(159, "
refused "another size" "bad/2/Long.npy: "
cp $work/bad/2/Long.npy $work/whole.npy
{ head -c 128 $work/whole.npy | LC_ALL=C sed '1s/(160, 32), /(159, 32), /'; tail -c +129 $work/whole.npy | head -c $((159 * 32 * 4)); } > $work/bad/2/Long.npy
refused "another count" "bad/2/Long.npy: 159 rows; expected one for each of the 160 lines of .*long.txt"
{ head -c 128 $work/whole.npy | LC_ALL=C sed '1s/(160, 32), /(160, 16), /'; tail -c +129 $work/whole.npy | head -c $((160 * 16 * 4)); } > $work/bad/2/Long.npy
refused "another width" "bad/2/Long.npy: 16 numbers per row; expected 32, as in .*bad/1/Long.npy"
head -c 128 $work/whole.npy | LC_ALL=C sed '1s/(160, 32), /(160, 0),  /' > $work/bad/2/Long.npy
refused "no width" "bad/2/Long.npy: its rows have no numbers"
{ head -c $((128 + 32 * 4 * 6)) $work/whole.npy; printf '\000\000\300\177'; tail -c +$((128 + 32 * 4 * 6 + 5)) $work/whole.npy; } > $work/bad/2/Long.npy
refused "what is no number" "bad/2/Long.npy: row 7 has a number that is not finite"
sed 's/vectors: BERT/vectors: bad/; s/^seeds.*/seeds: [1, 3]/' $work/bert.yaml > $work/wrong.yaml
try run $work/wrong.yaml --runs $work/runs --quiet
says "a seed that is missing" 65 "bad has no folder of seed 3; expected .*bad/3, like .*bad/1"
expect "vectors and a model" 65 "expected no model" probe "$train" --vectors $work/BERT --runs $work/runs
try probe --vectors $work/BERT --controls majority,start --runs $work/runs
says "a control of vectors" 65 "start applies to a model, or to vectors with a folder encoder.1@start; .*BERT has none"
try probe --vectors $work/BERT --controls majorty --runs $work/runs
says "a misspelled control of vectors" 65 'no control "majorty"; nearest is "majority"'
expect "a path of vectors" 65 "--path bag applies to a model, or to vectors with a folder bag; .*BERT has none" probe --vectors $work/BERT --path bag --runs $work/runs
expect "neither" 65 "expected a model, a train stage, or --vectors DIR" probe --runs $work/runs
holds "and no stage was begun" [ "$before" = "$(ls $work/runs/stages)" ]

# Another checkpoint.
try probe "$train" --checkpoint last --tasks $work/mine.yaml --protocol senteval --runs $work/runs --quiet
says "the last checkpoint" 0 "checkpoint last"

# Refused before anything runs.
before=$(ls $work/runs/stages)
expect "no such training" 65 'there is no train stage at "Two/1"' probe g/Two/1 --runs $work/runs
try probe "$(cd $work/runs/stages && echo corpus-*)" --runs $work/runs
says "no training" 65 "is a corpus stage; expected a train stage"
try probe "$train" --tasks Tence --runs $work/runs
says "an unknown task alone" 65 'there is no task "Tence"; nearest is "Tense"'
try probe "$train" --tasks Tense,Lenth --runs $work/runs
says "an unknown task" 65 'there is no task "Lenth"; nearest is "Length"'
try probe "$train" --tasks $work/mine.yaml --protocol fixd --runs $work/runs
says "an unknown protocol" 65 'fixd.*nearest is "?fixed'
expect "an unknown path" 65 'encoder.7' probe "$train" --tasks $work/mine.yaml --path encoder.7 --runs $work/runs
try probe "$train" --tasks $work/mine.yaml --controls bags --runs $work/runs
says "an unknown control" 65 'there is no control "bags"; nearest is "bag"'
try probe "$train" --tasks $work/mine.yaml --checkpoint 'mean_of_best(2)' --runs $work/runs
says "several encoders" 65 'mean_of_best'
try encode "$train" --tasks $work/mine.yaml --runs $work/runs
says "nowhere to put vectors" 65 "^sanlab: encode: --out is missing; usage: sanlab encode MODEL .*--out DIR"
holds "and no stage was begun" [ "$before" = "$(ls $work/runs/stages)" ]
finish
