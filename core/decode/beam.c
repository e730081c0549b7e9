/* Beam search. The rows of all steps are kept, each with the index of its parent. The tokens of a
 * hypothesis are read from its last row to its first, so unfinished hypotheses are never copied. */
#include "core/decode/beam.h"

#include <stdlib.h>

#include "core/base/elementary.h"
#include "core/model/stepper.h"

static const struct option beam_rows[] = {BEAM_OPTIONS(0)};
const struct section beam_section = {"beam", "beam search", beam_rows, COUNT_OF(beam_rows),
                                     sizeof(struct beam_options)};

/* State of the search for one sentence. */
struct beam {
    int sentence, limit; /* index in the batch; upper bound of steps */
    int rows;            /* live rows; they are consecutive rows of the step */
    int finished;
    struct hypothesis *done; /* [options.beam] best first */
};

struct candidate { /* an extension: a row of the current step (parent) and a token */
    double log_probability;
    int parent, token;
};

struct searcher {
    const struct ops *ops;
    struct beam_options options;
    struct stepper *stepper;
    /* Upper bound of the rows of a step, and number of hypotheses that the caller wants. */
    int row_limit, wanted;
    /* [rows, 2 beam] log-probabilities of the best tokens of each row, followed by the ids of these
     * tokens */
    char *words, *words_device;
    const real *score;           /* log-probabilities of the last step, in `words` */
    const int32_t *token;        /* tokens of the last step, in `words` */
    struct candidate *candidate; /* [2 beam] of one sentence */
    double *log_probability[2];  /* [rows] of the hypotheses; index: step % 2 */
    struct live_row *row;        /* [steps + 1, stride] rows of all steps */
    /* The current batch: the unfinished sentences, and the number of rows of step t, the last
     * issued step. */
    struct beam *live; /* [sentences] */
    int sentences, rows, t;
    int sent; /* number of the last download, as returned by `send` of struct ops */
    struct translation *result;
    struct arena *arena, scratch;
    struct search_work work;
};

struct capacity searcher_capacity(int longest)
{
    enum { TOKENS = 2048, SENTENCES = 64 };
    return (struct capacity){{longest > TOKENS ? longest : TOKENS}, SENTENCES, longest};
}

static struct stepper_size size_of(const struct beam_options *options, struct capacity capacity)
{
    return (struct stepper_size){.tokens = capacity.tokens[FIELD_SOURCE],
                                 .sentences = capacity.sentences,
                                 .longest = capacity.longest,
                                 .live = options->beam,
                                 .steps = capacity.longest + options->extra};
}

size_t searcher_bytes(struct model *model, const struct beam_options *options,
                      struct capacity capacity, int64_t slots)
{
    const struct stepper_size size = size_of(options, capacity);
    const size_t rows = (size_t)size.sentences * (size_t)options->beam;
    /* The last two terms are the rows of all steps, and the best tokens on host and device. */
    return stepper_bytes(model, size, slots) +
           rows * (size_t)(size.steps + 1) * sizeof(struct live_row) +
           2 * rows * 2 * (size_t)options->beam * (sizeof(real) + sizeof(int32_t));
}

static size_t words_bytes(const struct searcher *s, int rows)
{
    return (size_t)rows * 2 * (size_t)s->options.beam * (sizeof *s->score + sizeof *s->token);
}

struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, struct capacity capacity)
{
    struct searcher *s = ARENA_NEW(arena, struct searcher);
    const int beam = options->beam, rows = capacity.sentences * beam;
    *s = (struct searcher){
        .ops = model->ops, .options = *options, .row_limit = rows, .wanted = beam};
    s->stepper = stepper_open(arena, model, size_of(options, capacity));
    s->words = arena_alloc(arena, words_bytes(s, rows));
    s->words_device = s->ops->alloc(words_bytes(s, rows));
    s->candidate = ARENA_ARRAY(arena, struct candidate, 2 * beam);
    for (int i = 0; i < 2; i++) s->log_probability[i] = ARENA_ARRAY(arena, double, rows);
    return s;
}

void searcher_want(struct searcher *s, int hypotheses)
{
    CHECK(hypotheses > 0 && hypotheses <= s->options.beam, "%d hypotheses of a beam of %d",
          hypotheses, s->options.beam);
    s->wanted = hypotheses;
}

void searcher_close(struct searcher *s)
{
    stepper_close(s->stepper);
    s->ops->release(s->words_device, words_bytes(s, s->row_limit));
}

/* True if x is better than y. Ties: the better parent, then the lower token id. */
static bool is_better(const struct candidate *x, const struct candidate *y)
{
    if (x->log_probability != y->log_probability) return x->log_probability > y->log_probability;
    return x->parent != y->parent ? x->parent < y->parent : x->token < y->token;
}

/* Returns the score of a hypothesis of n tokens. Without the length penalty, the search would
 * prefer short hypotheses, because each token lowers the probability. */
static double score_of(const struct searcher *s, double log_probability, int n)
{
    return log_probability / elementary_pow((5.0 + n) / 6.0, s->options.length_penalty);
}

static struct live_row *rows_of(const struct searcher *s, int t)
{
    return s->row + (size_t)t * (size_t)s->stepper->stride;
}

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
    return (struct hypothesis){score_of(s, last->log_probability, t + 1), t + 1, token};
}

/* Inserts a finished candidate of step t into the finished hypotheses if it is among the best. For
 * equal scores, the hypothesis that finished first is better. */
static void finish(const struct searcher *s, struct beam *beam, const struct candidate *candidate,
                   int t, struct arena *arena)
{
    const double score = score_of(s, candidate->log_probability, t + 1);
    int at = beam->finished;
    while (at > 0 && score > beam->done[at - 1].score) at--;
    if (at == s->options.beam) return;
    if (beam->finished < s->options.beam) beam->finished++;
    for (int i = beam->finished - 1; i > at; i--) beam->done[i] = beam->done[i - 1];
    beam->done[at] = hypothesis_of(s, candidate, t, arena);
}

/* Finds the best extensions of the rows of a sentence in step t, best first. The rows begin at row
 * `first`. Returns their number. The 2 beam best tokens of each row suffice. At most `beam`
 * extensions end, because each row has one extension with <eos>. So at least `beam` of the best 2
 * beam extensions continue. */
static int find_candidates(struct searcher *s, int t, int first, int rows)
{
    const int wide = 2 * s->options.beam;
    /* greedy: only the best token, even if it is <eos> */
    const int most = s->options.beam > 1 ? wide : 1;
    int count = 0;
    for (int r = first; r < first + rows; r++)
        for (int c = 0; c < wide && c < s->stepper->logits->columns; c++) {
            const struct candidate candidate = {s->log_probability[t % 2][r] +
                                                    (double)s->score[r * wide + c],
                                                r, s->token[r * wide + c]};
            int at = count;
            while (at > 0 && is_better(&candidate, &s->candidate[at - 1])) at--;
            if (at == most) break; /* the following tokens of this row are worse */
            if (count < most) count++;
            for (int i = count - 1; i > at; i--) s->candidate[i] = s->candidate[i - 1];
            s->candidate[at] = candidate;
        }
    return count;
}

/* Drops rows that cannot become one of the wanted hypotheses. The log-probability of a row can only
 * fall, and the penalty is largest at the step limit. So their ratio is an upper bound of the row's
 * final score. A row is dropped if its bound does not exceed the score of the last wanted finished
 * hypothesis. Extensions that did not become rows are worse than the dropped row, so none of them
 * is missed. */
static void drop_hopeless(const struct searcher *s, struct beam *beam, int t, int first)
{
    const double *log_probability = s->log_probability[t % 2] + first; /* best row first */
    if (beam->finished < s->wanted) return;
    while (beam->rows && score_of(s, log_probability[beam->rows - 1], beam->limit) <=
                             beam->done[s->wanted - 1].score)
        beam->rows--;
}

/* Extends the rows of a sentence in step t, which begin at row `first`. Its rows in step t+1 begin
 * at row `next`. Returns true if the sentence is finished. */
static bool extend(struct searcher *s, struct beam *beam, int t, int first, int next,
                   struct arena *arena)
{
    const struct candidate *best = NULL; /* best candidate that stays alive */
    const int count = find_candidates(s, t, first, beam->rows);
    beam->rows = 0;
    for (int c = 0; c < count; c++) {
        const struct candidate *candidate = &s->candidate[c];
        if (candidate->token == VOCABULARY_EOS) {
            finish(s, beam, candidate, t, arena);
        } else if (beam->rows < s->options.beam) {
            const int child = next + beam->rows++;
            if (!best) best = candidate;
            s->log_probability[(t + 1) % 2][child] = candidate->log_probability;
            rows_of(s, t + 1)[child] =
                (struct live_row){beam->sentence, candidate->parent, candidate->token};
        }
    }
    if (!best) return true; /* every candidate ended */
    drop_hopeless(s, beam, t + 1, next);
    const bool over = t + 1 >= beam->limit || !beam->rows;
    if (over && !beam->finished) beam->done[beam->finished++] = hypothesis_of(s, best, t, arena);
    return over;
}

/* Issues step t and the search for the best tokens of each row. */
static void issue_step(struct searcher *s)
{
    const struct value *logits = s->stepper->logits;
    const int wide = 2 * s->options.beam;
    const size_t scores = (size_t)s->rows * (size_t)wide * sizeof *s->score;
    stepper_step(s->stepper, rows_of(s, s->t), s->rows);
    s->work.steps++;
    s->work.rows += s->rows;
    s->work.flops += graph_flops(s->stepper->step);
    struct top_tokens top = {.rows = s->rows, .V = logits->columns, .k = wide};
    top.logits = logits->data, top.ld = logits->ld;
    top.score = (void *)s->words_device;
    top.token = (void *)(s->words_device + scores);
    s->ops->top_tokens(&top);
    s->score = (const void *)s->words;
    s->token = (const void *)(s->words + scores);
    if (s->ops->send)
        s->sent = s->ops->send(s->words_device, words_bytes(s, s->rows));
    else
        s->ops->download(s->words, s->words_device, words_bytes(s, s->rows));
}

struct translation *searcher_begin(struct searcher *s, const struct batch *batch,
                                   struct arena *arena)
{
    const struct field *source = &batch->field[FIELD_SOURCE];
    int most = 0;
    s->arena = arena;
    s->t = 0;
    s->sentences = s->rows = source->B;
    s->result = ARENA_ARRAY(arena, struct translation, source->B + 1);
    s->live = ARENA_ARRAY(&s->scratch, struct beam, source->B + 1);
    for (int b = 0; b < s->sentences; b++) {
        const int length = source->start[b + 1] - source->start[b];
        s->live[b] = (struct beam){.sentence = b, .limit = length + s->options.extra, .rows = 1};
        s->live[b].done = ARENA_ARRAY(arena, struct hypothesis, s->options.beam);
        if (s->live[b].limit > most) most = s->live[b].limit;
    }
    stepper_begin(s->stepper, batch, most);
    s->work.flops += graph_flops(s->stepper->encode);
    s->row = heap_alloc((size_t)(most + 1) * (size_t)s->stepper->stride * sizeof *s->row);
    for (int b = 0; b < s->rows; b++) {
        s->row[b] = (struct live_row){.sentence = b, .previous = -1};
        s->log_probability[0][b] = 0;
    }
    if (s->sentences) issue_step(s);
    return s->result;
}

bool searcher_next(struct searcher *s)
{
    int kept = 0, first = 0, next = 0;
    if (s->sentences && s->ops->send) s->ops->receive(s->sent, s->words);
    for (int l = 0; l < s->sentences; l++) {
        struct beam beam = s->live[l];
        const bool over = extend(s, &beam, s->t, first, next, s->arena);
        first += s->live[l].rows;
        if (over)
            s->result[beam.sentence] = (struct translation){
                beam.finished < s->wanted ? beam.finished : s->wanted, beam.done};
        else
            s->live[kept++] = beam, next += beam.rows;
    }
    s->sentences = kept;
    s->rows = next;
    s->t++;
    if (kept) {
        issue_step(s);
        return true;
    }
    free(s->row);
    s->row = NULL;
    arena_free(&s->scratch);
    return false;
}

struct search_work searcher_work(const struct searcher *s)
{
    return s->work;
}
