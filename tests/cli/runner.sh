#!/bin/sh
# tests/run itself: what a program can do wrong is counted as a failure.
cd "$(dirname "$0")/../.." || exit 1
build=build/tmp/runner
rm -rf $build
mkdir -p $build/tests/unit
number=0
program() { # NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" > $build/tests/unit/"$1"_test
    chmod +x $build/tests/unit/"$1"_test
}
# expect WHAT CODE TEXT [LIMIT]: the program alone, its exit code and a text that the output must
# contain; it has LIMIT seconds
expect() {
    number=$((number + 1))
    output=$(TEST_LIMIT=${4:-60} BUILD=$build tests/run $build/tests/unit/"$1"_test 2>&1)
    code=$?
    case $output in
    *"$3"*) [ $code = "$2" ] && echo "ok $number - $1" && return ;;
    esac
    echo "not ok $number - $1"
    printf '%s\n' "expected exit code $2, got $code; expected in the output: $3" "$output" |
        sed 's/^/# /'
}
last() { printf '\n%s' "$1"; }

program good 'echo "1..2
ok 1 - a
ok 2 - b"'
expect good 0 "$(last '2 passed, 0 failed, 0 skipped')"
program bad 'echo "1..2
ok 1 - a
not ok 2 - b
# one is not two"; exit 1'
expect bad 1 '    # one is not two'
expect bad 1 "$(last '1 passed, 1 failed, 0 skipped')"
program crash 'echo "1..3
ok 1 - a"; kill -ABRT $$'
expect crash 1 'ended by signal 6'
program slow 'echo 1..1; sleep 60'
expect slow 1 'not finished after 1 s' 1
program planless 'echo hello'
expect planless 1 'no plan was printed'
program short 'echo "1..2
ok 1 - a"'
expect short 1 '1 of 2 planned tests were run'
program leak 'echo "1..1
ok 1 - a"; exit 23'
expect leak 1 'exit status 23'
program skip 'echo "1..3
skipped: no corpus
not ok 1 # SKIP reads_corpus
ok 2 - draws # SKIP no gnuplot
ok 3 - c"'
expect skip 0 'skip_test: reads_corpus: no corpus'
expect skip 0 'skip_test: draws: no gnuplot'
expect skip 0 "$(last '1 passed, 0 failed, 2 skipped')"
program none 'echo "1..0 # SKIP no program"'
expect none 0 'none_test: no program'
expect absent 1 "$(last '0 passed, 1 failed, 0 skipped')"
echo "1..$number"
