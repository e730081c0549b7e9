/* Tensors in a file: every byte of an accepted file can be read. */
#include "core/model/safetensors.h"
#include "tests/fuzz/support/fuzz.h"

static volatile unsigned sum;

static void run(void *context)
{
    static const size_t bytes[] = {
        [TENSOR_F32] = 4, [TENSOR_F64] = 8, [TENSOR_I32] = 4, [TENSOR_I64] = 8};
    const struct tensors tensors = tensors_read(&arena, context);
    for (int i = 0; i < tensors.count; i++) {
        const struct tensor *tensor = &tensors.tensor[i];
        const size_t size = (size_t)tensor->count * bytes[tensor->format];
        for (size_t k = 0; k < size; k++) sum += ((const unsigned char *)tensor->data)[k];
        CHECK(tensors_find(&tensors, tensor->name), "%s is lost", tensor->name);
    }
    tensors_metadata(&tensors, "seed");
}

FUZZ_FILE(run, "a.safetensors");
