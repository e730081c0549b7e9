#!/bin/sh
# Metrics in addition to BLEU: chrF, TER and that of an external program, for unchanged translations. In
# tables, claims and verify; refused requests; and `sanlab score --metric`.
. "$(dirname "$0")/../support/cli.sh"
task metrics 200

small $work/g.yaml tiny << 'END'
train: {epochs: 0, batch_tokens: 256, warmup: 20, validate_every: 2, keep_best: 2}
evaluate.bleu: {split: dev, checkpoint: last, beam: 1}
rows:
  - {name: Short, train.steps: 8}
  - {name: Long, train.steps: 120}
  - {name: Two, train.steps: 8, evaluate.bleu.checkpoint: mean_of_best(2)}
table: {columns: [bleu]}
END
expect "BLEU alone" 0 "" run $work/g.yaml --runs $work/runs --quiet
ls $work/runs/stages > $work/before

# A user's program: counts the words of a hypothesis that also occur in its reference.
cat > $work/share << 'END'
#!/bin/sh
echo "$@" >> "$(dirname "$0")/asked"
paste "$1" "$2" "$3" | awk -F '\t' '{ split($2, w, " "); n = 0
    for (i in w) n += index(" " $3 " ", " " w[i] " ") > 0
    print (length($1) ? n / 10 : "no source") }'
END
chmod +x $work/share
# grid NAME SECTION...: prints another grid with these sections added.
grid() {
    sed "/^table/d; s/^grid: g/grid: $1/" $work/g.yaml
    shift
    for section; do echo "evaluate.$section"; done
}
share="command: {name: share, run: [$PWD/$work/share, '{source}', '{hypotheses}', '{references}']}"
{
    grid m "chrf: {}" "ter: {}" "$share"
    cat << 'END'
table:
  columns: [bleu, chrf, ter, command.share, p(ter)]
  baseline: Short
  significance: {family: [chrf, ter, command.share], correction: holm}
claims:
  - {text: "Fewer edits", compare: [Long, Short], metric: ter, expect: less}
  - {text: "More in common", compare: [Long, Short], metric: chrf, expect: greater}
END
} > $work/m.yaml
expect "no score is done again" 0 "score-[0-9a-f]+ .*done" plan $work/m.yaml --runs $work/runs
words="program of 3 command.share stages: $PWD/$work/share '\{source\}' '\{hypotheses\}' '\{references\}'\$"
says "plan says which programs would start" 0 "^$words"
./sanlab run $work/m.yaml --runs $work/runs --quiet > $work/said 2>&1
code=$? output=$(head -n 1 $work/said)
says "run says it before the first start, also with --quiet" 0 "^sanlab: $words"
./sanlab plan $work/m.yaml --runs $work/runs > $work/said 2>&1
! grep -q '^program of' $work/said
ok "of what is done nothing starts" $?
ls $work/runs/stages > $work/after
output=$(comm -13 $work/before $work/after | sed 's/-.*//' | sort | uniq -c | tr -s ' \n' '  ')
[ "$output" = " 3 chrf 3 command 3 ter " ] && [ -z "$(comm -23 $work/before $work/after)" ]
ok "are stages of their own" $?

# stage ROW KIND: prints its folder.
stage() {
    echo "$work/runs/stages/$(./sanlab show "m/$1/1/$2" --runs $work/runs 2> /dev/null |
        grep -o -m 1 "${2%%.*}-[0-9a-f]*")"
}
# cells ROW: prints its cells in the last table.
cells() {
    printf '%s\n' "$output" | sed -n "s/^$1  *\([0-9.].*\)/\1/p"
}
score=$(stage Long score) corpus=$(stage Long corpus)
for metric in chrf ter; do
    ./sanlab score --metric $metric --ref "$corpus/dev.reference" "$score/hypotheses.txt" \
        > $work/line
    output="$(cat $work/line), recorded $(stage_value "$(stage Long $metric)" $metric)"
    [ "$(sed 's/.* = //' $work/line)" = \
        "$(printf '%.2f' "$(stage_value "$(stage Long $metric)" $metric)")" ]
    ok "$metric is what the verb says of the same files" $?
done
output=$(cat $work/asked)
[ "$(grep -c . $work/asked)" = 4 ] && grep -q "hypotheses.2.txt" $work/asked
ok "a program is asked once of each set" $?
share=$(stage Long command.share)
mean=$(awk -F '\t' 'FNR > 1 { n += $1 } END { printf "%.6f", n / (FNR - 1) }' "$share/items.tsv")
output="$mean, recorded $(stage_value "$share" value)"
[ "$mean" = "$(printf '%.6f' "$(stage_value "$share" value)")" ]
ok "its numbers are items, their mean the value" $?
output=$(ls -A "$share")
lacks "and the source is gone again" source

expect "a table has them" 0 "BLEU .*chrF .*TER" table $work/m.yaml --runs $work/runs
says "with their signatures" 0 "TER\|nrefs:1\|case:lc\|tok:tercom"
says "and compares them" 0 "Holm over 6 comparisons"
says "more edits are worse" 0 "Long .*△.* [0-9.]+▽"
sed 's/command.share, p(/{column: command.share, best: min}, p(/' $work/m.yaml > $work/min.yaml
for order in m min; do
    try table $work/$order.yaml --runs $work/runs
    printf '%s\n' "$output" | sed -n 's/^Long .*[0-9]\([△▽]\)[△▽]*  .*/\1/p'
done > $work/marks
output=$(cat $work/marks)
holds "marks go by what is better in the column" [ "$(tr '\n' ' ' < $work/marks)" = "△ ▽ " ]
cp "$score/hypotheses.txt" $work/theirs.txt
sed "s/^  - {name: Two.*/&\n  - {name: Them, hyp: theirs.txt}/; s/command.share, p(ter)/delta(ter)/; s/, command.share\]/]/" \
    $work/m.yaml > $work/hyp.yaml
head -n 3 $work/theirs.txt > $work/few.txt
sed 's/theirs.txt/few.txt/' $work/hyp.yaml > $work/few.yaml
{ printf '\357\273\277'; head -c -1 $work/theirs.txt; } > $work/marked.txt
sed 's/theirs.txt/marked.txt/' $work/hyp.yaml > $work/marked.yaml
try plan $work/marked.yaml --runs $work/runs
lacks "a byte order mark and a last line that does not end are no fault" 'hyp:'
printf '\357\273\277' > $work/marked.txt
try table $work/marked.yaml --runs $work/runs
says "a file of a byte order mark alone is empty" 0 '^Not scored: Them .*marked.txt is empty'
try plan $work/hyp.yaml --runs $work/runs
lacks "and none of others" 'hyp:'
try table $work/few.yaml --runs $work/runs
says "the table says so below it" 0 'Not scored: Them \(.*/few.txt has 3 lines, the test set has 40 sentences\)'
try table $work/hyp.yaml --runs $work/runs
[ -n "$(cells Them)" ] && [ "$(cells Them)" = "$(cells Long)" ]
ok "hypotheses of another system are scored and tested by each metric" $?
try table $work/hyp.yaml --runs $work/runs --explain Them chrf
says "and by which is said" 0 "of $work/theirs.txt; chrF2\|nrefs:1\|.*\|refs:[0-9a-f]{8}\|sentences:"
# The hypotheses of all rows are removed.
for score in "$work"/runs/stages/score-*; do
    for file in "$score"/hypotheses*.txt; do mv "$file" "$file.away"; done
done
try table $work/hyp.yaml --runs $work/runs
says "the file that is missing is named" 0 "^Not scored: Them \(.*score-[0-9a-f]*/hypotheses[.0-9]*txt is gone"
for file in "$work"/runs/stages/score-*/*.away; do mv "$file" "${file%.away}"; done
sed "s/hyp: theirs.txt/hyp: theirs.txt, ref: theirs.txt/" $work/hyp.yaml > $work/ref.yaml
expect "and against references of their own" 0 "^Them +100.00 +100.00 +0.00" table $work/ref.yaml --runs $work/runs
expect "a claim has its direction" 0 "Fewer edits .*\+[0-9.]+ .* 0\.9[0-9]*" claims $work/m.yaml --runs $work/runs
try table $work/m.yaml --runs $work/runs --format latex
least=$(for row in Short Long Two; do stage_value "$(stage $row ter)" ter; done | sort -g | head -1)
printf '%s\n' "$output" | grep -q "&.*&.*textbf{$(printf '%.2f' "$least" | sed 's|[.].*||')}"
ok "the least TER is bold" $?
expect "verify counts again" 0 "" verify --runs $work/runs
try run $work/m.yaml --runs $work/runs --quiet
holds "and asks no program, nor does a run when all is done" [ "$(grep -c . $work/asked)" = 4 ]
cp -r $work/runs $work/digits
digits $work/digits
rm -r $work/digits
# Other scores of the same model: of characters, and of Moses with split compounds. All rows of `others`
# have hypotheses and references from files.
grid tokens | sed '/name: Long/d; /name: Two/d' > $work/tokens.yaml
sed -i 's/^  - {name: Short.*/&\
  - {name: Characters, train.steps: 8, evaluate.bleu.tokenizer: char}\
  - {name: Moses, train.steps: 8, evaluate.bleu.metric: multi-bleu, evaluate.bleu.compounds: split}/' $work/tokens.yaml
expect "scores by other tokenizers" 0 "" run $work/tokens.yaml --runs $work/runs --quiet
try table $work/tokens.yaml --runs $work/runs
says "have their signature" 0 'tok:char\|'
says "with split compounds" 0 'tok:none\|compounds:split\|smooth:none\|impl:sanlab-1\|compat:multi-bleu.perl'
for row in Characters:'--tokenizer char' Moses:'--metric multi-bleu --compounds split'; do
    one="$work/runs/stages/$(./sanlab show "tokens/${row%%:*}/1/score" --runs $work/runs | grep -o -m 1 'score-[0-9a-f]*')"
    # shellcheck disable=SC2086
    output=$(./sanlab score ${row#*:} --ref "$corpus/dev.reference" "$one/hypotheses.txt" | sed 's/^[^=]* = //; s/[ ,].*//')
    holds "${row%%:*}: the score of the verb" [ "$output" = "$(printf '%.2f' "$(stage_value "$one" bleu)")" ]
done
expect "they are counted again" 0 "" verify --runs $work/runs
sed 's/tokenizer: char/tokenizer: chars/' $work/tokens.yaml > $work/bad.yaml
expect "an unknown tokenizer" 65 'bad.yaml:.*evaluate.bleu.tokenizer: .*"chars".*nearest is "char"' plan $work/bad.yaml --runs $work/runs
sed 's/tokenizer: char/compounds: split/' $work/tokens.yaml > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "split compounds without multi-bleu" 0 'evaluate.bleu.compounds.*it has an effect where metric = multi-bleu'
cp "$corpus/dev.reference" $work/reference.txt
cat > $work/others.yaml << 'END'
grid: others
evaluate: {bleu: {tokenizer: char}, chrf: {word_order: 2}, ter: {}}
rows:
  - {name: Theirs, hyp: theirs.txt, ref: reference.txt}
  - {name: Perfect, hyp: reference.txt, ref: reference.txt}
table: {columns: [bleu, chrf, ter, delta(bleu)], baseline: Theirs, significance: {}, notes_below: full}
END
try table $work/others.yaml --runs $work/runs
says "a grid of files alone is scored" 0 '^Perfect +100\.00[^0-9]* +100\.00[^0-9]* +0\.00[^0-9]* +\+[0-9.]+'
says "by its options" 0 'tok:char\|smooth:exp'
says "each of its metrics" 0 'chrF2\+\+\|nrefs:1'
wanted=$(for options in '--tokenizer char' '--metric chrf --word-order 2' '--metric ter'; do
    # shellcheck disable=SC2086
    ./sanlab score $options --ref $work/reference.txt $work/theirs.txt | sed 's/^[^ ]* = //; s/ .*//'
done | tr '\n' ' ')
printf '%s\n' "$output" | sed -n 's/^Theirs//p' | tr -cd '0-9. \n' | grep -q "^ *$(echo $wanted | sed 's/ /  */g')"
ok "as the verb scores the files" $?
sed 's/tokenizer: char/metric: chrf/' $work/others.yaml > $work/bad.yaml
expect "a metric that is not BLEU" 65 'bad.yaml:2:27: evaluate.bleu.metric: unknown word "chrf"; .*expected one of: sacrebleu, multi-bleu$' \
    plan $work/bad.yaml --runs $work/runs
sed 's/, ref: reference.txt}/}/' $work/others.yaml > $work/bad.yaml
try table $work/bad.yaml --runs $work/runs
says "files without references" 0 'Not scored: Theirs .no row of this grid is translated; expected ref: FILE next to hyp'

echo '# another' >> $work/share
expect "another program is another stage" 0 "command-[0-9a-f]+ .*share .*new" plan $work/m.yaml --runs $work/runs
sed -i '$d' $work/share
printf 'x\n' >> "$score/hypotheses.txt"
expect "hypotheses that changed are found" 1 "ter-[0-9a-f]*: .*hypotheses.txt has " verify --runs $work/runs

try redo m/Long/1/score --runs $work/runs
says "a score is done again, without the program that reads it" 0 'command-[0-9a-f]+ reads it and runs a program: `sanlab run` of its grid does it again'
expect "which a run does" 0 '^[0-9]+ stages: [0-9]+ done, 1 new$' plan $work/m.yaml --runs $work/runs
expect "as ever" 0 "" run $work/m.yaml --runs $work/runs --quiet

# refuse WHAT PATTERN SECTION
refuse() {
    grid bad "$3" > $work/bad.yaml
    expect "$1" 65 "$2" plan $work/bad.yaml --runs $work/runs
}
grid bad "ter: {}" | sed '/bleu/d' > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "no BLEU" 65 'bad.yaml:8:[0-9]+: evaluate.ter: scores the translations of evaluate.bleu'
run="bad.yaml:10:[0-9]+: evaluate.command.run:"
refuse "a program that is not there" "$run there is no program no-such" \
    "command: {name: share, run: [no-such, '{hypotheses}']}"
refuse "a program that cannot be executed" "$run there is no program .*/g.yaml that can be executed" \
    "command: {name: share, run: [$PWD/$work/g.yaml, '{hypotheses}']}"
refuse "a file within a word" "$run \"--ref=\{references\}\": expected \{references\} as a word of its own" \
    "command: {name: share, run: [cat, '{hypotheses}', '--ref={references}']}"
refuse "no hypotheses" "$run no argument is \{hypotheses\}" "command: {name: share, run: [cat]}"
refuse "an unknown file" "$run \"\{refs\}\": expected \{source\}" \
    "command: {name: share, run: [cat, '{hypotheses}', '{refs}']}"
refuse "a file within a word" "$run \"--mt=\{hypotheses\}\": expected \{hypotheses\} as a word" \
    "command: {name: share, run: [cat, '--mt={hypotheses}']}"
refuse "no name" 'bad.yaml:10:[0-9]+: evaluate.command: expected name' \
    "command: {run: [cat, '{hypotheses}']}"
refuse "no program" 'bad.yaml:10:[0-9]+: evaluate.command: expected run' "command: {name: share}"
refuse "an order of words" 'bad.yaml:10:[0-9]+: evaluate.chrf.word_order: .*4' \
    'chrf: {word_order: 9}'

# fails WHAT PATTERN SCRIPT: passes if a run whose program is SCRIPT fails with PATTERN.
fails() {
    printf '#!/bin/sh\n%s\n' "$3" > $work/program
    chmod +x $work/program
    grid bad "command: {name: bad, run: [$PWD/$work/program, '{hypotheses}']}" |
        sed '/name: Long/d; /name: Two/d' > $work/bad.yaml
    expect "$1" 1 "$2" run $work/bad.yaml --runs $work/runs --quiet --retry failed
}
rm -rf "$score"
fails "it fails" 'evaluate.command.run: .*/program: ended with status 3' 'exit 3'
fails "too few lines" 'program: printed 2 lines for 40 sentences; expected one number per sentence' \
    'echo 1; echo 2'
fails "words" 'program: line 3 of its output is "nice"; expected one number' \
    'yes 0.5 | head -2; yes nice | head -38'
grid awk "command: {name: words, run: [awk, '{print NF}', '{hypotheses}']}" |
    sed '/name: Long/d; /name: Two/d' > $work/awk.yaml
try run $work/awk.yaml --runs $work/runs
says "braces of another program's are its own" 0 "done   command-.* words in .*, value [1-9]"

# Processes that the program started end with its run, and with its stage. gone: true if they have ended.
gone() {
    ! kill -0 "$(cat $work/sleeps)" 2> /dev/null
}
# hangs SIGNAL: sends the signal to a run while its program works. Leaves $code, and in $ended whether
# the program ended soon.
hangs() {
    rm -f $work/sleeps
    ./sanlab run $work/bad.yaml --runs $work/runs --quiet --retry failed > $work/log 2>&1 &
    runner=$!
    wait_for test -s $work/sleeps
    kill -s "$1" $runner
    wait_for gone
    ended=$?
    wait $runner 2> /dev/null
    code=$?
    output=$(cat $work/log)
}
fails "more than a number" 'line 1 of its output is "0.5.*"; expected one number' \
    "yes '0.5 ' | head -40"
fails "what is no text" 'program: printed a NUL byte' "yes 0.5 | head -40 | tr 5 '\\000'"
fails "numbers without a sum" 'program: the sum of its numbers is not finite' 'yes 1e308 | head -40'
printf '#!/bin/sh\nsleep 9999 &\necho $! > "%s"\nwait\n' "$PWD/$work/sleeps" > $work/program
hangs INT
says "an interrupted run does not wait for a program" 75 ""
ok "which is ended" $ended
hangs KILL
ok "as it is when its runner is killed" $ended
printf '#!/bin/sh\nsleep 9999 > /dev/null 2>&1 &\necho $! > "%s"\nyes 0.5 | head -40\n' \
    "$PWD/$work/sleeps" > $work/program
begun=$(date +%s)
expect "a process that a program leaves running" 0 "" run $work/bad.yaml --runs $work/runs --quiet --retry failed
[ $(($(date +%s) - begun)) -lt "$(patience 300)" ] && wait_for gone
ok "is ended, too" $?

# Several references: the target side and altered copies of it.
cp $work/data/dev.a $work/data/test.a
cp $work/data/dev.b $work/data/test.b
awk '{ $1 = "x"; print }' $work/data/test.b > $work/data/second.b
awk '{ $NF = "y z"; print }' $work/data/test.b > $work/data/third.b
several() {
    grid $1 "chrf: {}" "ter: {}" | sed "s/dev: dev,/dev: dev, test: test, $2/; s/split: dev/split: test/
        /name: Two/d; /name: Short/d"
}
several one "" > $work/one.yaml
several three "test_references: [second.b, third.b]," > $work/three.yaml
expect "one reference" 0 "" run $work/one.yaml --runs $work/runs --quiet
trained=$(ls $work/runs/stages | grep -c train-)
expect "three references" 0 "" run $work/three.yaml --runs $work/runs --quiet
holds "train nothing anew" [ "$(ls $work/runs/stages | grep -c train-)" = "$trained" ]
score() {
    ./sanlab score "$@" | sed 's/^[^ ]* = //; s/ .*//'
}
find_stage() {
    echo "$work/runs/stages/$(./sanlab show "three/Long/1/$1" --runs $work/runs 2> /dev/null |
        grep -o -m 1 "$1-[0-9a-f]*")"
}
score=$(find_stage score) corpus=$(find_stage corpus)
cmp -s "$corpus/test.reference.3" $work/data/third.b && cmp -s "$corpus/test.reference" $work/data/test.b
ok "the corpus has each of them" $?
all="--ref $work/data/test.b --ref $work/data/second.b --ref $work/data/third.b"
output=$(for metric in bleu chrf ter; do
    printf '%s %.2f\n' $metric "$(stage_value "$(find_stage "$(echo $metric | sed 's/bleu/score/')")" $metric)"
done)
wanted=$(echo bleu $(score $all --tokenizer none "$score/hypotheses.txt")
    for metric in chrf ter; do echo $metric $(score $all --metric $metric "$score/hypotheses.txt"); done)
holds "BLEU, chrF and TER are of all three" [ "$output" = "$wanted" ]
try table $work/three.yaml --runs $work/runs
says "and say so" 0 "BLEU: nrefs:3\|.*\|refs:[0-9a-f]{8}\+[0-9a-f]{8}\+[0-9a-f]{8}\|sentences:40"
try verify --runs $work/runs
output=$(printf '%s\n' "$output" | grep "$(basename "$score")\|$(basename "$(find_stage ter)")")
holds "verify counts them all" [ -z "$output" ]
# The cumulative score up to order 4 is BLEU. One reference is the hypotheses of a row.
cp "$score/hypotheses.txt" $work/data/said.b
several grams "test_references: [said.b]," | sed 's/^table.*//
    s/^  - {name: Long.*/&\n  - {name: Other, train.steps: 60}/' > $work/grams.yaml
echo "figures: [{kind: ngrams, left: ngrams.cumulative, baseline: Long}]" >> $work/grams.yaml
expect "a row more" 0 "" run $work/grams.yaml --runs $work/runs --quiet
if command -v gnuplot > /dev/null; then
    expect "n-grams of both" 0 "nrefs:2" plot $work/grams.yaml --runs $work/runs --out $work/plots --keep
    other=$(./sanlab show grams/Other/1/score --runs $work/runs | grep -o -m 1 'score-[0-9a-f]*')
    awk -v bleu="$(stage_value "$work/runs/stages/$other" bleu)" \
        'NR == 4 { exit !(bleu > 0 && ($2 - (bleu - 100)) ^ 2 < 1e-12) }' $work/plots/grams-1/data.dat
    ok "are counted in all references" $?
    awk '!NF { base = 1 } NF == 4 && !base { n += $3 <= $2 && $2 <= $4 && $3 < $4; all++ } END { exit !(n == all && n >= 4) }' \
        $work/plots/grams-1/data.dat
    ok "and lie within their bands" $?
fi
head -39 $work/data/third.b > $work/data/short.b
several short "test_references: [second.b, short.b]," > $work/bad.yaml
try run $work/bad.yaml --runs $work/runs --quiet
says "references of another length" 1 \
    "corpus.test_references: .*short.b has 39 lines, the test has 40 sentences: line i must"
several none "test_references: [second.b]," | sed 's/ test: test,//; s/split: test/split: dev/' > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "references of no test" 65 "corpus.test_references: corpus.test is missing"
several gone "test_references: [nowhere.b]," > $work/bad.yaml
expect "references that are not there" 1 "nowhere.b" plan $work/bad.yaml --runs $work/runs

try score --ref $work/data/dev.b --metric ter --word-order 2 $work/data/dev.b
says "an option of another metric" 65 \
    "score: --char-order, --word-order and --beta need --metric chrf; the metric is ter"
expect "an unknown metric" 65 '"ter"' score --ref $work/data/dev.b --metric tre $work/data/dev.b
finish
