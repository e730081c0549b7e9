#!/bin/sh
# OpenBLAS is loaded on demand. Verbs start without it, and messages tell if it is missing or of
# another flavor. Trainings that began with its products continue with them.
. "$(dirname "$0")/../support/cli.sh"
unset OPENBLAS_CORETYPE SANLAB_PRODUCTS LD_LIBRARY_PATH
task products_cli 300

output=$(readelf -d sanlab)
! printf '%s\n' "$output" | grep -qi 'NEEDED.*blas'
ok "the program is not linked with OpenBLAS" $?
output=$(ulimit -v 150000; ./sanlab --help 2>&1 && ./sanlab doctor sgemm 2>&1)
ok "and starts, and multiplies, in 150 MB" $?

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 1
train: {epochs: 3, batch_tokens: 256, warmup: 20, save_every: 3, validate_sentences: 10}
rows:
  - name: Plain
END
grid="$work/g.yaml --runs $work/runs --quiet"
export SANLAB_PRODUCTS=blass
for verb in "run $grid" "plan $work/g.yaml" "bench tiny" "check tiny" "doctor" "ls"; do
    # shellcheck disable=SC2086
    try $verb
    says "${verb%% *}: a word that is none" 65 '^sanlab: SANLAB_PRODUCTS: expected own or blas, got "blass"; nearest is "blas"$'
done

# Machines without OpenBLAS: LD_LIBRARY_PATH takes precedence over DT_RUNPATH.
mkdir -p $work/text $work/empty $work/pthread
echo "no library" > $work/text/libopenblas.so.0
echo "int none;" | ${CC:-cc} -shared -x c -o $work/empty/libopenblas.so.0 -
cat > $work/pthread.c << 'END'
int cblas_sgemm, cblas_dgemm, openblas_get_config, openblas_get_corename, openblas_set_num_threads,
    openblas_get_num_threads;
int openblas_get_parallel(void);
int openblas_get_parallel(void)
{
    return 1;
}
END
${CC:-cc} -shared -fPIC -o $work/pthread/libopenblas.so.0 $work/pthread.c
export SANLAB_PRODUCTS=blas
for kind in "text:invalid ELF header|file too short" "empty:undefined symbol: cblas_sgemm" \
    "pthread:not the OpenMP flavor"; do
    export LD_LIBRARY_PATH=$PWD/$work/${kind%%:*}
    for verb in "run $grid" "plan $work/g.yaml" "bench tiny" "check tiny"; do
        # shellcheck disable=SC2086
        try $verb
        says "${verb%% *}: ${kind%%:*}" 65 "^sanlab: OpenBLAS cannot be opened: .*libopenblas.so.0: (${kind#*:})"
        holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
    done
done
holds "and before any work" [ ! -e $work/runs ]
export SANLAB_PRODUCTS=own
doctor
says "doctor says that it is missing" 0 '^OpenBLAS +cannot be opened: .*not the OpenMP flavor'
expect "check does without it" 0 '^threads +ok' check tiny encoder.layers=1 --quick
try bench tiny encoder.layers=1 --threads 1 --batches 1 --rounds 1 --sentences 1
says "bench measures our own products" 0 '^floors +sgemm [0-9.]+ GFLOP/s by our own products, without OpenBLAS \('
unset LD_LIBRARY_PATH
try bench tiny encoder.layers=1 --threads 1 --batches 1 --rounds 1 --sentences 1
says "or OpenBLAS's best" 0 '^floors +sgemm [0-9.]+ GFLOP/s by OpenBLAS (SkylakeX|Haswell) \('
says "and says whose products run" 0 'cpu-v[34], own products 1$'

# A training with products of OpenBLAS continues with them, or not at all.
models() {
    (cd "$1/stages" && sha256sum train-*/ckpt/*/model.safetensors)
}
export SANLAB_PRODUCTS=blas
./sanlab run $work/g.yaml --runs $work/whole --quiet
SANLAB_CRASH_AT=step:7 ./sanlab run $grid > $work/log 2>&1
unset SANLAB_PRODUCTS
try run $grid --retry failed
says "not with our own" 1 "ckpt/step-[0-9]+.*: saved with products of OpenBLAS [0-9.]+ .*, this process has products of our own \(1\): .* use SANLAB_PRODUCTS=blas, or SANLAB_ANY_NUMERICS=1 to continue anyway"
export SANLAB_PRODUCTS=blas OPENBLAS_CORETYPE=Nehalem
expect "not with another core" 1 "Nehalem .* use OPENBLAS_CORETYPE=(SkylakeX|Haswell), or" run $grid --retry failed
unset OPENBLAS_CORETYPE
expect "with OpenBLAS's it is" 0 "" run $grid --retry failed
models $work/whole > $work/expected
models $work/runs > $work/got
holds "what it would have been undisturbed" diff $work/expected $work/got
output=$(cat $work/runs/stages/train-*/environment.json)
printf '%s\n' "$output" | grep -q '"products": *"OpenBLAS ' && ! printf '%s\n' "$output" | grep -q '"blas'
ok "environment.json says whose products" $?

# A training with own products refuses those of OpenBLAS and continues with other instructions.
unset SANLAB_PRODUCTS
rm -rf $work/whole $work/runs
./sanlab run $work/g.yaml --runs $work/whole --quiet
SANLAB_CRASH_AT=step:7 ./sanlab run $grid > $work/log 2>&1
SANLAB_PRODUCTS=blas try run $grid --retry failed
says "one of our own not with OpenBLAS's" 1 "saved with products of our own \(1\), this process has products of OpenBLAS .* use SANLAB_PRODUCTS=own, or"
set=$(instruction_sets ./sanlab)
SANLAB_ISA=${set%% *} try run $grid --retry failed
says "but with other instructions" 0 ""
models $work/whole > $work/expected
models $work/runs > $work/got
holds "to the same bytes" diff $work/expected $work/got
holds "environment.json says so" grep -q '"products": *"1"' $work/runs/stages/train-*/environment.json
finish
