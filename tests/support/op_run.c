#include "tests/support/op_run.h"

#include "tests/support/dropout.h"
#include "tests/support/test.h"

const struct op_case op_cases[] = {
#define OP(name, parameters, arguments) {#name, op_case_##name},
#include "core/tensor/ops.def"
#undef OP
};
const int op_case_count = COUNT_OF(op_cases);

static double draw(struct op_run *run)
{
    const struct random_key key = {run->trial, random_stream(run->name)};
    return random_uniform(key, run->drawn++, 0);
}

int op_below(struct op_run *run, int bound)
{
    return (int)(draw(run) * bound);
}

bool op_flip(struct op_run *run)
{
    return op_below(run, 2);
}

double op_real(struct op_run *run, double low, double high)
{
    return low + (high - low) * draw(run);
}

int op_size(struct op_run *run)
{
    static const int sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 48, 64};
    return op_flip(run) ? sizes[op_below(run, COUNT_OF(sizes))] : 1 + op_below(run, 70);
}

static void *buffer_new(struct op_run *run, enum op_use use, size_t count, size_t size,
                        const char *name)
{
    struct op_buffer *buffer = ARENA_NEW(&run->arena, struct op_buffer);
    /* Buffers are aligned to 16 bytes in every other trial, like a model's memory. */
    const int away = run->trial % 2 ? op_below(run, 4) : 0;
    const size_t offset = OP_GUARD + (size_t)away * size, bytes = count * size;
    unsigned char *block = arena_alloc(&run->arena, offset + bytes + OP_GUARD);
    memset(block, 0xff, offset + bytes + OP_GUARD);
    *buffer = (struct op_buffer){
        .next = run->buffer, .name = name, .use = use, .data = block + offset, .bytes = bytes};
    buffer->frozen = arena_alloc(&run->arena, bytes + 1);
    run->buffer = buffer;
    return buffer->data;
}

void *op_memory(struct op_run *run, enum op_use use, size_t bytes, const char *name)
{
    return buffer_new(run, use, bytes / sizeof(double), sizeof(double), name);
}

real *op_reals(struct op_run *run, enum op_use use, int64_t count, const char *name)
{
    real *x = buffer_new(run, use, (size_t)count, sizeof *x, name);
    for (int64_t i = 0; i < count && use != OP_OUTPUT; i++)
        x[i] = op_rounded(run, op_real(run, -1, 1));
    return x;
}

int32_t *op_ints(struct op_run *run, enum op_use use, int64_t count, const char *name)
{
    return buffer_new(run, use, (size_t)count, sizeof(int32_t), name);
}

struct step *op_step(struct op_run *run)
{
    struct step *step = buffer_new(run, OP_INPUT, 1, sizeof *step, "step");
    *step = (struct step){.seed = (uint32_t)op_below(run, 1000),
                          .number = (uint32_t)op_below(run, 1000),
                          .first_row = {op_below(run, 5000), op_below(run, 5000), 77},
                          .normalizer = op_real(run, 1, 100),
                          .rate = op_real(run, 1e-4, 1e-2),
                          .correction1 = op_real(run, .1, 1),
                          .correction2 = op_real(run, .1, 1)};
    return step;
}

void op_launch(struct op_run *run, int *T, const int32_t **rows)
{
    if (op_flip(run)) return;
    int32_t *count = op_ints(run, OP_INPUT, 1, "rows");
    *count = *T;
    *T += 1 + op_below(run, 20);
    *rows = count;
}

struct dropout op_dropout(struct op_run *run)
{
    struct dropout dropout = {.stream = (uint32_t)op_below(run, 1 << 30),
                              .threshold = random_threshold(op_real(run, .05, .6)),
                              .rows = op_below(run, 3)};
    if (!op_below(run, 3)) dropout.threshold = 0;
    return dropout;
}

int32_t *op_sentences(struct op_run *run, int B, int longest, const char *name)
{
    int32_t *start = op_ints(run, OP_INPUT, B + 1, name);
    start[0] = 0;
    for (int b = 0; b < B; b++)
        start[b + 1] = start[b] + (op_below(run, 4) ? 1 + op_below(run, longest) : 1);
    return start;
}

int32_t *op_groups(struct op_run *run, const int32_t *start, int B)
{
    int32_t *group = op_ints(run, OP_INPUT, start[B], "sentence of each row");
    for (int b = 0; b < B; b++)
        for (int32_t t = start[b]; t < start[b + 1]; t++) group[t] = b;
    return group;
}

int32_t *op_tiles(struct op_run *run, const int32_t *start, int B)
{
    int32_t *tile = op_ints(run, OP_INPUT, start[B], "tiles");
    int count = 0;
    for (int b = 0; b < B; b++)
        for (int32_t t = start[b]; t < start[b + 1]; t += ATTENTION_TILE) tile[count++] = t;
    while (count < start[B]) tile[count++] = -1;
    return tile;
}

double op_factor(const struct step *step, struct dropout dropout, uint64_t index, uint32_t branch)
{
    const struct random_key key = {step->seed, dropout.stream};
    if (!dropout.threshold) return 1;
    if (!dropout_keeps(key, index, step->number, branch, dropout.threshold)) return 0;
    return 65536.0 / (65536.0 - dropout.threshold);
}

double *op_zeros(struct op_run *run, int64_t count)
{
    return ARENA_ARRAY(&run->arena, double, count + 1);
}

double *op_values(struct op_run *run, const real *x, int64_t count)
{
    double *y = op_zeros(run, count);
    for (int64_t i = 0; i < count; i++) y[i] = (double)x[i];
    return y;
}

double *op_sums(struct op_run *run, bool add, int64_t count, const char *name, real **x)
{
    *x = op_reals(run, add ? OP_ADDED : OP_OUTPUT, count, name);
    return add ? op_values(run, *x, count) : op_zeros(run, count);
}

void op_run_freeze(struct op_run *run)
{
    for (struct op_buffer *b = run->buffer; b; b = b->next) memcpy(b->frozen, b->data, b->bytes);
}

void op_run_check(struct op_run *run)
{
    for (struct op_buffer *b = run->buffer; b; b = b->next) {
        for (int i = 0; i < OP_GUARD; i++)
            if (b->data[-1 - i] != 0xff || b->data[b->bytes + (size_t)i] != 0xff)
                fail_msg("%s, trial %u: written outside of %s", run->name, run->trial, b->name);
        if (b->use == OP_INPUT && b->bytes && memcmp(b->data, b->frozen, b->bytes))
            fail_msg("%s, trial %u: input %s has changed", run->name, run->trial, b->name);
    }
}

static void expect(struct op_run *run, const real *x, const double *expected, int64_t count,
                   double share, double floor, const char *name)
{
    double squares = 0;
    int64_t numbers = 0;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(expected[i])) squares += expected[i] * expected[i], numbers++;
    const double size = fmax(floor, numbers ? sqrt(squares / (double)numbers) : 0);
    static const unsigned char untouched[sizeof(real)] = {[0 ... sizeof(real) - 1] = 0xff};
    for (int64_t i = 0; i < count; i++) {
        const double got = (double)x[i];
        if (isnan(expected[i]) ? !memcmp(&x[i], untouched, sizeof(real))
                               : fabs(got - expected[i]) <= share * (fabs(expected[i]) + size))
            continue;
        fail_msg("%s, trial %u: %s[%lld] is %.9g, expected %.9g", run->name, run->trial, name,
                 (long long)i, got, expected[i]);
    }
}

static double tolerance(const struct op_run *run)
{
    if (run->ops->act_bytes < sizeof(real)) return 2e-2;
    if (strstr(run->ops->name, "tf32")) return 2e-3;
    return sizeof(real) == sizeof(float) ? 1e-5 : 1e-12;
}

void op_expect(struct op_run *run, const real *x, const double *expected, int64_t count,
               const char *name)
{
    expect(run, x, expected, count, tolerance(run), 0, name);
}

void op_expect_above(struct op_run *run, const real *x, const double *expected, int64_t count,
                     double floor, const char *name)
{
    expect(run, x, expected, count, tolerance(run), floor, name);
}

void op_expect_exactly(struct op_run *run, const real *x, const double *expected, int64_t count,
                       const char *name)
{
    expect(run, x, expected, count, 0, 0, name);
}

static struct op_run *current;

void op_run_begin(struct op_run *run)
{
    current = run;
}

struct act *op_act(real *x)
{
    const unsigned char *at = (const unsigned char *)x;
    for (struct op_buffer *b = current->buffer; b; b = b->next)
        if (at >= b->data && at <= b->data + b->bytes) b->act = true;
    return (struct act *)(void *)x;
}

real op_rounded(const struct op_run *run, double x)
{
    const float narrow = (float)x;
    uint32_t bits;
    if (run->ops->act_bytes == sizeof(real)) return (real)x;
    memcpy(&bits, &narrow, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u; /* bf16, ties to even */
    float y;
    memcpy(&y, &bits, sizeof y);
    return (real)y;
}

struct op_run op_run_case(const struct op_case *op, const struct ops *ops, uint32_t trial)
{
    struct op_run run = {.ops = ops, .name = op->name, .trial = trial};
    op_run_begin(&run);
    op->run(&run);
    return run;
}

void op_run_same(const struct op_run *a, const struct op_run *b, const char *what)
{
    const struct op_buffer *x = a->buffer, *y = b->buffer;
    for (; x && y; x = x->next, y = y->next)
        if (x->bytes != y->bytes || (x->bytes && memcmp(x->data, y->data, x->bytes)))
            fail_msg("%s, trial %u: %s is not the same for %s", a->name, a->trial, x->name, what);
    assert_true(!x && !y);
}

void op_run_digest(const struct op_run *run, struct digest *digest)
{
    for (const struct op_buffer *b = run->buffer; b; b = b->next)
        if (b->use != OP_INPUT) digest_add(digest, b->data, b->bytes);
}

void op_run_close(struct op_run *run)
{
    arena_free(&run->arena);
}
