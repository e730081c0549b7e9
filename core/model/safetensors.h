/* Reads and writes safetensors files. A file has the length of its header (u64), a JSON header, and
 * raw little-endian data. tensors_read first validates the whole file. The header must be JSON
 * without duplicate keys, and its metadata must be texts. The ranges of the tensors must cover the
 * data without gap or overlap, and shapes must match the sizes of the ranges. */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/ops.h"

enum tensor_format { TENSOR_F32, TENSOR_F64, TENSOR_I32, TENSOR_I64 };
#ifdef SANLAB_DOUBLE
#define TENSOR_REAL TENSOR_F64
#else
#define TENSOR_REAL TENSOR_F32
#endif

struct tensor {
    const char *name;
    enum tensor_format format;
    int dimensions;
    int64_t shape[4];
    int64_t count; /* number of elements */
    const void *data;
};

/* Texts by key, in the order of the file (__metadata__). */
struct metadata {
    int count;
    struct metadatum {
        const char *key, *value;
    } * item;
};
void metadata_add(struct arena *arena, struct metadata *metadata, const char *key,
                  const char *value); /* does not copy the texts */

struct tensors {
    int count;
    struct tensor *tensor;
    struct metadata metadata;
};

/* Reads the tensors in the order of their data. Names, metadata and data are in the arena. Dies
 * with the path and the reason if the file is invalid. */
struct tensors tensors_read(struct arena *arena, const char *path);
/* Returns the tensor with this name; NULL if it is absent. */
const struct tensor *tensors_find(const struct tensors *tensors, const char *name);
/* Returns the metadata text with this key; NULL if it is absent. */
const char *tensors_metadata(const struct tensors *tensors, const char *key);

/* Writes the tensors in the given order to an open stream (file.h commits it). If the data is in
 * device memory, `download` of the op table reads it piece by piece; NULL: host memory. */
void tensors_write(FILE *out, const struct tensors *tensors,
                   void (*download)(void *to, const void *from, size_t bytes));
