#!/bin/sh
# tests/run: it counts every fault of a test program as a failure.
. "$(dirname "$0")/../support/cli.sh"
fresh runner
build=$work
mkdir -p $build/tests/unit
program() { # NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" > $build/tests/unit/"$1"_test
    chmod +x $build/tests/unit/"$1"_test
}
# expect WHAT CODE TEXT [LIMIT]: runs the program alone for at most LIMIT seconds; compares its exit code
# and a text in its output
expect() {
    TEST_LIMIT=${4:-60} BUILD=$build run tests/run $build/tests/unit/"$1"_test
    contains "$1" "$2" "$3"
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
program slow 'echo 1..1; sleep 9999'
expect slow 1 'not finished after' 1
program litter "sleep 300 & kill -STOP \$!; echo \$! > $build/litter; echo '1..1
ok 1 - a'"
expect litter 0 "$(last '1 passed, 0 failed, 0 skipped')"
! grep -q '^State:.T' "/proc/$(cat $build/litter)/status" 2> /dev/null
ok "a process that a test left stopped is ended" $?
program patient 'echo 1..1; sleep 4; echo "ok 1 - a"'
output=$(TEST_SLOW=30 TEST_LIMIT=1 BUILD=$build tests/run $build/tests/unit/patient_test 2>&1)
ok "a limit of one second is thirty on a machine that is thirty times slower" $?
# A machine that slows down after the start of the run: its speed is measured again, here by a stub of
# tests/speed.
mkdir -p $build/slow/tests
cp tests/run $build/slow/tests
printf '#!/bin/sh\ncat speed\n' > $build/slow/tests/speed
chmod +x $build/slow/tests/speed
printf '1..1\nok 1 - a\n' > $build/slow/said
printf '#!/bin/sh\necho 30 > speed\nsleep 4\ncat said\n' > $build/slow/later_test
chmod +x $build/slow/later_test
echo 1 > $build/slow/speed
output=$(env -u TEST_SLOW TEST_LIMIT=2 $build/slow/tests/run ./later_test 2>&1)
ok "a limit follows the speed while a test runs" $?
[ "$(tests/speed 1)" -ge 1 ] && [ "$(tests/speed $(($(nproc) * 8)))" -gt "$(tests/speed 1)" ]
ok "a machine that does eight things a core at once is slower than one that does one" $?
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

# Several programs at once. a and b each wait until the other has begun. lease_test runs after both have
# ended, and no program waits for it.
unit=$build/tests/unit
for name in a b; do
    program $name "echo 1..1; : > $build/begun_$name
for _ in \$(seq 1200); do [ -e $build/begun_a ] && [ -e $build/begun_b ] && sleep 0.2 && break; sleep 0.1; done
[ -e $build/begun_a ] && [ -e $build/begun_b ] && [ ! -e $build/begun_lease ] && echo ok 1
: > $build/ended_$name"
done
program lease "echo 1..1; : > $build/begun_lease; [ -e $build/ended_a ] && [ -e $build/ended_b ] && echo ok 1"
# shows WHAT CODE TEXT ARGUMENTS...: runs tests/run with these arguments
shows() {
    what=$1 expected=$2 text=$3
    shift 3
    TEST_LIMIT=30 BUILD=$build run tests/run "$@"
    contains "$what" "$expected" "$text"
}
shows "two at once, and lease_test afterwards" 0 "$(last '3 passed, 0 failed, 0 skipped')" \
    -j 2 $unit/lease_test $unit/a_test $unit/b_test
shows "counts of all" 1 "$(last '7 passed, 2 failed, 2 skipped')" \
    -j3 $unit/good_test $unit/skip_test $unit/bad_test $unit/good_test $unit/leak_test
shows "a number of files" 65 'expected a number of files at once, got "no"' -j no
shows "a pattern without files is none" 1 "nothing to run" "$unit/*_none"

# An interrupt ends the running programs, including programs that ignore it.
program deaf "trap '' INT; echo \$\$ > $build/deaf; sleep 9999; sleep 9999"
BUILD=$build env --default-signal=INT tests/run -j 2 $unit/deaf_test $unit/slow_test > $build/log 2>&1 &
runner=$!
for _ in $(seq 1200); do [ -s $build/deaf ] && break; sleep 0.1; done
kill -INT $runner
wait $runner
code=$?
# An ended process remains a zombie until init reaps it.
ended() {
    ! grep -q '^State:.[^ZX]' "/proc/$(cat $build/deaf)/status" 2> /dev/null
}
for _ in $(seq 100); do ended && break; sleep 0.1; done
output=$(echo "exit code $code"; cat $build/log "/proc/$(cat $build/deaf)/status" 2>&1)
[ $code = 130 ] && ended
ok "an interrupt" $?
finish
