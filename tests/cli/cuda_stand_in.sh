#!/bin/sh
# GPU errors, on stubs of CUDA's runtime: one line for each reason why a GPU cannot be used. A failure in
# a stage is named, and a crashed training continues on its own device.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_stand_in_cli

# ---- refusals ----

# refuses WHAT DEVICE PATTERN [NAME=VALUE..]: passes if `run` prints one line that matches, before it
# records any work.
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
refuses "no GPU" cuda '^sanlab: device cuda: the driver finds no GPU$' CUDA_STAND_IN=gpus=0
refuses "none that is visible" cuda 'finds no GPU: CUDA_VISIBLE_DEVICES=""$' CUDA_STAND_IN=gpus=0 \
    CUDA_VISIBLE_DEVICES=
refuses "the second of one" cuda:1 '^sanlab: device cuda:1: this machine has one GPU; expected cuda:0$'
refuses "a number beyond the last" cuda:4 \
    '^sanlab: device cuda:4: this machine has 2 GPUs; expected cuda:0 to cuda:1$' CUDA_STAND_IN=gpus=2
refuses "a GPU that is too old" cuda \
    'cuda:0: Stand-in 0 has compute capability 7\.5; kernels are for 8\.0 and later$' \
    CUDA_STAND_IN=capability=75
refuses "what cannot be off" cuda 'SANLAB_CUDA_OFF: expected words of graph.*, got "grahp"' \
    SANLAB_CUDA_OFF=graph,grahp
refuses "cuBLASLt of another version" cuda 'cuBLASLt 12\.8\.5: .*; expected version 13$' \
    CUBLASLT_STAND_IN=120805
refuses "a file that is no library" cuda 'device cuda: SANLAB_CUBLASLT: .*/g.yaml: ' \
    SANLAB_CUBLASLT=$work/g.yaml
# No toolkit and no NVIDIA package of Python: the toolkit is hidden from one process.
mv "$work/lib/libcublasLt.so.13" $work/aside
printf 'mount -t tmpfs none "%s" && exec "$@"\n' "$(realpath "$(dirname "$(command -v nvcc)")/..")" > $work/hide
if unshare -m sh $work/hide true 2> /dev/null &&
    ! { command -v python3 && python3 -c 'import nvidia.cu13'; } > /dev/null 2>&1; then
    hidden="unshare -m sh $work/hide"
    refuses "no cuBLASLt" cuda 'device cuda: libcublasLt\.so\.13 not found by the loader,'
    hidden=
    mkdir -p $work/nvidia/cu13/lib
    echo "open('canary', 'w')" > $work/nvidia/cu13/__init__.py
    cp $work/aside $work/nvidia/cu13/lib/libcublasLt.so.13
    output=$(cd $work && LD_LIBRARY_PATH=$libraries unshare -m sh hide here/sanlab work --describe --device cuda 2>&1)
    code=$?
    says "one in the current folder is not taken" 65 'libcublasLt\.so\.13 not found'
    holds "and nothing there is run" [ ! -e $work/canary ]
    # An installed wheel: the program, its Python, and cuBLAS as a package of this Python, which is not in PATH.
    python3 -m venv --without-pip $work/env
    site=$(echo $work/env/lib/python3*/site-packages)
    mkdir -p $site/nvidia $work/env/lib/sanlab
    rm $work/nvidia/cu13/__init__.py
    mv $work/nvidia/cu13 $site/nvidia
    mv $work/here/sanlab-cuda.so $work/env/lib/sanlab
    cp sanlab $work/env/bin
    output=$(LD_LIBRARY_PATH=$libraries unshare -m sh $work/hide $work/env/bin/sanlab work --describe --device cuda 2>&1)
    code=$?
    says "one of the program's environment is taken" 0 "env/lib/python3[^/]*/site-packages/nvidia/cu13/lib/libcublasLt\\.so\\.13"
    mv $work/env/lib/sanlab/sanlab-cuda.so $work/here
else
    ok "refused: no cuBLASLt # SKIP it cannot be hidden here" 0
fi
mv $work/aside "$work/lib/libcublasLt.so.13"
driver 12040
refuses "an old driver" cuda 'the driver is too old: it supports CUDA 12\.4; expected 13\.0 or later$'
in_place doctor --runs $work/none
disk_aside
says "which doctor says" 0 '^ +device cuda: the driver is too old: it supports CUDA 12\.4'
in_place doctor --runs $work/none --device cuda
says "as a finding where it was asked for" 1 '!! the GPU does not work'
echo nothing > "$work/lib/libcuda.so.1"
refuses "no driver" cuda '^sanlab: device cuda: NVIDIA.s driver cannot be opened: .*libcuda\.so\.1: '
driver 13000

# fails WHAT PATTERN [NAME=VALUE..]: passes if a stage fails and prints the cause.
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
    'device cuda: out of memory: cannot allocate [0-9.]+ MB, [0-9.]+ of 33\.[0-9] MB are free; use a smaller train.batch_tokens' \
    CUDA_STAND_IN=memory=33600000
in_place run $grid --device cuda --runs $work/cuda-fp32
export SANLAB_CRASH_AT=step:3
in_place run $grid --runs $work/half --device cuda
unset SANLAB_CRASH_AT
in_place run $grid --runs $work/half --device emu --retry failed
says "another device does not go on with its training" 1 \
    'saved with numerics "cuda fp32 5 Stand-in 0 .*", this process has "emu fp32 5": .* use --device cuda, or'
in_place run $grid --runs $work/half --device cuda --retry failed
says "it does so itself" 0 '^$'
equals "to the bytes of an undisturbed one" "$(models cuda-fp32)" "$(models half)"
in_place plan $grid --device cpu train.precision=tf32 --runs $work/none
says "tf32 on the CPU" 65 'train\.precision: tf32: --device cpu computes in fp32 only$'
export CUDA_STAND_IN=gpus=0
in_place plan $grid train.precision=tf32 --runs $work/none
says "which waits for another machine where none was named" 1 'a device that computes in tf32'
finish
