/* Reads and writes matrices in numpy's format (.npy, version 1.0), as numpy.save writes
 * two-dimensional float32 arrays in C order. Other arrays are refused.
 *
 *   bytes 0..7     \x93 N U M P Y, version 1 0
 *   bytes 8, 9     the length of the header, little-endian
 *   the header     {'descr': '<f4', 'fortran_order': False, 'shape': (ROWS, COLUMNS), }, blanks and
 *                  a line feed, so that the numbers begin at a multiple of 64
 *   the numbers    ROWS * COLUMNS floats, little-endian, row by row */
#pragma once

#include "core/base/arena.h"

/* Writes a file. It appears complete under its name, or not at all (file.h). */
void npy_write(const char *path, const float *number, int64_t rows, int64_t columns);

/* A .npy file that is mapped into memory. Its pages are read on access. */
struct npy {
    int64_t rows, columns;
    const float *number; /* [rows][columns] */
    void *map;           /* the whole file, [bytes] */
    size_t bytes;
};

/* Opens a file. Dies unless its magic bytes, version, type, order, dimensions and size are valid.
 * The message has the path, the value found and the expected value. */
struct npy npy_open(const char *path);
void npy_close(struct npy *npy);
/* Returns the index of the first row that has a number that is not finite; -1 if there is none. */
int64_t npy_bad_row(const struct npy *npy);
/* Bounds of the numbers of a column. */
struct npy_bounds {
    double least, most;
};
/* Returns NULL if the file has rows, each row has `columns` numbers, and all numbers are within the
 * bounds of their column. Otherwise returns the reason on one line. */
const char *npy_fault(const struct npy *npy, const char *path, const struct npy_bounds *column,
                      int columns, struct arena *arena);
