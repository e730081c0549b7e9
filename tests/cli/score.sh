#!/bin/sh
# sanlab score: the output lines of sacreBLEU and multi-bleu, and refused requests.
. "$(dirname "$0")/../support/cli.sh"
fresh score
printf 'The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n' > $work/ref
printf 'The dog had bit the man.\nNo one was surprised.\nThe man had bitten the dog.\n' > $work/ref2
printf 'The dog bit the man.\nIt wasn'\''t surprising.\nThe man had just bitten him.\n' > $work/hyp
head -n 2 $work/hyp > $work/short

# expect WHAT CODE OUTPUT ARGUMENTS...
expect() {
    what=$1 wanted=$2 text=$3
    shift 3
    try score "$@"
    output=$(printf '%s' "$output" | tr -d '\r') # CSV lines end with it
    [ $code = "$wanted" ] || output="exit code $code, expected $wanted: $output"
    equals "$what" "$text" "$output"
}
sacre="BLEU|nrefs:2|case:mixed|eff:no"
compat="impl:sanlab-1|compat:sacrebleu-2.6.0"
both="--ref $work/ref --ref $work/ref2"
expect "13a and exp by default" 0 "$sacre|tok:13a|smooth:exp|$compat = 48.53 82.4/50.0/45.5/37.5 \
(BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)" $both $work/hyp
expect "tokens, unsmoothed" 0 "$sacre|tok:none|smooth:none|$compat = 49.19 71.4/54.5/50.0/40.0 \
(BP = 0.931 ratio = 0.933 hyp_len = 14 ref_len = 15)" $both --tokenizer none --smoothing none \
    $work/hyp
expect "multi-bleu's line" 0 "BLEU = 44.43, 57.1/45.5/37.5/40.0 (BP=1.000, ratio=1.000, hyp_len=14, \
ref_len=14)" --ref $work/ref --metric multi-bleu $work/hyp
# sacreBLEU 2.6.0 prints for the same files: 47.784907789792136 (45.18568913212158 ± 45.49098121484609),
# 61.658480196505316 (63.73337608072693 ± 25.553849033679423), p 0.30569430569430567 and, randomized,
# 0.7511248875112488.
printf 'The dog bit the man.\nIt wasnt unexpected.\nThe man had just bitten him.\n' > $work/a
printf 'The dog had bit the man.\nIt was not unexpected.\nThe man had bit him first.\n' > $work/b
one="case:mixed|eff:no|tok:13a|smooth:exp|$compat"
expect "an interval" 0 "BLEU|nrefs:1|bs:1000|seed:12345|$one = 47.78 (μ = 45.19 ± 45.49) \
76.5/50.0/36.4/37.5 (BP = 1.000 ratio = 1.000 hyp_len = 17 ref_len = 17)" --confidence \
    --ref $work/ref $work/a
expect "paired bootstrap" 0 "System,BLEU,p,Koehn,Mean,± 95%
$work/a,47.78,,,45.19,45.49
$work/b,61.66,0.3057,0.2490,63.73,25.55" --paired-bs --format csv --ref $work/ref $work/a $work/b
expect "randomization" 0 "System,BLEU,p
$work/a,47.78,
$work/b,61.66,0.7511" --paired-ar --format csv --ref $work/ref $work/a $work/b
# sacreBLEU 2.6.0 prints these numbers for each file alone.
expect "several systems are a table" 0 "System,BLEU
$work/a,47.78
$work/b,61.66" --format csv --ref $work/ref $work/a $work/b
try score --confidence --format md --ref $work/ref $work/a $work/b
says "in the form of --format, with their intervals" 0 "^\\| $work/b +\\| 61.66 \\| 63.73 \\| 25.55 \\|$"
says "and their signature" 0 '^BLEU: nrefs:1.\|bs:1000.\|seed:12345'
expect "one system, too" 0 "System,chrF2
$work/a,69.0641" -w 4 --metric chrf --format csv --ref $work/ref $work/a
expect "more digits" 0 "BLEU|nrefs:1|bs:1000|seed:12345|$one = 47.7849 (μ = 45.1857 ± 45.4910) \
76.5/50.0/36.4/37.5 (BP = 1.000 ratio = 1.000 hyp_len = 17 ref_len = 17)" -w 4 --confidence \
    --ref $work/ref $work/a
expect "too many digits" 65 "sanlab: score: -w 16: expected a whole number from 0 to 15" -w 16 \
    --ref $work/ref $work/a
expect "characters" 0 "BLEU|nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|$compat = 70.98 \
86.0/75.9/66.7/58.3 (BP = 1.000 ratio = 1.075 hyp_len = 57 ref_len = 53)" --tokenizer char \
    --ref $work/ref $work/a
# sacreBLEU's sentence_score of each line, BLEU with effective_order
expect "sentences" 0 "Sentence,$work/a,$work/b
1,100.0000,48.8923
2,27.5348,100.0000
3,15.6197,48.8923" --sentences -w 4 --format csv --ref $work/ref $work/a $work/b
expect "sentences by TER" 0 "Sentence,$work/a,$work/b
1,0.00,20.00
2,50.00,0.00
3,80.00,20.00" --sentences --metric ter --format csv --ref $work/ref $work/a $work/b
try score --sentences --ref $work/ref $work/a
says "with their signature" 0 '^BLEU of each sentence: nrefs:1\|case:mixed\|eff:yes\|tok:13a\|'
expect "sentences without smoothing" 65 "sanlab: score: --sentences: BLEU of a sentence needs smoothing; \
expected --metric sacrebleu and --smoothing exp" --sentences --metric multi-bleu --ref $work/ref $work/a
expect "sentences with a test" 65 "sanlab: score: expected one of --sentences and --paired-bs, got both" \
    --sentences --paired-bs --ref $work/ref $work/a $work/b
# scripts/compare/multi_bleu.py prints the same line.
printf 'a well-known x-y-z state - of\nthe art 3-4 b\n' > $work/joined
printf 'a well-known x-y-z state - of\nthe art 3-5 b\n' > $work/other
expect "split compounds" 0 "BLEU = 85.55, 93.8/85.7/83.3/80.0 (BP=1.000, ratio=1.000, hyp_len=16, ref_len=16)" \
    --metric multi-bleu --compounds split --ref $work/joined $work/other
expect "split compounds of another metric" 65 "sanlab: score: --compounds needs --metric multi-bleu; the \
metric is BLEU" --compounds split --ref $work/joined $work/other
expect "two questions" 65 "sanlab: score: expected one of --paired-bs and --paired-ar, \
got both" --paired-ar --paired-bs --ref $work/ref $work/a $work/b
expect "nothing to pair" 65 "sanlab: score: --paired-bs compares systems: expected two files of \
hypotheses at least" --paired-bs --ref $work/ref $work/a
expect "samples of nothing" 65 "sanlab: score: --samples and --seed need --confidence, \
--paired-bs or --paired-ar" --samples 10 --ref $work/ref $work/a
expect "unequal line counts" 65 "sanlab: $work/short has 2 lines, but its reference $work/ref has 3; \
expected the same number" --ref $work/ref $work/short
{ printf '\357\273\277' && cat $work/ref; } > $work/marked
expect "a byte order mark is not text" 0 "sanlab: warning: $work/marked: skipped the byte order mark at \
the beginning; sacreBLEU counts the mark as text
BLEU|nrefs:1|$one = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 17 ref_len = 17)" \
    --ref $work/ref $work/marked
same="$work/copy is identical to $work/a: its p has no meaning."
cp $work/a $work/copy
for test in --paired-ar --paired-bs; do
    ./sanlab score $test --samples 100 --ref $work/ref $work/a $work/b $work/copy > $work/output
    [ "$(grep -c 'p has no meaning' $work/output)" = 1 ] && grep -qxF "$same" $work/output
    ok "$test says that two systems are identical" $?
done
expect "an unknown form, although no table is printed" 65 "sanlab: score: --format xml: expected one of text, md, latex, \
csv, html; nearest is \"md\"" --format xml --ref $work/ref $work/a
line=$(./sanlab score --ref $work/ref $work/hyp)
expect "standard input" 0 "$line" --ref $work/ref - < $work/hyp
mkfifo $work/pipe
cat $work/ref > $work/pipe &
expect "a pipe" 0 "$line" --ref $work/pipe $work/hyp
expect "standard input twice" 65 "sanlab: -: standard input is named twice; expected it once" \
    --ref - - < $work/hyp
expect "nothing on standard input" 65 "sanlab: -: is empty; expected one sentence per line" \
    --ref $work/ref - < /dev/null
awk 'BEGIN { for (i = 0; i < 600000; i++) printf "a "; print ""; for (i = 0; i < 5000; i++) print "a" }' > $work/long
expect "more words than are counted" 65 "sanlab: sentence 1 has 600000 words, its reference 600000; \
expected at most 524287" --ref $work/long $work/long
expect "no reference" 65 "sanlab: score: references are missing; expected --ref FILE" $work/hyp
finish
