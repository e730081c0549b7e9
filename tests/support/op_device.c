/* A table that wraps another table whose memory the host cannot access. Buffers are on the host
 * and are copied to the device before, and back after, every call. */

#include "tests/support/op_run.h"
#include "tests/support/test.h"

static struct op_run *current;
static const struct ops *inner;

/* True if an element has two bytes on the device and four on the host: activations in 16 bits. */
static bool is_narrow(const struct op_buffer *buffer)
{
    return buffer->act && inner->act_bytes == 2;
}

/* Returns the size on the device of `bytes` bytes of the host. */
static size_t bytes_there(const struct op_buffer *buffer, size_t bytes)
{
    return is_narrow(buffer) ? bytes / 2 : bytes;
}

static size_t whole(const struct op_buffer *buffer)
{
    return bytes_there(buffer, buffer->bytes) + 2 * OP_GUARD;
}

/* Returns the misalignment of a buffer to 16 bytes on the device, which is the same as on the
 * host. */
static size_t skew(const struct op_buffer *buffer)
{
    return bytes_there(buffer, (uintptr_t)buffer->data % 16);
}

/* Returns the upper halves of floats in a new buffer; widen() converts back. A lower half
 * becomes all ones if the upper half is all ones. */
static unsigned char *narrowed(const struct op_buffer *b)
{
    unsigned char *there = heap_alloc(whole(b));
    memcpy(there, b->data - OP_GUARD, OP_GUARD);
    for (size_t i = 0; i < b->bytes / 4; i++)
        memcpy(there + OP_GUARD + 2 * i, b->data + 4 * i + 2, 2);
    memcpy(there + OP_GUARD + b->bytes / 2, b->data + b->bytes, OP_GUARD);
    return there;
}

static void widen(struct op_buffer *b, const unsigned char *there)
{
    static const uint16_t all = 0xffff, none = 0;
    memcpy(b->data - OP_GUARD, there, OP_GUARD);
    for (size_t i = 0; i < b->bytes / 4; i++) {
        const unsigned char *from = there + OP_GUARD + 2 * i;
        memcpy(b->data + 4 * i, memcmp(from, &all, 2) ? &none : &all, 2);
        memcpy(b->data + 4 * i + 2, from, 2);
    }
    memcpy(b->data + b->bytes, there + OP_GUARD + b->bytes / 2, OP_GUARD);
}

static void go(void)
{
    for (struct op_buffer *b = current->buffer; b; b = b->next) {
        unsigned char *there = is_narrow(b) ? narrowed(b) : b->data - OP_GUARD;
        b->device = (unsigned char *)inner->alloc(skew(b) + whole(b)) + skew(b);
        inner->upload(b->device, there, whole(b));
        memset(b->data, 0xff,
               b->bytes); /* the host copy must not be read until it is copied back */
        if (is_narrow(b)) free(there);
    }
}

static void come_back(void)
{
    inner->sync();
    for (struct op_buffer *b = current->buffer; b; b = b->next) {
        unsigned char *there = is_narrow(b) ? heap_alloc(whole(b)) : b->data - OP_GUARD;
        inner->download(there, b->device, whole(b));
        inner->release(b->device - skew(b), skew(b) + whole(b));
        if (is_narrow(b)) widen(b, there);
        if (is_narrow(b)) free(there);
        b->device = NULL;
    }
}

/* Returns the device address of a pointer into a buffer or to its end. Other pointers are
 * returned unchanged. */
static void *moved(const void *pointer)
{
    const unsigned char *at = pointer;
    for (struct op_buffer *b = current->buffer; b; b = b->next)
        if (at >= b->data && at <= b->data + b->bytes)
            return b->device + OP_GUARD + bytes_there(b, (size_t)(at - b->data));
    return (void *)(uintptr_t)pointer;
}

/* Copies an op's arguments and replaces every word that points into a buffer by its device
 * address. */
static const void *arguments_of(const void *arguments, size_t bytes)
{
    char *copy = arena_alloc(&current->arena, bytes);
    memcpy(copy, arguments, bytes);
    for (size_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        void *word;
        memcpy(&word, copy + at, sizeof word);
        word = moved(word);
        memcpy(copy + at, &word, sizeof word);
    }
    return copy;
}

/* Ops with one struct of arguments. */
#define STRUCTS(X)                                                                                 \
    X(gemm, gemm)                                                                                  \
    X(pack, pack)                                                                                  \
    X(gemm_weight, gemm_weight)                                                                    \
    X(embed, embed)                                                                                \
    X(embed_backward, embed)                                                                       \
    X(residual_norm, residual_norm)                                                                \
    X(residual_norm_backward, residual_norm)                                                       \
    X(residual_norm_sums, residual_norm)                                                           \
    X(relu_dropout, relu_dropout)                                                                  \
    X(relu_dropout_backward, relu_dropout)                                                         \
    X(squash, squash)                                                                              \
    X(squash_backward, squash)                                                                     \
    X(pool, pool)                                                                                  \
    X(pool_backward, pool)                                                                         \
    X(pair_features, pair_features)                                                                \
    X(pair_features_backward, pair_features)                                                       \
    X(cross_entropy, cross_entropy)                                                                \
    X(lstm, recurrent)                                                                             \
    X(lstm_backward, recurrent)                                                                    \
    X(onlstm, recurrent)                                                                           \
    X(onlstm_backward, recurrent)                                                                  \
    X(attention, attention_args)                                                                   \
    X(attention_backward, attention_args)                                                          \
    X(attention_step, attention_step)                                                              \
    X(extent, extent_args)                                                                         \
    X(extent_backward, extent_args)                                                                \
    X(mean_keys, mean_keys)                                                                        \
    X(mean_keys_backward, mean_keys)                                                               \
    X(sum_branches, sum_branches)                                                                  \
    X(sum_branches_backward, sum_branches)                                                         \
    X(squeeze, squeeze)                                                                            \
    X(squeeze_backward, squeeze)                                                                   \
    X(gate, gate)                                                                                  \
    X(gate_backward, gate)                                                                         \
    X(rotate, rotate)                                                                              \
    X(settle, settle)                                                                              \
    X(adam, adam)                                                                                  \
    X(top_tokens, top_tokens)
#define DEVICE(op, type)                                                                           \
    static void device_##op(const struct type *x)                                                  \
    {                                                                                              \
        go();                                                                                      \
        inner->op(arguments_of(x, sizeof *x));                                                     \
        come_back();                                                                               \
    }
STRUCTS(DEVICE)

static void device_sum_columns(const struct act *x, int T, const int32_t *rows, int N, int ld,
                               bool add, real *sum)
{
    go();
    inner->sum_columns(moved(x), T, moved(rows), N, ld, add, moved(sum));
    come_back();
}

static void device_sum(const real *x, int T, const int32_t *rows, bool add, double *result)
{
    go();
    inner->sum(moved(x), T, moved(rows), add, moved(result));
    come_back();
}

static void device_sum_of_squares(const real *x, int64_t count, double *result)
{
    go();
    inner->sum_of_squares(moved(x), count, moved(result));
    come_back();
}

static void device_average(real *mean, const real *x, int64_t count, int64_t nth)
{
    go();
    inner->average(moved(mean), moved(x), count, nth);
    come_back();
}

static void device_store_rows(const struct act *from, int rows, int width, int ld, struct act *to)
{
    go();
    inner->store_rows(moved(from), rows, width, ld, moved(to));
    come_back();
}

/* Cases of the memory ops allocate device memory themselves. */
struct op_run op_run_on_device(const struct op_case *op, const struct ops *ops, uint32_t trial)
{
    static struct ops table;
    table = *ops;
#define TAKE(op, type) table.op = device_##op;
    STRUCTS(TAKE)
    table.sum_columns = device_sum_columns;
    table.sum = device_sum;
    table.sum_of_squares = device_sum_of_squares;
    table.average = device_average;
    table.store_rows = device_store_rows;
    struct op_run run = {.ops = &table, .name = op->name, .trial = trial};
    current = &run;
    op_run_begin(&run);
    inner = ops;
    op->run(&run);
    current = NULL;
    return run;
}
