#!/bin/sh
# sanlab doctor says whose products these are, how fast, and what OpenBLAS does beside them.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
unset OPENBLAS_CORETYPE SANLAB_PRODUCTS
try doctor sgemm
says "the rate alone" 0 '^[0-9]{9,}$'
OMP_NUM_THREADS=1 try doctor sgemm --cpu-time
says "in processor time" 0 '^[0-9]{9,}$'
SANLAB_CORES=1 SANLAB_DATA= doctor
says "cores that the user leaves it" 0 '^processor .*; this process may use 1 of [0-9]+ cores?, by SANLAB_CORES$'
says "and threads" 0 '^threads +1 of OpenMP'
says "memory" 0 '^memory +[0-9]+\.[0-9] GB free$'
says "no name of data is none" 0 '^data +data/ \(SANLAB_DATA is not set\)'
SANLAB_CORES=all try doctor
says "cores that are no number" 65 '^sanlab: SANLAB_CORES: "all": expected a number of cores, 1 or more$'
export OPENBLAS_CORETYPE=Nehalem
doctor
says "products of our own" 0 '^products +our own, 1:'
says "OpenBLAS beside them, with kernels that the user pinned" 0 'kernels of Nehalem, by OPENBLAS_CORETYPE'
says "and what its best would do" 0 '^ +[0-9.]+ GFLOP/s with kernels of (SkylakeX|Haswell)$'
SANLAB_PRODUCTS=blas SANLAB_DATA=/nowhere SANLAB_LEASE=long TMPDIR=/not/there try doctor --runs /nowhere
says "products of OpenBLAS" 1 "^products +OpenBLAS's, by SANLAB_PRODUCTS=blas"
says "what pinned kernels cost" 1 '!! kernels of Nehalem .* [0-9.]+ times as much; unset OPENBLAS_CORETYPE'
unset OPENBLAS_CORETYPE
says "data that is not there" 1 '!! SANLAB_DATA names no folder'
says "libraries" 1 '^libraries .*SQLite 3\.'
says "a variable that is wrong" 1 '!! SANLAB_LEASE: "long": expected seconds'
says "a folder that cannot be made" 1 '!! no folder can be made there'
if [ "$(stat -f -c %T /dev/shm 2> /dev/null)" = tmpfs ]; then
    try doctor --runs /dev/shm/sanlab-not/there
    says "the file system where RUNS will be" 1 '^disk .* for /dev/shm/sanlab-not/there \(not there yet\), tmpfs$'
fi
try doctor everything
says "unknown words are refused" 65 'expected nothing or sgemm, got "everything"'
finish
