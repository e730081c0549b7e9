#!/bin/sh
# scripts/generate/papers_page: the page of the papers' sentences, and the mistakes that it refuses, in a separate
# tree with two grids.
. "$(dirname "$0")/../support/cli.sh"
fresh papers_page
mkdir -p $work/experiments/evidence $work/docs $work/results/published/one
cp --parents scripts/generate/papers_page $work
for grid in one two; do
    printf '# Hours of a core of 180 GFLOP/s: 1.5, for few pairs.\ngrid: %s\ncorpus: words-recipe\n' $grid \
        > $work/experiments/evidence/$grid.yaml
done
sentences=experiments/evidence/papers.yaml

# sentence ID AT ROLE DIRECTION PRINTED EFFECT GRID: adds a sentence of Xu et al. 2019 whose last line is GRID.
sentence() {
    printf '  - id: %s\n    paper: xu2019\n    section: "1"\n    at: %s\n    sentence: "%s is\n      better: by %s."\n' "$1" "$2" "$1" "$6"
    printf '    metric: bleu\n    data: "a text, its pair"\n    direction: %s\n    printed: %s\n    effect: %s\n' "$4" "$5" "$6"
    printf '    smallest: 0.5\n    role: %s\n%b\n' "$3" "$7"
}
# claim ID DIFFERENCE LOW HIGH [DETECTABLE [VERDICT [ALPHA]]]: prints a published claim.
claim() {
    printf '{"grid":"one","claim":1,"text":"%s: \\"so\\", it is","verdict":"%s","alpha":%s,"seeds":3,' "$1" "${6-supported}" "${7-0.025000000000000001}"
    printf '"difference":%s,"low":%s,"high":%s,"detectable":%s,"note":null}\n' "$2" "$3" "$4" "${5-null}"
}
# page: writes the page.
page() {
    run $work/scripts/generate/papers_page
}
# line TEXT: passes if the page has this line.
line() {
    grep -Fqx -e "$1" $work/docs/papers.md
    ok "$1" $?
}

{
    echo 'sentences:'
    sentence seen 'Table 1' primary greater '[2.50, 2.00]' +0.50 '    grid: one\n    also: [two]'
    sentence less 'Table 1' exploratory less '[2.00, 2.50]' -0.50 '    grid: one'
    sentence turned 'Table 1' exploratory greater none none '    grid: one'
    sentence small 'Table 1' exploratory greater '[2.50, 2.00]' +0.50 '    grid: one'
    sentence young 'Table 1' exploratory greater '[2.50, 2.00]' +0.50 '    grid: one'
    sentence same 'Figure 1' primary equal '[2.00, 2.00]' +0.00 '    grid: one'
    sentence same-far 'Figure 1' exploratory equal '[2.00, 2.00]' +0.00 '    grid: one'
    sentence same-wide 'Figure 1' exploratory equal '[2.00, 2.00]' +0.00 '    grid: one'
    sentence falling 'Figure 1' exploratory other none none '    grid: one'
    sentence later 'Table 2' primary greater '[2.50, 2.00]' +0.50 '    grid: two\n    claim: "not yet: no"\n    note: other layers'
    sentence latest 'Table 2' exploratory greater '[2.50, 2.00]' +0.50 '    grid: two\n    note: other\n      layers'
    sentence nowhere 'Table 2' '' greater '[2.50, 2.00]' +0.50 '    grid: none\n    reason: "too large, too slow"'
} > $work/$sentences
{
    claim seen 0.4 0.1 0.7 0.35
    claim less -0.3 -0.49 -0.1
    claim turned -1 -1.5 -0.5
    claim small 0.2 -0.2 0.6
    claim young 0.4 0.1 0.7 null 'inconclusive (undertrained)'
    claim falling -0.3 -0.5 -0.1 | sed 's/"seeds"/"expect":"falling","seeds"/'
    claim same 0.1 -0.4 0.49
    claim same-far 0.9 0.6 1.2
    claim same-wide 0.3 -0.1 0.7
} > $work/results/published/one/claims.jsonl
page
holds "a page of twelve sentences" [ "$code" = 0 ]
line '    ./sanlab claims experiments/evidence/one.yaml             # 1.5 core hours'
line '| **seen is better: by +0.50.** | +0.50 | `one` | words | +0.40 | +0.10 to +0.70 | 3 | yes | no | 0.35 | seen here |'
line '| the same |  | `two` | words |  |  |  |  |  |  | not run |'
line '| less is better: by -0.50. | -0.50 | `one` | words | -0.30 | -0.49 to -0.10 | 3 | no | no |  | (seen here) |'
line '| turned is better: by none. |  | `one` | words | -1.00 | -1.50 to -0.50 | 3 |  | no |  | (opposite here) |'
line '| small is better: by +0.50. | +0.50 | `one` | words | +0.20 | -0.20 to +0.60 | 3 | yes | yes |  | (too small for this design) |'
line '| young is better: by +0.50. | +0.50 | `one` | words | +0.40 | +0.10 to +0.70 | 3 | yes | no |  | (undertrained) |'
line '| **same is better: by +0.00.** | +0.00 | `one` | words | +0.10 | -0.40 to +0.49 | 3 | yes | yes |  | seen here |'
line '| same-far is better: by +0.00. | +0.00 | `one` | words | +0.90 | +0.60 to +1.20 | 3 | no | no |  | (opposite here) |'
line '| same-wide is better: by +0.00. | +0.00 | `one` | words | +0.30 | -0.10 to +0.70 | 3 | yes | yes |  | (too small for this design) |'
line '| falling is better: by none. |  | `one` | words | -0.30 | -0.50 to -0.10 | 3 |  | no |  | (seen here) |'
line '| **later is better: by +0.50.** [1] | +0.50 | `two` | words | not run: no claim yet [2] |'
line '| latest is better: by +0.50. [1] | +0.50 | `two` | words | not run |'
line '- [1] other layers'
line '- [2] no'
line '| xu2019 | Table 2 | nowhere is better: by +0.50. | +0.50 | too large, too slow |'
line '| 3 | `./sanlab run experiments/evidence/two.yaml` | 1.5 |'
line '| primary | seen here | 2 | 0 | 0 | 0 | 2 |'
line '| primary | not run | 2 | 0 | 0 | 0 | 2 |'
line '| exploratory | opposite here | 2 | 0 | 0 | 0 | 2 |'
line '| | no grid | 1 | 0 | 0 | 0 | 1 |'

run $work/scripts/generate/papers_page --check
holds "the page is current" [ "$code" = 0 ]
echo more >> $work/docs/papers.md
run $work/scripts/generate/papers_page --check
says "a page that is not current" 1 "^docs/papers.md: is not the page of $sentences and the published claims; scripts/generate/papers_page writes it$"

# refused WHAT LINE MESSAGE: passes if the list is refused with this message alone, at the first line with the text
# LINE. The page must not change.
cp $work/docs/papers.md $work/before
cp $work/$sentences $work/good
refused() {
    place=$sentences:$(grep -nm 1 -e "$2" $work/$sentences | cut -d : -f 1)
    page
    [ "$code" = 1 ] && [ "$output" = "$place: $3" ] && cmp -s $work/before $work/docs/papers.md
    ok "$1" $?
    cp $work/good $work/$sentences
}
sed -i '/^    grid: two$/d' $work/$sentences
refused "a sentence without a grid" 'id: later' "later names no grid; expected grid: NAME, or grid: none with a reason"
sed -i 's/^    grid: two$/    grid: tow/' $work/$sentences
refused "a grid that is not there" tow "no grid of experiments/evidence is called tow; the nearest is two"
sed -i 's/also: \[two\]/also: [oen]/' $work/$sentences
refused "a second text of such a grid" oen "no grid of experiments/evidence is called oen; the nearest is one"
sed -i '/^    reason:/d' $work/$sentences
refused "no grid, and no reason" 'grid: none' "nowhere has no grid; expected a reason"
sed -i '0,/effect: +0.50/s//effect: +0.40/' $work/$sentences
refused "an effect that is not the difference" 'effect: +0.40' "the effect of seen is +0.40, but 2.50 less 2.00 is 0.5"
sed -i '0,/role: exploratory/s//role: primary /' $work/$sentences
refused "two primary sentences of a table" 'role: primary $' "Table 1 has a second primary sentence, less; the first is seen"
sed -i '0,/role: primary/s//role: exploratory /' $work/$sentences
refused "a table without a primary sentence" 'role: exploratory $' "Table 1 of xu2019 has no primary sentence; expected exactly one"
sed -i '0,/role: exploratory/s//role: secondary/' $work/$sentences
refused "another role" secondary "a sentence is primary, exploratory or control, not secondary"
claim seen 0.4 0.1 0.7 0.35 supported 0.05 > $work/results/published/one/claims.jsonl
page
says "an interval of 90%" 1 '^results/published/one/claims.jsonl:1: alpha of seen is 0.05; expected 0.025, for an interval of 95%$'
finish
