#!/bin/sh
# sanlab plan: every shipped grid can be planned, with data and without.
. "$(dirname "$0")/../support/cli.sh"
fresh_data plan_cli

for grid in $(grep -l '^grid:' grids/*.yaml experiments/evidence/*.yaml docs/*/*.yaml); do
    absent=corpus.train=absent/text lacks='corpus absent/text' counted=' [0-9,]{6,} .*body \+ [0-9]+ R'
    if grep -q -e '^task: logic' -e '^base: logic' "$grid"; then
        absent=logic.data=absent lacks='logic.data absent' counted='^relate-.* [0-9,]{5,} '
    fi
    try plan "$grid" $absent --core 50 --runs $work/runs
    says "$(basename "$grid" .yaml) without data: what is missing" 1 "^!! $lacks is missing \([0-9]+ files, [0-9]+ stages wait\): .*absent/t"
    says "$(basename "$grid" .yaml) without data: parameters are counted" 1 "$counted"
done
try plan multi30k-attention corpus.train=absent/text --runs $work/runs
says "a shipped grid by its name alone" 1 "^Attention systems of three papers"
says "bodies to the unit" 1 "1,719,296"
try plan multi30k-attention seeds=1,2,3 corpus.train=absent/text --runs $work/runs
says "seeds on the command line" 1 "^67 stages:"
for corpus in wmt14-en-de wmt17-zh-en wat17-ja-en iwslt14-de-en; do
    try plan xu2019-table1 corpus=$corpus --all --runs $work/runs
    says "$corpus: which files are missing, and where to get them" 1 \
        "!! corpus-[0-9a-f]+: missing input: [0-9]+ of [0-9]+ files, .* unpacked in data/${corpus%%-*}: "
    says "$corpus: parameters are counted" 1 " 44,141,056 +body \+ 512 R"
done
for preset in experiments/corpora/*.yaml; do
    try plan xu2019-table1 corpus="$(basename "$preset" .yaml)" corpus.train=absent/text --all --runs $work/runs
    says "$preset: where to get its files" 1 "and data/; [^ ].*: [^ ]+/"
done
mkdir $work/away # without data/, in which a developer may have these files
for preset in experiments/tasks/*.yaml; do
    cat > $work/tasks.yaml << END
grid: tasks
corpus: {source: a, target: b, train: absent/text, dev: absent/text}
model: tiny
evaluate: {probe: {tasks: $(basename "$preset" .yaml), protocol: fixed}}
END
    run env -C $work/away "$PWD/sanlab" plan ../tasks.yaml --all --runs ../runs
    [ "$(printf '%s\n' "$output" | grep -Ec "^!! encode.*missing input: [A-Za-z_/-]+.txt, .* and data/; .")" = \
        "$(grep -c ' file: ' "$preset")" ]
    ok "$preset: where to get its files" $?
done

# lines: prints the number of lines that name missing input.
lines() {
    printf '%s\n' "$output" | grep -c '^!! '
}
rows() {
    printf '%s\n' "$output" | grep -c '^[a-z]*-[0-9a-f]\{12\} '
}
try plan multi30k-encoders --runs $work/runs
says "a data set that is missing, with all stages that wait for it: the corpus, 21 trainings, 21 scores" 1 \
    "^!! multi30k is missing \(6 files, 43 stages wait\): run sanlab corpus get multi30k$"
says "and where it was looked for" 1 "files are looked for under .SANLAB_DATA \(now $SANLAB_DATA\) and data/$"
[ "$(lines)" = 2 ] && [ "$(rows)" = 21 ]
ok "no other line, and no row but the trainings', whose parameters are known" $?
try plan multi30k-encoders --all --runs $work/runs
[ "$(lines)" = 1 ] && [ "$(rows)" = 43 ]
ok "--all has a row for each stage, and a line for each that lacks a file itself" $?
mkdir -p $work/data/parallel/multi30k
: > $work/data/parallel/multi30k/train.en
try plan multi30k-encoders --runs $work/runs
says "a file less" 1 "^!! multi30k is missing \(5 files, 43 stages wait\)"
rm -r $work/data/parallel
try run multi30k-encoders --runs $work/runs
says "run says the same" 65 "^sanlab: multi30k is missing \(6 files, 43 stages wait\): run sanlab corpus get multi30k$"
says "and starts nothing" 65 "^sanlab: multi30k-encoders: nothing was started: 43 of 43 stages wait for missing files$"
try plan tatoeba-probes --runs $work/runs
[ "$(lines)" -le 10 ] && [ "$(rows)" = 12 ] && [ "$(printf '%s\n' "$output" | wc -l)" -le 30 ]
ok "613 stages and 16 missing files in a few lines" $?
try plan tatoeba-probes --all --runs $work/runs
[ "$(lines)" = 601 ] && [ "$(rows)" = 613 ]
ok "and all of them" $?
try run tatoeba-probes --runs $work/runs
[ "$code" = 65 ] && [ "$(printf '%s\n' "$output" | wc -l)" -le 10 ]
ok "run refuses them in a few lines" $?
{
    sed 's/{tasks: .*//' $work/tasks.yaml
    echo '{protocol: fixed, tasks: ['
    seq 12 | sed 's/.*/{name: T&, file: own&.txt, group: A, origin: site &},/'
    echo ']}}'
} | sed 's/{probe: $/{probe:/' > $work/own.yaml
try plan $work/own.yaml --runs $work/runs
says "files of no set, by where they come from: encoding and probe" 1 \
    "^!! text of probing tasks is missing \(1 file, 2 stages wait\): site 1: own1.txt$"
holds "thirteen groups in ten lines" [ "$(lines)" = 10 ]
says "the others are counted" 1 "^!! and 4 more; --all prints one line for each stage; files are looked for "
expect "the body of base" 1 "44,141,056" plan xu2019-table1 corpus.train=absent/text --runs $work/runs
expect "the body of big" 1 "176,362,496" plan xu2019-table1 model=big corpus.train=absent/text --runs $work/runs

# bodies GRID: passes if plan prints the expected bodies of rows. Standard input has lines
# "ROW: PARAMETERS": those of the baseline, plus those that the papers add (tests/unit/counts_test.c).
bodies() {
    try plan "$1" corpus.train=absent/text --runs $work/runs
    printf '%s\n' "$output" | awk -F '  +' '/^train-/ { print $2 ": " $4 }' > $work/bodies
    while read -r line; do
        holds "$1: the body of $line" grep -Fqx "$line" $work/bodies
    done
}
bodies xu2019-table1 << 'END'
+ Neighbor/1: 44,674,576
+ Local_H/1: 44,674,576
+ Local_S/1: 44,682,784
+ Local pattern/1: 44,141,056
+ Hybrid (concat)/1: 44,665,344
+ Hybrid (gate)/1: 44,149,248
END
bodies xu2019-readings << 'END'
+ Neighbor, six heads/1: 44,539,660
+ Neighbor, four heads of three layers/1: 44,538,124
+ Neighbor, two heads of all layers/1: 44,536,588
+ Local_S, three layers/1: 44,953,648
+ Hybrid (concat), one layer/1: 44,403,200
+ Neighbor, Sperber's/1: 44,141,072
+ Hybrid (gate), from the input/1: 44,142,080
END
bodies yang2018-table1 << 'END'
Fixed/1: 45,741,616
Layer-Spec./1: 47,342,176
Query-Spec./1: 45,766,240
END
bodies yang2018-table4 << 'END'
+ Rel_Pos, corpus=wmt14-en-de/1: 44,217,088
+ Localness, corpus=wmt14-en-de/1: 44,953,648
+ Localness + Rel_Pos, corpus=wmt17-zh-en/1: 45,029,680
Big + Localness, corpus=wmt17-zh-en/1: 179,609,696
Big + Localness + Rel_Pos, corpus=wmt17-zh-en/1: 179,685,728
END
bodies hao2019-table1 << 'END'
6L LSTM/1: 53,572,096
6L ON-LSTM/1: 66,167,296
6L LSTM + 4L SANs/1: 66,181,632
6L ON-LSTM + 4L SANs/1: 78,776,832
3L ON-LSTM + 3L SANs/1: 55,154,176
+ Short-Cut/1: 55,154,176
Hybrid Model + Short-Cut/1: 220,408,832
END
bodies hao2019-table2 << 'END'
3L SANs → 3L ON-LSTM/1: 55,154,176
8L LSTM/1: 63,020,544
10L SANs/1: 56,750,592
END
bodies docs/encoders/layers.yaml << 'END'
+ LSTM, model=base/1: 48,865,280
+ LSTM, model=big/1: 195,248,128
+ ON-LSTM, model=base/1: 50,964,480
+ ON-LSTM, model=big/1: 203,640,832
+ ON-LSTM, chunk 8, model=base/1: 49,127,680
+ LSTM, forward, model=big/1: 184,757,248
END
bodies song2018-table2 << 'END'
Sum, model=small, corpus=iwslt14-de-en, recipe=song2018/1: 3,681,280
Concat, model=small, corpus=iwslt14-de-en, recipe=song2018/1: 4,205,568
Gated Sum, model=small, corpus=iwslt14-de-en, recipe=song2018/1: 3,714,048
Concat, model=base, corpus=wmt14-en-de, recipe=song2018-wmt/1: 50,395,136
Gated Sum, model=base, corpus=wmt14-en-de, recipe=song2018-wmt/1: 44,496,896
Concat, model=big, corpus=wmt14-en-de, recipe=song2018-big/1: 201,453,568
Gated Sum, model=big, corpus=wmt14-en-de, recipe=song2018-big/1: 177,860,608
END
ls $work/runs > /dev/null 2>&1
ok "planning writes nothing" $((! $?))

# Print sorted lines "GRID ID". `sentences`: for the sentences of papers.yaml, a line for each of their
# grids. `claims`: for the claims of the evidence grids, whose texts begin with an id. A sentence
# with the key `claim` has no claim yet.
sentences() {
    awk '
        function end(    i, number, grid) {
            number = split(grids, grid, /[^a-z0-9-]+/)
            for (i = 1; i <= number && !claim; i++) if (grid[i] != "" && grid[i] != "none") print grid[i], id
            grids = claim = ""
        }
        $1 == "-" && $2 == "id:" { end(); id = $3 }
        $1 == "grid:" || $1 == "also:" { sub(/^[^:]*:/, ""); grids = grids " " $0 }
        $1 == "claim:" { claim = 1 }
        END { end() }' experiments/evidence/papers.yaml | sort
}
claims() {
    for grid in experiments/evidence/*.yaml; do
        sed -n "s/^  - {*text: \"*\([^\":]*\).*/$(basename "$grid" .yaml) \1/p" "$grid"
    done | sort
}
output=$(sed -n 's/^  - id: //p' experiments/evidence/papers.yaml | sort | uniq -d)
[ -z "$output" ]
ok "sentences of the papers have ids of their own" $?
sentences > $work/sentences
output=$(claims | diff $work/sentences -)
ok "every claim of the evidence is a sentence of its grid, and every sentence has its claim" $?
holds "more than a hundred" [ "$(wc -l < $work/sentences)" -gt 100 ]

# Many stages are summed by kind and row; --all lists each.
try plan demo --runs $work/none seeds=1-16 corpus.train=absent/text
says "trainings of a row are one line, their disk a sum" 1 '^16 train +No positions +blocked .* 150,912 .* 320 MB$'
try plan demo --runs $work/none seeds=1-16 corpus.train=absent/text --all
[ "$(printf '%s\n' "$output" | grep -cE '^train-[0-9a-f]{12} +No positions/[0-9]+ .* 20 MB$')" = 16 ]
ok "--all has a line for each" $?

# on_terminal COLUMNS WORDS..: prints the output on a terminal of this width.
on_terminal() {
    columns=$1
    shift
    output=$(script -qec "stty cols $columns; ./sanlab $*" /dev/null | tr -d '\r')
    code=0
}
if command -v script > /dev/null; then
    on_terminal 80 plan demo --runs $work/none corpus.train=absent/text
    says "a row that a terminal is too narrow for is folded" 0 '^stage +point( +reason.*[^k])?$'
    says "after its first columns" 0 '^    .*work +1 core +memory +disk$'
    holds "none is wider" [ -z "$(printf '%s\n' "$output" | sed '/^$/,$d; /─/d; s/Δ/D/g' | awk 'length > 80')" ]
    holds "nor a line below" [ -z "$(printf '%s\n' "$output" | sed '1,/^$/d; s/Δ/D/g' | awk 'length > 80')" ]
    on_terminal 300 plan demo --runs $work/none
    says "on a wide one it is a line" 0 '^stage +point +reason +body .* disk$'
else
    skipped "a terminal" "there is no script (Debian: bsdutils)"
fi
finish
