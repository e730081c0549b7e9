/* TER. A shift does not change the words before it. So the rows of these words in the distance
 * matrix are reused for all tried shifts. */
#include "core/decode/ter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/symbols.h"
#include "core/text/lower.h"
#include "core/text/utf8.h"

enum { SHIFT_WORDS = 10, SHIFT_DISTANCE = 50, TRIALS = 1000, BEAM = 25 };
enum { FAR = 1 << 29 }; /* distance of a cell outside of the beam */

/* Step from the neighboring cell to a cell of the distance matrix. */
enum ter_step { KEEP, REPLACE, DELETE, INSERT };

struct ter_cell {
    int32_t edits;
    int32_t step; /* enum ter_step */
};

/* A hypothesis that is edited until it equals its reference. */
struct rewriting {
    int words, reference_words;
    const int32_t *reference; /* [reference_words] */
    /* [words] the current hypothesis, and the hypothesis after a tried shift */
    int32_t *now, *tried;
    /* [words + 1][reference_words + 1] distances of the current hypothesis */
    struct ter_cell *cell;
    struct ter_cell *row[2]; /* [reference_words + 1] distances of the tried hypothesis */
    /* [reference_words] index of the word of the hypothesis that is aligned with a word of the
     * reference. If there is none, the index of the word before this place, or -1. */
    int *aligned;
    bool *wrong, *reference_wrong; /* [words], [reference_words]; true: not matched */
    int trials;
};

/* Range of columns (reference words) of row i of the distance matrix. */
static void row_range(const struct rewriting *of, int i, int *from, int *to)
{
    const double ratio = of->words ? (double)of->reference_words / of->words : 1;
    const int beam = ratio / 2 > BEAM ? (int)ceil(ratio / 2 + BEAM) : BEAM;
    const int diagonal = (int)floor(i * ratio);
    *from = diagonal > beam ? diagonal - beam : 0;
    *to = diagonal + beam < of->reference_words + 1 ? diagonal + beam : of->reference_words + 1;
    if (i == of->words) *to = of->reference_words + 1;
}

static void better(struct ter_cell *cell, int edits, enum ter_step step)
{
    if (edits < cell->edits) *cell = (struct ter_cell){edits, step};
}

/* Fills row i of the distances, i > 0, from row i - 1. `word` is word i - 1 of the hypothesis. */
static void fill_row(const struct rewriting *of, int32_t word, int i, const struct ter_cell *above,
                     struct ter_cell *row)
{
    int from, to;
    row_range(of, i, &from, &to);
    for (int j = 0; j <= of->reference_words; j++) row[j] = (struct ter_cell){FAR, KEEP};
    for (int j = from; j < to; j++) {
        if (!j) {
            row[j] = (struct ter_cell){above[j].edits + 1, DELETE};
            continue;
        }
        const bool same = word == of->reference[j - 1];
        better(&row[j], above[j - 1].edits + !same, same ? KEEP : REPLACE);
        better(&row[j], above[j].edits + 1, DELETE);
        better(&row[j], row[j - 1].edits + 1, INSERT);
    }
}

/* Fills all rows for the current hypothesis. Returns the distance. */
static int fill_rows(struct rewriting *of)
{
    const int columns = of->reference_words + 1;
    struct ter_cell *row = of->cell;
    for (int j = 0; j < columns; j++) row[j] = (struct ter_cell){j, INSERT};
    for (int i = 1; i <= of->words; i++, row += columns)
        fill_row(of, of->now[i - 1], i, row, row + columns);
    return row[columns - 1].edits;
}

/* Returns the distance of the tried hypothesis. Its first `same` words equal those of the current
 * hypothesis. */
static int try_distance(struct rewriting *of, int same)
{
    const int columns = of->reference_words + 1;
    const struct ter_cell *above = of->cell + (size_t)same * (size_t)columns;
    for (int i = same + 1; i <= of->words; i++) {
        struct ter_cell *row = of->row[i % 2];
        fill_row(of, of->tried[i - 1], i, above, row);
        above = row;
    }
    return above[columns - 1].edits;
}

/* Follows the steps from the last cell back to the first, and sets `aligned` and the wrong
 * words. */
static void align(struct rewriting *of)
{
    const int columns = of->reference_words + 1;
    for (int i = of->words, j = of->reference_words; i > 0 || j > 0;) {
        const enum ter_step step =
            (enum ter_step)of->cell[(size_t)i * (size_t)columns + (size_t)j].step;
        i -= step != INSERT;
        j -= step != DELETE;
        if (step != INSERT) of->wrong[i] = step != KEEP;
        if (step == DELETE) continue;
        of->reference_wrong[j] = step != KEEP;
        of->aligned[j] = step == INSERT ? i - 1 : i;
    }
}

static bool any(const bool *flag, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++) found |= flag[i];
    return found;
}

/* Writes the current hypothesis to `to`, after its `length` words from `start` on are moved before
 * position `target`. If `target` is inside of the moved sequence, the sequence moves forward by the
 * offset of `target` in the sequence. */
static void shift_words(const struct rewriting *of, int start, int length, int target, int32_t *to)
{
    const int32_t *now = of->now;
    const size_t word = sizeof *to;
    const int rest = of->words - start - length;
    if (target < start) {
        memcpy(to, now, word * (size_t)target);
        memcpy(to + target, now + start, word * (size_t)length);
        memcpy(to + target + length, now + target, word * (size_t)(start - target));
        memcpy(to + start + length, now + start + length, word * (size_t)rest);
        return;
    }
    /* Number of words after the sequence that move in front of it. */
    int passed = target > start + length ? target - start - length : target - start;
    if (passed > rest) passed = rest;
    memcpy(to, now, word * (size_t)start);
    memcpy(to + start, now + start + length, word * (size_t)passed);
    memcpy(to + start + passed, now + start, word * (size_t)length);
    memcpy(to + start + passed + length, now + start + length + passed,
           word * (size_t)(rest - passed));
}

struct shift {
    int gain; /* reduction of the distance */
    int length, start, target;
};

/* True if a is better than b, in tercom's order: larger gain, then longer sequence, then earlier
 * start, then earlier target. */
static bool is_better(const struct shift *a, const struct shift *b)
{
    if (a->gain != b->gain) return a->gain > b->gain;
    if (a->length != b->length) return a->length > b->length;
    if (a->start != b->start) return a->start < b->start;
    return a->target < b->target;
}

/* Tries to move a sequence of the hypothesis, which equals the reference from `place` on. The
 * targets follow the words that are aligned with this part of the reference, or with the word
 * before it. */
static void try_places(struct rewriting *of, int start, int place, int length, int distance,
                       struct shift *best)
{
    int last = -1;
    for (int offset = -1; offset < length && place + offset < of->reference_words; offset++) {
        const int target = place + offset < 0 ? 0 : of->aligned[place + offset] + 1;
        if (target == last) continue;
        last = target;
        shift_words(of, start, length, target, of->tried);
        const int first = target < start ? target : start;
        struct shift shift = {distance - try_distance(of, first), length, start, target};
        of->trials++;
        if (!best->length || is_better(&shift, best)) *best = shift;
    }
}

/* Returns the best shift; its length is 0 if there is none. */
static struct shift find_shift(struct rewriting *of, int distance)
{
    struct shift best = {0};
    const int32_t *now = of->now, *reference = of->reference;
    for (int h = 0; h < of->words; h++)
        for (int r = 0; r < of->reference_words; r++) {
            if (abs(r - h) > SHIFT_DISTANCE) continue;
            for (int length = 1; length <= SHIFT_WORDS && h + length <= of->words &&
                                 r + length <= of->reference_words &&
                                 now[h + length - 1] == reference[r + length - 1];
                 length++) {
                if (!any(of->wrong + h, length) || !any(of->reference_wrong + r, length)) continue;
                if (of->aligned[r] >= h && of->aligned[r] < h + length) continue;
                try_places(of, h, r, length, distance, &best);
                if (of->trials >= TRIALS) return best;
            }
        }
    return best;
}

int ter_edits(const int32_t *hypothesis, int words, const int32_t *reference, int reference_words)
{
    if (!words || !reference_words) return words ? words : reference_words;
    const size_t h = (size_t)words, r = (size_t)reference_words;
    SCOPED(arena_free) struct arena arena = {0};
    struct rewriting of = {.words = words,
                           .reference_words = reference_words,
                           .reference = reference,
                           .now = ARENA_ARRAY(&arena, int32_t, h),
                           .tried = ARENA_ARRAY(&arena, int32_t, h),
                           .cell = ARENA_ARRAY(&arena, struct ter_cell, (h + 1) * (r + 1)),
                           .row = {ARENA_ARRAY(&arena, struct ter_cell, r + 1),
                                   ARENA_ARRAY(&arena, struct ter_cell, r + 1)},
                           .aligned = ARENA_ARRAY(&arena, int, r),
                           .wrong = ARENA_ARRAY(&arena, bool, h),
                           .reference_wrong = ARENA_ARRAY(&arena, bool, r)};
    memcpy(of.now, hypothesis, sizeof *hypothesis * h);
    int shifts = 0, distance;
    for (;; shifts++) {
        distance = fill_rows(&of);
        align(&of);
        const struct shift shift = find_shift(&of, distance);
        if (of.trials >= TRIALS || !shift.length || shift.gain <= 0) break;
        shift_words(&of, shift.start, shift.length, shift.target, of.tried);
        memcpy(of.now, of.tried, sizeof *of.now * h);
    }
    return shifts + distance;
}

/* ---- text ---- */

/* The words of a line as integers. */
struct ter_line {
    struct buffer text; /* bytes of the words, to which the hash table points */
    struct symbols words;
};

static void put_words(const struct ter_options *options, const char *line, struct hash_table *known,
                      struct ter_line *numbers)
{
    buffer_clear(&numbers->text);
    numbers->words.count = 0;
    if (options->case_sensitive)
        buffer_add(&numbers->text, line, strlen(line));
    else
        lower_add(&numbers->text, line, strlen(line));
    const char *at = numbers->text.text, *const end = buffer_end(at, numbers->text.bytes);
    for (size_t bytes; at < end && (bytes = utf8_word(&at, end)); at += bytes)
        symbols_add_word(&numbers->words, known, at, bytes);
}

void ter_count(const struct ter_options *options, const char *const *hypothesis,
               const char *const *const *reference, int references, int count,
               struct ter_item *item)
{
    CHECK(references > 0, "TER without a reference");
    SCOPED(arena_free) struct arena arena = {0};
    struct ter_line ours = {.words.arena = &arena};
    struct ter_line *theirs = ARENA_ARRAY(&arena, struct ter_line, references);
    struct hash_table *known = hash_table_new(&arena, 0);
    for (int r = 0; r < references; r++) theirs[r].words.arena = &arena;
    for (int i = 0; i < count; i++) {
        int fewest = -1;
        int64_t words = 0;
        hash_table_clear(known, 0);
        put_words(options, hypothesis[i], known, &ours);
        for (int r = 0; r < references; r++) {
            put_words(options, reference[r][i], known, &theirs[r]);
            const struct symbols *own = &ours.words, *other = &theirs[r].words;
            const int edits = ter_edits(own->symbol, own->count, other->symbol, other->count);
            if (fewest < 0 || edits < fewest) fewest = edits;
            words += other->count;
        }
        item[i] = (struct ter_item){fewest, (double)words / references};
    }
    for (int r = 0; r < references; r++) buffer_free(&theirs[r].text);
    buffer_free(&ours.text);
}

/* ---- statistics of sets ---- */

static double ter_of(const void *context, struct strata strata, const void *item,
                     const uint32_t *at, bool single)
{
    const struct ter_item *all = item;
    double edits = 0, words = 0;
    for (int i = 0; i < strata_items(strata); i++) {
        const struct ter_item *one = &all[at ? at[i] : (uint32_t)i];
        edits = rounded(single, edits + rounded(single, one->edits));
        words = rounded(single, words + rounded(single, one->words));
    }
    if (!(words > 0)) return edits > 0 ? 100 : 0;
    return rounded(single, 100 * rounded(single, edits / words));
}

const struct statistic statistic_ter = {"sentences", sizeof(struct ter_item), NULL, ter_of, true};

void ter_signature(const struct ter_options *options, int references, const char *resampled,
                   char text[TER_TEXT])
{
    snprintf(text, TER_TEXT,
             "nrefs:%d|%scase:%s|tok:tercom|norm:no|punct:yes|asian:no|impl:sanlab-1|"
             "compat:sacrebleu-2.6.0",
             references, resampled, options->case_sensitive ? "mixed" : "lc");
}
