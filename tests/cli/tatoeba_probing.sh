#!/bin/sh
# scripts/data/tatoeba_probing: small sources that this script generates, and the pinned sources in
# SANLAB_DATA.
#   PYTHON: the interpreter (python3)
. "$(dirname "$0")/../support/cli.sh"
. tests/support/blobs.sh
work=build/tmp/tatoeba_probing_cli python=${PYTHON:-python3} data=${SANLAB_DATA:-data}
program=scripts/data/tatoeba_probing manifest=experiments/corpora/sets/tatoeba-probing.yaml
if ! command -v "$python" > /dev/null; then
    echo "1..0 # SKIP there is no $python"
    exit
fi
rm -rf $work
mkdir -p $work
raw=$work/raw
# The folders of the sources, from the manifest.
source_of() { listed $manifest raw/"$1" | sed -n 's/ .*//; 1p'; }
ewt=$work/$(source_of UniversalDependencies) zip=$work/$(source_of rioyshky)
gum=$(source_of amir-zeldes) xprobe=$(source_of ltgoslo)
gum=$work/${gum%/*} xprobe=$work/${xprobe%/*/*}
mkdir -p "$xprobe" "$gum" "${ewt%/*}" "${zip%/*}"

cat > $work/sources.py << 'END'
"""Makes up sources: sources.py XPROBE EWT GUM ZIP."""
import os, random, sys, zipfile

xprobe, ewt, gum, archive = sys.argv[1:]
draw = random.Random(7)
nouns = "apple bread chair door egg flag glass horse iron jacket knife lamp".split()
verbs = "buys calls draws finds gives holds keeps likes moves names opens pulls".split()
adjectives = "brave calm dark early fair good happy idle".split()


def words():
    return f"the {draw.choice(adjectives)} {draw.choice(nouns)} {draw.choice(verbs)} the {draw.choice(nouns)} .".split()


labels = {"bigram_shift": "IO", "coordination_inversion": "IO", "obj_number": ["Sing", "Plur"],
          "past_present": ["Past", "Pres"], "sentence_length": "012", "subj_number": ["Sing", "Plur"],
          "word_content": nouns, "tree_depth": "56789"}
for task, choices in labels.items():
    os.makedirs(f"{xprobe}/{task}", exist_ok=True)
    for split in ("va", "te"):
        with open(f"{xprobe}/{task}/{split}.txt", "w", encoding="utf-8") as file:
            for number in range(120):
                file.write(f"{' '.join(words())} {number % 150 if split == 'va' else number + 20}"
                           f"\u00a0end\t{choices[number % len(choices)]}\n")
            for label in choices[:2]:
                file.write(f"a sentence that is in both files\t{label}\n")
with open(ewt, "w", encoding="utf-8") as file:
    for document in draw.sample(range(100, 160), 60):
        file.write(f"# newdoc id = document-{document}\n")
        for _ in range(4):
            tags = ["DT", "JJ", "NN", "VBZ", "DT", "NN", "."]
            file.write("# text = made up\n1-2\tthebrave" + "\t_" * 8 + "\n")
            for index, (word, tag) in enumerate(zip(words(), tags), 1):
                file.write(f"{index}\t{word}\t_\t_\t{tag}\t_\t_\t_\t_\t_\n")
            file.write("7.1\tempty" + "\t_" * 8 + "\n\n")
for number in range(3):
    with open(f"{gum}/GUM_made_{number}.ptb", "w", encoding="utf-8") as file:
        for _ in range(40):
            the, adjective, noun, verb, _, other, dot = words()
            inner = f"(NP-SBJ (DT {the}) (JJ {adjective}) (NN {noun}))\n    (VP (VBZ {verb}) (NP (DT the) (NN {other})))"
            extra = f"(-LRB- -LRB-) (ADVP-{number} (RB now)) (-RRB- -RRB-)" if number else ""
            file.write(f"(ROOT\n  (S {inner} {extra} (. {dot})))\n\n")
with open(f"{gum}/GUM_reddit_made.ptb", "w", encoding="utf-8") as file:
    file.write("(ROOT (this has no end")
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
    lines = ['Tom\'s 3.5 "cats", isn\'t it?\tToms 3,5 \u201eKatzen\u201c, oder?\n']
    for number in range(3300):
        for other in range(1 + number % 2):
            lines.append(f"We see {number} and {' '.join(words())}\tWir sehen {number % 3200} {other}.\n")
    file.writestr("deu.txt", "".join(lines))
END
"$python" $work/sources.py "$xprobe" "$ewt" "$gum" "$zip" || exit 1

# build WHAT SEED ARGUMENTS..: runs the program with a PYTHONHASHSEED.
build() {
    what=$1 seed=$2
    shift 2
    PYTHONHASHSEED=$seed run "$python" $program "$@"
    says "$what" 0 '^$'
}
build "made-up sources" 0 $raw $work/out
LC_ALL=C build "again, in another environment" 4711 $raw $work/again
equals "all 22 files are the same" 22 "$(diff -r $work/out $work/again && cd $work/out && find . -type f | wc -l)"

# Documents in reverse order.
tac "$ewt" | awk '/^# newdoc/ { print; for (i = count; i; i--) print line[i]; count = 0; next } { line[++count] = $0 }' \
    > $work/turned
cp "$ewt" $work/ewt && cp $work/turned "$ewt"
build "documents of the treebank in another order" 0 $raw $work/again --only odd_man_out
output=$(cmp $work/turned $work/ewt; cmp $work/out/probing/odd_man_out.txt $work/again/probing/odd_man_out.txt 2>&1)
[ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && [ -n "$output" ]
ok "odd_man_out does not depend on it" $?
cp $work/ewt "$ewt"

rm -rf $work/again
build "one task" 0 $raw $work/again --only odd_man_out
output=$(cd $work/again && find . -type f)
[ "$output" = ./probing/odd_man_out.txt ] && cmp -s $work/out/probing/odd_man_out.txt $work/again/probing/odd_man_out.txt
ok "it has its file alone, and the same one" $?
build "the ten tasks" 0 $raw $work/again --only probing
output=$(diff -r $work/out/probing $work/again/probing && ls $work/again)
holds "they have the folder probing alone" [ "$output" = probing ]

# ---- properties of the files ----

at=$work/out/probing
output=$(awk -F'\t' 'NF != 3 || !/^(tr|va|te)\t[^\t]+\t[^ ]+( [^ ]+)+$/ { print FILENAME ":" FNR ": " $0 }
    { split_of[FILENAME, $1]++ }
    END { for (i = 1; i < ARGC; i++) for (k = 1; k <= 3; k++) if (!split_of[ARGV[i], substr("trvate", 2 * k - 1, 2)]) print ARGV[i] }' \
    $at/*.txt)
holds "each task has lines of SentEval's form for training, dev and test" [ -z "$output" ]
output=$(for task in bigram_shift word_content tree_depth; do
    awk -F'\t' -v task=$task '$3 in of && of[$3] != $1 { print task ": in two splits: " $3 } { of[$3] = $1 }' $at/$task.txt
done)
[ -z "$output" ] && grep -q '^tr.*a sentence that is in both files$' $at/bigram_shift.txt
ok "no sentence is in two splits" $?
output=$(grep 'a sentence that is in both files' $at/tree_depth.txt | cut -f2)
holds "tree_depth keeps the first label of a sentence" [ "$output" = 5 ]
output=$(cut -f2 $at/past_present.txt $at/subj_number.txt $at/obj_number.txt | sort -u | tr '\n' ' ')
holds "labels are SentEval's" [ "$output" = "NN NNS PAST PRES " ]
output=$(cut -f2 $at/top_constituents.txt | sort -u | tr '\n' ' ')
[ "$output" = "NP_VP_-LRB-_ADVP_-RRB-_. NP_VP_. " ] && grep -q ' ( now ) \.$' $at/top_constituents.txt
ok "top_constituents has the labels below S and brackets as words" $?

cat > $work/odd.py << 'END'
import sys
tags = ["DT", "JJ", "NN", "VBZ", "DT", "NN", "."]
sentences, forms = set(), []
for line in open(sys.argv[1], encoding="utf-8"):
    fields = line.split("\t")
    if fields[0].isdigit():
        forms.append(fields[1])
    elif not line.strip():
        sentences.add(tuple(forms))
        forms = []
words = {tag: {s[i] for s in sentences for i in range(7) if tags[i] == tag} for tag in tags}
count = {"O": 0, "C": 0}
for line in open(sys.argv[2], encoding="utf-8"):
    label, text = line.rstrip("\n").split("\t")[1:]
    text = tuple(text.split(" "))
    count[label] += 1
    if label == "O":
        assert text in sentences, line
    else:
        assert any(sum(a != b for a, b in zip(text, s)) == 1 for s in sentences), line
        assert all(word in words[tag] for word, tag in zip(text, tags)), line
assert min(count.values()) > 50, count
END
output=$("$python" $work/odd.py "$ewt" $at/odd_man_out.txt 2>&1)
ok "odd_man_out replaces one word by another of its tag" $?

at=$work/out/parallel
output=$(wc -l $at/tatoeba/dev.* $at/tatoeba/test.* | awk '$1 != 1500 && $2 != "total"'
    for split in dev test; do
        for language in en de; do
            sort -u $at/tatoeba/$split.$language > $work/held
            sort -u $at/tatoeba/train.$language | comm -12 - $work/held
        done
    done)
[ -z "$output" ] && [ -s $at/tatoeba/train.en ]
ok "no sentence of dev or test is in training" $?
output=$(cat $at/tatoeba/*.en | grep cats)
[ "$output" = "Tom 's 3.5 \" cats \" , isn 't it ?" ] && cat $at/tatoeba/*.de | grep -qxF 'Toms 3,5 „ Katzen “ , oder ?'
ok "punctuation and clitics are tokens, numbers stay whole" $?
output=$(for split in train dev test; do
    for language in en de; do
        tr ' ' '\n' < $at/tatoeba/$split.$language | sort > $work/words
        tr ' ' '\n' < $at/tatoeba-joined/$split.$language | sort | cmp - $work/words
    done
    paste $at/tatoeba-joined/$split.en $at/tatoeba-joined/$split.de | awk -F'\t' '
        { pairs = gsub(/We see|Tom/, "", $1) } pairs != gsub(/Wir sehen|Toms/, "", $2) || pairs > 5'
done)
[ -z "$output" ] && [ "$(wc -l < $at/tatoeba-joined/train.en)" -lt "$(wc -l < $at/tatoeba/train.en)" ]
ok "a joined line has one to five pairs, and each pair occurs once" $?

# ---- bad input ----

# refused WHAT FILE PATTERN: passes if the sources with one changed file ($work/changed; none: removed)
# are refused in one line.
refused() {
    mv "$2" $work/kept
    [ ! -e $work/changed ] || mv $work/changed "$2"
    run "$python" $program $raw $work/none
    rm -rf "$2"
    mv $work/kept "$2"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && [ ! -e $work/none ] || code="$code, and several lines or a file"
    says "$1: one line, and no file" 1 "$3"
}
refused "a source is missing" "$xprobe/tree_depth/va.txt" \
    '^tatoeba_probing: [^ ]*/en/tree_depth/va.txt: No such file or directory$'
refused "the trees are missing" "$gum" '^tatoeba_probing: [^ ]*/const: No such file'
mkdir $work/changed
refused "a folder without trees" "$gum" '/const: there are no files \*\.ptb$'
: > $work/changed
refused "an empty file" "$xprobe/subj_number/te.txt" 'te.txt: the file is empty$'
head -c 30000 "$zip" > $work/changed
refused "half an archive" "$zip" 'deu-eng.zip: the zip archive is damaged$'
"$python" -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); b[9000] ^= 255; sys.stdout.buffer.write(b)' \
    "$zip" > $work/changed
refused "a byte of the archive" "$zip" 'deu-eng.zip: the zip archive is damaged$'
"$python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("other.txt", "a\tb\n")' $work/changed
refused "another archive" "$zip" 'deu-eng.zip: there is no deu.txt in the archive$'
"$python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("deu.txt", "a\tb\nGo.\tGeh.\tCC-BY\n")' $work/changed
refused "a later export of Tatoeba" "$zip" 'deu-eng.zip/deu.txt:2: expected ENGLISH TAB GERMAN$'
sed '7s/\t/ /' "$xprobe/word_content/te.txt" > $work/changed
refused "a line without a label" "$xprobe/word_content/te.txt" 'word_content/te.txt:7: expected SENTENCE TAB LABEL$'
{ cat "$xprobe/word_content/va.txt" && printf '\377\t1\n'; } > $work/changed
refused "bytes that are no UTF-8" "$xprobe/word_content/va.txt" 'va.txt:123: invalid UTF-8$'
sed '5s/\t_$//' "$ewt" > $work/changed
refused "a line of nine fields" "$ewt" 'train.conllu:5: expected 10 fields of CoNLL-U, got 9$'
sed '1d' "$ewt" > $work/changed
refused "a sentence outside of documents" "$ewt" 'train.conllu:2: expected "# newdoc id = .." before the first sentence$'
sed '$d' "$gum/GUM_made_1.ptb" | sed '2s/(S/S/' > $work/changed
refused "a bracket too few" "$gum/GUM_made_1.ptb" 'GUM_made_1.ptb:[0-9]*: expected "\(", got "\)"$'
{ cat "$gum/GUM_made_1.ptb" && echo '(ROOT (S'; } > $work/changed
refused "a tree without end" "$gum/GUM_made_1.ptb" 'GUM_made_1.ptb:[0-9]*: expected "\)", got the end of the file$'

# misused WHAT PATTERN ARGUMENTS..
misused() {
    what=$1 pattern=$2
    shift 2
    run "$python" $program "$@"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code="$code, and several lines"
    says "$what" 1 "$pattern"
}
misused "no folders" '^tatoeba_probing: .*RAW, OUT; see --help$'
misused "an unknown part" '^tatoeba_probing: argument --only: invalid choice: .wordcontent.* see --help$' $raw $work/none \
    --only wordcontent
: > $work/file
misused "a file in place of the folder" '^tatoeba_probing: [^ ]*/file/probing: Not a directory$' $raw $work/file
output=$(ulimit -f 1; "$python" $program $raw $work/full 2>&1)
code=$?
says "a file that cannot be written" 1 '^tatoeba_probing: [^ ]*/full: File too large$'
equals "leaves no half of it" "" "$(find $work/full -type f)"
run "$python" $program --help
says "--help" 0 'status 1'

# ---- the pinned sources ----

rm -rf $raw
what="the pinned sources make the published files, byte for byte"
reason=$(pinned_sources "$data" $work)
if [ -z "$reason" ]; then
    output=$("$python" $program $raw $work/published 2>&1) && {
        listed $manifest 'p[a-z]*/' > $work/list
        output=$(compared $work/published < $work/list)
        [ "$output" = "22 present, 0 absent" ]
    }
    ok "$what" $?
else
    skipped "$what" "$reason"
fi
finish
