#!/bin/sh
# The stage words: probes of single words of a treebank, with controls. An independent program computes the controls
# again.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit 0
fi
task words 200
export OMP_NUM_THREADS=1

# bank SENTENCES SEED: prints a treebank. Tags depend on forms, with exceptions after s0. Heads are neighbors. There is
# a duplicate in each document.
bank() {
    awk -v sentences="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        for (i = 0; i < sentences; i++) {
            if (i % 5 == 0) print "# newdoc id = d" i
            n = 2 + int(rand() * 5)
            if (i % 5 != 4) for (j = 1; j <= n; j++) w[j] = int(rand() * 12)
            else n = last
            last = n
            for (j = 1; j <= n; j++) {
                tag = j > 1 && w[j - 1] == 0 ? "X" : w[j] % 3 == 0 ? "NOUN" : w[j] % 3 == 1 ? "VERB" : "ADJ"
                head = j == 1 ? 0 : w[j] % 2 ? j - 1 : 1
                relation = j == 1 ? "root" : w[j] % 2 ? "obj:x" : "obl"
                printf "%d\ts%d\t_\t%s\t_\t_\t%d\t%s\t_\t_\n", j, w[j], tag, head, relation
            }
            print ""
        }
    }'
}
bank 150 1 > $work/data/t-train.conllu
bank 40 2 > $work/data/t-dev.conllu
bank 40 3 > $work/data/t-test.conllu
bank 30 4 > $work/data/more.conllu
small $work/w.yaml tiny << 'END'
train: {epochs: 0, steps: 40, batch_tokens: 256, warmup: 20}
evaluate:
  words: {tasks: [pos, relation, distance, head], treebank: t, further: more.conllu, code: true}
table:
  columns: [words.pos, words.pos@bag, words.pos@encoder.output@start, words.pos.form, margin(words.pos)]
END

expect "plan lists a stage for each task and control" 0 "^words-[0-9a-f]+ +w/1 pos@encoder.output@start +new" \
    plan $work/w.yaml --runs $work/runs
says "and the bag" 0 "^words-[0-9a-f]+ +w/1 distance@bag +new"
says "and prints the power before training" 0 "^power of words.pos: test has [0-9]+ words in 8 documents; .* a difference of [0-9.]+ points"
expect "it runs" 0 "" run $work/w.yaml --runs $work/runs --quiet
folder() { readlink -f "$work/runs/names/w/w/1/words.$1"; }
for task in pos relation distance head; do
    for view in encoder.output bag; do
        stage=$(folder $task@$view)
        python3 tests/support/word_controls.py $task $stage/predictions.tsv $work/data/t-train.conllu \
            $work/data/t-dev.conllu $work/data/t-test.conllu $work/data/more.conllu > $work/expected
        output=$(while read -r name value; do
            [ $name = wrong_labels ] && got=0 || got=$(stage_value $stage $name)
            echo "$name $value ${got:-none}"
        done < $work/expected)
        printf '%s\n' "$output" | awk 'NF != 3 || $3 == "none" || ($2 - $3) ^ 2 > 1e-16 { bad = 1 }
            END { exit bad || NR != 14 }'
        ok "$task of $view: another program has the same controls" $?
    done
done
stage=$(folder pos@encoder.output)
output=$(cat $stage/sizes.tsv $stage/metrics.jsonl)
awk -F'\t' 'NR > 1 && $2 + 0 > best { best = $2 + 0; hidden = $1 }
    NR > 1 && (NR == 2 || $2 - $4 > most) { most = $2 - $4; selective = $1 } END { print hidden, selective }' \
    $stage/sizes.tsv > $work/chosen
holds "the sizes are chosen on dev" \
    [ "$(cat $work/chosen)" = "$(stage_value $stage hidden | sed 's/\.0$//') $(stage_value $stage selective_hidden | sed 's/\.0$//')" ]
compression=$(stage_value $stage compression) entropy=$(stage_value $stage entropy_compression)
awk -v a="$compression" -v b="$entropy" 'BEGIN { exit !(a > b && b > 0) }'
ok "the entropy is below the uniform code" $?
expect "a table has them" 0 "^w +" table $work/w.yaml --runs $work/runs
output=$(./sanlab table $work/w.yaml --runs $work/runs --format csv | tr -d '\r')
matches "in its columns" "^w,$(printf '%.2f' "$(stage_value $stage accuracy)"),$(printf '%.2f' "$(stage_value "$(folder pos@bag)" accuracy)"),"

# ---- vectors of another program ----

# The vectors are the labels, so that the classifier is right.
python3 - $work << 'END'
import os, struct, sys
work = sys.argv[1]
os.makedirs(work + "/other")
rows, index = [], open(work + "/other/sentences.tsv", "w")
for name, path in (("further", "more"), ("test", "t-test"), ("train", "t-train"), ("dev", "t-dev")):
    for number, text in enumerate(open(f"{work}/data/{path}.conllu").read().strip().split("\n\n")):
        words = [line.split("\t") for line in text.split("\n") if line[0] != "#"]
        rows += [[float(w[3] == tag) for tag in ("NOUN", "VERB", "ADJ", "X")] for w in words]
        print(name, number + 1, " ".join(w[1] for w in words), sep="\t", file=index)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 4), }" % len(rows)
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(work + "/other/words.npy", "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for row in rows:
        out.write(struct.pack("<4f", *row))
END
cat > $work/o.yaml << 'END'
grid: o
evaluate:
  words: {tasks: [pos], treebank: t, further: more.conllu, vectors: other}
table:
  columns: [words.pos, words.pos.further_accuracy]
END
expect "vectors of another program" 0 "" run $work/o.yaml --runs $work/runs --quiet
output=$(./sanlab table $work/o.yaml --runs $work/runs --format csv | tr -d '\r')
matches "are those of their words" "^o,100.00,100.00$"

# ---- bad input ----

# refuses WHAT PATTERN SED FILE: changes a file of the data, and expects an error.
refuses() {
    cp $work/data/$4 $work/kept
    sed -i "$3" $work/data/$4
    expect "$1" 65 "$2" plan $work/w.yaml --runs $work/none
    cp $work/kept $work/data/$4
}
refuses "a treebank without heads" 't-test.conllu:2:1: the word has the head "_"; expected 0 to [0-9]+ in the seventh column$' \
    's/^\(1\t.*\)\t0\troot/\1\t_\troot/' t-test.conllu
refuses "a label that only test has" 't-test.conllu:2:1: pos: no word of train has the label "NOUM"; nearest is "NOUN"' \
    '2s/\tNOUN\|\tVERB\|\tADJ/\tNOUM/' t-test.conllu
refuses "a head outside of the sentence" 'the word has the head "77"' 's/^\(2\t.*\)\t1\t\(o[^\t]*\)/\1\t77\t\2/' t-dev.conllu
refuses "a word without a tag" 't-train.conllu:2:1: the word has no label; expected one in column four' \
    '2s/_\t[A-Z]*/_\t_/' t-train.conllu
try plan $work/w.yaml --runs $work/none 'evaluate.words.tasks=[poss]'
says "an unknown task" 65 'evaluate.words.tasks: there is no task "poss"; nearest is "pos"'
try plan $work/w.yaml --runs $work/none 'evaluate.words.controls=[majority]'
says "an unknown control" 65 'evaluate.words.controls: there is no control "majority"'
long=$(awk 'BEGIN { for (i = 0; i < 600; i++) printf "sz" }')
printf '1\t%s\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n' "$long" >> $work/data/more.conllu
expect "a word of more than 512 pieces" 1 'more.conllu:[0-9]+.* pieces' run $work/w.yaml --runs $work/long --quiet
sed -i '35s/\ts[0-9]*/\tzz/' $work/other/sentences.tsv
sed 's/, further: more.conllu//; s/, words.pos.further_accuracy//; s/^grid: o/grid: p/' $work/o.yaml > $work/p.yaml
expect "other words than the treebank" 1 'sentences.tsv:35:1: has other words than .*t-test.conllu:[0-9]+: "zz' run $work/p.yaml --runs $work/runs --quiet
finish
