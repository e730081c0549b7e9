/* Matrices in numpy's format (.npy, version 1.0): the bytes that numpy.save writes for a
 * two-dimensional float32 array in C order. Other arrays are refused.
 *
 *   bytes 0..7     \x93 N U M P Y, version 1 0
 *   bytes 8, 9     the length of the header, little-endian
 *   the header     {'descr': '<f4', 'fortran_order': False, 'shape': (ROWS, COLUMNS), }, blanks and
 *                  a line feed, so that the numbers begin at a multiple of 64
 *   the numbers    ROWS * COLUMNS floats, little-endian, row by row */
#pragma once

#include "core/base/arena.h"

/* Writes a file, which appears whole under its name or not at all (file.h). */
void npy_write(const char *path, const float *number, int64_t rows, int64_t columns);

/* A mapped .npy file: its pages are read on access. */
struct npy {
    int64_t rows, columns;
    const float *number; /* [rows][columns] */
    void *map;           /* the whole file, [bytes] */
    size_t bytes;
};

/* Dies with the path, the content and the expectation, unless the whole file is valid: magic,
 * version, type, order, dimensions, size. */
struct npy npy_open(const char *path);
void npy_close(struct npy *npy);
/* Returns the first row with a number that is not finite, or -1. */
int64_t npy_bad_row(const struct npy *npy);
/* Bounds of the numbers of a column. */
struct npy_bounds {
    double least, most;
};
/* Returns the reason, on one line, why the file does not have rows of `columns` columns within
 * these bounds; NULL if it has. */
const char *npy_fault(const struct npy *npy, const char *path, const struct npy_bounds *column,
                      int columns, struct arena *arena);
