#!/bin/sh
# The folders that scripts/release/dist makes, here of this machine's programs: files of an archive for users and of
# one for a GPU, and its size. The scripts of the latter test a device: the emulator, no device, and devices whose ops
# fail, crash and hang. `make test-install` tests the archive of `make dist` on other systems.
. "$(dirname "$0")/../support/cli.sh"
fresh portable
stage=build/tmp/portable/stage build=${BUILD:-build}
output=$(scripts/release/dist user sanlab "$build" $stage 2>&1)
ok "all of it is found" $?
output=$(ls -d $stage/sanlab $stage/sanlab-emu.so $stage/experiments/models/base.yaml $stage/grids/*.yaml \
    $stage/experiments/corpora/sets/multi30k.yaml $stage/experiments/rules/*.tsv $stage/scripts/data/libreoffice \
    $stage/scripts/slurm/job $stage/docs/cluster.md $stage/CHANGELOG.md $stage/CITATION.cff $stage/LICENSE 2>&1)
ok "program, plug-in, presets, rules, data sets, pages" $?
holds "no programs of developers" [ ! -e $stage/sanlab-dev ]
holds "and no tests" [ ! -e $stage/tests ]
output=$(SANLAB_DATA=/nowhere scripts/release/dist gpu sanlab "$build" $stage 2>&1)
ok "one for a GPU" $?
output=$(ls -d $stage/sanlab $stage/sanlab-dev $stage/sanlab-emu.so $stage/sanlab-ops $stage/sanlab-golden $stage/scripts/gpu/smoke \
    $stage/scripts/gpu/test $stage/scripts/gpu/bench $stage/tests/golden/base.safetensors \
    $stage/experiments/models/base.yaml $stage/grids/*.yaml $stage/scripts/compare/twin/model.py \
    $stage/CHANGELOG.md $stage/CITATION.cff 2>&1)
ok "programs, plug-in, tests, golden files, presets, changes and citation" $?
output=$(scripts/release/dist archive $stage 2>&1)
ok "packed, it is below the limit" $?

# smoke DEVICE NAME=VALUE..: leaves $output, $code and the record.
smoke() {
    device=$1
    shift
    run env -u SANLAB_DATA "$@" sh $stage/scripts/gpu/smoke "$device" $work/out
    record=$(cat $work/out/smoke.json)
}

# records WHAT PATTERN: passes if smoke.json has a line that matches.
records() {
    printf '%s\n' "$record" | grep -Eq -e "$2"
    status=$?
    [ $status = 0 ] || output="expected /$2/ in: $record"
    ok "$1" $status
}

# A few ops, two of which have separate kernels in bf16. tests/emu/ops_test.c tests all ops.
mv $stage/sanlab-ops $stage/sanlab-all
cat > $stage/sanlab-ops << 'END'
#!/bin/sh
[ $# != 0 ] || { printf '%s\n' sum gemm adam attention_step && exit; }
exec "${0%ops}all" "$@"
END
chmod +x $stage/sanlab-ops
ops=6
smoke emu TRIALS=1 STEPS=3 LIMIT="$(patience 240)"
says "the emulator passes" 0 "^$ops passed, 0 failed, 0 crashed, 0 skipped"
records "ops are recorded" '\{"op": "gemm", "end": "passed", "seconds": [0-9.]+, "message": "ok"\},'
records "those with kernels of their own in bf16, too" '"op": "attention_step bf16", "end": "passed"'
records "and a training" '"training": \{"end": "passed", .*"dev_loss": [0-9.]+, "dev_loss_cpu": [0-9.]+\}'
records "and by what" '"name": "emu fp32 5"'

rm -f $stage/sanlab-cuda.so
smoke cuda TRIALS=1 STEPS=3
says "a device that is not there fails" 1 "^0 passed, $ops failed, 0 crashed, 0 skipped"
records "op by op, in one line" '"op": "sum", "end": "failed", .*"message": "sanlab: device cuda: .*No such file'
records "and the training" '"training": \{"end": "failed", .*"dev_loss": null, "dev_loss_cpu": [0-9.]+\}'

cat > $stage/sanlab-ops << 'END'
#!/bin/sh
[ $# != 0 ] || { echo good bad better worse stuck slow late && exit; }
shift 3
for op in "$@"; do
    case $op in
    good | better) echo "ok $op 0.01" ;;
    bad) echo 'ERROR: bad, trial 3: c[1] is "2"' && exit 255 ;;
    worse) kill -SEGV $$ ;;
    stuck) kill -ALRM $$ ;;
    *) sleep 9999 ;;
    esac
done
END
smoke emu STEPS=1 LIMIT="$(patience 4)"
says "it goes on after what fails" 1 "^2 passed, 2 failed, 1 crashed, 2 skipped"
records "a difference is told" '"op": "bad", "end": "failed", .*"message": "ERROR: bad, trial 3: c\[1\] is \\"2\\""'
records "a crash, too" '"op": "worse", "end": "crashed"'
records "what a process does after it" '"op": "better", "end": "passed", "seconds": 0.01, "message": "ok"'
records "what does not end" '"op": "stuck", "end": "failed", .*"message": "not finished after 20 s"'
records "what there was not time enough for" '"op": "slow", "end": "skipped", .*"message": "not finished after [0-9]+ s"'
records "or none" '"op": "late", "end": "skipped", .*"message": "no time was left"'
if command -v python3 > /dev/null; then
    output=$(python3 -m json.tool $work/out/smoke.json 2>&1)
    ok "the record is JSON" $?
fi

# Two more scripts, with a simulated device: they evaluate its output. A program that still runs cannot be written.
rm -f $stage/sanlab-golden $stage/sanlab-ops $stage/sanlab
cat > $stage/sanlab-golden << 'END'
#!/bin/sh
case ${2:-} in
'') echo right wrong ;;
right) echo '1..1' && echo 'ok 1 - right' ;;
wrong) echo '1..1' && echo 'loss: 2, expected 1' && echo 'not ok 1 - wrong' && exit 1 ;;
esac
END
cat > $stage/sanlab-ops << 'END'
#!/bin/sh
[ $# != 0 ] || { echo bad good && exit; }
precision=$3
shift 3
for op in "$@"; do
    [ "$op $precision" != 'bad bf16' ] || { echo 'c[1] is 2' && exit 255; }
    echo "ok $op 0.01"
done
END
cat > $stage/sanlab << 'END'
#!/bin/sh
# A "model" is its precision and, of one that is gone on with, the place where it was killed.
case $* in
*--describe*) echo '{"commit": "abc", "products": "pretended"}' ;;
run*)
    while [ "$1" != --runs ]; do shift; done
    ckpt=$2/stages/train-1/ckpt/step-12
    [ -z "${FAILS-}" ] || { printf 'start  train-1\n1:02  FAILED train-1 after 2 s: no memory\n'; exit 1; }
    mkdir -p $ckpt
    [ -z "${SANLAB_CRASH_AT-}" ] || { echo killed > $ckpt/killed; exit 1; }
    for word in "$@"; do echo "$word"; done | grep precision > $ckpt/model.safetensors
    ! grep -q tf32 $ckpt/model.safetensors || [ ! -f $ckpt/killed ] || cat $ckpt/killed >> $ckpt/model.safetensors
    [ "${SANLAB_CUDA_OFF-}" != graph,fork ] || echo other >> $ckpt/model.safetensors
    ;;
translate*) cat "$3" ;;
esac
END
cat > $stage/sanlab-dev << 'END'
#!/bin/sh
echo 'step         12.5 ms, 3.00 GFLOP' && echo 'tokens/s     100 target, 90 source'
END
chmod +x $stage/sanlab $stage/sanlab-dev $stage/sanlab-ops $stage/sanlab-golden
# tried SCRIPT RECORD NAME=VALUE..: runs the script under these variables
tried() {
    script=$1 file=$2
    shift 2
    rm -rf $work/out
    run env "$@" sh $stage/scripts/gpu/$script pretended $work/out
    record=$(cat $work/out/$file)
}
tried test test.json LIMIT="$(patience 60)"
says "gpu/test counts what fails, and goes on" 1 '^6 parts failed, 0 were cut'
records "a case, in one precision" '"part": "cases bf16", "end": "failed", .*"passed": 1, "failed": 1, "cut": 0'
records "with what it said" '"part": "cases bf16", "case": "bad", "end": "failed", "message": "c\[1\] is 2"'
records "a golden file" '"part": "golden", "case": "wrong", "end": "failed", "message": "loss: 2, expected 1"'
records "a training that repeats itself" '"part": "twice bf16", "end": "passed"'
records "one that does not when it was killed" '"part": "resumed tf32", "end": "failed".*bytes [0-9a-f]+, those of an undisturbed training are [0-9a-f]+'
records "one that does" '"part": "resumed fp32", "end": "passed"'
records "one that another way changes" '"part": "without graph,fork fp32", "end": "failed"'
records "translations" '"part": "beam", "end": "passed", .*400 of 400'
records "in bf16 twice" '"part": "beam bf16", "end": "passed", .*400 translations, twice the same'
records "no sanitizer is no failure" '"part": "memcheck fp32", "end": "not checked", .*there is no compute-sanitizer'
holds "in at most eight files" [ "$(ls $work/out | wc -l)" -le 8 ]
mkdir -p $work/bin
printf '#!/bin/sh\necho "========= Error: device not supported"\n' > $work/bin/compute-sanitizer
chmod +x $work/bin/compute-sanitizer
tried test test.json LIMIT="$(patience 60)" PRECISIONS=fp32 PATH="$PWD/$work/bin:$PATH"
records "nor one that refuses" '"part": "racecheck fp32", "end": "not checked", .*it refuses: ========= Error: device not supported'
printf '#!/bin/sh\necho "========= COMPUTE-SANITIZER"\nexec sleep 9999\n' > $work/bin/compute-sanitizer
tried test test.json LIMIT="$(patience 8)" PRECISIONS=fp32 PATH="$PWD/$work/bin:$PATH"
records "one that was ended has not refused" '"part": "memcheck fp32", "end": "cut"'
cat > $work/bin/compute-sanitizer << 'END'
#!/bin/sh
# Finds nothing by memcheck, something in the second op by racecheck, and late by initcheck.
echo '========= COMPUTE-SANITIZER'
[ $# -gt 7 ] || { echo '========= ERROR SUMMARY: 0 errors' && exit; }
echo ok bad 0.01
[ $2 != racecheck ] || echo '========= Error: a race'
echo ok good 0.01
[ $2 != initcheck ] || echo '========= Uninitialized read'
echo '========= ERROR SUMMARY: some'
[ $2 = memcheck ] || exit 9
END
tried test test.json LIMIT="$(patience 60)" PRECISIONS=fp32 PATH="$PWD/$work/bin:$PATH"
records "one that finds nothing" '"part": "memcheck fp32", "end": "passed", .*"message": "2 passed, 0 failed, 0 not begun"'
records "what one finds is one" '"part": "racecheck fp32", "case": "good", "end": "failed", "message": "========= Error: a race"'
records "after the last op, too" '"part": "initcheck fp32", "end": "failed", .*"message": "2 passed, 1 failed, 0 not begun"'
tried test test.json LIMIT="$(patience 60)" PRECISIONS=fp32 FAILS=1
records "why a training failed is told" '"part": "training fp32", "end": "failed", .*FAILED train-1 after 2 s: no memory'
tried test test.json LIMIT=0
records "what there was no time for is cut" '"part": "cases fp32", "end": "cut"'
tried bench bench.json LIMIT="$(patience 60)"
says "gpu/bench" 0 '^0 parts failed, 0 were cut'
records "has numbers" '"part": "base", "end": "passed", .*"step_ms": 12.5, "gflop": 3.00, "target_tokens_per_s": 100'
if command -v python3 > /dev/null; then
    output=$(python3 -m json.tool $work/out/bench.json 2>&1)
    ok "JSON, too" $?
fi
finish
