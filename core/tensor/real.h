/* The two types of numbers of the op table (ops.h): real, and what only a backend looks into. */
#ifndef CORE_TENSOR_REAL_H
#define CORE_TENSOR_REAL_H

#ifdef SANLAB_DOUBLE
typedef double real;
#else
typedef float real;
#endif

struct act;

#endif
