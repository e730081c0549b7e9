#!/bin/sh
# Masking of terminal output: escapes, line breaks and invalid characters in every text of a grid, its
# data and its runs folder. No verb prints them on any stream, and none of them starts a line. Data for
# programs keeps its bytes in a file and is masked on a terminal.
. "$(dirname "$0")/../support/cli.sh"
task masked_cli 40

# ESC, BEL, DEL, U+009B, a line break, U+202E, and FORGED, which the line break would put at the start of
# a line.
evil='\e[31m\a\x7f\x9b2J\nFORGED\u202e'
cat > $work/g.yaml << END
grid: g
title: "title $evil"
source: "source $evil"
note: "note $evil"
tags: [tag]
corpus: {source: a, target: b, train: train, dev: dev, merges: 20, origin: "origin $evil"}
model: tiny
encoder.layers: 1
train: {steps: 2, batch_tokens: 256}
rows:
  - name: "row $evil"
    section: "section $evil"
  - {name: "quoted $evil", section: "more $evil", quote: {metric: "metric $evil", bleu: 24.6}}
  - {name: "other $evil", model.dropout: 0.2}
evaluate: {bleu: {split: dev, beam: 1}}
table: {columns: [parameters, dev_loss, bleu, delta(bleu)]}
claims: [{text: "claim $evil", compare: ["row $evil", "other $evil"], expect: greater}]
figures: [{kind: bars, title: "figure $evil", left: dev_loss, right: none, x: "x $evil"}]
END
runs=$work/runs

# tame WHAT: passes if the last output is UTF-8 text in lines, and no line starts with text from a file.
tame() {
    printf '%s\n' "$output" | LC_ALL=C grep -aqP \
        '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]|^FORGED' ||
        ! printf '%s\n' "$output" | iconv -f UTF-8 -t UTF-8 > /dev/null
    [ $? = 1 ] && [ -n "$output" ]
    bad=$?
    [ $bad = 0 ] || output=$(printf '%s\n' "$output" | cat -v | head -40)
    ok "$1" $bad
}
verb() {
    try "$@" --runs $runs
    tame "$*"
}

mv $work/data $work/gone
verb plan $work/g.yaml
mv $work/gone $work/data
verb run $work/g.yaml --log-format plain
verb run $work/g.yaml --log-format json
equals "the grid has run" 2 "$(ls -d $runs/stages/score-*/done.json | wc -l)"

# Adds escapes to every text in the files of the stages: as \\u001b in JSON, and raw in text that is not
# parsed.
json='\\u001b[31m\\u009b2J\\u007f\\nFORGED\\u202e'
for stage in "$runs"/stages/*; do
    for file in "$stage"/done.json "$stage"/environment.json; do
        [ ! -f "$file" ] || sed -i -E \
            "/\"(status|code|commit|digest|outputs[^\"]*)\"|[0-9a-f]{64}/! s/(: *\")([^\"]*)\"/\\1\\2$json\"/" "$file"
    done
    sed -i -E "s/(\"g\\/)/\\1$json/" "$stage"/stage.json
    printf '{"event":"failed","time":1e17,"clock":1,"attempt":1,"text":"said %b"}\n' "$json" \
        >> "$stage"/events.jsonl
    printf '{"name":"metric %b","step":1,"value":1,"class":"%b"}\n' "$json" "$json" \
        >> "$stage"/metrics.jsonl
    printf 'log \033[31m\302\2332J\377\342\200\256\n' >> "$stage"/log.txt
    mkdir "$stage.tmp-$(printf '\033[31m')"
done
set -- "$runs"/stages/score-????????????
score=${1##*/} other=${2##*/}
set -- "$runs"/stages/train-????????????
train=${1##*/}
set -- "$runs"/stages/corpus-????????????
corpus=$1
# The reason of a failed stage is a text of its files.
cp -r "$runs/stages/$other" $work/failed
rm "$runs/stages/$other/done.json"

verb plan $work/g.yaml
verb ls
verb ls --format json
verb ls --format csv
verb ls --columns "name,metric,host,signature"
for stage in $score $other $train "${corpus##*/}"; do
    verb show "$stage"
    verb show "$stage" --all
done
verb verify
verb diff "$score" "$other" --all
verb tag "$score" word --note "$(printf 'note \033[31m\302\2332J')"
verb collect
rm -r "${runs:?}/stages/$other"
mv $work/failed "$runs/stages/$other"
verb collect --rebuild
for form in text md latex html; do verb table $work/g.yaml --format $form; done
verb table $work/g.yaml --explain 1 bleu
verb claims $work/g.yaml
verb compare "$score" "$other"
verb plot $work/g.yaml
verb report $work/g.yaml
output=$(cat $runs/reports/g.html)
tame "the page of the report"
verb gc --dry-run
verb check $work/g.yaml --quick
verb doctor
printf 'x \033[31m\302\2332J\n' > "$work/$(printf 'hyp\033[31m\302\2332J')"
verb score --ref "$work"/hyp* "$work"/hyp*
verb corpus check "$corpus"
verb show "$(printf 'no\033[31m\302\2332J\nFORGED')"
verb "$(printf 'no\033[31m\302\2332J\nFORGED')"
verb ls --trace all

# Data for programs: unchanged in a pipe, masked on a terminal.
printf 'a\033[31m\302\233b\n' > $work/text
printf '#version: 0.2\n' > $work/codes
./sanlab bpe apply --codes $work/codes $work/text > $work/applied
output=$(printf 'a@@ \033@@ [@@ 3@@ 1@@ m@@ \302\233@@ b\n' | cmp - $work/applied 2>&1)
ok "bpe apply keeps every byte in a file" $?
for command in "bpe apply --codes $work/codes $work/text" "export csv --runs $runs" \
    "export jsonl --long --runs $runs"; do
    output=$(TERM=dumb NO_COLOR=1 script -qec "./sanlab $command" /dev/null < /dev/null 2>&1 | tr -d '\r')
    tame "on a terminal: $command"
done
finish
