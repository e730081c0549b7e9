#!/bin/sh
# sanlab bench and sanlab-dev bench: output for training, search and single parts, and refused requests.
# Speeds of the small models are not checked, except that a window is faster than global attention. Memory must equal the plan's.
. "$(dirname "$0")/../support/cli.sh"
task bench_cli 3000
export TMPDIR="$PWD/$work"
cat > $work/task.yaml << 'END'
corpus: {source: a, target: b, train: train, dev: dev, merges: 40}
END
expect "a corpus to measure on" 0 "" corpus prepare $work/task.yaml $work/corpus --quiet

small="--threads 1 --batches 1 --rounds 1"
try bench tiny encoder.layers=2 $small --sentences 5
says "a step without a corpus: random tokens" 0 "^text: random tokens"
says "its share of sgemm" 0 "^utilization +[0-9.]+ GFLOP/s, [0-9.]+% of sgemm$"
says "and a search" 0 "^GFLOP/s +[0-9.]+ of all this time, [0-9.]+ GFLOP, [0-9.]+% of products$"
try_dev bench step tiny encoder.layers=2 $small
says "rows by role" 0 "^encoder\.\*\.feedforward\.inner +2 "
says "the share of sgemm" 0 "GFLOP/s, [0-9.]+% of sgemm"
printf '%s\n' "$output" | awk '
    $1 == "floors" { copy = $(NF - 1) } # GB/s
    $1 == "optimizer" { bytes = $5; floor = $6 } # MB, ms
    $NF == "floor" { rows = NR }
    rows && /%$/ && $1 != "step" && $1 != "batches," { sum += $(NF - 1) }
    $1 == "step" && rows { whole = $(NF - 1) }
    END { exit !(bytes / copy / floor > 0.9 && bytes / copy / floor < 1.1 && sum / whole > 0.9 && sum / whole < 1.1) }'
ok "the floor of the optimizer is that of its bytes, and the floor of the step the sum of all" $?
try_dev bench step tiny encoder.layers=2 $small --nodes --cpu-time --corpus $work/corpus
says "every node, in processor time" 0 "^encoder\.2\.feedforward\.inner +1 "
try_dev bench step tiny "encoder.stack=[{onlstm: 1}, {san: 1}]" $small
says "the steps of a recurrent layer, with their floor" 0 \
    "^encoder\.\*\.recurrence\.hidden +1 +[0-9.]+ +[0-9.]+ .* [0-9.]+ +[0-9]+%$"
try_dev bench step tiny encoder.layers=1 train.batch_tokens=300 $small --wmt --write $work/wmt
says "sentences as long as WMT's" 0 "^text: random tokens of 32,000 words"
output="$(head -c 8 $work/wmt/train.shard) $(wc -l < $work/wmt/vocabulary.source) $(wc -l < $work/wmt/vocabulary.target)"
holds "which others may read" [ "$output" = "SANSHARD 32000 32000" ]
rm -r $work/wmt
try_dev bench step tiny --wmt --corpus $work/corpus
says "or a corpus" 65 "^sanlab: bench: --corpus and --wmt are both given; expected one of them"
try_dev bench recurrent tiny --threads 1 --rounds 1
says "a recurrent layer alone" 0 "^onlstm +64 +mixed +[0-9]+ +[0-9.]+$"
try_dev bench search tiny --corpus $work/corpus $small --sentences 5 --hypotheses $work/ids
says "search" 0 "^top_tokens"
holds "one hypothesis per sentence" [ "$(wc -l < $work/ids)" = 5 ]
try_dev bench bpe $work/data/train.a --merges 30 --rounds 1
says "BPE" 0 "^applying +[0-9.]+ million words/s"

cat > $work/memory.yaml << 'END'
grid: memory
corpus: {source: a, target: b, train: train, dev: dev, merges: 40}
model: small6
train: {batch_tokens: 1024, validate_sentences: 5, epochs: 0, steps: 2}
rows: [{name: One}]
END
# as_planned WORDS..: passes if the measured memory is within a tenth of the plan's.
as_planned() {
    run env OMP_NUM_THREADS=1 SANLAB_DATA=$work/data scripts/compare/bench_memory $work/memory.yaml "$@"
    [ "$code" = 0 ] && printf '%s\n' "$output" | awk '
        $1 == "planned" { planned = $2 }
        $1 == "measured" { share = $2 / planned }
        END { exit !(share > 0.9 && share < 1.1) }'
}
as_planned
ok "memory as planned, within a tenth" $?
as_planned model=tiny 'encoder.stack=[{onlstm: 3}, {lstm: 1}, {san: 2}]' encoder.shortcut=true
ok "of a stack of all kinds, too" $?

run scripts/compare/bench_compositions tiny 1 --threads 1 --batches 1
printf '%s\n' "$output" | awk -F '  +' '
    NR > 3 && $3 > 0 && $4 > 0 && $5 > 0 && $6 > 0 { rows++ }
    $1 == "global" { found = $2 == "all" && $4 == 1 }
    END { exit !(rows == 9 && found) }'
ok "compositions beside global attention" $?
run scripts/compare/bench_lengths tiny --threads 1
printf '%s\n' "$output" | awk '$1 == 2000 { found = $3 > 1.5 * $2 && $2 > 0 } END { exit !found }'
ok "in long sentences a window is quicker than all keys" $?

expect "a mistyped option" 65 "widht" bench tiny model.widht=8
expect "a section that a preset has not" 65 "corpus" bench tiny corpus.merges=1
expect "no such preset" 65 "smal" bench smal
expect "a word that is missing" 65 "usage: sanlab bench" bench
try_dev bench serach tiny
says "no such part" 65 "bench: PART serach: expected one of step, .*; nearest is .search"
try_dev bnech
says "the nearest verb of sanlab-dev" 65 "no verb .bnech.; nearest is .bench. .sanlab-dev --help"
try_dev bench step
says "a model that is missing" 65 "usage: sanlab-dev bench PART"
try_dev bench step tiny --threads 2 --cpu-time
says "processor time is of one thread" 65 "use it with --threads 1"
finish
