#!/bin/sh
# Terms compile for a GPU. nvcc compiles every file of attention/term/ in the attention kernels, and the
# output of `make new-attention`, without a warning, a stack or a spilled register. It finds code that
# attention/term.h forbids. NVCC names the compiler; nothing is run.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/device_terms
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" > /dev/null; then
    echo "1..0 # SKIP terms for a device: there is no nvcc (CUDA's toolkit)"
    exit 0
fi
rm -rf $work
mkdir -p $work/gen

# compile FOLDER [KERNELS..]: compiles these files of core/cuda with the terms listed in FOLDER; leaves
# $output and $code.
compile() {
    folder=$1
    shift
    output=""
    for file; do
        output="$output$("$nvcc" -std=c++17 -gencode arch=compute_80,code=sm_80 \
            -Werror all-warnings -Xptxas -v -DDEVICE_TABLE=fp32 -I"$folder" -I"${BUILD:-build}/gen" \
            -I. -c -o $work/terms.o "core/cuda/$file.cu" 2>&1)"
        code=$?
        [ $code = 0 ] || return
        output="$output
"
    done
}

# lean WHAT: passes if the last compilation succeeded and no kernel has a stack or spills.
lean() {
    [ $code = 0 ] && printf '%s\n' "$output" | grep -q "bytes stack frame" &&
        ! printf '%s\n' "$output" | grep "bytes stack frame" |
            grep -qvx " *0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
    ok "$1" $?
}

# All terms, as compiled by make before or now, for one architecture; with ARCHITECTURES=all also for the
# older one.
built=${BUILD:-build}/cuda/${BUILD:-build}/gen/kernels_attention
output=$(env -u MAKEFLAGS -u MFLAGS flock "${BUILD:-build}/tests" make -s BUILD="${BUILD:-build}" \
    KEEP_FLAGS="o nvcc" NVCC="$nvcc" "$built.o" 2>&1 && cat "$built.txt")
code=$?
lean "all terms: $(grep -c '^#include' "${BUILD:-build}/gen/term_tile.def") files"
if [ "${ARCHITECTURES-}" = all ]; then
    compile "${BUILD:-build}/gen" attention attention_backward
    lean "all terms for compute capability 8.0"
fi

# skeleton EDIT: compiles scripts/generate/new_attention.term, edited by sed.
skeleton() {
    sed "s/@name@/sample/g; s/@NAME@/SAMPLE/g; $1" scripts/generate/new_attention.term > $work/gen/sample.c
    compile $work/gen attention_backward
}
echo "TERM(sample)" > $work/gen/term.def
printf '%s\n' "#define TERM_TILES(DO, ...) DO(sample, __VA_ARGS__)" "#include \"$work/gen/sample.c\"" \
    > $work/gen/term_tile.def
skeleton ""
lean "what make new-attention writes"
skeleton "s/const vec e = \(.*\)/vec e = \1 e[0] = 0;/"
says "a key by its index is refused" 2 'sample\.c\([0-9]+\): error: .*(subscript|pointer-to-object)'
skeleton "s/^TERM_FN vec/static vec/"
says "a function that is not TERM_FN, too" 2 'sample\.c\([0-9]+\): error: calling a __device__ function.* from a __host__ function'
skeleton "s/vec sum = {0};/vec sum = {0}, part[3];/; s/ sum = vec_fma/ part[j % 3] = sum = vec_fma/
          s/-vec_sum(sum)/-vec_sum(part[t->h % 3])/"
says "an array of its own needs a stack" 0 "^ *[1-9][0-9]* bytes stack frame"
finish
