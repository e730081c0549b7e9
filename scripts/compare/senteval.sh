#!/bin/sh
# Compares our classifier of probing tasks with that of SentEval: losses, predictions and speed.
#
#   scripts/compare/senteval.sh --python PYTHON --senteval FOLDER [--vectors DIR] [--tasks NAMES]
#                               [--skip losses|whole|time]
#
# PYTHON has torch and numpy. FOLDER is a checkout of facebookresearch/SentEval, which is not changed
# (scripts/compare/senteval_peer.py replaces its imports, such as the GPU). Tasks are those of probing/ in
# $SANLAB_DATA or data/ (all ten, or NAMES such as "past_present tree_depth"). DIR has NAME.npy for each
# task; by default vectors are means of random word vectors.
#
#   losses  equal initial values and permutations. 500 updates with 0 and with 200 hidden units have no
#           dropout. 100 updates have dropout 0.1 and equal masks. Losses agree within 1e-5
#   whole   complete trainings without dropout: the L2 and 99.9% of the predictions agree
#   time    the protocol `fixed`: ours with two tasks in parallel, SentEval with two threads
#
# Prints a line for each comparison; the last line has the counts. Exits with 1 unless all agree.
set -eu
cd "$(dirname "$0")/../.."
python=python3 senteval='' vectors='' names='' skip=''
while [ $# -gt 1 ]; do
    case $1 in
    --python) python=$2 ;;
    --senteval) senteval=$2 ;;
    --vectors) vectors=$2 ;;
    --tasks) names=$2 ;;
    --skip) skip="$skip $2 " ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 0 ] || { echo "scripts/compare/senteval.sh: there is no option $1 (see the head of this file)" >&2 && exit 1; }
"$python" -c 'import torch, numpy' 2> /dev/null ||
    { echo "skipped: $python has no torch and numpy" && exit 0; }
[ -f "$senteval/senteval/tools/classifier.py" ] ||
    { echo "skipped: --senteval names no checkout of SentEval" && exit 0; }
tasks=${SANLAB_DATA:-data}/probing
[ -d "$tasks" ] || { echo "skipped: there is no folder $tasks" && exit 0; }
[ -n "$names" ] || names=$(cd "$tasks" && ls ./*.txt | sed 's:^\./::; s/\.txt$//')
probe=build/tests/tool/probe_file work=build/tmp/compare_senteval peer=scripts/compare/senteval_peer.py
make -s $probe
mkdir -p $work/vectors
OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
export OMP_NUM_THREADS OMP_WAIT_POLICY
good=0 all=0

# wanted COMPARISON: true unless --skip names it.
wanted() {
    case $skip in *" $1 "*) return 1 ;; esac
}
count() {
    all=$((all + 1))
    if "$@"; then good=$((good + 1)); else echo "differs: $what"; fi
}
# Runs our classifier on the task; its output is in $work/ours.
ours() {
    $probe "$vectors/$name.npy" "$tasks/$name.txt" fixed seed=1111 linear=$linear hidden="$hidden" \
        dropout="$dropout" "$@" > $work/ours 2>&1
}
theirs() {
    doing=$1 status=0
    shift
    "$python" $peer "$senteval" "$doing" "$vectors/$name.npy" "$tasks/$name.txt" "$hidden" \
        "$dropout" "$@" > $work/theirs || status=1
    sed "\$s/^/$doing, $hidden units, dropout $dropout: /; \$!d" $work/theirs
    return $status
}
losses() {
    ours most=4 trace=probe && theirs losses "$1" $work/ours
}
whole() {
    ours predictions=$work/predictions && theirs whole $work/ours $work/predictions
}

if [ -z "$vectors" ]; then
    vectors=$work/vectors
    for name in $names; do
        [ -f "$vectors/$name.npy" ] ||
            "$python" $peer "$senteval" vectors "$tasks/$name.txt" "$vectors/$name.npy"
    done
fi
for name in $names; do
    case $name in word_content) linear=1 ;; *) linear=0 ;; esac
    for hidden in 0 200; do
        dropout=0 what="$name, $hidden units"
        ! wanted losses || count losses 500
        ! wanted whole || count whole
    done
    dropout=0.1 what="$name, dropout"
    [ $linear = 1 ] || ! wanted losses || count losses 100
done

# seconds COMMAND...: measures wall time.
seconds() {
    begin=$(date +%s.%N)
    "$@" > $work/log
    end=$(date +%s.%N)
    echo "$begin $end" | awk '{ printf "%.1f\n", $2 - $1 }'
}
# shellcheck disable=SC2016 # the inner shell's
ours_all() {
    printf '%s\n' $names | xargs -P 2 -I NAME sh -c '
        case $1 in word_content) linear=1 ;; *) linear=0 ;; esac
        "$2" "$3/$1.npy" "$4/$1.txt" fixed seed=1111 linear=$linear' sh NAME $probe "$vectors" "$tasks"
}
theirs_all() {
    for name in $names; do
        OMP_NUM_THREADS=2 "$python" $peer "$senteval" time "$vectors/$name.npy" \
            "$tasks/$name.txt" 200 0.1 2
    done
}
if wanted time; then
    what="fixed is less than 3 times faster"
    ours_seconds=$(seconds ours_all)
    theirs_seconds=$(seconds theirs_all)
    echo "$ours_seconds $theirs_seconds" |
        awk '{ printf "fixed: %.1f s, theirs %.1f s: %.1f times\n", $1, $2, $2 / $1 }'
    count awk "BEGIN { exit !($theirs_seconds >= 3 * $ours_seconds) }"
fi
echo "$good of $all comparisons hold"
[ $good -eq $all ]
