/* safetensors files: u64 header length, a JSON header, raw little-endian data. Reading validates
 * everything before a byte is used: length, JSON without duplicates, offsets that begin at 0 and
 * are contiguous to the end of the file, shapes that multiply to the sizes, string metadata. */
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
    int64_t count; /* elements */
    const void *data;
};

/* Texts by key, which the file has as __metadata__, in this order. */
struct metadata {
    int count;
    struct metadatum {
        const char *key, *value;
    } * item;
};
void metadata_add(struct arena *arena, struct metadata *metadata, const char *key,
                  const char *value); /* the texts are not copied */

struct tensors {
    int count;
    struct tensor *tensor;
    struct metadata metadata;
};

/* The tensors in the order of their data in the file. Names, metadata and data live in the arena.
 * Dies with the path and the reason when the file is not sound. */
struct tensors tensors_read(struct arena *arena, const char *path);
const struct tensor *tensors_find(const struct tensors *tensors, const char *name); /* or NULL */
const char *tensors_metadata(const struct tensors *tensors, const char *key);       /* or NULL */

/* Tensors in the order given; writes to an open stream (file.h commits it). `download` (that of an
 * op table) reads data that lies in device memory, piece by piece; NULL: it lies here. */
void tensors_write(FILE *out, const struct tensors *tensors,
                   void (*download)(void *to, const void *from, size_t bytes));
