#!/bin/sh
# Every system call of a small grid on a file of its runs folder fails once (tests/faults/shim.c).
# The same command then finishes with the bytes of an undisturbed run.
#   FAULTS (all): number of faults, spread evenly
#   ONLY=CALL:N:ERROR: only this fault; its runs folder and messages stay in build/tmp/faults
#   CALLS="open read": only these calls
#   UNDER=stages/train-*/metrics.jsonl: only calls on this file, or on files below this folder
. "$(dirname "$0")/../support/cli.sh"
shim=$PWD/${BUILD:-build}/tests/faults/shim.so faults=${FAULTS:-all} only=${ONLY:-} cores=$(nproc)
file=${UNDER:-}
calls="write fsync rename link open read mkdir unlink truncate utime" wanted=" ${CALLS:-} "
if [ ! -e "$shim" ]; then
    echo "1..0 # skipped: no $shim; make builds it"
    exit 0
fi
task faults 30
runs=$PWD/$work/runs
for side in a b; do
    head -6 $work/data/dev.$side > $work/short && mv $work/short $work/data/dev.$side
done
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, train_max_words: 5, merges: 8}
model: {preset: tiny, width: 8, heads: 2, dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {steps: 4, batch_tokens: 64, warmup: 10, validate_every: 2, save_every: 1, validate_sentences: 4}
rows:
  - name: A
evaluate: {bleu: {split: dev, beam: 1}}
END

# results: digests all files that depend on the stages alone.
results() {
    (cd $runs/stages && sha256sum */metrics.jsonl */hypotheses.txt */ckpt/*/*.safetensors */done.json) \
        2> /dev/null
}

# run FAULT: runs the grid with the shim; leaves $code and $work/said. The timeout is half a minute,
# longer under load.
run() {
    limit=$(awk -v cores="$cores" '{ print int(30 * (1 + $1 / cores)) }' /proc/loadavg)
    head -c 8192 /dev/zero > $work/counts
    FAULT=$1 FAULT_UNDER=$under FAULT_COUNTS=$PWD/$work/counts LD_PRELOAD=$shim \
        timeout -k 5 $limit ./sanlab run $work/g.yaml -j 1 --runs $runs --quiet > $work/said 2>&1
    code=$?
}

./sanlab run $work/g.yaml -j 1 --runs $runs --quiet
results > $work/expected
./sanlab table $work/g.yaml --runs $runs > $work/table
output=$(cat $work/expected)
holds "an undisturbed run leaves rows, models, hypotheses and results" [ "$(wc -l < $work/expected)" -ge 12 ]

# shellcheck disable=SC2116
under=$(echo $runs${file:+/$file}) # expands the pattern to a name
rm -rf $runs
run never:0:EIO

# Faults, one line "CALL:N:ERROR" each: every call, with its possible errors in turn.
echo $calls | tr ' ' '\n' > $work/names
od -An -v -td8 -w8 -N80 $work/counts | paste $work/names - | awk -v faults="$faults" -v wanted="$wanted" '
    wanted ~ /[a-z]/ && !index(wanted, " " $1 " ") { next }
    { for (n = 1; n <= $2; n++) {
        error = $1 == "write" ? (n % 3 == 0 ? "EIO" : n % 3 == 1 ? "ENOSPC" : "SHORT") : \
                $1 == "open" ? (n % 2 ? "EMFILE" : "EIO") : \
                $1 ~ /link|mkdir|rename/ ? (n % 2 ? "EIO" : "ENOSPC") : "EIO"
        line[++lines] = $1 ":" n ":" error
    } }
    END {
        if (faults == "all" || faults > lines) faults = lines
        for (i = 0; i < faults; i++) print line[int((i + 0.5) * lines / faults) + 1]
    }' > $work/faults
[ -z "$only" ] || echo "$only" > $work/faults

# judge FAULT: prints a line for each problem.
judge() {
    [ $code -ge 128 ] && [ $code -ne 137 ] && echo "$1: ended by signal $((code - 128))"
    { [ $code -eq 124 ] || [ $code -eq 137 ]; } && echo "$1: not finished after $limit s"
    [ $code -eq 0 ] || [ -s $work/said ] || echo "$1: status $code and no word"
    results > $work/got
    [ $code -ne 0 ] || cmp -s $work/expected $work/got || echo "$1: success with other results"
    if ! timeout -k 5 $limit ./sanlab run $work/g.yaml -j 1 --runs $runs --retry failed --quiet \
        > $work/again 2>&1; then
        echo "$1: the same command does not finish: $(tail -n 1 $work/again)"
        return
    fi
    results > $work/got
    cmp -s $work/expected $work/got || echo "$1: other bytes in the end"
    ./sanlab table $work/g.yaml --runs $runs 2>&1 | cmp -s $work/table - || echo "$1: another table"
    ./sanlab verify --quiet --runs $runs > $work/verified 2>&1 ||
        echo "$1: verify: $(head -n 1 $work/verified)"
}

: > $work/wrong
: > $work/log
while read -r fault; do
    rm -rf $runs
    begin=$(date +%s.%N)
    run "$fault"
    end=$(date +%s.%N)
    hit=$(tail -c +81 $work/counts | tr -d '\0')
    judge "$fault" >> $work/wrong
    echo "${fault%%:*} $begin $end $code $fault ${hit:-none}" >> $work/log
done < $work/faults

# Summary: one line for each call.
awk '
    { call[$1]++; seconds = $3 - $2; if (seconds > longest) { longest = seconds; slow = $5 }
      if ($6 == "none") missed++
      if ($4 == 0) fine[$1]++; total++ }
    END {
        for (name in call)
            printf "# %-8s %4d failed; %d of these runs went on to their end\n", name, call[name],
                   fine[name]
        printf "# %d faults, %d never reached; longest run %.1f s (%s)\n", total, missed, longest, slow
    }' $work/log
for call in $calls; do
    grep -q "^$call " $work/log || continue
    output=$(grep "^$call:" $work/wrong)
    holds "$call: no crash, hang or false success; the same bytes and table after a rerun" [ -z "$output" ]
done
output=$(awk '$6 == "none"' $work/log | head -5)
holds "the faults were met" [ "$(awk '$6 == "none"' $work/log | wc -l)" -le $(($(wc -l < $work/log) / 20)) ]
finish
