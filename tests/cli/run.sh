#!/bin/sh
# From text to a table on a generated task: caching, failures, interruption, a second grid.
. "$(dirname "$0")/../support/cli.sh"
task run_cli 400

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 2, batch_tokens: 256, warmup: 20}
rows:
  - name: Transformer
  - name: Local
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
  - name: Same as the first
    encoder.layers: 2
evaluate: {bleu: {split: dev, beam: 2}}
END
sed -e 's/^grid: g/grid: h/' -e '/name: Local/,$!b' $work/g.yaml > $work/h.yaml

expect "a grid runs to its end" 0 "5 of 5 stages done" run $work/g.yaml --runs $work/runs
expect "its table has every row" 0 "^Same as the first +[0-9,]+ " table $work/g.yaml --runs $work/runs
find $work/runs -type f | sort | xargs sha256sum > $work/before
expect "a second start has nothing to do" 0 "5 of 5 stages done" run $work/g.yaml --runs $work/runs
holds "and starts nothing" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
expect "another grid of the same stages: nothing to do" 0 "^$" run $work/h.yaml --runs $work/runs --quiet
expect "plan says by whom they were done" 0 "done \(by g/" plan $work/h.yaml --runs $work/runs
expect "ls lists them" 0 "train" ls --runs $work/runs

# A single number above 1 is a seed, although the user may mean a count.
sed -e 's/^grid: g/grid: s/; s/epochs: 2/steps: 2/; s/^rows:/seeds: 2/; /^ .*name:/d; /^    encoder/d; /^evaluate/d' \
    $work/g.yaml > $work/s.yaml
try plan $work/s.yaml --runs $work/new
says "one number as seeds is refused" 65 '^sanlab: .*/s.yaml:6:8: seeds: expected \[2\] or 1-2: '
try plan $work/s.yaml seeds=12 --runs $work/new
says "also on the command line" 65 '^sanlab: command line: seeds=12: seeds: expected \[12\] or 1-12: '
expect "but for 1" 0 '^train-[0-9a-f]* +s/1 +new' plan $work/s.yaml seeds=1 --runs $work/new
try plan $work/s.yaml seeds=2-2 --runs $work/new
says "a range of one seed is no count" 0 '^train-[0-9a-f]* +s/2 +new'
expect "a list of one is a seed" 0 '^$' run $work/s.yaml 'seeds=[2]' --runs $work/new --quiet
expect "which runs" 0 '^train-[0-9a-f]* +done .*/s/2$' ls --runs $work/new
sed 's/^seeds: 2/seeds: [2]/' $work/s.yaml > $work/s2.yaml
try run $work/s2.yaml --runs $work/new --quiet
expect "a grid that has run with its seed stays readable" 0 '^s +' table $work/s.yaml --runs $work/new
sed 's/^seeds: 2/rows: [{name: A, seeds: 2}]/' $work/s.yaml > $work/row.yaml
expect "a row has no seeds" 65 '/row.yaml:6:18: ' plan $work/row.yaml --runs $work/new
try show g/Local/1 --runs $work/runs
expect "the database can be built anew" 0 "^5 stages" collect --rebuild --runs $work/runs

# A failing stage: one row cannot hold the longest sentence.
sed 's/^grid: g/grid: f/' $work/g.yaml > $work/f.yaml
printf '%s\n' "# a fourth row" >> $work/f.yaml
sed -i 's/^evaluate/  - {name: Bad, train.batch_tokens: 16, train.epochs: 1}\
  - {name: After, train.epochs: 1}\
evaluate/' $work/f.yaml
rm -rf $work/bad
cp -r $work/data $work/long
SANLAB_DATA=$PWD/$work/long
awk 'BEGIN { for (i = 0; i < 20; i++) printf "s1 "; print "s2" }' >> $work/long/train.a
awk 'BEGIN { for (i = 0; i < 20; i++) printf "t1 "; print "t2" }' >> $work/long/train.b
try run $work/f.yaml --runs $work/bad
says "a failed stage is reported, others go on" 1 "FAILED train-[0-9a-f]* Bad/1"
says "the rest is done" 1 "7 of 9 stages done, 1 failed, 1 blocked"
expect "plan says how often and why" 0 "failed once: " plan $work/f.yaml --runs $work/bad
expect "it is not repeated by itself" 1 "^[0-9:]+  train-[0-9a-f]*: failed once" run $work/f.yaml --runs $work/bad
expect "unless asked" 1 "start .* Bad/1 \(again \(failed once\)" run $work/f.yaml --runs $work/bad --retry failed
expect "and counted" 0 "failed 2 times: " plan $work/f.yaml --runs $work/bad
finish
