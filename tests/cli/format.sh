#!/bin/sh
# docs/format.md: its queries, as they stand there, answer what the verbs answer; it names every table
# and column of the database; run folders are joined by copying.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
task format_cli 300
runs=$work/runs page=docs/format.md
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
try run $work/g.yaml --runs $runs -j 1
says "a small grid" 0 "13 of 13 stages done"

# query N: what the N-th question of the page answers; where there is the program sqlite3, that, too.
query() {
    awk -v wanted="$1" '/^```$/ { inside = 0 } inside; /^```sql$/ { inside = ++count == wanted }' $page > $work/sql
    output=$(build/tests/tool/sql $runs/sanlab.db < $work/sql 2>&1)
    code=$?
    if command -v sqlite3 > /dev/null; then
        other=$(sqlite3 -header $runs/sanlab.db < $work/sql 2>&1)
        [ "$output" = "$other" ] || code="other than sqlite3's, which says $other"
    fi
}
[ "$(grep -c '^```sql$' $page)" = 5 ]
ok "five queries" $?

# same WHAT FILE: the rows below the header, numbers as far as they are printed alike.
same() {
    printf '%s\n' "$output" | awk -F '|' -v OFS='|' 'NR > 1 { $NF = sprintf("%.9g", $NF); print }' > $work/rows
    [ "$code" = 0 ] && [ -s "$2" ] && output=$(diff "$2" $work/rows)
    ok "$1" $?
}
# field KEY: window, row, seed and that value of each line that the verb exports.
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

# The page names all that there is.
sql() {
    output=$(printf '%s\n' "$1" | build/tests/tool/sql $runs/sanlab.db 2>&1)
    code=$?
}
sql "SELECT m.type, m.name, p.name AS item FROM sqlite_schema AS m, pragma_table_info(m.name) AS p
    WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%'"
missing=$(printf '%s\n' "$output" | tail -n +2 | while IFS='|' read -r type name item; do
    if [ "$type" = view ]; then
        grep -q "^| \`$item\`\|^| .*\`$item\`.* |" $page || echo "$name.$item"
    else
        grep "^| .*\`$name\`" $page | grep -q "\`$item\`" || echo "$name.$item"
    fi
done)
[ "$code" = 0 ] && output=$missing && [ -z "$missing" ]
ok "every table and column stands in the page" $?
sql "SELECT user_version AS version FROM pragma_user_version"
version=${output#version?}
grep -q "version of the schema, $version\\." $page
ok "and the version" $?

# Two people have done a seed each. The stages of one are copied beside those of the other.
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
try table $work/g.yaml --runs $work/one
says "one has seed 1" 0 "^Transformer .* \(1/2, 1 new\)"
sed -n '/^## Joining/,/^## /s/^    \(.*\)$/\1/p' $page | grep -v sanlab | sed "s|THEIRS|$work/two|g; s|MINE|$work/one|g" > $work/join
output=$(cat $work/join; sh -e $work/join 2>&1; ./sanlab collect --runs $work/one 2>&1)
[ -s $work/join ]
ok "the page's commands join them" $?
./sanlab table $work/g.yaml --runs $runs > $work/whole
try table $work/g.yaml --runs $work/one
[ "$output" = "$(cat $work/whole)" ]
ok "the table is that of who has done both" $?
try run $work/g.yaml --runs $work/one
says "nothing is left to do" 0 "13 of 13 stages done"
try verify --runs $work/one
says "and all is sound" 0 "^13 stages, .*: 0 problems"
finish
