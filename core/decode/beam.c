/* The rows of all steps stay, each with its parent: the words of a hypothesis are read from its end
 * to its beginning, and an unfinished one costs no copy of its words. */
#include "core/decode/beam.h"

#include <stdlib.h>

#include "core/base/elementary.h"
#include "core/model/stepper.h"

static const struct option beam_rows[] = {BEAM_OPTIONS(0)};
const struct section beam_section = {"beam", "beam search", beam_rows, COUNT_OF(beam_rows),
                                     sizeof(struct beam_options)};

/* The hypotheses of a sentence. */
struct beam {
    int sentence, limit; /* in the batch; most steps */
    int rows;            /* alive ones, in row order */
    int finished;
    struct hypothesis *done; /* [options.beam] best first */
};

struct candidate { /* a row of this step and a word */
    double log_probability;
    int parent, token;
};

struct searcher {
    const struct ops *ops;
    struct beam_options options;
    struct stepper *stepper;
    int row_limit, wanted;       /* hypotheses of a sentence that the caller looks at */
    char *words, *words_device;  /* [rows, 2 beam] scores of each one's best words, then words */
    const real *score;           /* in `words`, */
    const int32_t *token;        /* of the latest step */
    struct candidate *candidate; /* [2 beam] of one sentence */
    double *log_probability[2];  /* [rows] of the rows of even and of odd steps */
    struct live_row *row;        /* [steps + 1, stride] the rows of all steps */
    /* The batch that is searched: sentences that go on, rows of step t, which is issued. */
    struct beam *live; /* [sentences] */
    int sentences, rows, t;
    int sent; /* number of the download */
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
    /* All rows; best words, here and on the device. */
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

/* Of equal ones the better parent's, then the lower id. */
static bool is_better(const struct candidate *x, const struct candidate *y)
{
    if (x->log_probability != y->log_probability) return x->log_probability > y->log_probability;
    return x->parent != y->parent ? x->parent < y->parent : x->token < y->token;
}

/* What a hypothesis of n tokens is worth: without the penalty a longer one is never better, since
 * each token takes probability away. */
static double score_of(const struct searcher *s, double log_probability, int n)
{
    return log_probability / elementary_pow((5.0 + n) / 6.0, s->options.length_penalty);
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
    return (struct hypothesis){score_of(s, last->log_probability, t + 1), t + 1, token};
}

/* A candidate of step t has ended: it stands among the finished ones if it is one of the best. Of
 * equal ones the first that ended is better. */
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

/* The best extensions of a sentence's rows of step t, from row `first` on, the best first; returns
 * how many. The best 2 beam words of each row are enough: at most `beam` of all extensions end
 * (each row once), so of the best 2 beam at least `beam` go on. */
static int find_candidates(struct searcher *s, int t, int first, int rows)
{
    const int wide = 2 * s->options.beam;
    const int most = s->options.beam > 1 ? wide : 1; /* greedy: the best word, <eos> or not */
    int count = 0;
    for (int r = first; r < first + rows; r++)
        for (int c = 0; c < wide && c < s->stepper->logits->columns; c++) {
            const struct candidate candidate = {s->log_probability[t % 2][r] +
                                                    (double)s->score[r * wide + c],
                                                r, s->token[r * wide + c]};
            int at = count;
            while (at > 0 && is_better(&candidate, &s->candidate[at - 1])) at--;
            if (at == most) break; /* nor is a later one of this row, which is worse */
            if (count < most) count++;
            for (int i = count - 1; i > at; i--) s->candidate[i] = s->candidate[i - 1];
            s->candidate[at] = candidate;
        }
    return count;
}

/* Upper bound of a live row's final score: its log-probability can only fall, and the largest
 * divisor is the penalty at the step limit. A row whose bound does not exceed the worst wanted
 * finished hypothesis is dropped. The extensions that it displaced are worse still. */
static void drop_hopeless(const struct searcher *s, struct beam *beam, int t, int first)
{
    const double *log_probability = s->log_probability[t % 2] + first; /* the best row first */
    if (beam->finished < s->wanted) return;
    while (beam->rows && score_of(s, log_probability[beam->rows - 1], beam->limit) <=
                             beam->done[s->wanted - 1].score)
        beam->rows--;
}

/* Extends one sentence's rows of step t, from row `first` on; its next rows begin at row `next`.
 * True: it has ended. */
static bool extend(struct searcher *s, struct beam *beam, int t, int first, int next,
                   struct arena *arena)
{
    const struct candidate *best = NULL; /* of those that stay alive */
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
    if (!best) return true; /* every extension ended */
    drop_hopeless(s, beam, t + 1, next);
    const bool over = t + 1 >= beam->limit || !beam->rows;
    if (over && !beam->finished) beam->done[beam->finished++] = hypothesis_of(s, best, t, arena);
    return over;
}

/* Issues step t, and the search for the best words after each of its rows. */
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

static void end_search(struct searcher *s)
{
    free(s->row);
    s->row = NULL;
    arena_free(&s->scratch);
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
    if (kept)
        issue_step(s);
    else
        end_search(s);
    return kept > 0;
}

struct search_work searcher_work(const struct searcher *s)
{
    return s->work;
}
