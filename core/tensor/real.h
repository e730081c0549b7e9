/* The two types of numbers of the op table (ops.h): real, and what only a backend looks into. */
#pragma once

#ifdef SANLAB_DOUBLE
typedef double real;
#else
typedef float real;
#endif

struct act;
