#!/bin/sh
# Every shipped grid can be planned, without data and with.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/plan_cli
rm -rf $work
mkdir -p $work

for grid in experiments/*.yaml; do
    output=$(SANLAB_DATA=$PWD/$work/nothing ./sanlab plan "$grid" corpus.train=absent/text \
        --runs $work/runs 2>&1)
    code=$?
    says "$(basename "$grid" .yaml) without data: what is missing" 0 "missing input: [246] of 6 files, looked for under"
    says "$(basename "$grid" .yaml) without data: parameters are counted" 0 "<= [0-9,]{9}"
done
try plan xu2019-table1 corpus.train=absent/text --runs $work/runs
says "a shipped grid by its name alone" 0 "^Local and global patterns"
says "bodies to the unit" 0 "1,719,296"
for corpus in wmt14-en-de wmt17-zh-en wat17-ja-en iwslt14-de-en; do
    try plan xu2019-table1 model=base corpus=$corpus --runs $work/runs
    says "$corpus: which files are missing, and where to get them" 0 \
        "!! corpus-[0-9a-f]+: missing input: [0-9]+ of [0-9]+ files, .* unpacked in data/${corpus%%-*}: "
    says "$corpus: parameters are counted" 0 "44,141,056  <= [0-9,]{10}"
done
try plan xu2019-table1 model=base corpus.train=absent/text corpus.joint=false --runs $work/runs
says "the body of base" 0 "44,141,056"
try plan xu2019-table1 model=big corpus.train=absent/text --runs $work/runs
says "the body of big" 0 "176,362,496"
try plan xu2019-table1 seeds=1,2,3 corpus.train=absent/text --runs $work/runs
says "seeds on the command line" 0 "^25 stages:"
ls $work/runs > /dev/null 2>&1
ok "planning writes nothing" $((! $?))
finish
