#!/bin/sh
# The stage contrast: accuracy overall and by tag, equal to `score --contrast` of the same model. A table
# with marks, a claim, a figure, and requests that are refused before anything runs.
. "$(dirname "$0")/../support/cli.sh"
task contrast_stage 200

# 60 pairs. The wrong target differs in one word in every second pair, and in all words otherwise.
awk 'BEGIN {
    srand(3)
    print "source\tright\twrong\twords\tplace"
    for (i = 0; i < 60; i++) {
        n = 2 + int(rand() * 4); s = r = w = ""
        for (j = 0; j < n; j++) {
            a = int(rand() * 12)
            s = s (j ? " " : "") "s" a; r = r (j ? " " : "") "t" a
            w = w (j ? " " : "") "t" (i % 2 && j ? a : (a + 1 + int(rand() * 11)) % 12)
        }
        print s "\t" r "\t" w "\t" (i % 2 ? "one" : "all") "\t" (n > 3 ? "far" : "near")
    }
}' > $work/data/pairs.tsv

small $work/g.yaml tiny << 'END'
train: {epochs: 0, batch_tokens: 256, warmup: 20}
evaluate:
  contrast: {file: pairs.tsv}
rows:
  - {name: Short, train.steps: 2}
  - {name: Long, train.steps: 120}
table:
  columns: [contrast.accuracy, {column: contrast.accuracy, class: all}, "p(contrast.accuracy)", contrast.share]
  baseline: Short
  significance: {family: [contrast.accuracy, {column: contrast.accuracy, class: one}], correction: holm}
claims:
  - {text: "Longer is better", compare: [Long, Short], metric: contrast.accuracy, expect: greater, smallest: 1, undertrained: allow}
  - {text: "And where all are", compare: [Long, Short], metric: {column: contrast.accuracy, class: "all"}, expect: greater, undertrained: allow}
  - {text: "Also where one word is wrong", compare: [Long, Short], metric: {column: contrast.accuracy, class: one}, expect: greater, undertrained: allow}
figures:
  - {kind: bars, left: contrast.accuracy}
  - {kind: classes, left: contrast.accuracy}
END
expect "it runs" 0 "" run $work/g.yaml --runs $work/runs --quiet
try ls --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q '^score'
ok "and no translation is made" $?

# of ROW GROUP [COLUMN]: prints the accuracy in per cent that `score --contrast` gives for the model of a
# row. GROUP: every, or a value of the tag "words". With COLUMN 3: the mean share of the right target.
of() {
    ./sanlab score --contrast $work/data/pairs.tsv "g/$1/1" --runs $work/runs |
        awk -F'\t' -v group="$2" -v column="${3:-1}" '
            NR > 1 && (group == "every" || $7 == group) { n++; right += $2 > $3; share += $6 }
            END { if (column == 3) printf "%.3f", share / n; else printf "%.1f", 100 * right / n }'
}
for row in Short Long; do
    output=$(./sanlab table $work/g.yaml --runs $work/runs --format csv | grep "^$row,")
    all=$(of $row every) one=$(of $row one) other=$(of $row all) share=$(of $row every 3)
    output="$output; expected $all, $one and $other, a share of $share"
    [ -n "$all" ] && [ -n "$one" ] && [ -n "$other" ] &&
        printf '%s\n' "$output" | grep -Eq "^$row,$all,.*,$share" &&
        printf '%s\n' "$output" | grep -q ",$one," && printf '%s\n' "$output" | grep -q ",$other,"
    ok "$row: as score --contrast has it, in all and by tag" $?
done
expect "the longer training is marked" 0 '^Long .*△' table $work/g.yaml --runs $work/runs
says "Holm over both columns" 0 "Holm over 2 comparisons"
says "one line of signatures" 0 "Contrast.*: accuracy.per:target.pairs:[0-9a-f]+.number:60"
sed "/significance/s/family: .*, correction/correction/" $work/g.yaml > $work/default.yaml
try table $work/default.yaml --runs $work/runs
says "by default what the table has p of is compared" 0 "Holm over 1 comparison[^s]"
sed "s/\"p(contrast.accuracy)\", //" $work/default.yaml > $work/shown.yaml
expect "or all that it shows" 0 "Holm over 3 comparisons" table $work/shown.yaml --runs $work/runs
sed 's/^  columns: .*/  columns: [train.dev_loss]/; s/  significance: .*//' $work/g.yaml > $work/loss.yaml
try table $work/loss.yaml --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q '^Pairs: '
ok "no word about pairs below a table without them" $?
sed 's/^  columns: .*/  columns: [bleu, train.dev_loss]/; s/  significance: .*/  significance: {}/; s/^evaluate:/&\n  bleu: {split: dev}/' $work/g.yaml > $work/loss.yaml
try table $work/loss.yaml --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q '^Pairs: '
ok "nor where other values are compared" $?
sed '/significance/s/class: one/class: ones/' $work/g.yaml > $work/ones.yaml
try table $work/ones.yaml --runs $work/runs
says "the family names classes that there are" 65 'ones.yaml:13:[0-9]+: class: .*"ones"; nearest is "one"'
sed '/columns/s/"p(contrast.accuracy)"/{column: p(contrast.accuracy), class: ones}/; s/  significance: .*//' \
    $work/g.yaml > $work/ones.yaml
try table $work/ones.yaml --runs $work/runs
says "and so does p of one" 65 'ones.yaml:11:[0-9]+: class: .*"ones"; nearest is "one"'
# Both tags have 30 pairs, so their mean is the overall accuracy.
sed 's/^  columns: .*/  columns: [contrast.accuracy, {column: contrast.accuracy, class: "all"}, mean(Words)]\
  groups: {Words: [{column: contrast.accuracy, class: one}, {column: contrast.accuracy, class: "all"}]}/
    s/  significance: .*//' $work/g.yaml > $work/groups.yaml
try table $work/groups.yaml --runs $work/runs --format csv
output="$output; expected $(of Long every) and $(of Long all)"
printf '%s\n' "$output" | awk -F, -v all="$(of Long every)" -v other="$(of Long all)" '
    $1 == "Long" { found = $2 == all && $3 == other && ($4 - all) ^ 2 < 0.02 }
    END { exit !found }'
ok "a mean over classes, one of them called all" $?
sed -i '/groups/s/"all"/all/' $work/groups.yaml
try plan $work/groups.yaml --runs $work/runs
says "which in quotes it must be" 65 'groups.yaml:12:[0-9]+: groups: Words: class: all makes a column for each'
# A paper's value for a class, and a quoted row's value.
sed 's/^  baseline: .*/&\n  paper: {metric: M, "contrast.accuracy: one": {Long: 12.5}}/
    s/^  - {name: Long.*/&\n  - {name: Theirs, quote: {metric: M, "contrast.accuracy: one": 13.5}}/' \
    $work/g.yaml > $work/paper.yaml
expect "a paper's value of a class" 0 '^Long .* 12\.5$' table $work/paper.yaml --runs $work/runs
says "beside ours" 0 'Contrast: one, paper$'
says "and a quoted one" 0 '^Theirs .* 13\.5 '
sed -i 's/accuracy: one": {/accuracy: ones": {/' $work/paper.yaml
try table $work/paper.yaml --runs $work/runs
says "of a class that there is" 65 'paper.yaml:14:[0-9]+: class: .*"ones"; nearest is "one"'
try diff g/Long/1/contrast g/Short/1/contrast --runs $work/runs
says "diff has what differs by class" 0 "^accuracy: one +[0-9.]+ +[0-9.]+$"
sed 's/, undertrained: allow//' $work/g.yaml > $work/short.yaml
try claims $work/short.yaml --runs $work/runs
says "a training that ended in its warm-up decides nothing" 0 "1\. Longer is better +inconclusive \(undertrained\) "
says "and the note says so" 0 "^1\. .*; undertrained: the warm-up of Short is 20 steps, its training 2; .*1 and 1 stages"
try claims $work/g.yaml --runs $work/runs
says "claims are judged by items" 0 "1\. Longer is better +inconclusive \(one seed\) +\+[0-9.]+ .*< 0\.001"
says "a class that is called all stands in quotes" 0 "2\. Contrast: all of Long against Short"
says "those of a class, too" 0 "3\. Also where one word is wrong +inconclusive \(one seed\)"
says "as the caption says" 0 "resampled over items"
says "with one signature of all" 0 "^Contrast, Contrast: all, Contrast: one: accuracy.per:target.pairs:[0-9a-f]+.number:60$"
try plot $work/g.yaml --runs $work/runs --out $work/figures
if command -v gnuplot > /dev/null; then
    output=$(cd $work/figures && ls)
    holds "both figures are drawn" [ "$(find $work/figures -name '*.svg' | wc -l)" = 2 ]
fi
expect "verify counts the items again" 0 "2 scored again: 0 problems" verify --runs $work/runs
# A done.json of an older program has no digest of the metrics.
cp -r $work/runs $work/older
rows=$(ls $work/older/stages/contrast-*/metrics.jsonl | head -1)
sed -i '/"accuracy".*"class":"one"/s/"value":[0-9.]*/"value":99/' "$rows"
sed -i '/"metrics.jsonl":/d' "${rows%/*}/done.json"
sed -i -z 's/,\n  }/\n  }/' "${rows%/*}/done.json"
try verify --runs $work/older
says "and those of a class" 1 'items of the class one score [0-9.]+, but 99.0000 was recorded'
rm -r $work/older
items=$(ls $work/runs/stages/contrast-*/items.tsv | head -1)
sed -i '2s/^[0-9]*/50/' "$items"
expect "and sees one that was changed" 1 "items.tsv" verify --runs $work/runs

try plan $work/g.yaml evaluate.contrast.by=place --runs $work/runs
says "another column of tags is another stage" 0 "^contrast-[0-9a-f]+ +Long/1 +new"
try plan $work/g.yaml evaluate.contrast.by=plase --runs $work/runs
says "a column that there is not" 65 'evaluate.contrast.by: .*"plase".*"place"'
try plan $work/g.yaml evaluate.contrast.file=none.tsv --runs $work/runs
says "a file that is not there" 1 "^!! none.tsv is missing \(2 stages wait\)$"
{ printf '\357\273\277'; cat $work/data/pairs.tsv; } > $work/data/marked.tsv
try plan $work/g.yaml evaluate.contrast.file=marked.tsv evaluate.contrast.by=place --runs $work/runs
says "a byte order mark is no part of the first line" 0 "^contrast-[0-9a-f]+ +Long/1 +new"
printf 's1 s2\tt1 t2\tt3 t4\rlost\n' > $work/data/return.tsv
try plan $work/g.yaml evaluate.contrast.file=return.tsv --runs $work/runs
says "nothing is lost after a carriage return" 65 "return.tsv:1: a carriage return within the line"
# Two columns of tags with the same words and equally many pairs.
awk -F'\t' -v OFS='\t' '{ print $1, $2, $3, NR == 1 ? "odd" : NR % 2 ? "yes" : "no",
                         NR == 1 ? "early" : NR < 32 ? "yes" : "no" }' \
    $work/data/pairs.tsv > $work/data/tags.tsv
sed -e '/^table/,$d' -e 's/^grid: g/grid: tags/' -e 's/pairs.tsv/tags.tsv/' -e 's/120}/120, evaluate.contrast.by: early}/' \
    $work/g.yaml > $work/tags.yaml
cat >> $work/tags.yaml << 'END'
table: {columns: [{column: contrast.accuracy, class: yes}, {column: p(contrast.accuracy), class: yes}]}
END
./sanlab run $work/tags.yaml --runs $work/runs --quiet
try table $work/tags.yaml --runs $work/runs
says "pairs of one class by different tags are no pairs" 0 "Long .Contrast: yes: other items"
printf 'a\tb\n' > $work/data/bad.tsv
try plan $work/g.yaml evaluate.contrast.file=bad.tsv --runs $work/runs
says "a file that is none" 65 "bad.tsv:1: 2 columns"
awk 'BEGIN { print "source\tright\twrong\tid"; for (i = 0; i < 1001; i++) print "s1\tt1\tt2\t" i }' > $work/data/ids.tsv
try plan $work/g.yaml evaluate.contrast.file=ids.tsv --runs $work/runs
says "a column of names" 65 'evaluate.contrast.by: the column "id" has 1001 different tags; expected .* at most 1000, or none'
sed '/^  columns/d; /significance/d; /^claims/,$d' $work/g.yaml > $work/ids.yaml
try run $work/ids.yaml evaluate.contrast.file=ids.tsv evaluate.contrast.by=none --runs $work/runs --quiet
says "which need not be asked for" 0 ""
try plan $work/g.yaml '~evaluate.contrast.file' --runs $work/runs
says "no file" 65 "evaluate.contrast.file: expected"
try score --ref $work/data/dev.b $work/data/dev.b --checkpoint last
says "what is about a model says nothing of files" 65 "score: --checkpoint applies to a model; expected --contrast"
try score --contrast $work/data/pairs.tsv g/Long/1 --paired-bs --runs $work/runs
says "nor the other way round" 65 "score: --paired-bs applies to files of hypotheses"
expect "nor a form of the table" 65 "score: --format applies to files of hypotheses" \
    score --contrast $work/data/pairs.tsv g/Long/1 --format csv --runs $work/runs
finish
