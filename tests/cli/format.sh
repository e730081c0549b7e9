#!/bin/sh
# docs/format.md: its queries run as printed and agree with the verbs and the files. The page names every
# table and column of the databases. Run folders are joined by copying.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/probing.sh
task format_cli 300
probing_files
runs=$work/runs page=docs/format.md database=$runs/sanlab.db
cat > $work/g.yaml << 'END'
grid: tour
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
train: {steps: 120, batch_tokens: 256, warmup: 20, validate_every: 40, rate: 2}
seeds: [1, 2]
sweep: {window: [1, 2]}
rows:
  - {name: Transformer, sweep: false}
  - {name: gate, encoder.attention: [{layers: 1, branches: [global, {window: $window}], fusion: gate}]}
evaluate: {bleu: {split: dev, beam: 2}}
END
expect "a small grid" 0 "13 of 13 stages done" run $work/g.yaml --runs $runs -j 1

# query N: runs the N-th query of the page, also by the program sqlite3 if it is installed.
query() {
    awk -v wanted="$1" '/^```$/ { inside = 0 } inside; /^```sql$/ { inside = ++count == wanted }' $page > $work/sql
    output=$(build/tests/tool/sql $database < $work/sql 2>&1)
    code=$?
    if command -v sqlite3 > /dev/null; then
        other=$(sqlite3 -header $database < $work/sql 2>&1)
        [ "$output" = "$other" ] || code="other than sqlite3's, which says $other"
    fi
}
holds "five queries of the database, and eight of an exported one" [ "$(grep -c '^```sql$' $page)" = 13 ]

# same WHAT FILE: compares the rows below the header, with numbers to the printed precision.
same() {
    printf '%s\n' "$output" | awk -F '|' -v OFS='|' 'NR > 1 { $NF = sprintf("%.9g", $NF); print }' > $work/rows
    [ "$code" = 0 ] && [ -s "$2" ] && output=$(diff "$2" $work/rows)
    ok "$1" $?
}
# field KEY: prints window, row, seed and this value from each line of the export.
field() {
    ./sanlab export jsonl $work/g.yaml --runs $runs | sed 's/"window":null/"window":""/' | sed -n \
        "s/.*\"row\":\"\([^\"]*\)\",\"seed\":\([0-9]*\),.*\"window\":\"\([0-9]*\)\".*\"$1\":\([^,}]*\).*/\3|\1|\2|\4/p" |
        awk -F '|' -v OFS='|' '{ $4 = sprintf("%.9g", $4); print }'
}
field bleu | grep -v '^|' | sort > $work/expected
query 1
same "BLEU by window and seed" $work/expected
[ "$(wc -l < $work/expected)" = 4 ] && ! grep -q '|0$' $work/expected
ok "of four points that have learned something" $?
field test_loss | awk -F '|' '{ if (!($2 in sum)) row[++rows] = $2; sum[$2] += $4 }
    END { for (i = 1; i <= rows; i++) printf "%s|2|%.6f\n", row[i], sum[row[i]] / 2 }' > $work/expected
query 2
output=$(printf '%s\n' "$output" | awk -F '|' 'NR == 1 { print; next }
    { if ($4 > $3 || $3 > $5) exit; printf "%s|%s|%.6f\n", $1, $2, $3 }')
same "mean and range over seeds" $work/expected

query 3
[ "$code" = 0 ] && [ -z "$output" ]
ok "all is done" $?
score=$runs/stages/$(basename "$(readlink $runs/names/tour/Transformer/2/score)")
mv "$score" $work/score
./sanlab collect --quiet --runs $runs
query 3
[ "$code" = 0 ] && [ "$output" = "grid|row|seed|status|stages
tour|Transformer|2|new|2 of 3" ]
ok "what is not done yet" $?
mv $work/score "$score"
./sanlab collect --quiet --runs $runs

query 4
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -cE '\|[123]\|[0-9.]+\|[0-9.]+\|2$')" = 9 ]
ok "learning curves over seeds: three rows, three validations" $?
query 5
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | awk -F '|' 'NR > 1 { sum += $3 } END { print sum }')" = 13 ]
ok "which code has computed how many stages" $?

# The page names every table and column.
sql() {
    output=$(printf '%s\n' "$1" | build/tests/tool/sql $database 2>&1)
    code=$?
}
named() {
    sql "SELECT m.type, m.name, p.name AS item FROM sqlite_schema AS m, pragma_table_info(m.name) AS p
        WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%'"
    missing=$(printf '%s\n' "$output" | tail -n +2 | while IFS='|' read -r type name item; do
        if [ "$type" = view ]; then
            grep -q "^| \`$item\`\|^| .*\`$item\`.* |" $page || echo "$name.$item"
        else
            grep "^| .*\`$name\`" $page | grep -q "\`$item\`" || echo "$name.$item"
        fi
    done)
    [ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | wc -l)" -gt "$1" ] && output=$missing && [ -z "$missing" ]
    ok "every table and column stands in the page" $?
}
named 80
sql "SELECT user_version AS version FROM pragma_user_version"
version=${output#version?}
holds "and the version" grep -q "version of the schema, $version\\." $page

# Two people have computed one seed each. The stages of one person are copied into the folder of the
# other.
quietly() { ./sanlab run $work/g.yaml "$1" --runs "$2" -j 1 --quiet > /dev/null 2>&1; }
mkdir -p $work/one/stages $work/one/grids $work/two/stages
cp -r $runs/stages/. $work/one/stages
cp -r $runs/stages/. $work/two/stages
for stage in "$runs"/names/tour/*/2/*; do rm -r "$work/one/stages/$(basename "$(readlink "$stage")")"; done 2> /dev/null
for stage in "$runs"/names/tour/*/1/train "$runs"/names/tour/*/1/score; do
    rm -r "$work/two/stages/$(basename "$(readlink "$stage")")"
done
quietly seeds=1 $work/one
quietly 'seeds=[2]' $work/two
expect "one has seed 1" 0 "^Transformer .* \(1/2, 1 new\)" table $work/g.yaml --runs $work/one
sed -n '/^## Joining/,/^## /s/^    \(.*\)$/\1/p' $page | grep -v sanlab | sed "s|THEIRS|$work/two|g; s|MINE|$work/one|g" > $work/join
output=$(cat $work/join; sh -e $work/join 2>&1; ./sanlab collect --runs $work/one 2>&1)
holds "the page's commands join them" [ -s $work/join ]
./sanlab table $work/g.yaml --runs $runs > $work/whole
try table $work/g.yaml --runs $work/one
holds "the table is that of who has done both" [ "$output" = "$(cat $work/whole)" ]
expect "nothing is left to do" 0 "13 of 13 stages done" run $work/g.yaml --runs $work/one
expect "and all is sound" 0 "^13 stages, .*: 0 problems" verify --runs $work/one

# A database of one grid, with items, hypotheses and verdicts.
cat > $work/mine.yaml << 'END'
groups: [Surface]
tasks: [{name: Word, file: word.txt, group: Surface}]
END
sed -i '/^evaluate/d' $work/g.yaml
cat >> $work/g.yaml << 'END'
evaluate: {bleu: {split: dev, beam: 2}, probe: {tasks: mine.yaml}}
table: {columns: [bleu, p(bleu)], baseline: Transformer, significance: {samples: 200, alpha: 0.5}}
claims:
  - {text: A gate helps, compare: [gate, Transformer], expect: greater}
END
./sanlab run $work/g.yaml --runs $runs -j 1 --quiet > /dev/null 2>&1
try export sqlite $work/g.yaml --with items,hypotheses --with verdicts --out $work/x.db --runs $runs
says "a database of the grid" 0 "^25 stages in $work/x.db$"
database=$work/x.db
named 150
# part KIND SEED ROW: prints the folder of a stage.
part() {
    row=$(printf '%s' "$3" | tr ' ' _)
    readlink -f "$runs/names/tour/$row"*"/$2/$1"
}
query 6
[ "$code" = 0 ] && [ "$output" = "row|key|value|given
Transformer|model.dropout|0.1|1
Transformer|train.epochs|0|0
gate, window 1|model.dropout|0.1|1
gate, window 1|train.epochs|0|0
gate, window 2|model.dropout|0.1|1
gate, window 2|train.epochs|0|0" ]
ok "options, also those that nobody gave" $?
./sanlab export jsonl $work/g.yaml --runs $runs |
    sed -n 's/.*"row":"\([^"]*\)".*"probe.Word@encoder.output":\([^,}]*\).*/\1|\2/p' |
    awk -F '|' '{ if (!($1 in sum)) row[++rows] = $1; sum[$1] += $2 } END { for (i = 1; i <= rows; i++) printf "%s|%.9g\n", row[i], sum[row[i]] / 2 }' > $work/expected
# accuracies ROW CLASS..: compares the accuracies in the result of a query with those of each row.
accuracies() {
    output=$(printf '%s\n' "$output" | awk -F '|' -v right="$1" 'NR == 1 { next } {
        if (!($1 in all)) row[++rows] = $1
        sum[$1] += right == "mean" ? $4 * $5 : ($3 == $4) * 100 * $5; all[$1] += $5
    } END { for (i = 1; i <= rows; i++) printf "%s|%.9g\n", row[i], sum[row[i]] / all[row[i]] }')
    [ "$code" = 0 ] && [ "$(wc -l < $work/expected)" = 3 ] && [ "$output" = "$(cat $work/expected)" ]
}
query 7
holds "items by class have the accuracy of all" accuracies mean
query 11
holds "so do confusions" accuracies diagonal
query 8
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | awk -F '|' 'NR > 1 { gain = $2 < 0 ? -$2 : $2; if (NR == 2 || gain <= last) n++; last = gain } END { print n }')" = 10 ]
ok "ten sentences, the largest difference first" $?
sql "SELECT hypothesis FROM place JOIN hypothesis USING (stage) WHERE row = 'gate, window 1' AND seed = 2 ORDER BY line"
printf '%s\n' "$output" | tail -n +2 | cmp - "$(part score 2 'gate, window 1')/hypotheses.txt"
ok "hypotheses are those of the file" $?
query 9
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 25 ]
ok "precisions of four orders" $?
sql "WITH sums AS (SELECT row, seed, \"order\", stage, sum(matched) AS matched, sum(total) AS total FROM place
    JOIN ngram USING (stage) GROUP BY stage, \"order\") SELECT row, seed, matched, total, (SELECT sum(words) FROM hypothesis
    WHERE hypothesis.stage = sums.stage) AS words, (SELECT sum(reference_words) FROM hypothesis WHERE hypothesis.stage =
    sums.stage) AS reference_words, (SELECT value FROM value WHERE value.stage = sums.stage AND name = 'bleu' AND origin > 0) AS bleu
    FROM sums ORDER BY stage, \"order\""
output=$(printf '%s\n' "$output" | awk -F '|' 'NR > 1 {
    if (NR % 4 == 2) { sum = 0; smooth = 1 }
    if (!$3) smooth *= 2
    if ($4) sum += log($3 ? $3 / $4 : 1 / smooth / $4) / 4; else sum = -99
    if (NR % 4 == 1) {
        score = 100 * exp(sum) * ($5 < $6 ? exp(1 - $6 / $5) : 1)
        if (score < 1e-9) score = 0
        if (score - $7 > 1e-9 || $7 - score > 1e-9) print $1, $2, score, $7
        good += score > 0
    }
} END { print (good > 0 ? "some" : "none") }')
holds "they make the BLEU that was recorded" [ "$output" = some ]
for name in Transformer 'gate, window 1' 'gate, window 2'; do
    for seed in 1 2; do cat "$(part probe.Word@encoder.output $seed "$name")/predictions.tsv"; done
done | awk -F '\t' '$2 != $3 && ++wrong[$1] == 6 { print $1 "|" $2 }' | sort > $work/expected
query 10
output=$(printf '%s\n' "$output" | awk -F '|' 'NR > 1 { print $2 "|" $3 }' | sort)
[ "$code" = 0 ] && [ -s $work/expected ] && [ "$output" = "$(cat $work/expected)" ]
ok "items that nobody gets right" $?
query 12
./sanlab table $work/g.yaml --runs $runs --format csv 2> /dev/null | tr -d '\r' > $work/table
output=$(printf '%s\n' "$output" | awk -F '|' 'NR > 1 { printf "%s %.3f %s\n", $1, $7, $8 == "" ? "" : "marked" }')
expected=$(awk -F '"' 'NR > 1 && NF > 1 { n = split($0, f, ","); print $2, f[n], /†/ ? "marked" : "" }' $work/table)
[ "$code" = 0 ] && [ -n "$expected" ] && [ "$output" = "$expected" ]
ok "p and marks are those of the table" $?
query 13
claims=$(./sanlab claims $work/g.yaml --runs $runs --format jsonl 2> /dev/null)
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | cut -d '|' -f 1,4,5)" = "claim|row|seed
1|gate, window 1|1
1|gate, window 1|2
1|Transformer|1
1|Transformer|2
2|gate, window 2|1
2|gate, window 2|2
2|Transformer|1
2|Transformer|2" ] && printf '%s\n' "$output" | tail -n +2 | cut -d '|' -f 1-3 | uniq |
    while IFS='|' read -r claim verdict holm; do
        holm=$(printf '%.9s' "$holm")
        printf '%s\n' "$claims" | grep -q "\"claim\":$claim,.*\"verdict\":\"$verdict\".*\"holm\":$holm" || exit 1
    done
ok "verdicts, with the stages of both sides" $?
[ "$(./sanlab claims $work/g.yaml --runs $runs --format csv 2> /dev/null | sed -n '3s/.*,\([0-9a-f]* [0-9a-f]*,[0-9a-f]* [0-9a-f]*\)$/\1/p')" = \
    "$(for name in 'gate, window 2' Transformer; do
        for seed in 1 2; do sed -n 's/^ *"id": "\(.*\)",*$/\1/p' "$(part score $seed "$name")/stage.json"; done | paste -s -d ' '
    done | paste -s -d ,)" ]
ok "and in CSV" $?
try export sqlite 'kind=train' --out $work/train.db --runs $runs --quiet
sql "SELECT 1"
database=$work/train.db
sql "SELECT (SELECT group_concat(DISTINCT kind || '') FROM stage) AS kinds, (SELECT count(*) FROM curve WHERE name =
    'dev_loss') AS losses, (SELECT count(DISTINCT stage) FROM value) AS stages"
[ "$output" = "kinds|losses|stages
train|18|6" ]
ok "of a filter, its stages alone" $?
try export sqlite 'kind = train' --with verdicts --out $work/no.db --runs $runs
says "verdicts are of a grid" 65 "no such grid"
try export sqlite $work/g.yaml --with item --out $work/no.db --runs $runs
says "a word that there is not" 65 'export: --with item: expected one of items, hypotheses, verdicts; nearest is "items"'
echo more >> "$(part score 1 Transformer)/hypotheses.txt"
try export sqlite $work/g.yaml --with hypotheses --out $work/less.db --runs $runs
says "hypotheses that have changed are left out" 0 "^sanlab: warning: bleu of score-.* has no items in the file: .*hypotheses.txt has changed"
sed -i '$d' "$(part score 1 Transformer)/hypotheses.txt"
finish
