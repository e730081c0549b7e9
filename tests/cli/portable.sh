#!/bin/sh
# What make dist packs finds its libraries in its own folder, and scripts/gpu_smoke judges a device
# there: the emulator, none at all, and one whose ops fail, crash and do not end.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/portable stage=build/tmp/portable/stage
rm -rf $work
mkdir -p $work
output=$(BLAS='' scripts/dist "${BUILD:-build}" $stage 2>&1)
ok "all of it is found" $?
output=$(env -i LD_LIBRARY_PATH=/nowhere ldd $stage/sanlab $stage/sanlab-ops |
    grep -vE "$PWD/$stage/|linux-vdso|ld-linux|^$stage|lib[cm]\.so\.6")
[ -z "$output" ]
ok "libraries but glibc come from its folder" $?

# smoke DEVICE NAME=VALUE..: leaves $output, $code and the record.
smoke() {
    device=$1
    shift
    output=$(env -u SANLAB_DATA "$@" sh $stage/scripts/gpu_smoke "$device" $work/out 2>&1)
    code=$?
    record=$(cat $work/out/smoke.json)
}

# records WHAT PATTERN: in smoke.json.
records() {
    printf '%s\n' "$record" | grep -Eq -e "$2"
    status=$?
    [ $status = 0 ] || output="expected /$2/ in: $record"
    ok "$1" $status
}

ops=$(grep -c '^OP(' core/tensor/ops.def)
smoke emu TRIALS=2
says "the emulator passes" 0 "^$ops passed, 0 failed, 0 crashed, 0 skipped"
records "ops are recorded" '\{"op": "gemm", "end": "passed", "seconds": [0-9.]+, "message": "ok"\},'
records "and a training" '"training": \{"end": "passed", .*"dev_loss": [0-9.]+, "dev_loss_cpu": [0-9.]+\}'
records "and by what" '"name": "emu fp32 1"'

rm -f $stage/sanlab-cuda.so
smoke cuda TRIALS=1
says "a device that is not there fails" 1 "^0 passed, $ops failed, 0 crashed, 0 skipped"
records "op by op, in one line" '"op": "sum", "end": "failed", .*"message": "sanlab: device cuda: .*No such file'
records "and the training" '"training": \{"end": "failed", .*"dev_loss": null, "dev_loss_cpu": [0-9.]+\}'

cat > $stage/sanlab-ops << 'END'
#!/bin/sh
case ${2:-} in
'') echo good bad 'worse' slow late ;;
good) echo ok ;;
bad) echo 'ERROR: bad, trial 3: c[1] is "2"' && exit 255 ;;
worse) kill -SEGV $$ ;;
*) sleep 30 ;;
esac
END
smoke emu LIMIT=3
says "it goes on after what fails" 1 "^1 passed, 2 failed, 1 crashed, 1 skipped"
records "a difference is told" '"op": "bad", "end": "failed", .*"message": "ERROR: bad, trial 3: c\[1\] is \\"2\\""'
records "a crash, too" '"op": "worse", "end": "crashed"'
records "what does not end" '"op": "slow", "end": "failed", .*"message": "not finished after [12] s"'
records "what there was no time for" '"op": "late", "end": "skipped"'
if command -v python3 > /dev/null; then
    output=$(python3 -m json.tool $work/out/smoke.json 2>&1)
    ok "the record is JSON" $?
fi
finish
