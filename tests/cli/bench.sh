#!/bin/sh
# sanlab bench: what it prints for training, search, memory and BPE, and what it refuses. Small
# models: numbers of speed are not tested, that memory is what plan says is.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/bench_cli
rm -rf $work
copy_task $work/data 3000
SANLAB_DATA=$PWD/$work/data
TMPDIR=$PWD/$work
export SANLAB_DATA TMPDIR
cat > $work/task.yaml << 'END'
corpus: {source: a, target: b, train: train, dev: dev, merges: 40}
END
try corpus prepare $work/task.yaml $work/corpus --quiet
says "a corpus to measure on" 0 ""

small="--threads 1 --batches 1 --rounds 1"
try bench tiny encoder.layers=2 $small
says "training without a corpus: random tokens" 0 "^text: random tokens"
says "rows by role" 0 "^encoder\.\*\.feedforward\.inner +2 "
says "the share of sgemm" 0 "GFLOP/s, [0-9.]+% of sgemm"
try bench tiny encoder.layers=2 $small --nodes --cpu-time --corpus $work/corpus
says "every node, in processor time" 0 "^encoder\.2\.feedforward\.inner +1 "
try bench --search tiny --corpus $work/corpus $small --sentences 5 --hypotheses $work/ids
says "search" 0 "^top_tokens"
[ "$(wc -l < $work/ids)" = 5 ]
ok "one hypothesis per sentence" $?
try bench --bpe $work/data/train.a --merges 30 --rounds 1
says "BPE" 0 "^applying +[0-9.]+ million words/s"
try bench --memory small6 train.batch_tokens=1024 train.validate_sentences=5 --corpus $work/corpus --threads 1
says "memory as planned, within a tenth" 0 "^measured .*[+-][0-9]\.[0-9]%"

try bench --lengths tiny $small
says "a window beside global attention, by length" 0 "^ *2000 +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ "
try bench --attention tiny $small --row "hybrid gate"
says "a composition beside global attention" 0 "^hybrid gate +lower\(1/3\) +[0-9.]+ +[0-9.]+ "
says "and no other" 0 "^global +all +[0-9.]+ +[0-9.]+ +[0-9.]+$"

try bench tiny --memory
says "memory needs text to validate on" 65 "give a prepared corpus"
try bench tiny model.widht=8
says "a mistyped option" 65 "widht"
try bench tiny corpus.merges=1
says "a section that a preset has not" 65 "corpus"
try bench tiny --attention --row "hybrid gat"
says "no such composition, and the nearest" 65 "nearest is \"hybrid gate\""
try bench quickstart --attention
says "compositions are laid over a preset" 65 "laid over a model preset"
try bench smal
says "no such preset" 65 "smal"
try bench
says "a word that is missing" 65 "usage: sanlab bench"
try bench tiny --threads 2 --cpu-time
says "processor time is of one thread" 65 "use it with --threads 1"
finish
