/* Checks that decoding one token at a time gives the logits of the inference list on whole
 * sentences. */

/* The target tokens are given, not predicted. Every sentence has two spellings. Spelling 0 is the
 * original. Spelling 1 has other tokens from the middle on, where its row forks from the row of
 * spelling 0. */
#include "core/check/model_check.h"
#include "core/model/stepper.h"

enum { SENTENCES = CHECK_SENTENCES / 2, SPELLINGS = 2, ROWS = SENTENCES * SPELLINGS };

/* Returns the batch with other target tokens in the second half of each sentence. */
static struct batch respelled(struct arena *arena, const struct batch *batch)
{
    struct batch other = *batch;
    struct field *target = &other.field[FIELD_TARGET];
    int32_t *token = ARENA_ARRAY(arena, int32_t, target->T);
    for (int b = 0; b < target->B; b++) {
        const int32_t start = target->start[b], end = target->start[b + 1];
        for (int32_t t = start; t < end; t++)
            token[t] = (target->token[t] + (t - start >= (end - start) / 2 ? 7 : 0)) % CHECK_WORDS;
    }
    target->token = token;
    return other;
}

/* Writes the rows of step t to `spelled`: k SENTENCES + b is sentence b in spelling k. Spelling 1
 * of a sentence has rows only after the middle. From step 3 on the order changes in every step.
 * Returns the number of rows. */
static int spelled_at(const struct field *target, int t, int spelled[ROWS])
{
    int rows = 0;
    for (int i = 0; i < ROWS; i++) {
        const int at = t < 3 ? i : (i * 5 + t) % ROWS, b = at % SENTENCES;
        const int length = target->start[b + 1] - target->start[b];
        if (t < length && (at == b || t > length / 2)) spelled[rows++] = at;
    }
    return rows;
}

/* Fills the caches with NaN, to detect reads of rows that were not stored. */
static void poison_caches(const struct stepper *s)
{
    const struct ops *ops = s->step->ops;
    for (int v = 0; v < s->step->values; v++) {
        const struct value *value = s->step->value[v];
        const size_t bytes = (size_t)s->cache_rows * (size_t)value->columns * ops->act_bytes;
        if (value->cache) check_poison_bytes(ops, value->data, bytes);
    }
}

static void spell(struct stepper *s, struct graph *whole, uint32_t seed, struct finding *finding)
{
    const struct step step = check_step(1);
    SCOPED(arena_free) struct arena arena = {0};
    const struct batch plain = check_batch(&arena, seed, SENTENCES, 10);
    const struct batch batch[SPELLINGS] = {plain, respelled(&arena, &plain)};
    const struct field *target = &plain.field[FIELD_TARGET];
    const real *expected[SPELLINGS];
    for (int k = 0; k < SPELLINGS; k++) {
        check_forward(whole, &step, &batch[k]);
        expected[k] = check_read(&arena, whole, "logits");
    }
    check_poison(s->encode);
    check_poison(s->step);
    stepper_begin(s, &plain, target->longest);
    poison_caches(s);
    int before[ROWS] = {0}; /* row of each sentence and spelling in the previous step */
    for (int t = 0; t < target->longest; t++) {
        int spelled[ROWS];
        struct live_row live[ROWS];
        const int rows = spelled_at(target, t, spelled);
        for (int r = 0; r < rows; r++) {
            const int b = spelled[r] % SENTENCES, length = target->start[b + 1] - target->start[b];
            const int32_t *token = batch[spelled[r] / SENTENCES].field[FIELD_TARGET].token;
            live[r].sentence = b;
            live[r].parent = before[t == length / 2 + 1 ? b : spelled[r]];
            live[r].previous = t ? token[target->start[b] + t - 1] : -1;
        }
        stepper_step(s, live, rows);
        const real *got = check_read(&arena, s->step, "logits");
        for (int r = 0; r < rows; r++) {
            const int b = spelled[r] % SENTENCES;
            const int64_t row = target->start[b] + t;
            before[spelled[r]] = r;
            finding_rows(finding, got + (int64_t)r * CHECK_WORDS,
                         expected[spelled[r] / SENTENCES] + row * CHECK_WORDS, CHECK_WORDS,
                         arena_print(&arena, "logits of sentence %d, step %d", b, t));
        }
    }
}

void check_steps(struct check_subject *subject, struct finding *finding)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct stepper_size size = {.tokens = CHECK_ROWS,
                                      .sentences = SENTENCES,
                                      .longest = CHECK_LONGEST,
                                      .live = SPELLINGS,
                                      .steps = CHECK_LONGEST};
    struct stepper *stepper = stepper_open(&arena, subject->model, size);
    struct graph *whole = check_list(subject->model, &arena, GRAPH_INFER, "logits");
    finding->limit = check_rounding;
    for (uint32_t seed = 0; seed < 3; seed++) spell(stepper, whole, seed, finding);
    stepper_close(stepper);
    graph_release(whole);
}
