#!/bin/sh
# bpe, corpus and translate on text files.
. "$(dirname "$0")/../support/cli.sh"
task text_cli 200

printf 'low low low low low\nlower lower newest newest newest\nnewest newest newest widest\n' \
    > $work/text
try bpe learn $work/text --codes $work/codes --merges 4 --quiet
[ "$code" = 0 ] && [ "$(tr '\n' '/' < $work/codes)" = "#version: 0.2/w e/s t</w>/l o/we st</w>/" ]
ok "bpe learn writes subword-nmt's merges" $?
output=$(printf 'lowest new\n' | ./sanlab bpe apply --codes $work/codes)
holds "bpe apply splits standard input" [ "$output" = "lo@@ west n@@ e@@ w" ]
for input in - /dev/stdin; do
    output=$(./sanlab bpe learn $input --codes $work/again --merges 4 --quiet < $work/text 2>&1 &&
        cat $work/text | ./sanlab bpe learn $input --codes $work/piped --merges 4 --quiet 2>&1 &&
        cmp $work/again $work/codes && cmp $work/piped $work/codes)
    ok "bpe learn reads $input" $?
    output=$(printf 'lowest new\n' | ./sanlab bpe apply --codes $work/codes $input 2>&1)
    holds "and so does bpe apply" [ "$output" = "lo@@ west n@@ e@@ w" ]
done
output=$(./sanlab bpe learn - - --codes $work/other < $work/text 2>&1)
code=$?
says "standard input is read once" 65 "^sanlab: -: standard input is named twice; expected it once$"
{ printf '\357\273\277' && cat $work/text; } > $work/marked
output=$(./sanlab bpe learn $work/marked --codes $work/unmarked --merges 4 --quiet 2>&1 &&
    cmp $work/unmarked $work/codes && printf '\357\273\277lowest\nnew\n' > $work/marked &&
    ./sanlab bpe apply --codes $work/codes $work/marked | tr '\n' /)
holds "bpe skips a byte order mark" [ "$output" = "lo@@ west/n@@ e@@ w/" ]
printf 'low\nlo \0 w\n' > $work/nul
for verb in learn apply; do
    output=$(./sanlab bpe $verb $work/nul --codes $work/codes 2>&1 > $work/out)
    code=$?
    says "bpe $verb refuses a NUL" 65 "^sanlab: $work/nul:2: byte 4 is a NUL; expected text$"
done
try bpe apply --codes $work/codes --min-frequency 3 $work/text
says "an option of learn is none of apply" 65 "^sanlab: bpe: apply has no option --min-frequency$"
try bpe learn $work/text --codes $work/other --threshold 3
says "nor the other way round" 65 "^sanlab: bpe: learn has no option --threshold$"
try corpus controlled --out $work/controlled --max-words 9
says "an option of another text" 65 "^sanlab: corpus: controlled has no option --max-words$"
try corpus check $work --seed 2
says "what is looked at is not made" 65 "^sanlab: corpus: check has no option --seed$"
expect "bpe apply without merges" 65 "absent" bpe apply --codes $work/absent $work/text

# LibreOffice's help, built by the command in the data set's description: 40 pages that share one
# sentence.
for language in en-US zh-CN; do
    pages=$work/help/$language/text/shared
    mkdir -p $pages
    for page in $(seq 40); do
        echo "<body><p id=\"a\">page $page $language</p><p id=\"b\">and again $page $language</p>" \
            "<p id=\"c\">see also $language</p></body>" > $pages/$page.html
    done
done
command=$(./sanlab corpus get libreoffice-zh | sed -n 's/^sanlab //p')
export SANLAB_DATA="$PWD/$work/texts"
if command -v python3 > /dev/null; then
    try $command --root $work/help --dev 10 --test 11
    says "corpus libreoffice writes to \$SANLAB_DATA" 0 "^written to $SANLAB_DATA/libreoffice/en-US-zh-CN-pages$"
    says "the split by page is counted" 0 "^ +6 pages whose sentences are in test$"
    expect "the data set is here" 0 "^libreoffice-zh +by hand, here: yes$" corpus get --list libreoffice-zh
    try plan experiments/evidence/libreoffice-zh.yaml --runs $work/none
    says "and is the corpus of the evidence" 0 "^overlap with train, lower-cased: dev 0.0% of the sources, 0.0% of the targets; test 0.0% of the sources, 0.0% of the targets$"
    try corpus controlled --train 20 --dev 20 --test 20 --items 20
    says "corpus controlled writes there, too" 0 "^written to $SANLAB_DATA/controlled$"
else
    skipped "corpus libreoffice and controlled write to \$SANLAB_DATA" "there is no python3"
fi
expect "a split that does not exist" 65 'pages.*page' $command --root $work/help --split pages

cat > $work/c.yaml << 'END'
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
END
export SANLAB_DATA="$PWD/$work/data"
expect "corpus prepare makes a folder" 0 "^$" corpus prepare $work/c.yaml $work/corpus --quiet
expect "corpus check counts it" 0 "200" corpus check $work/corpus
SANLAB_DATA=$PWD/$work/nowhere try corpus prepare $work/c.yaml $work/other
says "corpus prepare without text" 65 "missing 4 of 4 files, looked for under"
output=$(cd $work && SANLAB_DATA=nowhere ../../../sanlab corpus prepare c.yaml other 2>&1)
code=$?
says "text of data/ is not taken for that of a folder that is not there" 65 \
    '\$SANLAB_DATA: no folder nowhere; data/train.a would be read instead; set an existing folder, or unset the variable'

cat > $work/g.yaml << 'END'
grid: g
corpus: {preset: c.yaml}
model: {preset: tiny, dropout: 0}
encoder.layers: 1
train: {epochs: 1, batch_tokens: 256}
END
expect "a grid with a corpus of its own" 0 "^$" run $work/g.yaml --runs $work/runs --quiet
train=$(basename $work/runs/stages/train-*)
output=$(printf 's1 s2\ns3\n' | ./sanlab translate "$train" --runs $work/runs --beam 2 \
    --length-penalty 1 --checkpoint last)
code=$?
[ $code = 0 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
ok "translate gives a line for each line" $?
words=$output
output=$(printf 's1 s2\ns3\n' | ./sanlab translate "$train" - --runs $work/runs --beam 2 --length-penalty 1 \
    --checkpoint last)
holds "translate reads -" [ "$output" = "$words" ]
output=$(printf '\357\273\277s1 s2\ns3\n' | ./sanlab translate "$train" --runs $work/runs --beam 2 \
    --length-penalty 1 --checkpoint last)
holds "a byte order mark is no text" [ "$output" = "$words" ]
# Blank lines: nothing, blanks and a tab, and Unicode white space (U+3000, U+00A0, U+0085).
output=$(printf 's1 s2\n\n \t \ns3\n\343\200\200\302\240\302\205\n\r\n' |
    ./sanlab translate "$train" --runs $work/runs --beam 2 --length-penalty 1 --checkpoint last
    echo "status $?")
wanted=$(printf '%s\n' "$words" | awk '{ print; print ""; print "" } END { print "status 0" }')
holds "a blank line stays a blank line" [ "$output" = "$wanted" ]
output=$(printf '\n' | ./sanlab translate "$train" --runs $work/runs --beam 2 --length-penalty 1 |
    od -An -c | tr -d ' ')
holds "also where there is no other" [ "$output" = '\n' ]
try translate "$train" $work --runs $work/runs
says "a folder is no text" 65 "^sanlab: $work: cannot be read: it is not a regular file$"
try translate "$train" $work/nowhere --runs $work/runs
says "nor is what is not there, and how to pass text" 65 \
    "^sanlab: translate: there is no file $work/nowhere; expected a FILE of text, or text on standard input: echo TEXT . sanlab translate $train$"
printf 's1\ns2 \0 s3\n' > $work/nul
try translate "$train" $work/nul --runs $work/runs
says "a NUL is refused where it stands" 65 "^sanlab: $work/nul:2: byte 4 is a NUL; expected text$"
expect "translate checks its options" 65 "beam.*0" translate "$train" --runs $work/runs --beam 0
expect "translate wants a model" 65 'no train stage "corpus"' translate corpus --runs $work/runs

# Dropped and truncated sentences of a corpus are reported when it is done, and below a table.
{ cat $work/data/train.a; echo; printf '\343\200\200\n'; } > $work/data/less.a
{ cat $work/data/train.b; echo x; echo y; } > $work/data/less.b
for side in a b; do
    { awk 'BEGIN { for (i = 0; i < 300; i++) printf "s1 "; print "" }'; cat $work/data/dev.$side; } > $work/data/long.$side
done
printf 'corpus: {source: a, target: b, train: less, dev: long, merges: 20}\n' > $work/less.yaml
sed 's/c.yaml/less.yaml/; s/: g$/: less/' $work/g.yaml > $work/h.yaml
try run $work/h.yaml --runs $work/less
says "a corpus says what it lacks" 0 'done   corpus-.*, train 200 \(train: 2 dropped \(a side is empty\); dev: 1 cut, .* too\)$'
try table $work/h.yaml --runs $work/less
says "and so does a table" 0 '^Pairs of the corpus: train: 2 dropped \(a side is empty\); dev: 1 cut, .* too\.$'

# Sentences of dev and test that also occur in train, checked by grep. A blank source (nothing, blanks,
# U+3000) stays blank.
tr s S < $work/data/dev.a > $work/data/over.a
cp $work/data/dev.b $work/data/over.b
{ echo s1; echo; echo '  '; printf '\343\200\200\n'; } >> $work/data/over.a
{ echo no; echo t1; echo t2; echo t3; } >> $work/data/over.b
printf 'new\n%.0s' 1 2 3 > $work/data/new.a
cp $work/data/new.a $work/data/new.b
share() {
    tr S s < $work/data/over.$1 | grep -Fxcf $work/data/train.$1 | awk '{ printf "%.1f", 100 * $1 / 44 }'
}
source=$(share a) target=$(share b)
printf 'corpus: {source: a, target: b, train: train, dev: over, test: new, merges: 20}\n' > $work/over.yaml
sed 's/c.yaml/over.yaml/; s/: g$/: over/' $work/g.yaml > $work/o.yaml
echo 'evaluate.bleu: {split: dev, beam: 1}' >> $work/o.yaml
overlap="^overlap with train, lower-cased: dev $source% of the sources, $target% of the targets; test 0.0% of the \
sources, 0.0% of the targets$"
expect "plan prints the overlap of a text that is not prepared" 0 "$overlap" plan $work/o.yaml --runs $work/over
try run $work/o.yaml --runs $work/over --quiet
expect "and of a corpus that is done" 0 "$overlap" plan $work/o.yaml --runs $work/over
try table $work/o.yaml --runs $work/over
says "a table says so" 0 "^Pairs of the corpus: dev: $source% of the sources and $target% of the targets are in train, too\.$"
try table $work/o.yaml --notes full --runs $work/over
says "and how many sources were blank" 0 '^Translations: dev, .*; 3 blank source lines stayed blank\.$'
equals "they stay blank" /// "$(tail -n 3 $work/over/stages/score-*/hypotheses.txt | tr '\n' /)"
folder=$(echo $work/over/stages/corpus-*)
sed -i 's/"read"/"old"/' "$folder/corpus.json"
expect "plan says that an older version has not counted it" 0 \
    "^overlap with train, lower-cased: not recorded by the version that prepared it$" plan $work/o.yaml --runs $work/over
sed -i 's/"old"/"read"/' "$folder/corpus.json"
try table $work/o.yaml --runs $work/over
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q 'not known'
ok "a table says nothing of what is known" $?
sed -i 's/"read"/"old"/' "$folder/corpus.json"
try table $work/o.yaml --runs $work/over
says "and that an older version has not counted it" 0 \
    '^Pairs of the corpus: dev: .* too; overlap with train not known \(made before it was counted\)\.$'
# A training pair with too many pieces is dropped, but dev may contain it.
long=$(printf 's1 %.0s' 1 2 3 4 5 6 7 8 9)
{ cat $work/data/train.a; echo "$long"; } > $work/data/late.a
{ cat $work/data/train.b; echo t1; } > $work/data/late.b
printf '%s\n' "$long" x x x > $work/data/held.a
printf '%s\n' y1 y2 y3 y4 > $work/data/held.b
printf 'corpus: {source: a, target: b, train: late, dev: held, merges: 0, max_length: 9}\n' > $work/late.yaml
try corpus prepare $work/late.yaml $work/late --quiet
output=$(tr -d ' \n' < $work/late/corpus.json)
says "a pair of train that is dropped as too long has no share in the overlap" 0 \
    '"overlong":[1-9].*"dev":.*"source_in_train":0,'
for side in a b; do sed 's/\([st]\)\([0-9]\)/\1@@ \2/g' $work/data/train.$side > $work/data/pieces.$side; done
printf 'corpus: {source: a, target: b, train: pieces, dev: dev, merges: 20}\n' > $work/pieces.yaml
sed 's/c.yaml/pieces.yaml/; s/: g$/: pieces/' $work/g.yaml > $work/p.yaml
warning="warning: corpus-[0-9a-f]*: its text is already split into pieces, as \"ein@@ es\" \(100% of the sources, 100% of the \
targets of train\): scores would count pieces as words; expected words"
expect "plan warns of text in pieces" 0 "$warning" plan $work/p.yaml --runs $work/pieces
try plan $work/g.yaml --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q pieces
ok "and of no other" $?

# N-best lists of a trained model. Forced decoding gives the score of each hypothesis.
try run $work/g.yaml train.epochs=40 train.warmup=40 --runs $work/learned --quiet
train=$(basename $work/learned/stages/train-*)
{ cat $work/data/dev.a; echo; } > $work/lines
./sanlab translate "$train" $work/lines --runs $work/learned > $work/best
./sanlab translate "$train" $work/lines --runs $work/learned --nbest 4 > $work/four
./sanlab translate "$train" $work/lines --runs $work/learned --nbest 1 > $work/first
output=$(awk -F ' [|][|][|] ' 'BEGIN { before = -1 } $1 != before { print $2 } { before = $1 }' $work/four |
    diff - $work/best)
[ -z "$output" ] && [ "$(wc -l < $work/best)" = 41 ]
ok "the best of four is the best" $?
output=$(sed 's/^[0-9]* ||| //; s/ ||| [-0-9.]*$//' $work/first | diff - $work/best)
holds "the list of one is it alone" [ -z "$output" ]
equals "a blank line has a blank one" "40 |||  ||| 0.000000" "$(tail -n 1 $work/four)"
output=$(awk -F ' [|][|][|] ' '
    NF != 3 { print "fields: " $0 }
    $1 == before && $3 > last { print "order: " $0 }
    $1 == before && $2 == text { print "twice: " $0 }
    $1 != before && $1 != before + 1 { print "number: " $0 }
    BEGIN { before = -1 }
    { before = $1; last = $3; text = $2; if (++count[$1] > 4) print "more than four: " $0 }
    END { if (NR < 100) print "only " NR }' $work/four)
holds "lists are numbered, and the best stands first" [ -z "$output" ]
awk -F ' [|][|][|] ' 'NR == FNR { line[NR - 1] = $0; next } line[$1] != "" && $2 != "" {
    print line[$1] "\t" $2 "\tt0"
}' $work/lines $work/four > $work/pairs.tsv
awk -F ' [|][|][|] ' '$2 != "" { print $3 }' $work/four > $work/scores
./sanlab score --contrast $work/pairs.tsv "$train" --verbose --checkpoint best --runs $work/learned |
    sed 1d | paste - $work/scores > $work/both
output=$(awk -F '\t' '{ score = $2 / exp(0.6 * log((5 + $4) / 6)); off = score - $NF
    if (off > 1e-4 || off < -1e-4) print $0 ": " score } END { if (NR < 100) print "only " NR }' $work/both)
holds "scores are log-probabilities over the penalty" [ -z "$output" ]
try translate "$train" $work/lines --runs $work/learned --nbest 5
says "more than the beam has are refused" 65 "^sanlab: translate: --nbest 5: expected at most 4, the size of the beam; or --beam 5 with it$"
try translate "$train" $work/lines --runs $work/learned --nbest 2 --beam 1
says "also of greedy search" 65 "nbest 2: expected at most 1, "
finish
