#!/bin/sh
# The host's part of a GPU's plug-in, where no GPU is: CUDA's runtime and cuBLASLt are stood in for
# (tests/cuda), kernels are the emulator's. It computes what the emulator does, to the byte, and what
# a machine can refuse is said in one line each. The toolkit's headers are needed, nvcc is not run.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
case $(nvcc --version 2> /dev/null) in
*"release 13."*) ;;
*) echo "1..0 # SKIP a GPU's plug-in without a GPU: there is no toolkit of CUDA 13" && exit 0 ;;
esac
task cuda_stand_in_cli 60
unset SANLAB_CUBLASLT SANLAB_CUDA_OFF SANLAB_CUDA_SYNC SANLAB_PRODUCTS SANLAB_ANY_NUMERICS CUDA_VISIBLE_DEVICES
build=${BUILD:-build}

output=$(env -u MAKEFLAGS -u MFLAGS make -s BUILD="$build" \
    KEEP_FLAGS="archive link emu emu16" cuda-stand-in "$build/portable/sanlab-ops" 2>&1)
ok "it is built" $?
mkdir -p $work/here $work/lib
cp sanlab sanlab-emu.so "$build/tests/cuda/sanlab-cuda.so" "$build/portable/sanlab-ops" $work/here
cp "$build/tests/cuda/libcublasLt.so.13" $work/lib
# driver VERSION: a driver that is for this CUDA.
driver() {
    echo "int cuDriverGetVersion(int *version) { *version = $1; return 0; }" |
        ${CC:-gcc} -shared -fPIC -o $work/lib/libcuda.so.1 -x c -
}
driver 13000
libraries="$PWD/$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# in_place WORDS..: the program beside the stand-in; leaves $output and $code.
in_place() {
    output=$(LD_LIBRARY_PATH=$libraries $work/here/sanlab "$@" 2>&1)
    code=$?
}

# ---- what it computes ----

for precision in fp32 tf32 bf16; do
    for op in read_act write_act gemm gemm_weight squeeze_backward adam; do
        output=$(LD_LIBRARY_PATH=$libraries \
            $work/here/sanlab-ops cuda "${TRIALS:-12}" $precision $op 2>&1)
        [ "${output% *}" = "ok $op" ]
        ok "$op in $precision" $?
    done
done
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 0}
model: {width: 32, heads: 2, feedforward: 128, dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {epochs: 0, steps: 5, batch_tokens: 64, warmup: 20, save_every: 2}
rows: [{name: Transformer}]
END
grid="$work/g.yaml --quiet"
# models RUNS: a digest of what its trainings left.
models() {
    cat $work/"$1"/stages/train-*/ckpt/*/*.safetensors | sha256sum
}
for precision in fp32 tf32 bf16; do
    for device in emu cuda; do
        in_place run $grid --device $device --runs $work/$device-$precision \
            train.precision=$precision
        says "a training on $device in $precision" 0 '^$'
    done
    output="$(models emu-$precision) $(models cuda-$precision)"
    [ "$(models emu-$precision)" = "$(models cuda-$precision)" ]
    ok "they leave the same bytes" $?
done
[ "$(models cuda-fp32)" != "$(models cuda-tf32)" ]
ok "tf32 is not fp32" $?
output=$(cat $work/cuda-tf32/stages/train-*/environment.json)
code=0
says "where it was computed is recorded" 0 '"products": "cuda fp32 5 Stand-in 0 cublasLt 13\.1\.0"'
output=$(cat $work/cuda-tf32/stages/train-*/ckpt/*/state.json)
says "with the numerics of its precision" 0 '"numerics": "cuda tf32 5 Stand-in 0 cublasLt 13\.1\.0"'
export CUDA_STAND_IN=gpus=3
in_place work --describe --device cuda:2
says "cuda:N is the GPU of that number" 0 '"products": "cuda fp32 5 Stand-in 2 cublasLt'
in_place run $grid --device cuda:1 --runs $work/second
output=$(cat $work/second/stages/train-*/environment.json)
says "for workers, too" 0 'Stand-in 1 cublasLt'
unset CUDA_STAND_IN
in_place work --describe
says "auto is a GPU that works" 0 '"device": "cuda"'

# Two batches of each of two searches by turns (crew.h): words that came too early would be others.
awk 'BEGIN { for (i = 0; i < 400; i++) print "s" i % 12 (i % 3 ? " s3 s1" : "") }' > $work/lines
for device in emu cuda; do
    in_place translate "$(basename $work/cuda-fp32/stages/train-*)" $work/lines --runs $work/cuda-fp32 --device $device \
        --extra 3 --beam 2 --nbest 2
    echo "$output" > $work/translated.$device
done
output=$(sort $work/translated.* | uniq -c | head)
[ "$(wc -l < $work/translated.cuda)" -gt 400 ] && cmp -s $work/translated.cuda $work/translated.emu
ok "two searches by turns find what the emulator's do" $?

# ---- what doctor and plan say ----

export CUDA_STAND_IN="gpus=2 memory=3000000000"
in_place doctor --runs $work/none
unset CUDA_STAND_IN
disk_aside
says "doctor names the GPU" 0 '^GPU +cuda: cuda fp32 5 Stand-in 0 cublasLt 13\.1\.0$'
says "its driver" 0 '^ +driver for CUDA 13\.0, this needs 13\.[0-9]$'
says "its number and capability" 0 '^ +cuda:0 of 2 GPUs: Stand-in 0, compute capability 9\.0$'
says "its memory" 0 '^ +[0-9.]+ of 3\.0 GB of its memory are free$'
says "and where cuBLASLt is" 0 '^ +cuBLASLt 13\.1\.0: .*/libcublasLt\.so\.13$'
in_place plan $grid --device cuda --runs $work/none
says "plan states the device's memory" 0 'device memory'
says "beside the host's, with what cuBLASLt takes" 0 \
    '^memory [0-9.]+ MB at the peak, of the device (68|69) MB; disk'
sed 's/width: 32/width: 256/; $aevaluate: {bleu: {split: dev, beam: 8}}' $work/g.yaml > $work/searched.yaml
in_place run $work/searched.yaml --quiet --device cuda --runs $work/searched -j 1
rm -r $work/searched/stages/score-*
in_place plan $work/searched.yaml --device cuda --runs $work/searched
planned=$(echo "$output" | sed -n 's/^memory .* at the peak, of the device \([0-9]*\) MB;.*/\1/p')
CUDA_STAND_IN=traces in_place run $work/searched.yaml --quiet --device cuda --runs $work/searched -j 1
output="$planned MB planned; $(cat $work/searched/stages/score-*/log.txt)"
taken=$(echo "$output" | sed -n 's/.*stand-in: \([0-9]*\) bytes at most.*/\1/p')
awk -v planned="${planned:-0}" -v taken="${taken:-0}" \
    'BEGIN { library = 33.6; share = (planned - library) / (taken / 1e6 - library)
        exit !(taken > 80e6 && share > 0.95 && share < 1.1) }'
ok "a search's, to a tenth" $?
export CUDA_STAND_IN=traces
in_place run $grid --device cuda --runs $work/traced -j 1
unset CUDA_STAND_IN
output=$(cat $work/traced/stages/train-*/log.txt)
says "which is what it has taken, to a twentieth" 0 '^stand-in: (6[89]|7[01])[0-9]{6} bytes at most'

# ---- recorded steps ----

says "the first step is issued as it comes, the others are one recorded step" 0 ' 1 graphs made, 4 launched$'
# as_ever WHAT PATTERN NAME=VALUE..: a training under these leaves the same bytes, and says so of graphs.
as_ever() {
    what=$1 pattern=$2
    shift 2
    rm -rf $work/other
    output=$(env LD_LIBRARY_PATH="$libraries" CUDA_STAND_IN=traces "$@" $work/here/sanlab run $grid \
        --device cuda --runs $work/other 2>&1; cat $work/other/stages/train-*/log.txt)
    code=$?
    says "$what" 0 "$pattern"
    output=$(models other)
    [ "$output" = "$(models cuda-fp32)" ]
    ok "to the same bytes" $?
}
as_ever "without graphs nothing is recorded" ' 0 graphs made, 0 launched$' SANLAB_CUDA_OFF=graph
as_ever "without a second stream" ' 1 graphs made, 4 launched$' SANLAB_CUDA_OFF=fork
as_ever "without both" ' 0 graphs made, 0 launched$' SANLAB_CUDA_OFF=graph,fork
# Of a recurrent layer, whose steps have sentences of other lengths each time.
sed 's/encoder.layers: 1/encoder.stack: [{onlstm: 1}]/' $work/g.yaml > $work/recurrent.yaml
recurrent="$work/recurrent.yaml --quiet"
in_place run $recurrent --device emu --runs $work/emu-recurrent
export CUDA_STAND_IN=traces
in_place run $recurrent --device cuda --runs $work/cuda-recurrent
unset CUDA_STAND_IN
output=$(cat $work/cuda-recurrent/stages/train-*/log.txt)
says "recurrent layers repeat a recorded step" 0 ' 1 graphs made, 4 launched$'
[ "$(models cuda-recurrent)" = "$(models emu-recurrent)" ]
ok "to the emulator's bytes" $?
# In another order of sums, so with other last bits: those of the emulator under the same switch.
SANLAB_CUDA_OFF=epilogue in_place run $grid --device emu --runs $work/emu-plain
says "a training on emu without epilogues" 0 '^$'
for how in SANLAB_CUDA_OFF=epilogue CUBLASLT_STAND_IN_REFUSES=1 CUBLASLT_STAND_IN_REFUSES=late; do
    rm -rf $work/cuda-plain
    output=$(env LD_LIBRARY_PATH="$libraries" $how $work/here/sanlab run $grid --device cuda \
        --runs $work/cuda-plain 2>&1)
    [ "$(models cuda-plain)" = "$(models emu-plain)" ] &&
        [ "$(models cuda-plain)" != "$(models cuda-fp32)" ]
    ok "$how leaves the bytes of that" $?
done
as_ever "nor where every op is waited for" ' 0 graphs made, 0 launched$' SANLAB_CUDA_SYNC=1

# ---- what bench measures in a process of its own ----

echo 'corpus: {source: a, target: b, train: train, dev: dev, merges: 0}' > $work/corpus.yaml
in_place corpus prepare $work/corpus.yaml $work/corpus --quiet
in_place bench --memory $work/g.yaml --corpus $work/corpus --threads 1 --device cuda
says "bench says of a plan what is the GPU's" 0 '^planned +[0-9]+ MB of the host, [0-9]+ MB of the GPU$'
says "and trains in a process that opens the GPU itself" 0 '^measured +[0-9]+ MB of the host'

# ---- what is refused ----

# refuses WHAT DEVICE PATTERN [NAME=VALUE..]: what `run` says of it, in one line and before it records
# any work.
refuses() {
    what=$1 device=$2 pattern=$3
    shift 3
    output=$(env LD_LIBRARY_PATH="$libraries" "$@" ${hidden-} $work/here/sanlab run $grid --runs $work/none \
        --device "$device" 2>&1)
    code=$?
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && ! there "$work/none/stages/*"
    alone=$?
    says "refused: $what" 65 "$pattern"
    ok "in one line, and nothing is recorded" $alone
    rm -rf "$work/none"
}
refuses "no GPU" cuda '^sanlab: device cuda: there is a driver, but no GPU$' CUDA_STAND_IN=gpus=0
refuses "none that is visible" cuda 'but no GPU: CUDA_VISIBLE_DEVICES=""$' CUDA_STAND_IN=gpus=0 \
    CUDA_VISIBLE_DEVICES=
refuses "the second of one" cuda:1 '^sanlab: device cuda:1: there is one GPU here: cuda:0$'
refuses "a number beyond the last" cuda:4 \
    '^sanlab: device cuda:4: there are 2 GPUs here: cuda:0 to cuda:1$' CUDA_STAND_IN=gpus=2
refuses "a GPU that is too old" cuda \
    'cuda:0: Stand-in 0 has compute capability 7\.5; kernels are for 8\.0 and later$' \
    CUDA_STAND_IN=capability=75
refuses "what cannot be off" cuda 'SANLAB_CUDA_OFF: expected words of graph.*, got "grahp"' \
    SANLAB_CUDA_OFF=graph,grahp
refuses "cuBLASLt of another version" cuda 'cuBLASLt 12\.8\.5: .*; this needs version 13$' \
    CUBLASLT_STAND_IN=120805
refuses "a file that is no library" cuda 'device cuda: SANLAB_CUBLASLT: .*/g.yaml: ' \
    SANLAB_CUBLASLT=$work/g.yaml
# Where no toolkit is, nor a package of Python's: here it is hidden from one process.
mv "$work/lib/libcublasLt.so.13" $work/aside
printf 'mount -t tmpfs none "%s" && exec "$@"\n' "$(realpath "$(dirname "$(command -v nvcc)")/..")" > $work/hide
if unshare -m sh $work/hide true 2> /dev/null &&
    ! { command -v python3 && python3 -c 'import nvidia.cu13'; } > /dev/null 2>&1; then
    hidden="unshare -m sh $work/hide"
    refuses "no cuBLASLt" cuda 'device cuda: libcublasLt\.so\.13 is not here: neither where the loader looks,'
    hidden=
    mkdir -p $work/nvidia/cu13/lib
    echo "open('canary', 'w')" > $work/nvidia/cu13/__init__.py
    cp $work/aside $work/nvidia/cu13/lib/libcublasLt.so.13
    output=$(cd $work && LD_LIBRARY_PATH=$libraries unshare -m sh hide here/sanlab work --describe --device cuda 2>&1)
    code=$?
    says "one in the current folder is not taken" 65 'libcublasLt\.so\.13 is not here'
    [ ! -e $work/canary ]
    ok "and nothing there is run" $?
else
    ok "refused: no cuBLASLt # SKIP it cannot be hidden here" 0
fi
mv $work/aside "$work/lib/libcublasLt.so.13"
driver 12040
refuses "an old driver" cuda 'the driver is too old: it is for CUDA 12\.4, this needs 13\.0$'
in_place doctor --runs $work/none
disk_aside
says "which doctor says" 0 '^ +device cuda: the driver is too old: it is for CUDA 12\.4'
in_place doctor --runs $work/none --device cuda
says "as a finding where it was asked for" 1 '!! device cuda: the driver is too old'
echo nothing > "$work/lib/libcuda.so.1"
refuses "no driver" cuda '^sanlab: device cuda: there is no driver of NVIDIA here \(libcuda\.so\.1\)$'
driver 13000

# fails WHAT PATTERN [NAME=VALUE..]: a stage that fails where it is, with what went wrong.
fails() {
    what=$1 pattern=$2
    shift 2
    output=$(env LD_LIBRARY_PATH="$libraries" "$@" $work/here/sanlab run $grid --runs $work/none \
        --device cuda 2>&1)
    code=$?
    says "$what" 1 "$pattern"
    rm -rf "$work/none"
}
fails "a kernel that breaks ends its stage" \
    'device cuda: .*: an illegal memory access was encountered \(cudaErrorIllegalAddress\); SANLAB_CUDA_SYNC=1 names the op and its node' \
    CUDA_STAND_IN=breaks=norm_kernel
fails "op, node and kernel are named if asked for" \
    'device cuda: op residual_norm of node [a-z0-9.]+, kernel norm_kernel: .*: an illegal memory access' \
    CUDA_STAND_IN=breaks=norm_kernel SANLAB_CUDA_SYNC=1
fails "memory that ends in a stage" \
    'device cuda: out of memory: [0-9.]+ MB were asked for, [0-9.]+ of 33\.[0-9] MB are free; a smaller train.batch_tokens' \
    CUDA_STAND_IN=memory=33600000
export SANLAB_CRASH_AT=step:3
in_place run $grid --runs $work/half --device cuda
unset SANLAB_CRASH_AT
in_place run $grid --runs $work/half --device emu --retry failed
says "another device does not go on with its training" 1 \
    'saved with numerics "cuda fp32 5 Stand-in 0 .*", this process has "emu fp32 5": .* use --device cuda, or'
in_place run $grid --runs $work/half --device cuda --retry failed
says "it does so itself" 0 '^$'
output=$(models half)
[ "$output" = "$(models cuda-fp32)" ]
ok "to the bytes of an undisturbed one" $?
in_place plan $grid --device cpu train.precision=tf32 --runs $work/none
says "tf32 on the CPU" 65 'train\.precision: tf32: --device cpu computes in fp32 only$'
export CUDA_STAND_IN=gpus=0
in_place plan $grid train.precision=tf32 --runs $work/none
says "which waits for another machine where none was named" 1 'a device that computes in tf32'
finish
