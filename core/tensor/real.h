/* The two number types of the op table (ops.h). `real` is float, or double in the double build.
 * `struct act` is opaque: only a backend reads its contents. */
#pragma once

#ifdef SANLAB_DOUBLE
typedef double real;
#else
typedef float real;
#endif

struct act;
