#!/bin/sh
# Tables and reports as files for other programs: hostile names, LaTeX that compiles, a page without
# messages in Chromium.
. "$(dirname "$0")/../support/cli.sh"
task report_cli 40
cp $work/data/dev.a $work/data/test.a
cp $work/data/dev.b $work/data/test.b

# A grid whose title and names have the standard payloads of security reviews.
cat > $work/hostile.yaml << 'END'
grid: hostile
title: "Names: \\input{/etc/passwd} <b>50%</b> & $x_1$ `id`"
source: "=cmd|'/c calc'!A0"
corpus: {source: a, target: b, train: train, dev: dev, test: test, merges: 20}
model: tiny
train: {steps: 2}
seeds: [1, 2]
rows:
  - name: "+ Größe ± Łódź 日本 ✓ \\input{/etc/passwd} $(touch canary) `touch canary` ${HOME}"
  - name: "=cmd|'/c calc'!A0 \" onload=\"alert(1) <script>alert(1)</script> a|b"
    model.dropout: 0.2
  - name: "\e[2J\e]0;x\a'; DROP TABLE stage; -- [x] {*} a--b ~^#%&_"
    model.dropout: 0.3
evaluate:
  bleu: {split: test, beam: 2}
table:
  columns: [parameters, dev_loss, bleu, delta(bleu)]
figures:
  - kind: bars
    title: "<b>50%</b> & \\input{/etc/passwd}"
    left: dev_loss
    right: none
    rows: ["=cmd|'/c calc'!A0 \" onload=\"alert(1) <script>alert(1)</script> a|b"]
  - kind: bars
    left: parameters
    right: none
    rows: ["=cmd|'/c calc'!A0 \" onload=\"alert(1) <script>alert(1)</script> a|b"]
END
expect "a grid with hostile names runs" 0 "13 of 13 stages done" run $work/hostile.yaml --runs $work/runs -j 1

table() { try table $work/hostile.yaml --runs $work/runs "$@"; }
table --format csv
says "CSV: a formula is text" 0 "^\"'=cmd\|'/c calc'!A0 \"\" onload="
table --format md
says "Markdown: a pipe does not end a cell" 0 'onload="alert\(1\) &lt;script&gt;alert\(1\)&lt;/script&gt; a\\\|b'
table --format html --standalone
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q '<script'
ok "HTML: no script" $?
table
says "text: no escape sequence" 0 '^\?\[2J\?]0;x\?'
table --format latx
says "a form that there is not" 65 '--format latx: expected one of .*; nearest is "latex"'

table --format latex --standalone --out $work/table.tex
says "LaTeX as a document" 0 ""
if command -v pdflatex > /dev/null; then
    output=$(cd $work && pdflatex -interaction=nonstopmode -halt-on-error table.tex 2>&1)
    ok "compiles" $?
    # -recorder would list every file; the log names only the files that were read.
    ! grep -q 'etc/passwd' $work/table.log
    ok "and reads nothing that a name asks for" $?
else
    skipped "the LaTeX compiles" "there is no pdflatex (Debian: texlive-latex-recommended)"
fi

drawn=0
command -v gnuplot > /dev/null || drawn=1
try report $work/hostile.yaml --runs $work/runs
says "a report says where it is" $drawn "^$work/runs/reports/hostile.html$"
page=$work/runs/reports/hostile.html
! grep -q -e '<script' -e '<b>50' -e "$(printf '\033')" $page
ok "its names are text" $?
# The page has only these elements, and embeds its images.
output=$(grep -oE '<[a-zA-Z!?][a-zA-Z0-9]*' $page | tr -d '<' | sort -u | tr '\n' ' ')
known=" !doctype body caption code details div figcaption figure h1 h2 h3 head header html img li main meta"
known="$known p pre span strong style summary sup table tbody td th thead title tr ul wbr "
unknown=$(for element in $output; do case $known in *" $element "*) ;; *) echo $element ;; esac; done)
[ -n "$output" ] && [ -z "$unknown" ] &&
    ! grep -oE ' src="[^"]*"' $page | grep -qvE '^ src="data:image/svg[+]xml;base64,[A-Za-z0-9+/]*=*"$'
ok "none of its elements runs or loads anything" $?
if command -v gnuplot > /dev/null; then
    for i in 1 2; do
        grep -oE ' src="data:image/svg[+]xml;base64,[^"]*"' $page | sed -n "$i{s/.*base64,//; s/\"//; p;}" |
            base64 -d > $work/$i.svg
    done
    output=$(head -c 300 $work/1.svg $work/2.svg)
    [ "$(grep -c '<img alt="' $page)" = 2 ] && grep -q '</svg>' $work/1.svg && grep -q '</svg>' $work/2.svg
    ok "its figures are drawn in it" $?
    holds "with their titles as text in their place" grep -qF 'alt="&lt;b&gt;50%&lt;/b&gt; &amp; \input{/etc/passwd}' $page
else
    skipped "its figures are drawn in it" "there is no gnuplot (Debian: gnuplot-nox)"
fi
output=$(sed -n '/id="options"/,/id="environment"/p' $page)
printf '%s\n' "$output" | grep -q 'label_smoothing</th><td class="text">0.1 (default)<' &&
    ! printf '%s\n' "$output" | grep -q '>dropout<'
ok "options that no row sets are told with their values" $?
cp $page $work/first.html
try report $work/hostile.yaml --runs $work/runs
holds "the same results make the same bytes" cmp -s $page $work/first.html
holds "it says which stages it cites" [ "$(grep -cE '"[0-9a-f]{64}"' $work/runs/reports/hostile.json)" = 13 ]
for i in 1 2 3 4 5 6 7 8; do ./sanlab report $work/hostile.yaml --runs $work/runs --out $work/page$i.html > /dev/null & done
wait
[ "$(grep -cE '"[^"]*/page[1-8].html": ' $work/runs/reports/hostile.json)" = 8 ]
ok "pages that are written at one time are all in the record" $?
try report $work/hostile.yaml --runs $work/runs --out $work/no/such/folder.html
says "a page where there is no folder" 65 "no/such/folder.html"
holds "no name was run" [ -z "$(find . -name canary -not -path './.git/*')" ]

if command -v python3 > /dev/null && command -v chromium > /dev/null; then
    output=$(timeout "$(patience 60)" scripts/check/report $page 2>&1)
    ok "Chromium has nothing to say, at two widths, light and dark" $?
    # The image of a drawing runs no script and loads nothing, even if the drawing asks for it.
    drawing=$(printf '%s' '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="console.log(1)">' \
        '<script>console.log(1)</script><image href="http://x/" width="9" height="9"/></svg>' | base64 -w 0)
    sed "s|</main>|<img alt=\"x\" src=\"data:image/svg+xml;base64,$drawing\">&|" $page > $work/drawing.html
    output=$(timeout "$(patience 60)" scripts/check/report $work/drawing.html 2>&1)
    ok "nor when a drawing holds a script" $?
    title=$(sed -n 's|<h1>\(.*\)</h1>|\1|p' $page)
    TITLE=$title awk '/<\/main>/ { print "<h2>" ENVIRON["TITLE"] "</h2>" } /<\/style>/ { print "table{width:auto}" } { print }' \
        $page > $work/bad.html
    output=$(timeout "$(patience 60)" scripts/check/report $work/bad.html 2>&1)
    printf '%s\n' "$output" | grep -q 'the title of the page is printed again' &&
        printf '%s\n' "$output" | grep -q 'a table narrower than the page'
    ok "but it sees a title that is printed twice, and narrow tables" $?
    sed 's|</main>|<script>1</script><div id="a" style="width:3000px">x</div><img id="a" src="http://x/">&|' \
        $page > $work/bad.html
    output=$(timeout "$(patience 60)" scripts/check/report $work/bad.html 2>&1)
    [ $? = 1 ] && printf '%s\n' "$output" | grep -q 'phone, light: the page is .* wider' &&
        printf '%s\n' "$output" | grep -q 'a script' &&
        printf '%s\n' "$output" | grep -q 'two elements with the id a' &&
        printf '%s\n' "$output" | grep -qi 'console: .*content security policy'
    ok "and would say it" $?
else
    skipped "Chromium looks at the page" "there is no python3 or no Chromium (Debian: chromium)"
fi
finish
