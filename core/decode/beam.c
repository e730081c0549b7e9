/* The rows of all steps stay, each with its parent: the words of a hypothesis are read from its end
 * to its beginning. */
#include "core/decode/beam.h"

#include <stdlib.h>

#include "core/base/elementary.h"
#include "core/model/stepper.h"

static const struct option beam_rows[] = {BEAM_OPTIONS(0)};
const struct section beam_section = {"beam", "beam search", beam_rows, COUNT_OF(beam_rows),
                                     sizeof(struct beam_options)};

struct sentence {
    int index, limit; /* in the batch; most steps */
    int rows;         /* alive hypotheses, in row order */
    int finished;
    struct hypothesis *done; /* [beam] best first */
};

struct candidate { /* a row of this step and a word */
    double log_probability;
    int parent, token;
};

struct searcher {
    const struct ops *ops;
    struct beam_options options;
    struct stepper *stepper;
    int row_limit;
    real *score, *score_device; /* [rows, 2 beam] the best words of each */
    int32_t *token, *token_device;
    struct candidate *candidate; /* [2 beam^2] of one sentence */
    double *log_probability[2];  /* [rows] of the rows of even and of odd steps */
    struct live_row *row;        /* [steps + 1, stride] the rows of all steps */
};

static struct stepper_size size_of(const struct beam_options *options, int tokens, int sentences,
                                   int longest)
{
    return (struct stepper_size){.tokens = tokens,
                                 .sentences = sentences,
                                 .longest = longest,
                                 .live = options->beam,
                                 .steps = longest + options->extra};
}

size_t searcher_bytes(struct model *model, const struct beam_options *options, int tokens,
                      int sentences, int longest, int64_t slots)
{
    const struct stepper_size size = size_of(options, tokens, sentences, longest);
    const size_t rows = (size_t)sentences * (size_t)options->beam;
    /* All rows; best words, here and on the device. */
    return stepper_bytes(model, size, slots) +
           rows * (size_t)(size.steps + 1) * sizeof(struct live_row) +
           2 * rows * 2 * (size_t)options->beam * (sizeof(real) + sizeof(int32_t));
}

struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, int tokens, int sentences,
                               int longest)
{
    struct searcher *s = ARENA_NEW(arena, struct searcher);
    const int beam = options->beam, rows = sentences * beam, words = rows * 2 * beam;
    *s = (struct searcher){.ops = model->ops, .options = *options, .row_limit = rows};
    s->stepper = stepper_open(arena, model, size_of(options, tokens, sentences, longest));
    s->score = ARENA_ARRAY(arena, real, words);
    s->token = ARENA_ARRAY(arena, int32_t, words);
    s->score_device = s->ops->alloc((size_t)words * sizeof *s->score);
    s->token_device = s->ops->alloc((size_t)words * sizeof *s->token);
    s->candidate = ARENA_ARRAY(arena, struct candidate, 2 * beam * beam);
    for (int i = 0; i < 2; i++) s->log_probability[i] = ARENA_ARRAY(arena, double, rows);
    return s;
}

void searcher_close(struct searcher *s)
{
    const size_t words = (size_t)s->row_limit * 2 * (size_t)s->options.beam;
    stepper_close(s->stepper);
    s->ops->release(s->score_device, words * sizeof *s->score);
    s->ops->release(s->token_device, words * sizeof *s->token);
}

static int by_probability(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->log_probability != y->log_probability)
        return x->log_probability > y->log_probability ? -1 : 1;
    return x->parent != y->parent ? x->parent - y->parent : x->token - y->token;
}

static double penalty(const struct beam_options *options, int n)
{
    return elementary_pow((5.0 + n) / 6.0, options->length_penalty);
}

/* The live rows of step t. */
static struct live_row *rows_of(const struct searcher *s, int t)
{
    return s->row + (size_t)t * (size_t)s->stepper->stride;
}

/* The words up to a candidate of step t. */
static struct hypothesis hypothesis_of(const struct searcher *s, const struct candidate *last,
                                       int t, struct arena *arena)
{
    int32_t *token = ARENA_ARRAY(arena, int32_t, t + 1);
    token[t] = last->token;
    for (int i = t, r = last->parent; i > 0; i--) {
        const struct live_row *row = &rows_of(s, i)[r];
        token[i - 1] = row->previous;
        r = row->parent;
    }
    return (struct hypothesis){last->log_probability / penalty(&s->options, t + 1), t + 1, token};
}

static void finish(const struct searcher *s, struct sentence *sentence,
                   const struct candidate *candidate, int t, struct arena *arena)
{
    const double score = candidate->log_probability / penalty(&s->options, t + 1);
    int at = sentence->finished;
    while (at > 0 && score > sentence->done[at - 1].score) at--;
    if (at == s->options.beam) return;
    if (sentence->finished < s->options.beam) sentence->finished++;
    for (int i = sentence->finished - 1; i > at; i--) sentence->done[i] = sentence->done[i - 1];
    sentence->done[at] = hypothesis_of(s, candidate, t, arena);
}

/* Extends one sentence's rows of step t, from row `first` on; its next rows begin at row `next`.
 * True: it has ended. */
static bool extend_sentence(struct searcher *s, struct sentence *sentence, int t, int first,
                            int next, struct arena *arena)
{
    const int beam = s->options.beam, wide = 2 * beam;
    struct candidate *candidate = s->candidate;
    const struct candidate *best = NULL; /* of those that stay alive */
    int count = 0, alive = 0;
    for (int r = first; r < first + sentence->rows; r++)
        for (int c = 0; c < wide && c < s->stepper->logits->columns; c++)
            candidate[count++] =
                (struct candidate){s->log_probability[t % 2][r] + (double)s->score[r * wide + c], r,
                                   s->token[r * wide + c]};
    qsort(candidate, (size_t)count, sizeof *candidate, by_probability);
    const int looked_at = beam > 1 ? wide : 1; /* greedy: the best word, <eos> or not */
    for (int c = 0; c < count && c < looked_at; c++) {
        if (candidate[c].token == VOCABULARY_EOS) {
            finish(s, sentence, &candidate[c], t, arena);
        } else if (alive < beam) {
            const int child = next + alive++;
            if (!best) best = &candidate[c];
            s->log_probability[(t + 1) % 2][child] = candidate[c].log_probability;
            rows_of(s, t + 1)[child] =
                (struct live_row){sentence->index, candidate[c].parent, candidate[c].token};
        }
    }
    sentence->rows = alive;
    if (!best) return true; /* every extension ended */
    const double bound = best->log_probability / penalty(&s->options, sentence->limit);
    bool over = t + 1 >= sentence->limit;
    over |= sentence->finished == beam && sentence->done[beam - 1].score > bound;
    if (over && !sentence->finished)
        sentence->done[sentence->finished++] = hypothesis_of(s, best, t, arena);
    return over;
}

/* The best words after each of so many rows. */
static void find_words(struct searcher *s, int rows)
{
    const struct value *logits = s->stepper->logits;
    const int wide = 2 * s->options.beam;
    const size_t words = (size_t)rows * (size_t)wide;
    s->ops->top_tokens(&(struct top_tokens){.rows = rows,
                                            .V = logits->columns,
                                            .k = wide,
                                            .ld = logits->ld,
                                            .logits = logits->data,
                                            .score = s->score_device,
                                            .token = s->token_device});
    s->ops->download(s->score, s->score_device, words * sizeof *s->score);
    s->ops->download(s->token, s->token_device, words * sizeof *s->token);
}

struct translation *searcher_run(struct searcher *s, const struct batch *batch, struct arena *arena)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    struct arena scratch = {0};
    struct translation *result = ARENA_ARRAY(arena, struct translation, source->B + 1);
    struct sentence *live = ARENA_ARRAY(&scratch, struct sentence, source->B + 1);
    int sentences = source->B, rows = source->B, most = 0;
    for (int b = 0; b < sentences; b++) {
        const int length = source->start[b + 1] - source->start[b];
        live[b] = (struct sentence){.index = b, .limit = length + s->options.extra, .rows = 1};
        live[b].done = ARENA_ARRAY(arena, struct hypothesis, s->options.beam);
        if (live[b].limit > most) most = live[b].limit;
    }
    stepper_begin(s->stepper, batch, most);
    s->row = heap_alloc((size_t)(most + 1) * (size_t)s->stepper->stride * sizeof *s->row);
    for (int b = 0; b < rows; b++) {
        s->row[b] = (struct live_row){.sentence = b, .previous = -1};
        s->log_probability[0][b] = 0;
    }
    for (int t = 0; sentences; t++) {
        stepper_step(s->stepper, rows_of(s, t), rows);
        find_words(s, rows);
        int kept = 0, first = 0, next = 0;
        for (int l = 0; l < sentences; l++) {
            struct sentence sentence = live[l];
            const bool over = extend_sentence(s, &sentence, t, first, next, arena);
            first += live[l].rows;
            if (over)
                result[sentence.index] = (struct translation){sentence.finished, sentence.done};
            else
                live[kept++] = sentence, next += sentence.rows;
        }
        sentences = kept;
        rows = next;
    }
    free(s->row);
    arena_free(&scratch);
    return result;
}
