#!/bin/sh
# sanlab doctor says which OpenBLAS kernels run, and that older ones cost something.
cd "$(dirname "$0")/../.." || exit 1
unset OPENBLAS_CORETYPE SANLAB_CORE SANLAB_CORE_CHOSEN
number=0
# expect WHAT CODE PATTERN: on the output and exit code in $output and $code
expect() {
    number=$((number + 1))
    if [ "$code" = "$2" ] && printf '%s\n' "$output" | grep -Eq "$3"; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf '%s\n' "exit code $code, expected $2; expected $3 in:" "$output" | sed 's/^/# /'
    fi
}
output=$(./sanlab doctor sgemm)
code=$?
expect "the rate alone" 0 '^[0-9]{9,}$'
output=$(OPENBLAS_CORETYPE=Nehalem ./sanlab doctor)
code=$?
expect "kernels that the user pinned" 1 'kernels of Nehalem, by OPENBLAS_CORETYPE'
expect "what they cost" 1 '!! kernels of Nehalem .* [0-9.]+ times as much; unset OPENBLAS_CORETYPE'
output=$(SANLAB_DATA=/nowhere ./sanlab doctor)
code=$?
expect "data that is not there" 1 '!! SANLAB_DATA names no folder'
expect "libraries" 1 '^libraries .*SQLite 3\.'
output=$(./sanlab doctor everything 2>&1)
code=$?
expect "unknown words are refused" 65 'expected nothing or sgemm, got "everything"'
output=$(SANLAB_CORE=fast ./sanlab doctor 2>&1)
code=$?
expect "unknown modes are refused" 65 'SANLAB_CORE: expected auto or env, got "fast"'
echo "1..$number"
