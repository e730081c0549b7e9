#!/bin/sh
# Gates by part of speech, from a treebank, a file of tags, and a tagger program. The untrained gate,
# unchanged ids of other stages, and requests that are refused before anything is computed.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/analyses.sh
analyses_task gates_pos

# s0..s5 are nouns, s6..s9 verbs, s10 a conjunction, s11 punctuation. Writes the tags of dev, and a
# treebank of its first 12 lines with an unknown word.
tag='function tag(w) { return w ~ /^s[0-5]$/ ? "NOUN" : w ~ /^s[6-9]$/ ? "VERB" : w == "s10" ? "CCONJ" : "PUNCT" }'
awk "$tag"' { for (i = 1; i <= NF; i++) printf "%s%s", tag($i), i < NF ? " " : "\n" }' $work/data/dev.a > $work/data/dev.tags
awk "$tag"' NR <= 12 { print "# sent_id = " NR
    for (i = 1; i <= NF; i++) print i "\t" $i "\t_\t" tag($i) "\t_\t_\t_\t_\t_\t_"
    if (NR == 1) print NF + 1 "\tunheard\t_\tADJ\t_\t_\t_\t_\t_\t_"
    print "" }' $work/data/dev.a > $work/data/bank.conllu
cat > $work/tagger << END
#!/bin/sh
echo once >> "$PWD/$work/calls"
exec awk '$tag { for (i = 1; i <= NF; i++) printf "%s%s", tag(\$i), i < NF ? " " : "\n" }'
END
chmod +x $work/tagger

# gates NAME GATES: writes a grid of one hybrid with these options.
gates() {
    grid "$1" 'encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]' \
        "gates: $2" 'table: {columns: [gates.gate]}'
}
# metrics NAME: prints the metrics of its gates stage.
metrics() { cat "$(folder "$1" gates)"/metrics.jsonl; }

gates old '{by: [layer, head]}'
gates same '{by: [head, layer], tagset: universal, sconj: ADP, start: false, lowercase: false}'
holds "defaults of new options move no id" [ "$(id old gates)" = "$(id same gates)" ]

gates bank '{by: [layer, pos], text: bank.conllu, start: true}'
expect "a treebank is measured" 0 . run $work/bank.yaml --runs $runs
output=$(metrics bank)
for what in '"name":"gate",.*"layer":1,.*"class":"NOUN","n":[0-9]' '"name":"gate",.*"class":"ADJ","n":1[},]' \
    '"name":"gate_se",.*"layer":6,.*"class":"VERB"' '"name":"gate_shuffles",.*"n":200' \
    '"name":"gate_start",.*"layer":1,.*"class":"NOUN"' '"name":"gate_start",.*"layer":1,"n"'; do
    matches "there is a row $what" "$what"
done
! printf '%s\n' "$output" | grep '"gate_se"' | grep -q ADJ
ok "one word has no standard error" $?
words=$(awk -F'\t' 'NF == 10' $work/data/bank.conllu | wc -l)
printf '%s\n' "$output" | awk -v words="$words" '
    /"name":"gate"/ && /"class"/ && !/"layer"/ { match($0, /"n":[0-9]+/); n += substr($0, RSTART + 4, RLENGTH - 4) }
    END { exit n != words }'
ok "n counts all $words words" $?
expect "its summary counts unknown words" 0 'unknown_words' show "$(id bank gates)" --runs $runs
awk -F'\t' '$2 == 1 && $3 == "NOUN" { n += $4; sum += $5 } END { printf "%.9f", sum / n }' \
    $runs/stages/"$(id bank gates)"/clusters.tsv > $work/mean
grep -o '"name":"gate",.*"layer":1,.*"class":"NOUN"' $runs/stages/"$(id bank gates)"/metrics.jsonl |
    sed 's/.*"value":\([0-9.]*\).*/\1/' | awk -v want="$(cat $work/mean)" '{ exit ($1 - want) ^ 2 > 1e-14 }'
ok "the clusters have the mean of a class" $?

# The folder of a text does not count: a second seed with a moved text is compared with the first.
mkdir -p $work/data/moved
cp $work/data/bank.conllu $work/data/moved/bank.conllu
sed 's|text: bank|text: moved/bank|; s|^table:.*|table: {columns: [{column: gates.gate, layer: 1}]}|' $work/bank.yaml > $work/moved.yaml
try run $work/moved.yaml 'seeds=1,2' --runs $runs
expect "a text that was moved" 0 '^Row +[0-9.]+ ± [0-9.]+$' table $work/moved.yaml 'seeds=1,2' --runs $runs

# Weights of all branches of a squeeze.
grid hysan 'encoder.attention: [{layers: 1-2, branches: [global, forward, {window: 1}], fusion: {squeeze: 2}}]' \
    'gates: {by: [layer, pos], text: bank.conllu, start: true}' \
    'table: {columns: [gates.branch_1, {column: gates.branch_3, layer: 2}, {column: gates.branch_2, class: NOUN}]}
figures: [{kind: classes, left: gates.branch_3}, {kind: layers, left: gates.branch_2}]'
expect "branches of a squeeze are measured" 0 . run $work/hysan.yaml --runs $runs
output=$(metrics hysan)
for what in '"name":"branch_3",.*"layer":2,.*"class":"NOUN","n":[0-9]' '"name":"branch_1_se",.*"class":"VERB"' \
    '"name":"branch_2_start",.*"layer":1,"n"' '"name":"branch_3_start_shuffles",.*"n":200'; do
    says "a squeeze has $what" 0 "$what"
done
lacks "no gate of a second branch" '"name":"gate'
lacks "and no branch that it has not" '"name":"branch_4'
expect "they are columns" 0 '^Row +0[.][0-9]+ +0[.][0-9]+ +0[.][0-9]+$' table $work/hysan.yaml --runs $runs
expect "each branch is a column of analyze" 0 '^ +Weight of branch 1 +Weight of branch 2 +Weight of branch 3$' \
    analyze hysan/Row/1 gates --text bank.conllu --runs $runs
says "by layer and by word class" 0 '^NOUN +0[.][0-9]+ +0[.][0-9]+ +0[.][0-9]+$'
if command -v gnuplot > /dev/null; then
    expect "and are drawn" 0 hysan-2 plot $work/hysan.yaml --runs $runs --out $work/plots --keep
    says "with the weights before training" 0 'Hollow: of the parameters that training began with'
    [ "$(grep -c 'branch_3_start' $work/plots/hysan-1/data.tsv)" -ge 3 ]
    ok "by word class" $?
fi
grid bad 'encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: concat}]' 'gates: {by: [layer]}'
refused "a fusion without weights" "bad.yaml:.*no row.s encoder has a fusion with gates"
grid bad 'encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: {squeeze: 2}}]' \
    'ablatepos: {text: bank.conllu, references: bank.conllu}'
refused "ablation of the gates of a squeeze" "bad.yaml:.*no row.s encoder has a fusion with gates"

printf 's0\ts1\n' > $work/own.tsv
gates own '{by: [pos], text: bank.conllu, rules: own.tsv}'
expect "with rules that lie beside the grid" 0 . run $work/own.yaml --runs $runs
expect "also once more" 0 "" redo "$(id own gates)" --runs $runs --quiet

gates file '{by: [pos], tags: dev.tags}'
expect "tags of a file are measured" 0 . run $work/file.yaml --runs $runs
{
    for word in 0 1 2 3 4 5; do printf 's%s\tNOUN\n' $word; done
    for word in 6 7 8 9; do printf 's%s\tVERB\n' $word; done
    printf 's10\tCCONJ\n*\tPUNCT\n'
} > $work/list.tsv
gates list '{by: [pos], tags: {words: list.tsv}}'
expect "tags of a list are measured" 0 . run $work/list.yaml --runs $runs
holds "and are those of the file" [ "$(metrics file)" = "$(metrics list)" ]
before=$(id list gates)
sed -i '/^\*/d' $work/list.tsv
holds "another list is another stage" [ "$before" != "$(id list gates)" ]
try run $work/list.yaml --runs $runs
says "a word that is not on the list is refused" 65 'list.tsv: no tag for "s11"; a line "\*<TAB>TAG" is for every other word'
gates bad '{by: [pos], tags: {words: english-funktion}}'
refused "a list that does not exist" 'nearest is .english-function.; '
gates bad '{by: [pos], tags: {words: none}}'
refused "no list" 'expected a file, .words: FILE., or .command'
gates bad '{by: [pos], tags: {words: list.tsv, command: [a]}}'
refused "a list and a program" 'expected a file, .words: FILE., or .command'
gates command "{by: [pos], tags: {command: [$PWD/$work/tagger]}}"
cp -r $runs $work/again
try run $work/command.yaml --runs $work/again --log-format json
says "the program is an event of a log in JSON" 0 \
    "\"event\":\"program\",\"kind\":\"gates\",\"stages\":1,\"words\":\[\"$PWD/$work/tagger\"\]\}$"
printf '%s\n' "$output" > $work/said
! grep -v '^{"time":' $work/said
ok "and nothing there is no event" $?
rm -r $work/again $work/calls
try plan $work/command.yaml --runs $runs
says "plan says which tagger would start" 0 "^program of 1 gates stage: $PWD/$work/tagger\$"
try run $work/command.yaml --runs $runs
says "tags of a program are measured" 0 "^sanlab: program of 1 gates stage: $PWD/$work/tagger\$"
holds "it ran once" [ "$(wc -l < $work/calls)" = 1 ]
holds "and says what the file says" [ "$(metrics file)" = "$(metrics command)" ]
holds "what it printed is kept" cmp -s $work/data/dev.tags $runs/stages/"$(id command gates)"/tags.txt
try table $work/command.yaml --runs $runs
says "and named by its digest" 0 "tags:tagger:$(sha256sum $work/data/dev.tags | cut -c 1-8)"
try redo "$(id command gates)" --runs $runs
says "no folder starts a program" 65 'redo: gates-.*: runs the program .*/tagger, which only .sanlab run'
before=$(id command gates)
echo '# another' >> $work/tagger
holds "another program is another stage" [ "$before" != "$(id command gates)" ]
try run $work/command.yaml --runs $runs
try diff "$before" "$(id command gates)" --runs $runs
says "which diff tells by its file" 0 '^command.1 +[0-9a-f]{64} +[0-9a-f]{64}$'
expect "all of it verifies" 0 . verify --runs $runs
sed -i 's/columns: .gates.gate./columns: [{column: gates.gate, layer: 1, class: all}]/' $work/bank.yaml
expect "a table has a column for each class" 0 'NOUN.*VERB' table $work/bank.yaml --runs $runs
cat >> $work/bank.yaml << END
claims:
  - {text: nouns, row: Row, metric: {column: gates.gate, layer: 1}, compare: [{class: [NOUN, ADJ]}, {class: CONJ}], expect: greater}
  - {text: falls, row: Row, metric: gates.gate, along: layer, expect: less}
  - {text: low, row: Row, metric: {column: gates.gate, layer: 1}, against: 0.9, expect: less}
END
try claims $work/bank.yaml --runs $runs
says "claims of classes know what one encoder says" 0 'nouns +inconclusive \(one seed\)'
says "so do claims of a slope" 0 'NOUN, ADJ in Row against CONJ'
says "and of a number" 0 '3[.] low +inconclusive \(one seed\) +-0[.][34]'
sed '/text: falls\|text: low/d; /text: nouns/s/layer: 1/layer: 9/' $work/bank.yaml > $work/outside.yaml
run timeout "$(patience 60)" ./sanlab claims $work/outside.yaml --runs $runs
says "a claim of a layer outside has an end" 0 'a side has no value'

# ---- refused ----

gates bad '{by: [layer, pos]}'
refused "pos without tags" 'evaluate.gates.by: pos needs tagged words'
gates bad '{by: [layer, ops]}'
refused "a misspelled word" 'layer'
gates bad '{by: [pos], text: bank.conllu, tags: dev.tags}'
refused "two kinds of tags" 'evaluate.gates.tags: a treebank .* has its own tags'
gates bad '{by: [pos], tags: {command: [no-such-tagger]}}'
refused "a program that is not there" 'there is no program no-such-tagger'
gates bad '{by: [pos], tags: {comand: [x]}}'
refused "a misspelled key" 'command'
sed '2s/^[^\t]*\t/1 /' $work/data/bank.conllu > $work/data/short.conllu
gates bad '{by: [pos], text: short.conllu}'
refused "a line of nine columns" 'short.conllu:2: 9 columns between tabs; expected ten'
sed '3s/NOUN\|VERB\|CCONJ\|PUNCT/NOUM/' $work/data/bank.conllu > $work/data/tag.conllu
gates bad '{by: [pos], text: tag.conllu}'
refused "an unknown tag" 'tag.conllu:3:1: tag: unknown part of speech "NOUM"; nearest is "NOUN"'
sed '7s/^[A-Z]* //' $work/data/dev.tags > $work/data/less.tags
gates bad '{by: [pos], tags: less.tags}'
refused "a line with a tag less" 'less.tags:7: [0-9]* tags?, but sentence 7 of dev has [0-9]* tokens: s'
sed 1d $work/data/dev.tags > $work/data/lines.tags
gates bad '{by: [pos], tags: lines.tags}'
expect "a line less" 65 'lines.tags:' run $work/bad.yaml --runs $work/none
gates bad '{by: [pos], text: absent.conllu}'
expect "a file that is not there is named" 1 'absent.conllu' plan $work/bad.yaml --runs $work/none
gates fails '{by: [pos], tags: {command: ["false"]}}'
try run $work/fails.yaml --runs $runs
says "a program that fails fails the stage" 1 'evaluate.gates.tags.command: false: ended with status 1'
gates fails '{by: [pos], tags: {command: [head, -n, 3, dev.tags]}}'
sed -i "s,dev.tags,$PWD/$work/data/dev.tags," $work/fails.yaml
try run $work/fails.yaml --runs $runs
says "a program that prints too few lines" 1 'head: 3 lines of tags; expected a line for each of the 40'
sed -i 's/fusion: gate/fusion: concat/' $work/bank.yaml
expect "a model without gates" 65 'no row.s encoder has a fusion with gates' run $work/bank.yaml --runs $work/none
finish
