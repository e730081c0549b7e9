#!/bin/sh
# make test-clang: every op gives the same bits when built by gcc and by clang, with every instruction
# set. (ops_test itself compares 1, 2 and 3 threads.)
. "$(dirname "$0")/../support/cli.sh"
build=${BUILD:-build}
fresh clang_ops
# digests COMPILER PROGRAM: writes $work/COMPILER, one line per op
digests() {
    SANLAB_ISA=$table "$2" > $work/log 2>&1 || cat $work/log
    grep '^digest ' $work/log > $work/"$1"
}
for table in $(instruction_sets ./sanlab); do
    if [ $table = v4 ] && ! grep -qw avx512vl /proc/cpuinfo; then
        number=$((number + 1))
        echo "ok $number - cpu-$table # SKIP this processor has no AVX-512"
        continue
    fi
    output=$(digests gcc "$build/tests/unit/ops_test"
        digests clang "$build/clang/tests/unit/ops_test"
        diff $work/gcc $work/clang)
    [ -z "$output" ] && [ -s $work/gcc ]
    ok "cpu-$table: $(wc -l < $work/gcc) ops" $?
done
finish
