#!/bin/sh
# Compares output bytes and wall time of `sanlab bpe` and subword-nmt on whole corpora.
#
#   scripts/compare/bpe.sh [PYTHON]
#
# PYTHON is an interpreter that has subword-nmt (pip install subword-nmt==0.3.8); python3 by default.
# Reads parallel/multi30k and parallel/tatoeba below $SANLAB_DATA (data/ by default); reports and skips
# a missing corpus. Environment: SANLAB (program, ./sanlab) and MERGES (number of merges, 8000). Exits
# with 1 if a byte differs or nothing was compared.
set -eu
python=${1:-python3}
sanlab=${SANLAB:-./sanlab}
data=${SANLAB_DATA:-data}
merges=${MERGES:-8000}
threshold=50 few=1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 compared=0

theirs() {
    "$python" -c 'import sys; from subword_nmt.subword_nmt import main; sys.exit(main())' "$@" \
        2>"$work/stderr" || { cat "$work/stderr" >&2; exit 2; }
}

# seconds COMMAND...: runs the command and leaves its wall time in $took.
seconds() {
    begin=$(date +%s%N)
    "$@"
    took=$(awk -v ns=$(($(date +%s%N) - begin)) 'BEGIN { printf "%.2f", ns / 1e9 }')
}

# compare WHAT THEIRS OURS THEIR_SECONDS OUR_SECONDS
compare() {
    compared=$((compared + 1))
    if cmp "$2" "$3"; then same=same; else same=DIFFERENT failed=$((failed + 1)); fi
    printf '%-48s %9s  subword-nmt %7s s   sanlab %6s s\n' "$1" "$same" "$4" "$5"
}

# their_apply FILE OPTIONS: OPTIONS are several words.
their_apply() {
    theirs apply-bpe --codes "$work/their.codes" --input "$1" --output "$work/their.out" $2
}
our_apply() {
    "$sanlab" bpe apply --codes "$work/our.codes" $2 <"$1" >"$work/our.out"
}

# compare_apply WHAT FILE THEIR_OPTIONS OUR_OPTIONS
compare_apply() {
    seconds their_apply "$2" "$3"
    theirs_took=$took
    seconds our_apply "$2" "$4"
    compare "$1" "$work/their.out" "$work/our.out" "$theirs_took" "$took"
}

"$python" -c 'from importlib.metadata import version; print("subword-nmt", version("subword-nmt"))'

for corpus in multi30k tatoeba; do
    folder=$data/parallel/$corpus
    if ! [ -d "$folder" ]; then
        echo "$corpus: not below $data, left out"
        continue
    fi
    seconds theirs learn-joint-bpe-and-vocab --input "$folder/train.en" "$folder/train.de" \
        --symbols "$merges" --output "$work/their.codes" \
        --write-vocabulary "$work/their.en" "$work/their.de"
    theirs_took=$took
    seconds "$sanlab" bpe learn --merges "$merges" --codes "$work/our.codes" \
        --vocabulary "$work/our.en" --vocabulary "$work/our.de" \
        "$folder/train.en" "$folder/train.de"
    compare "$corpus: learn $merges merges and vocabularies" "$work/their.codes" "$work/our.codes" \
        "$theirs_took" "$took"
    for language in en de; do
        compare "$corpus: vocabulary of $language" "$work/their.$language" "$work/our.$language" - -
        kept="--vocabulary $work/their.$language"
        for file in "$folder"/*."$language"; do
            compare_apply "$corpus: ${file##*/}" "$file" "" ""
            compare_apply "$corpus: ${file##*/}, $few merges" "$file" "--merges $few" "--merges $few"
            compare_apply "$corpus: ${file##*/}, pieces of $threshold at least" "$file" \
                "$kept --vocabulary-threshold $threshold" "$kept --threshold $threshold"
        done
    done
done
echo "$compared compared, $failed different"
[ "$failed" = 0 ] && [ "$compared" -gt 0 ]
