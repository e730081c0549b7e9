#!/bin/sh
# corpus libreoffice: pairs from small pages that this script writes, pairs that are dropped, splits by
# sentence and by page, and refused inputs.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
fresh libreoffice
root=$work/root out=$work/out

# page LANGUAGE NAME: writes a page; standard input is its content.
page() {
    folder=$root/usr/share/libreoffice/help/$1/text/shared
    mkdir -p $folder
    { printf '<!DOCTYPE html>\n<html lang="%s"><head><title>no</title></head>' $1
      printf '<body><header><p dir="auto">no id</p></header><div>'
      cat
      printf '</div><div id="DEBUG" class="debug"><p id="bm_module">for developers: %s</p></div></body></html>' $1
    } > $folder/$2.html
}
# make OPTION..: makes the text of both languages.
make() { try corpus libreoffice --from en-US --to de --root $root --out $out "$@"; }
# digests NAME=DIGEST..: true if the files have these SHA-256.
digests() { for pair; do echo "${pair#*=}  $out/${pair%%=*}"; done | sha256sum --check --quiet > $work/checked 2>&1; }
# in_two_splits ENDING: prints lower-cased lines that are in more than one split.
in_two_splits() { for split in train dev test; do tr "[:upper:]" "[:lower:]" < $out/$split.$1 | sort -u; done | sort | uniq -d; }

page en-US a << 'END'
<h1 id="hd_1">Insert  a
 frame</h1><p id="par_1">Press <span class="switchinline"><span hidden="true" class="MAC">Command</span><span hidden="true" id="defaulttext1"><b>Ctrl</b></span></span>+F4.</p>
<p id="par_2">only here</p><p id="par_3"><img src="x.png" alt="no"></p><p id="par_4">Twice</p><p id="par_4">Twice again</p>
<p id="par_5">SQRT(4)</p><p id="par_6">one two three four, five &amp; six</p>
<p id="par_7">open <script>if (a < b) no()</script>ended</b> here<div>no</div><!-- <p id="par_8">no</p> -->
END
page de a << 'END'
<p id="par_6">eins zwei drei vier, fünf &amp; sechs</p><p id="par_5">SQRT(4)</p>
<p id="par_4">Zweimal</p><p id="par_4">Noch zweimal</p><p id="par_3"></p>
<p id="par_1">Drücken Sie <span class="switchinline"><span hidden="true" class="MAC">Befehl</span><span hidden="true" id="defaulttext1"><b>Strg</b></span></span>+F4.</p>
<h1 id="hd_1">Rahmen&nbsp;<br>einfügen</h1><p id="par_7">bis 3,50 Euro (VAT: 7.5%)</p>
END
echo '<h2 id="hd_1">Insert a frame</h2>' | page en-US b
echo '<h2 id="hd_1">Rahmen einfügen</h2>' | page de b
echo '<p id="par_1">a page that was not translated</p>' | page en-US c
for language in en-US de; do # pairs for dev and test, whose words are in no other pair
    awk -v language=$language 'BEGIN { for (i = 1; i < 9; i++) print "<p id=\"" i "\">" language i "</p>" }' | page $language z
done
make --max-words 5 --dev 1 --test 1 --package-version 'a "7.4"'
says "corpus libreoffice ends with the folder" 0 "^written to $out$"
cat > $work/counts << 'END'
        4 pages
        1 pages that are not in the other language
       18 paragraphs
        1 paragraphs whose id is not in the other language
        1 pairs dropped: a side is empty
        1 pairs dropped: both sides are equal
        1 pairs dropped: too many words
        1 pairs dropped: repetitions of an earlier pair
       13 pairs kept
       13 groups of pairs that share sentences
       11 pairs in train
        1 pairs in dev
        1 pairs in test
END
holds "it prints the counts" [ "$(printf '%s\n' "$output" | sed '$d')" = "$(cat $work/counts)" ]
cat $out/train.en-US $out/dev.en-US $out/test.en-US | grep -v '^en-US' | sort > $work/source
printf 'Insert a frame\nPress Ctrl+F4.\nTwice\nTwice again\nopen ended here\n' | sort > $work/wanted
holds "paragraphs are squeezed, without hidden text and scripts" cmp $work/source $work/wanted
paste $out/train.en-US $out/train.de | cat - $out/dev.de $out/test.de > $work/all
for target in 'Rahmen einfügen' 'Drücken Sie Strg+F4.' 'Zweimal' 'Noch zweimal' 'bis 3,50 Euro (VAT: 7.5%)'; do
    grep -qF "$target" $work/all || echo "$target"
done > $work/lacking
holds "and have their translations" [ ! -s $work/lacking ]
holds "the version is escaped" grep -q '^  "package_version": "a \\"7.4\\"",$' $out/description.json
holds "the description has the counts" grep -q '^    "untranslated": 1,$' $out/description.json
make --max-words 4 --dev 1 --test 1
says "words are counted without signs" 0 "^ +2 pairs dropped: too many words$"
make --dev 1 --test 1 --quiet
equals "--quiet prints nothing" "" "$output"

# 300 paragraphs. Many share a sentence with others, in one language or in both. The digests are those of
# an independent program.
root=$work/many out=$work/many_out
awk 'BEGIN { for (i = 0; i < 300; i++) printf "<p id=\"par_%d\">Sentence %d</p>", i, i % 5 ? i : int(i / 20) }' |
    page en-US many
awk 'BEGIN { for (i = 0; i < 300; i++) printf "<p id=\"par_%d\">Satz %d</p>", i, i % 7 ? i : int(i / 40) }' |
    page de many
make --dev 40 --test 50
says "a split by sentence has the requested sizes" 0 "^ +50 pairs in test$"
says "and" 0 "^ +40 pairs in dev$"
holds "no sentence is in two splits" [ -z "$(in_two_splits en-US; in_two_splits de)" ]
by_sentence="test.en-US=bde34533a704772a6f2420cdc313a0f126a1919bd4674cd7818367fa45f03ae3
    test.de=cd57f42e80d31ea3615848fc4d472b64c5cedca4e5e4c935b3162ea85bd51596
    dev.en-US=ac773c5bf608dfee88924218b0b1ec9eadb1ee9cf99758d43d5f1b05be668210
    dev.de=54fdffbd7ce869dceba5048232517780c85fef0e746b70e0fab7f83d72743bbf"
holds "the files are those of the rule" digests $by_sentence
holds "an unknown version is null" grep -q '"package_version": null' $out/description.json
mkdir $root/DEBIAN
printf 'Package: libreoffice-help-de\nSource: x\nVersion: 4:7.4.7-1\nFoo: y\n' > $root/DEBIAN/control
make --dev 40 --test 50
holds "a folder of the same command is written again" digests $by_sentence
holds "with the version of the packages" grep -q '"package_version": "4:7.4.7-1"' $out/description.json
make --dev 4000 --test 5
says "too few pairs" 65 "^sanlab: [0-9]+ pairs are too few for 4000 in dev and 5 in test$"
holds "then the files stay" digests $by_sentence
make --root $root/usr/share/libreoffice/help --dev 40 --test 50
holds "the root may be the folder of the languages" digests $by_sentence

# 60 pages. A page has four sentences that are on no other page; the first occurs twice. It shares one
# sentence with two other pages. One sentence is on all pages; its case and its translation differ.
root=$work/pages out=$work/pages_out
p=0
while [ $p -lt 60 ]; do
    for language in en-US de; do
        awk -v page=$p -v mark="${language#en-US}" 'BEGIN {
            if (mark != "") mark = " (" mark ")"
            for (i = 0; i < 5; i++) printf "<p id=\"own_%d\">page %d, own %d%s</p>", i, page, i % 4, mark
            printf "<p id=\"three\">three of %d%s</p>", int(page / 3), mark
            all = mark != "" ? "see " page mark : page % 2 ? "SEE ALSO" : "See also"
            printf "<h1 id=\"all\">%s</h1>", all
        }' | page $language p$p
    done
    p=$((p + 1))
done
make --dev 40 --test 50 --split page
says "a split by page counts pages" 0 "^ +10 pages whose sentences are in dev$"
says "for test" 0 "^ +13 pages whose sentences are in test$"
says "and pairs that are also in train" 0 "^ +36 pairs of these pages in train, because another page shares a sentence$"
says "there are enough pairs" 0 "^ +52 pairs in test$"
holds "a sentence is in one split, whatever its case" [ -z "$(in_two_splits en-US; in_two_splits de)" ]
for split in train dev test; do sed -n 's/^page \([0-9]*\), own.*/\1/p' $out/$split.en-US | sort -u; done |
    sort | uniq -d > $work/torn
holds "the sentences of a page are in one split" [ ! -s $work/torn ]
holds "both spellings are kept" [ "$(grep -ic '^see also$' $out/train.en-US)" = 60 ]
by_page="test.en-US=589afbc35e0e3bddff2aac8ff2a46be69ff05d0afbc0e84b4f7f9fbd4a807ade
    test.de=9277ef7178c9af33f1a5c95bc17cb0926fc2839346694fe4f75a55fa9d1178ee
    dev.en-US=3e1acc28dd7f818b64c3f9941f800e43485f88f40567030c8b88575abd3420d4
    dev.de=91e41169e8b453ca8e2ddd49fb5dd8a1373e15d05cde3b921322a602baed3005"
holds "its files are those of the rule" digests $by_page
holds "and the description names the split" grep -q '^  "split": "page"$' $out/description.json
make --dev 40 --test 50
! grep -q '"split"\|"shared"' $out/description.json
ok "the description of a split by sentence does not" $?
make --dev 40 --test 300 --split page
says "too few pages" 65 "^sanlab: 320 pairs are too few for 40 in dev and 300 in test$"

# Refused inputs: one line each, and nothing is written.
refused() {
    refusal=$2 about=$1
    shift 2
    make --out $work/none "$@"
    says "$about" 65 "^sanlab: $refusal$"
    holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
}
refused "a root that is absent" "$work/absent: is not a folder" --root $work/absent
mkdir $work/empty
refused "a root without help" "$work/empty: has no help of LibreOffice; unpack .*" --root $work/empty
refused "a language that is absent" '.*: no help in "fr"; expected one of: de, en-US' --to fr
refused "a language twice" "--from and --to are both de; expected two languages" --from de
printf '<p id="a">good\nbad \377</p>' > $root/usr/share/libreoffice/help/de/text/shared/p7.html
refused "a page that is not UTF-8" ".*/de/text/shared/p7.html:2: byte 5 .0xff. is not valid UTF-8; .*"
holds "no folder was made" [ ! -e $work/none ]
mkdir $work/own
echo mine > $work/own/train.de
root=$work/many
make --out $work/own --dev 40 --test 50
says "files of somebody's own are kept" 65 "own: has other files \(train\.de\); expected a new or empty folder"
: > $work/own/.unfinished
make --out $work/own --dev 40 --test 50 --quiet
says "an interrupted run is repeated" 0 "^$"
holds "and is then complete" [ ! -e $work/own/.unfinished ]
mkdir $work/bin
output=$(PATH=$PWD/$work/bin ./sanlab corpus libreoffice --root $root --out $work/none 2>&1)
code=$?
says "without python3" 65 "^sanlab: corpus libreoffice: needs python3, which is not installed"
finish
