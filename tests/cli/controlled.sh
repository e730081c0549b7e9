#!/bin/sh
# The controlled language: one seed gives the same bytes, labels agree with the sentences, German
# articles agree with nouns, and grids can read all files.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
fresh controlled
export SANLAB_DATA="$PWD/$work"
at=$work/controlled
expect "it is made" 0 "^written to $at$" corpus controlled --out $at --train 400 --dev 60 --test 50 --items 200
./sanlab corpus controlled --out $work/again --train 400 --dev 60 --test 50 --items 200 --quiet
diff -r $at $work/again > $work/diff
ok "twice the same bytes" $?
./sanlab corpus controlled --out $work/other --train 400 --dev 60 --test 50 --items 200 --seed 2 --quiet
! diff $at/train.en $work/other/train.en > /dev/null
ok "others of another seed" $?
[ "$(wc -l < $at/train.en) $(wc -l < $at/train.de) $(wc -l < $at/dev.en) $(wc -l < $at/test.de)" = '400 400 60 50' ]
ok "as many pairs as asked for" $?
holds "no sentence is twice there" [ -z "$(sort $at/train.en $at/dev.en $at/test.en | uniq -d)" ]

# count FILE LABEL SPLIT: prints the number of lines.
count() { awk -F'\t' -v l="$2" -v s="$3" '$2 == l && $1 == s' $at/probing/$1.txt | wc -l; }
[ "$(count past_present PAST tr) $(count past_present PRES te) $(count tree_depth 8 tr)" = '100 20 40' ]
ok "labels are equally frequent" $?
for file in $at/probing/*.txt; do cut -f3 $file | sort | uniq -d; done > $work/twice
holds "a task has a sentence once" [ ! -s $work/twice ]
past=' (saw|heard|ate|wrote|bought|fed|found|cooked|knew|painted|did) '
awk -F'\t' -v past="$past" '{ n = split(" " $3 " ", all, / (and|but) /); first = " " all[1] " "
    is = first ~ past; if (first ~ /did/) is = 1; if (is != ($2 == "PAST")) bad++ } END { exit bad }' $at/probing/past_present.txt
ok "the verb of the first clause has the tense of its label" $?
awk -F'\t' '{ n = split($3, w, " "); bin = n < 7 ? 0 : n < 9 ? 1 : n < 12 ? 2 : n < 15 ? 3 : 4
    if (bin != $2) bad++ } END { exit bad }' $at/probing/sentence_length.txt
ok "lengths are in their bins" $?
awk -F'\t' 'index(" " $3 " ", " " $2 " ") == 0 { bad++ } END { exit bad }' $at/probing/word_content.txt
ok "the word is in the sentence" $?
awk -F'\t' '{ two = $3 ~ / (and|but) /; ask = $3 ~ /\?$/
    if (two != ($2 == "S_CC_S_.") || ask != ($2 == "AUX_NP_VP_?")) bad++ } END { exit bad }' $at/probing/top_constituents.txt
ok "constituents are those of the sentence" $?
awk -F'\t' '$2 == "O" && $3 !~ /^(here|there|often|now|again|soon|do|does|did|near|behind|under|with|the|this|these|every|all) / { bad++ }
    END { exit bad }' $at/probing/bigram_shift.txt
ok "sentences that are not shifted begin as sentences do" $?
awk -F'\t' '/^[0-9]/ { n[$4]++ } END { exit !(n["NOUN"] > n["VERB"] && n["DET"] > 0 && n["PUNCT"] == 50) }' $at/test.en.conllu
ok "the treebank has tags" $?
# Articles agree in gender and number with the following noun.
! grep -Eq 'der (Frau|Katze|Suppe) (sieht|fand)|das (Hund|Frau|Vogel|Bücher) |die (Hund|Buch|Haus|Kind) ' $at/train.de
ok "German articles agree" $?
! grep -Eq ', [,.?]|  ' $at/train.de
ok "no comma before another sign" $?

cat > $work/g.yaml << 'END'
grid: g
corpus: controlled
model: tiny
train: {epochs: 0, steps: 10, batch_tokens: 256, warmup: 10}
rows: [{name: Row, encoder.attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate}]}]
evaluate:
  probe: {tasks: controlled, protocol: senteval, controls: [majority]}
  gates: {by: [pos], text: controlled/test.en.conllu}
  ablatepos: {text: controlled/test.en.conllu, references: controlled/test.de.conllu, gates: [shut]}
table: {columns: [mean(Surface), mean(Syntactic), mean(Semantic), {column: gates.gate, class: NOUN}, ablatepos.shut], means: all}
END
expect "a grid reads all of it" 0 "" run $work/g.yaml --runs $work/runs --quiet
try table $work/g.yaml --runs $work/runs
says "and has its numbers" 0 "Row +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +-?[0-9.]+$"
mkdir $work/own
echo mine > $work/own/train.en
try corpus controlled --out $work/own
says "files of somebody's own are kept" 65 "own: has other files \(train\.en\); expected a new or empty folder"
holds "as they were" [ "$(cat $work/own/train.en)" = mine ]
expect "a file in place of a folder" 65 "own/train\.en: is not a folder; expected a folder" corpus controlled --out $work/own/train.en
expect "a folder without a name" 65 "the path of a folder is empty; expected a path" corpus controlled --out ''
output=$(ulimit -f 20 && ./sanlab corpus controlled --out $work/full 2>&1)
matches "the file that cannot be written is named" "^sanlab: $work/full/test\.en: cannot be written: File too large$"
(./sanlab corpus controlled --out $work/killed --train 400000 --quiet & pid=$!
 wait_for test -e $work/killed/test.en
 kill -9 $pid
 wait) 2> /dev/null
try corpus controlled --out $work/killed --train 400 --dev 60 --test 50 --items 200
says "what was killed is written again" 0 "written to"
holds "and has the same bytes" diff -r -x '*.tmp-*' $at $work/killed
expect "too few items" 65 "--items 5: expected a whole number from 20 to 100000" corpus controlled --items 5
finish
