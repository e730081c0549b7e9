#!/bin/sh
# Metrics beside BLEU in a grid: chrF, TER and another program's, of translations that stay as they
# are; in tables, claims and verify; what is refused; and `sanlab score --metric`.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
task metrics 200

cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
train: {epochs: 0, batch_tokens: 256, warmup: 20, validate_every: 2, keep_best: 2}
evaluate.bleu: {split: dev, checkpoint: last, beam: 1}
rows:
  - {name: Short, train.steps: 8}
  - {name: Long, train.steps: 120}
  - {name: Two, train.steps: 8, evaluate.bleu.checkpoint: mean_of_best(2)}
table: {columns: [bleu]}
END
try run $work/g.yaml --runs $work/runs --quiet
says "BLEU alone" 0 ""
ls $work/runs/stages > $work/before

# A program of one's own: how many words of a hypothesis its reference has, too.
cat > $work/share << 'END'
#!/bin/sh
echo "$@" >> "$(dirname "$0")/asked"
paste "$1" "$2" "$3" | awk -F '\t' '{ split($2, w, " "); n = 0
    for (i in w) n += index(" " $3 " ", " " w[i] " ") > 0
    print (length($1) ? n / 10 : "no source") }'
END
chmod +x $work/share
# grid NAME SECTION...: another one, with these sections, too
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
try plan $work/m.yaml --runs $work/runs
says "no score is done again" 0 "score-[0-9a-f]+ .*done"
try run $work/m.yaml --runs $work/runs --quiet
says "three metrics more" 0 ""
ls $work/runs/stages > $work/after
output=$(comm -13 $work/before $work/after | sed 's/-.*//' | sort | uniq -c | tr -s ' \n' '  ')
[ "$output" = " 3 chrf 3 command 3 ter " ] && [ -z "$(comm -23 $work/before $work/after)" ]
ok "are stages of their own" $?

# stage ROW KIND: its folder
stage() {
    echo "$work/runs/stages/$(./sanlab show "m/$1/1/$2" --runs $work/runs 2> /dev/null |
        grep -o -m 1 "${2%%.*}-[0-9a-f]*")"
}
# recorded STAGE NAME: a number of its summary
recorded() {
    sed -n "s/^ *\"$2\": \([0-9.e-]*\),*$/\1/p" "$1/done.json"
}
score=$(stage Long score) corpus=$(stage Long corpus)
for metric in chrf ter; do
    ./sanlab score --metric $metric --ref "$corpus/dev.reference" "$score/hypotheses.txt" \
        > $work/line
    output="$(cat $work/line), recorded $(recorded "$(stage Long $metric)" $metric)"
    [ "$(sed 's/.* = //' $work/line)" = \
        "$(printf '%.2f' "$(recorded "$(stage Long $metric)" $metric)")" ]
    ok "$metric is what the verb says of the same files" $?
done
output=$(cat $work/asked)
[ "$(grep -c . $work/asked)" = 4 ] && grep -q "hypotheses.2.txt" $work/asked
ok "a program is asked once of each set" $?
share=$(stage Long command.share)
mean=$(awk -F '\t' 'FNR > 1 { n += $1 } END { printf "%.6f", n / (FNR - 1) }' "$share/items.tsv")
output="$mean, recorded $(recorded "$share" value)"
[ "$mean" = "$(printf '%.6f' "$(recorded "$share" value)")" ]
ok "its numbers are items, their mean the value" $?
[ ! -e "$share/source.txt" ]
ok "and the source is gone again" $?

try table $work/m.yaml --runs $work/runs
says "a table has them" 0 "BLEU .*chrF .*TER"
says "with their signatures" 0 "TER\|nrefs:1\|case:lc\|tok:tercom"
says "and compares them" 0 "Holm over 6 comparisons"
says "more edits are worse" 0 "Long .*△.* [0-9.]+▽"
try claims $work/m.yaml --runs $work/runs
says "a claim has its direction" 0 "Fewer edits .*\+[0-9.]+ .* 0\.9[0-9]*"
try table $work/m.yaml --runs $work/runs --format latex
least=$(for row in Short Long Two; do recorded "$(stage $row ter)" ter; done | sort -g | head -1)
printf '%s\n' "$output" | grep -q "&.*&.*textbf{$(printf '%.2f' "$least" | sed 's|[.].*||')}"
ok "the least TER is bold" $?
try verify --runs $work/runs
says "verify counts again" 0 ""
try run $work/m.yaml --runs $work/runs --quiet
[ "$(grep -c . $work/asked)" = 4 ]
ok "and asks no program, nor does a run when all is done" $?
echo '# another' >> $work/share
try plan $work/m.yaml --runs $work/runs
says "another program is another stage" 0 "command-[0-9a-f]+ .*share .*new"
sed -i '$d' $work/share
printf 'x\n' >> "$score/hypotheses.txt"
try verify --runs $work/runs
says "hypotheses that changed are found" 1 "ter-[0-9a-f]*: .*hypotheses.txt has "

# refuse WHAT PATTERN SECTION
refuse() {
    grid bad "$3" > $work/bad.yaml
    try plan $work/bad.yaml --runs $work/runs
    says "$1" 65 "$2"
}
grid bad "ter: {}" | sed '/bleu/d' > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "no BLEU" 65 'bad.yaml:8:[0-9]+: evaluate.ter: it scores the translations of evaluate.bleu'
run="bad.yaml:10:[0-9]+: evaluate.command.run:"
refuse "a program that is not there" "$run there is no program no-such" \
    "command: {name: share, run: [no-such, '{hypotheses}']}"
refuse "no hypotheses" "$run no word is \{hypotheses\}" "command: {name: share, run: [cat]}"
refuse "an unknown file" "$run \"\{refs\}\": expected \{source\}" \
    "command: {name: share, run: [cat, '{hypotheses}', '{refs}']}"
refuse "no name" 'evaluate.command: expected name' "command: {run: [cat, '{hypotheses}']}"
refuse "an order of words" 'bad.yaml:10:[0-9]+: evaluate.chrf.word_order: .*4' \
    'chrf: {word_order: 9}'

# fails WHAT PATTERN SCRIPT: a run whose program does so
fails() {
    printf '#!/bin/sh\n%s\n' "$3" > $work/program
    chmod +x $work/program
    grid bad "command: {name: bad, run: [$PWD/$work/program, '{hypotheses}']}" |
        sed '/name: Long/d; /name: Two/d' > $work/bad.yaml
    try run $work/bad.yaml --runs $work/runs --quiet --retry failed
    says "$1" 1 "$2"
}
rm -rf "$score"
fails "it fails" 'evaluate.command.run: .*/program: ended with status 3' 'exit 3'
fails "too few lines" 'program: printed 2 lines, there are 40 sentences: expected a number for each' \
    'echo 1; echo 2'
fails "words" 'program: line 3 of what it printed is "nice": expected one number' \
    'yes 0.5 | head -2; yes nice | head -38'

try score --ref $work/data/dev.b --metric ter --word-order 2 $work/data/dev.b
says "an option of another metric" 65 \
    "score: --char-order, --word-order and --beta are of --metric chrf; the metric is ter"
try score --ref $work/data/dev.b --metric tre $work/data/dev.b
says "an unknown metric" 65 '"ter"'
finish
