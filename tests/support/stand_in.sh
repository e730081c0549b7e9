# Helpers for tests of a GPU's plug-in on machines without a GPU; source tap.sh first. Stubs (tests/cuda)
# replace CUDA's runtime and cuBLASLt, and the emulator's kernels run. Needs the toolkit's headers; does
# not run nvcc.
# shellcheck shell=sh

# stand_in NAME: makes a fresh $work with a copy task and $grid, and $work/here with the program and the
# stubs. Exits if there is no toolkit.
stand_in() {
    case $(command -v nvcc > /dev/null && nvcc --version) in
    *"release 13."*) ;;
    *) echo "1..0 # SKIP a GPU's plug-in without a GPU: there is no toolkit of CUDA 13" && exit 0 ;;
    esac
    task "$1" 60
    unset SANLAB_CUBLASLT SANLAB_CUDA_OFF SANLAB_CUDA_SYNC SANLAB_PRODUCTS SANLAB_ANY_NUMERICS CUDA_VISIBLE_DEVICES
    build=${BUILD:-build}
    output=$(env -u MAKEFLAGS -u MFLAGS flock "$build/tests" make -s BUILD="$build" \
        KEEP_FLAGS="archive link emu emu16" cuda-stand-in "$build/portable/sanlab-ops" \
        "$build/portable/sanlab-trainings" 2>&1)
    ok "it is built" $?
    mkdir -p $work/here $work/lib
    cp sanlab sanlab-dev sanlab-emu.so "$build/tests/cuda/sanlab-cuda.so" "$build/portable/sanlab-ops" \
        "$build/portable/sanlab-trainings" $work/here
    cp "$build/tests/cuda/libcublasLt.so.13" $work/lib
    driver 13000
    libraries="$PWD/$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
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
}

# driver VERSION: builds a driver library that reports VERSION.
driver() {
    echo "int cuDriverGetVersion(int *version) { *version = $1; return 0; }" |
        ${CC:-gcc} -shared -fPIC -o $work/lib/libcuda.so.1 -x c -
}

# in_place WORDS..: runs the program in $work/here (sanlab-dev if program=sanlab-dev); leaves $output and
# $code.
in_place() {
    output=$(LD_LIBRARY_PATH=$libraries $work/here/${program:-sanlab} "$@" 2>&1)
    code=$?
}

# models RUNS: prints a digest of all model files of its trainings.
models() {
    cat $work/"$1"/stages/train-*/ckpt/*/*.safetensors | sha256sum
}
