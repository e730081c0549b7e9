#!/bin/sh
# sanlab doctor: the source and the speed of the products, and the effect of OpenBLAS threads.
. "$(dirname "$0")/../support/cli.sh"
unset OPENBLAS_CORETYPE SANLAB_PRODUCTS
expect "the rate alone" 0 '^[0-9]{9,}$' doctor sgemm
OMP_NUM_THREADS=1 try doctor sgemm --cpu-time
says "in processor time" 0 '^[0-9]{9,}$'
shm='' found=0
[ "$(stat -f -c %T /dev/shm 2> /dev/null)" != tmpfs ] || shm=/dev/shm/sanlab-not/there
export OPENBLAS_CORETYPE=Nehalem
SANLAB_CORES=1 SANLAB_DATA= doctor ${shm:+--runs $shm}
says "cores that the user leaves it" $found '^processor .*; this process may use 1 of [0-9]+ cores?, by SANLAB_CORES$'
says "and threads" $found '^threads +1 of OpenMP'
says "memory" $found '^memory +[0-9]+\.[0-9] GB free$'
says "no name of data is none" $found '^data +data/ \(SANLAB_DATA is not set\)'
[ -z "$shm" ] || says "the file system where RUNS will be" $found '^disk .* for /dev/shm/sanlab-not/there \(does not exist yet\), tmpfs$'
says "products of our own" $found '^products +our own, 1:'
says "OpenBLAS beside them, with kernels that the user pinned" $found 'kernels of Nehalem, by OPENBLAS_CORETYPE'
says "and what its best would do" $found '^ +[0-9.]+ GFLOP/s with kernels of (SkylakeX|Haswell)$'
SANLAB_CORES=all try doctor
says "cores that are no number" 65 '^sanlab: SANLAB_CORES: "all": expected a number of cores, 1 or more$'
SANLAB_PRODUCTS=blas SANLAB_DATA=/nowhere try doctor --runs /nowhere
says "products of OpenBLAS" 1 "^products +OpenBLAS's, by SANLAB_PRODUCTS=blas"
says "what pinned kernels cost" 1 '!! kernels of Nehalem .* [0-9.]+ times as much; unset OPENBLAS_CORETYPE'
unset OPENBLAS_CORETYPE
says "data that is not there" 1 '!! SANLAB_DATA is not a folder'
says "libraries" 1 '^libraries .*SQLite 3\.'
expect "unknown words are refused" 65 'expected nothing or sgemm, got "everything"' doctor everything
finish
