# TAP helpers for the command line tests. Sourced from the root of the project.
number=0
failures=0
# Patterns contain UTF-8 letters, which the C locale of an empty environment would read as single bytes.
LC_ALL=C.UTF-8
export LC_ALL

# patience SECONDS: prints SECONDS, multiplied by the present slowness of the machine.
patience() {
    echo $(($1 * ${TEST_SLOW:-$(tests/speed)}))
}

# ok WHAT STATUS: prints one line of TAP. A status other than 0 fails the test and prints $output.
ok() {
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        failures=$((failures + 1))
        echo "not ok $number - $1"
        printf '%s\n' "$output" | sed 's/^/# /'
    fi
}

# holds WHAT COMMAND...: passes if the command succeeds; the command may be [. matches WHAT WORDS...:
# passes if grep WORDS finds a line in $output. lacks WHAT WORDS...: passes if grep WORDS finds none.
holds() {
    claim=$1
    shift
    "$@"
    ok "$claim" $?
}
matches() {
    claim=$1
    shift
    printf '%s\n' "$output" | grep -q "$@"
    ok "$claim" $?
}
lacks() {
    claim=$1
    shift
    printf '%s\n' "$output" | grep -q "$@"
    ok "$claim" $((! $?))
}

# contains WHAT CODE TEXT: passes if $code is CODE and $output contains TEXT.
contains() {
    case $output in *"$3"*) [ "$code" = "$2" ] ;; *) false ;; esac
    status=$?
    [ $status = 0 ] || output="exit status $code, expected $2; expected in it: $3
$output"
    ok "$1" $status
}

# equals WHAT EXPECTED TEXT: passes if both texts are equal; leaves TEXT in $output.
equals() {
    output=$3
    [ "$output" = "$2" ] || echo "# expected: $2"
    [ "$output" = "$2" ]
    ok "$1" $?
}

# skipped WHAT WHY: reports a test that cannot run here.
skipped() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# run COMMAND...: leaves $output (both streams) and $code. try, try_dev ARGUMENTS...: run sanlab or
# sanlab-dev likewise.
run() {
    output=$("$@" 2>&1)
    code=$?
}
try() { run ./sanlab "$@"; }
try_dev() { run ./sanlab-dev "$@"; }

# small FILE.yaml MODEL: writes a grid, named after FILE, on the text of a task. Appends the lines of
# standard input.
small() {
    set -- "$1" "$2" "$(basename "$1" .yaml)"
    {
        printf 'grid: %s\n%s\nmodel: %s\n' "$3" \
            'corpus: {source: a, target: b, train: train, dev: dev, merges: 20}' "$2"
        cat
    } > "$1"
}

# stage_value FOLDER NAME: prints the last value of the metric NAME that has no dimension.
stage_value() {
    sed -n "s/^{\"name\":\"$2\",\(\"step\":[0-9]*,\)*\"value\":\([-0-9.e]*\)[,}].*/\2/p" "$1/metrics.jsonl" | tail -n 1
}

# first_format FOLDER: rewrites done.json in the older format, which also had the values.
first_format() {
    scripts/release/first_format "$1" > "$1/done.first"
    mv "$1/done.first" "$1/done.json"
}

# disk_aside: sets $code to 0 if the only finding of the last doctor is a nearly full disk.
disk_aside() {
    case $output in
    *'!! less than 1 GB'*'1 finding,'*) code=0 ;;
    esac
}

# doctor: runs `sanlab doctor`, ignoring a nearly full disk.
doctor() {
    try doctor "$@"
    disk_aside
}

# says WHAT CODE PATTERN: compares the exit status of the last try with CODE, and its output with
# PATTERN.
says() {
    [ "$code" = "$2" ] && printf '%s\n' "$output" | grep -Eq -e "$3"
    status=$?
    [ $status = 0 ] || output="exit status $code, expected $2; expected /$3/ in:
$output"
    ok "$1" $status
}

# expect WHAT CODE PATTERN ARGUMENTS...: runs sanlab ARGUMENTS; compares its exit status and its output.
expect() {
    expected_what=$1 expected_code=$2 expected_line=$3
    shift 3
    try "$@"
    says "$expected_what" "$expected_code" "$expected_line"
}

# other_user: sets $as, the prefix of a command for a user to whom files can be denied; root can read
# every file. Fails if that user cannot reach this tree.
other_user() {
    as=
    [ "$(id -u)" = 0 ] || return 0
    as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    $as test -x "$PWD/sanlab" 2> /dev/null
}

# instruction_sets PROGRAM: prints the values of SANLAB_ISA that the program has. The field e_machine of its ELF header
# is 183 for aarch64.
instruction_sets() {
    case $(od -An -tu2 -j18 -N2 "$1") in *183) echo neon ;; *) echo v3 v4 ;; esac
}

# tree_copy FOLDER: copies the sources and the built objects, for a test that changes sources.
tree_copy() {
    rm -rf "$1"
    mkdir -p "$1/build"
    cp -a Makefile mk VERSION attention core dev experiments grids logic plots probes results scripts tests "$1"
    for part in o $(instruction_sets ./sanlab) f64 gen libsanlab.a libsanlab64.a; do
        cp -a "${BUILD:-build}/$part" "$1/build"
    done
}

# build WORDS: runs make in a tree copy, independent of the flags of the surrounding make. Compiles
# changed files without optimization and keeps all other objects. Links without debug information, which
# takes a tenth of the time. Leaves $output, $code.
build() {
    output=$(env -u MAKEFLAGS -u MFLAGS make -s -j "$(nproc)" KEEP_FLAGS=% BUILD=build EXTRA=-O0 FAST=-O0 \
        LDFLAGS=-Wl,-S ${CC:+"CC=$CC"} "$@" 2>&1)
    code=$?
}

# wait_for COMMAND...: returns when the command succeeds. Fails and ends the script after half a minute,
# or later on a slow machine, because the following commands could wait forever. tests/run kills the
# remaining processes.
wait_for() {
    left=600 more=
    until "$@"; do
        left=$((left - 1))
        if [ $left = 0 ] && [ -z "$more" ]; then
            more=$(($(patience 600) - 600))
            left=$((more + 1))
        fi
        if [ $left = 0 ]; then
            output=$({ [ ! -e "${work-}/log" ] || cat "$work/log"; } 2>&1)
            ok "waited in vain for: $*" 1
            exit 1
        fi
        sleep 0.05
    done
}

# there PATTERN: true if a file matches.
there() {
    for file in $1; do [ -e "$file" ] && return 0; done
    return 1
}

# frozen RUNNER COUNT: true if COUNT of its workers have stopped (SANLAB_FREEZE_AT).
frozen() {
    stopped=0
    for child in $(pgrep -P "$1"); do
        grep -q '^State:.T' "/proc/$child/status" 2> /dev/null && stopped=$((stopped + 1))
    done
    [ $stopped -ge "$2" ]
}

# freeze POINT COUNT ARGUMENTS...: starts sanlab ARGUMENTS as process $runner; returns when COUNT of its
# workers have stopped at POINT. ended: waits for $runner; leaves $code, and in $output the printed text.
freeze() {
    freeze_at=$1 freeze_count=$2
    shift 2
    SANLAB_FREEZE_AT=$freeze_at ./sanlab "$@" > "$work/log" 2>&1 &
    runner=$!
    wait_for frozen $runner "$freeze_count"
}
ended() {
    wait "$runner"
    code=$?
    output=$(cat "$work/log")
}

# thaw_at_end: continues the frozen processes ($worker and $workers) when the script exits, also after a
# signal.
thaw_at_end() {
    worker= workers=
    trap 'kill -CONT $worker $workers 2> /dev/null' EXIT
    trap 'exit 1' TERM
}

# copy_task FOLDER LINES: writes a task that a small model learns quickly: the target is the source, with
# other words. Files train.a, train.b, dev.a, dev.b.
copy_task() {
    mkdir -p "$1"
    for split in train dev; do
        awk -v dir="$1" -v lines="$2" -v seed="$split" 'BEGIN {
            srand(seed == "train" ? 1 : 2)
            if (seed == "dev") lines = 40
            for (i = 0; i < lines; i++) {
                n = 2 + int(rand() * 5); a = b = ""
                for (j = 0; j < n; j++) {
                    w = int(rand() * 12)
                    a = a (j ? " " : "") "s" w; b = b (j ? " " : "") "t" w
                }
                print a > (dir "/" seed ".a"); print b > (dir "/" seed ".b")
            }
        }'
    done
}

# digits RUNS: changes one digit in each metrics.jsonl. verify must report every change.
digits() {
    find "$1/stages" -name metrics.jsonl -size +0 > $work/metrics
    while read -r metrics; do
        sed -i '1s/\("value":-\{0,1\}\)[0-8]/\19/; t; 1s/\("value":-\{0,1\}\)9/\18/' "$metrics"
    done < $work/metrics
    try verify --runs "$1"
    [ "$code" = 1 ] && [ "$(wc -l < $work/metrics)" = \
        "$(printf '%s\n' "$output" | grep -c '^[a-z]*-[0-9a-f]*: metrics.jsonl has changed since')" ]
    ok "verify notices a digit in the metrics of each of $(wc -l < $work/metrics) stages" $?
}

# finish: prints the plan. Removes $work if the script passed, to save disk space; TEST_KEEP=1 keeps it.
finish() {
    echo "1..$number"
    [ $failures = 0 ] || return
    [ -z "${TEST_KEEP-}" ] || return 0
    case ${work-} in build/tmp/?* | "$PWD"/build/tmp/?*) rm -rf "$work" ;; esac
}

# fresh NAME: makes an empty $work = build/tmp/NAME. fresh_data NAME: also makes an empty $work/data and
# sets SANLAB_DATA to it.
fresh() {
    work=build/tmp/$1
    rm -rf "$work"
    mkdir -p "$work"
}
fresh_data() {
    fresh "$1"
    mkdir "$work/data"
    export SANLAB_DATA="$PWD/$work/data"
}

# task NAME LINES: fresh_data with a copy task.
task() {
    fresh_data "$1"
    copy_task "$work/data" "$2"
}
