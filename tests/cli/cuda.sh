#!/bin/sh
# A GPU's plug-in, built by nvcc: it has two symbols and needs no library of CUDA or C++. Its kernels
# have no stack, spill no register and match tests/cuda/kernels.tsv. Without a GPU it prints one line,
# and nothing is recorded. The test needs no GPU and does not use one. WRITE=1 writes the table of
# kernels anew.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/cuda
case $(command -v nvcc > /dev/null && nvcc --version) in
*"release 13."*) ;;
*) echo "1..0 # SKIP the plug-in of a GPU: there is no nvcc of CUDA 13" && exit 0 ;;
esac
rm -rf $work
mkdir -p $work/bare

# compile TARGET: runs make TARGET, independent of the surrounding make. Keeps all other parts, also
# kernels: `make test` compiles them for one architecture.
compile() {
    output=$(env -u MAKEFLAGS -u MFLAGS flock "${BUILD:-build}/tests" make -s BUILD="${BUILD:-build}" \
        KEEP_FLAGS="link o nvcc" PROGRAM=$work/sanlab "$1" 2>&1)
    code=$?
}
compile $work/sanlab-cuda.so
ok "make cuda builds it, without a stack or a spilled register" $code
output=$(nm -D --defined-only $work/sanlab-cuda.so | awk '{ print $3 }')
[ "$output" = "sanlab_device_hash
sanlab_device_open" ]
ok "it shows two symbols" $?
output=$(readelf -d $work/sanlab-cuda.so | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
    grep -vE '^(lib(c|m|dl|rt|pthread)|ld-linux-[a-z0-9-]+)\.so')
holds "it needs the C library alone" [ -z "$output" ]
# kernels FLAVOR PRECISION: prints the report of ptxas, "precision architecture kernel registers shared".
# Shared memory is the static part; the dynamic part depends on the call.
kernels() {
    awk -v precision="$2" '
        /Compiling entry function/ {
            name = $7; target = $9
            gsub(/\047/, "", name); gsub(/\047/, "", target)
            sub(/^_Z/, "", name)
            length_of = name + 0
            sub(/^[0-9]+/, "", name)
            name = substr(name, 1, length_of)
        }
        /Used [0-9]+ registers/ {
            shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
            match($0, /Used [0-9]+/)
            print precision, target, name, substr($0, RSTART + 5) + 0, shared
        }' "${BUILD:-build}/$1/${BUILD:-build}"/gen/kernels_*.txt
}
table=tests/cuda/kernels.tsv
{ kernels cuda fp32 && kernels cuda16 bf16; } | LC_ALL=C sort > $work/kernels.tsv
architectures=$(cut -d ' ' -f 2 $work/kernels.tsv | sort -u)
[ -z "${WRITE-}" ] || { grep -vwF "$architectures" $table; tr ' ' '\t' < $work/kernels.tsv; } |
    LC_ALL=C sort -o $table
output=$(grep -wF "$architectures" $table | tr '\t' ' ' | awk '
    NR == FNR { registers[$1, $2, $3] = $4; shared[$1, $2, $3] = $5; next }
    !(($1, $2, $3) in registers) { print "not in the table: " $0; next }
    { seen[$1, $2, $3] = 1 }
    $4 > registers[$1, $2, $3] { print $0 ": registers, at most " registers[$1, $2, $3] }
    $5 > shared[$1, $2, $3] { print $0 ": shared memory, at most " shared[$1, $2, $3] }
    END { for (key in registers) if (!(key in seen)) { gsub(SUBSEP, " ", key); print "gone: " key } }
    ' - $work/kernels.tsv)
[ -s $work/kernels.tsv ] && [ -z "$output" ]
ok "kernels keep to their registers and shared memory (WRITE=1 renews $table)" $?
output=$(grep -vE ' (warp|staged)_' $work/kernels.tsv | cut -d ' ' -f 1,2 | sort | uniq -c | awk '{ print $1 }' | uniq | wc -l)
holds "as many in each precision for each architecture, but for attention by warps in bf16" [ "$output" = 1 ]
cat > $work/stack.cu << 'END'
__global__ void indexed(int *x)
{
    int many[64];
    for (int i = 0; i < 64; i++) many[x[i] % 64u] = i;
    x[64] = many[x[65] % 64u];
}
END
compile "${BUILD:-build}/cuda/$work/stack.o"
says "a kernel with a stack is refused" 2 'stack\.cu: _Z7indexedPi: *256 bytes stack frame'

# Runs the program next to the plug-in, and in a folder of its own, without a GPU.
cp sanlab $work/sanlab
cp sanlab $work/bare/sanlab
task=$work/data
copy_task $task 20
small $work/g.yaml '{preset: tiny}' << 'END'
train: {steps: 2, batch_tokens: 256}
rows: [{name: Transformer}]
END
try_in() {
    folder=$1
    shift
    CUDA_VISIBLE_DEVICES='' SANLAB_DATA=$PWD/$task run "$folder/sanlab" "$@"
}
none='^sanlab: device cuda: (NVIDIA.s driver cannot be opened|the driver finds no GPU)'
try_in $work run $work/g.yaml --runs $work/runs --device cuda
says "without a GPU: no" 65 "$none"
[ "$(printf '%s\n' "$output" | wc -l)" = 1 ] && [ ! -e $work/runs ]
ok "in one line, and nothing is recorded" $?
mkdir -p $work/old
echo 'int cuDriverGetVersion(int *version) { *version = 12040; return 0; }' > $work/old.c
cc -shared -fPIC -o $work/old/libcuda.so.1 $work/old.c
LD_LIBRARY_PATH=$work/old try_in $work work --describe --device cuda
says "an old driver is told apart" 65 'the driver is too old: it supports CUDA 12\.4; expected 13\.0 or later'
try_in $work work --describe
says "auto is the CPU then, and says nothing of it" 0 '^{.*"device": "cpu"'
try_in $work doctor
disk_aside
says "doctor says that there is a plug-in" 0 '^GPU +sanlab-cuda.so is here, but --device cuda does not'
says "and why" 0 '^ +device cuda: (NVIDIA.s driver|the driver finds no GPU)'
try_in $work/bare run $work/g.yaml --runs $work/runs --device cuda
says "without a plug-in: how to get it" 65 \
    '^sanlab: device cuda: .*/sanlab-cuda\.so: No such file.*; `make cuda` builds it'
finish
