#!/bin/sh
# corpus tasks: its files and output, bad input, and a grid that reads its list of tasks.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
fresh_data corpus_tasks
mkdir $work/own
./sanlab corpus controlled --out $work/data/controlled --train 2000 --dev 20 --test 20 --items 60 --quiet
text=$work/data/controlled/train.en

# ---- the tasks ----
try corpus tasks $text --out $work/tasks --items 400
says "lines of the text are counted" 0 "^$text: [0-9]+ of 2000 lines are sentences of 5 to 28 tokens; 0 shorter, [0-9]+ longer, "
says "a line for each task" 0 "^WordContent  tr 400, va 40, te 40; 10 classes: the words of rank 21 to 30; left out: [0-9]+ without exactly one of the words, "
says "and its classes" 0 "^BigramShift  tr 400, va 40, te 40; 2 classes: I, O; left out: "
says "a class with few sentences is named" 0 "^Length .* 4 classes: 0, 1, 2, 3; left out: [0-9]+ of class 4, which needs 120, "
says "the line of a grid that reads them" 0 \
    "^written to $work/tasks; evaluate.probe.tasks of a grid is the path of its tasks.yaml"
mkdir -p $work/mine/grids
output=$(here=$PWD && cd $work/mine && "$here/sanlab" corpus tasks "$here/$text" --out grids/own --items 400 | tail -n 1)
holds "in a folder of grids, too" [ -s $work/mine/grids/own/tasks.yaml ]
[ "$(ls $work/tasks | tr '\n' ' ')" = "bigram_shift.txt description.json sentence_length.txt tasks.yaml word_content.txt " ]
ok "the files are those of the tasks" $?
OMP_NUM_THREADS=3 ./sanlab corpus tasks - --out $work/again --items 400 --quiet < $text
holds "the same bytes with other threads, from standard input" diff -r $work/tasks $work/again
./sanlab corpus tasks $text --out $work/again --items 400 --seed 2 --quiet
cmp -s $work/tasks/bigram_shift.txt $work/again/bigram_shift.txt
holds "others of another seed" [ $? = 1 ]

# Raw text: twenty sentences of each length.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    echo "Don't (ever) say 3.5%!$i"
    echo "日本語です。$i"
done > $work/running
try corpus tasks $work/running --out $work/raw --raw --items 20
says "raw text is tokenized" 0 "40 of 40 lines are sentences"
grep -qE '	Don . t \( ever \) say 3.5 % ! [0-9]+$' $work/raw/sentence_length.txt
ok "at signs, but not within numbers" $?
grep -qE '	日 本 語 で す 。 [0-9]+$' $work/raw/sentence_length.txt
ok "and into single ideographs" $?
grep -q '"raw": true' $work/raw/description.json
ok "which the description says" $?

# ---- too little text ----
head -n 20 $text > $work/short
try corpus tasks $work/short --out $work/none
says "too short for any task" 65 "^sanlab: $work/short: too little text for any task: [0-9]+ of its 20 lines have 5 to 28 tokens and do not repeat an earlier line; Length: 0 classes of at least 120 sentences; needed two; left out: "
[ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && [ ! -e $work/none ]
ok "in one line, and nothing is written" $?
head -n 300 $text > $work/short
try corpus tasks $work/short --out $work/again --quiet
says "too short for a task" 0 "^sanlab: warning: $work/short: too little text for WordContent; the task is not made: among the 10 words of rank 21 to 30, \"[a-z]+\" is the only one in [0-9]+ sentences; needed 24$"
[ ! -e $work/again/word_content.txt ] && [ -s $work/again/bigram_shift.txt ]
ok "the file of an earlier text is removed" $?
! grep -q WordContent $work/again/tasks.yaml
ok "and is not in the list" $?

# ---- bad input ----
printf 'a b c d e\nb\377\n' > $work/bytes
try corpus tasks $work/bytes --out $work/none
says "text that is not UTF-8" 65 "^sanlab: $work/bytes:2: byte 2 \(0xff\) is not valid UTF-8"
try corpus tasks $work/absent --out $work/none
says "no text" 65 "^sanlab: $work/absent: cannot be read: No such file"
echo mine > $work/own/file
try corpus tasks $text --out $work/own
says "a folder with other files" 65 "^sanlab: $work/own: has other files \(file\); expected a new or empty folder"
try corpus tasks $text --out $work/short/none
says "a folder that cannot be made" 65 "^sanlab: $work/short/none: folder cannot be made: Not a directory$"
try corpus tasks $text
says "no folder" 65 "^sanlab: corpus: --out is missing; usage: sanlab corpus .*tasks TEXT --out FOLDER"
try corpus tasks $text --out $work/none --train 9
says "an option of another action" 65 "^sanlab: corpus: tasks has no option --train$"
try corpus tasks $text --out $work/none --items 10
says "too few items" 65 "^sanlab: corpus: --items 10: expected a whole number from 20 to 100000$"
bank=$work/data/controlled/test.en.conllu
try corpus tasks $text --labels $bank --out $work/none
says "a treebank of another text" 65 "^sanlab: $bank:1: sentence 1 differs from line 1 of $text: token [0-9]+ is \"[^ ]+\", in the line \"[^ ]+\"; expected a treebank of this text$"
try corpus tasks $bank --labels $bank --out $work/none
says "a treebank without trees" 65 "^sanlab: $bank:1: the head of the word is \"_\"; expected 0 to [0-9]+ in the seventh column"
try corpus tasks $text --labels $text --out $work/none
says "no treebank" 65 "^sanlab: $text:1: 1 column between tabs; expected ten, as a line of CoNLL-U has$"
echo '# text' > $work/empty.conllu
try corpus tasks $text --labels $work/empty.conllu --out $work/none
says "an empty treebank" 65 "^sanlab: $work/empty.conllu: has no sentence; expected CoNLL-U$"
try corpus tasks $text --labels $bank --raw --out $work/none
says "raw text with a treebank" 65 "^sanlab: corpus: tasks: a treebank has its own tokens; expected --labels or --raw, not both$"
mkdir $work/bin
output=$(PATH=$PWD/$work/bin ./sanlab corpus tasks $text --out $work/none 2>&1)
code=$?
says "without python3" 65 "^sanlab: corpus tasks: needs python3, which is not installed"
holds "bad input writes nothing" [ ! -e $work/none ]

# ---- a grid ----
cat > $work/g.yaml << 'END'
grid: g
corpus: controlled
model: tiny
train: {epochs: 0, steps: 10, batch_tokens: 256, warmup: 10}
rows: [{name: Row}]
evaluate: {probe: {tasks: tasks/tasks.yaml, protocol: hao2019, controls: [majority]}}
table: {columns: [probe.Length, probe.WordContent, probe.BigramShift.majority, mean(Surface)], means: all}
END
expect "a grid reads the list" 0 "" run $work/g.yaml --runs $work/runs --quiet
expect "and has its numbers" 0 "Row +[0-9.]+ +[0-9.]+ +50.00 +[0-9.]+$" table $work/g.yaml --runs $work/runs
./sanlab table $work/g.yaml --runs $work/runs > $work/table.txt
try archive $work/g.yaml $work/a.tar.gz --runs $work/runs
tar -xzf $work/a.tar.gz -C $work
try table $work/g/grid.yaml --runs $work/g
[ "$output" = "$(cat $work/table.txt)" ] && cmp -s $work/tasks/word_content.txt $work/g/tasks/word_content.txt
ok "an archive has the text of the tasks, and prints the table" $?
mkdir $work/moved
mv $work/tasks $work/g.yaml $work/moved
expect "another folder changes no id" 0 "^8 stages: 8 done$" plan $work/moved/g.yaml --runs $work/runs
rm $work/moved/tasks/word_content.txt
try plan $work/moved/g.yaml --runs $work/runs
says "a file that is missing is named" 1 "sanlab corpus tasks makes them: $PWD/$work/moved/tasks/word_content.txt$"
finish
