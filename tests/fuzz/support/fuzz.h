/* What the fuzz targets share. A target is one file tests/fuzz/NAME.c: libFuzzer calls its
 * LLVMFuzzerTestOneInput with bytes that it made up, and the target hands them to one reader of the
 * program, as a file or as text. A refusal (die) is what the reader is for; everything that the
 * sanitizers find, a CHECK, a hang or a heap that grows without end is a fault.
 *
 * scripts/fuzz builds and runs them all; `make fuzz` calls it. */
#pragma once

#include "core/base/arena.h"

int LLVMFuzzerInitialize(int *count, char ***word);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls run(context); false when it died. Then all memory, streams and files that it took are given
 * back, so that a million refusals cost no more than one. What the process keeps for good (caches
 * of libraries) must be made before, by calling what makes it in fuzz_prepare. */
bool fuzz_try(void (*run)(void *context), void *context);

/* What a target makes once, before the first input; a target without it makes nothing. */
void fuzz_prepare(void) __attribute__((weak));

/* Targets that give their input to `run` as text, or as the path of a file of that name. */
#define FUZZ_TEXT(run)                                                                             \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        return fuzz_try_text(run, data, size);                                                     \
    }                                                                                              \
    struct fuzz_needs_a_semicolon
#define FUZZ_FILE(run, name)                                                                       \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        fuzz_try(run, (void *)(uintptr_t)fuzz_put(name, data, size));                              \
        return 0;                                                                                  \
    }                                                                                              \
    struct fuzz_needs_a_semicolon

/* A folder of this process in memory ($FUZZ_FOLDER, else /dev/shm), and FOLDER/name with these
 * bytes. The path is good until the next call. */
const char *fuzz_folder(void);
const char *fuzz_put(const char *name, const void *data, size_t size);

/* The input as text: NUL-terminated copy without NULs within, in the arena. */
char *fuzz_text(struct arena *arena, const uint8_t *data, size_t size);
/* All that a target of texts does: calls run on fuzz_text; returns 0. */
int fuzz_try_text(void (*run)(void *text), const uint8_t *data, size_t size);
/* Cuts a text at the next `mark`; returns the part before it and moves *text behind, or returns the
 * rest and sets *text to "". */
char *fuzz_part(char **text, char mark);
