/* Decoding word by word computes what the infer list computes of whole sentences, whatever becomes
 * of its rows on the way. */
#include "core/check/check.h"
#include "core/model/stepper.h"

enum { ROWS = CHECK_SENTENCES };

/* Every sentence twice; the second spells other words from its middle on. */
static struct batch doubled(struct arena *arena, const struct batch *batch)
{
    struct batch twice = {0};
    for (int f = 0; f < FIELDS; f++) {
        const struct field *from = &batch->field[f];
        int32_t *token = ARENA_ARRAY(arena, int32_t, 2 * from->T);
        int32_t *start = ARENA_ARRAY(arena, int32_t, 2 * from->B + 1);
        for (int b = 0; b < 2 * from->B; b++) {
            const int n = from->start[b / 2 + 1] - from->start[b / 2];
            start[b + 1] = start[b] + n;
            for (int t = 0; t < n; t++) {
                int32_t word = from->token[from->start[b / 2] + t];
                if (f == FIELD_TARGET && b % 2 && t >= n / 2) word = (word + 7) % CHECK_WORDS;
                token[start[b] + t] = word;
            }
        }
        twice.field[f] = (struct field){.T = start[2 * from->B],
                                        .B = 2 * from->B,
                                        .longest = from->longest,
                                        .token = token,
                                        .start = start};
    }
    return twice;
}

static int length_of(const struct field *target, int b)
{
    return target->start[b + 1] - target->start[b];
}

/* The rows of step t: those of ended sentences go; where the two sentences of a pair part, the
 * second goes on from the row of the first; from step 3 on rows change places at every step. */
static int rearrange(struct live_row *live, int rows, const struct field *target, int t)
{
    for (int r = 0; r < rows;)
        if (length_of(target, live[r].sentence) <= t)
            live[r] = live[--rows];
        else
            r++;
    for (int r = 0, before = rows; r < before; r++) {
        const int b = live[r].sentence;
        if (b % 2 || t != length_of(target, b) / 2 + 1) continue;
        live[rows] = live[r];
        live[rows++].sentence = b + 1;
    }
    for (int r = 0; r < rows && t >= 3; r++) {
        struct live_row *other = &live[(r * 5 + t) % rows], kept = live[r];
        live[r] = *other;
        *other = kept;
    }
    return rows;
}

/* NaN: only what was stored is read. */
static void poison_caches(const struct stepper *s)
{
    const struct ops *ops = s->step->ops;
    for (int v = 0; v < s->step->values; v++) {
        const struct value *value = s->step->value[v];
        const size_t bytes = (size_t)s->slots * (size_t)value->columns * ops->act_bytes;
        if (value->cache) check_poison_bytes(ops, value->data, bytes);
    }
}

/* One batch, word by word: every row's tokens are those of its sentence. */
static void spell(struct stepper *s, struct graph *whole, uint32_t seed, struct finding *finding)
{
    const struct step step = check_step(1);
    struct arena arena = {0};
    const struct batch single = check_batch(&arena, seed, ROWS / 2, 10);
    const struct batch batch = doubled(&arena, &single);
    const struct field *target = &batch.field[FIELD_TARGET];
    check_forward(whole, &step, &batch);
    const real *expected = check_read(&arena, whole, "logits");
    check_poison(s->encode);
    check_poison(s->step);
    stepper_begin(s, &batch, target->longest);
    poison_caches(s);
    struct live_row live[ROWS];
    int rows = 0;
    for (int b = 0; b < target->B; b += 2) live[rows++] = (struct live_row){.sentence = b};
    for (int t = 0; t < target->longest; t++) {
        rows = rearrange(live, rows, target, t);
        for (int r = 0; r < rows; r++) {
            const int32_t *token = target->token + target->start[live[r].sentence];
            live[r].previous = t ? token[t - 1] : -1;
        }
        stepper_step(s, live, rows);
        const real *got = check_read(&arena, s->step, "logits");
        for (int r = 0; r < rows; r++) {
            const int b = live[r].sentence;
            finding_rows(finding, got + (int64_t)r * CHECK_WORDS,
                         expected + (int64_t)(target->start[b] + t) * CHECK_WORDS, CHECK_WORDS,
                         arena_print(&arena, "logits of sentence %d, step %d", b, t));
            live[r].parent = r;
        }
    }
    arena_free(&arena);
}

void check_steps(struct check_subject *subject, struct finding *finding)
{
    struct arena arena = {0};
    const struct stepper_size size = {.tokens = CHECK_ROWS,
                                      .sentences = ROWS,
                                      .longest = CHECK_LONGEST,
                                      .live = 1,
                                      .steps = CHECK_LONGEST};
    struct stepper *stepper = stepper_open(&arena, subject->model, size);
    struct graph *whole = check_list(subject->model, &arena, GRAPH_INFER, "logits");
    finding->limit = check_rounding;
    for (uint32_t seed = 0; seed < 3; seed++) spell(stepper, whole, seed, finding);
    stepper_close(stepper);
    graph_release(whole);
    arena_free(&arena);
}
