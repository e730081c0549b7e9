# What tests of a GPU's plug-in share where no GPU is, after tap.sh: CUDA's runtime and cuBLASLt are stood in for
# (tests/cuda), kernels are the emulator's. The toolkit's headers are needed, nvcc is not run.
# shellcheck shell=sh

# stand_in NAME: a fresh $work with a copy task and $grid; the program beside the stand-in in $work/here. Ends the
# script where there is no toolkit.
stand_in() {
    case $(command -v nvcc > /dev/null && nvcc --version) in
    *"release 13."*) ;;
    *) echo "1..0 # SKIP a GPU's plug-in without a GPU: there is no toolkit of CUDA 13" && exit 0 ;;
    esac
    task "$1" 60
    unset SANLAB_CUBLASLT SANLAB_CUDA_OFF SANLAB_CUDA_SYNC SANLAB_PRODUCTS SANLAB_ANY_NUMERICS CUDA_VISIBLE_DEVICES
    build=${BUILD:-build}
    output=$(env -u MAKEFLAGS -u MFLAGS flock "$build/tests" make -s BUILD="$build" \
        KEEP_FLAGS="archive link emu emu16" cuda-stand-in "$build/portable/sanlab-ops" 2>&1)
    ok "it is built" $?
    mkdir -p $work/here $work/lib
    cp sanlab sanlab-dev sanlab-emu.so "$build/tests/cuda/sanlab-cuda.so" "$build/portable/sanlab-ops" $work/here
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

# driver VERSION: a driver that is for this CUDA.
driver() {
    echo "int cuDriverGetVersion(int *version) { *version = $1; return 0; }" |
        ${CC:-gcc} -shared -fPIC -o $work/lib/libcuda.so.1 -x c -
}

# in_place WORDS..: the program beside the stand-in (program=sanlab-dev: that one); leaves $output and $code.
in_place() {
    output=$(LD_LIBRARY_PATH=$libraries $work/here/${program:-sanlab} "$@" 2>&1)
    code=$?
}

# models RUNS: a digest of what its trainings left.
models() {
    cat $work/"$1"/stages/train-*/ckpt/*/*.safetensors | sha256sum
}
