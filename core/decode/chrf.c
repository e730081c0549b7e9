/* N-grams are numbered as they come, an n-gram by the number of its first n-1 symbols' n-gram and
 * its last symbol; a symbol is a code point, or a word's number. */
#include "core/decode/chrf.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/table.h"
#include "core/text/pair_table.h"
#include "core/text/utf8.h"

const struct chrf_options chrf_default = {.characters = 6, .beta = 2};

struct chrf_gram {
    int order;
    int hypothesis, reference; /* how often */
};

/* The symbols of a line: of one text after the other. */
struct symbols {
    int32_t *symbol; /* [count] */
    int count, room;
};

/* N-grams up to `most` of sequences of one alphabet. */
struct chrf_grams {
    struct pair_table longer; /* n-gram, symbol -> the n-gram of both */
    struct chrf_gram *gram;   /* [count] by number; 0 is the empty one */
    int32_t count, room;
};

struct counter {
    const struct chrf_options *options;
    struct chrf_grams grams;
    struct table *word; /* the sentence's words -> their numbers */
    struct symbols hypothesis, reference;
};

static void symbols_add(struct symbols *symbols, int32_t symbol)
{
    if (symbols->count == symbols->room) {
        symbols->room = symbols->room ? 2 * symbols->room : 256;
        symbols->symbol =
            heap_resize(symbols->symbol, sizeof *symbols->symbol * (size_t)symbols->room);
    }
    symbols->symbol[symbols->count++] = symbol;
}

static void put_characters(struct symbols *symbols, const char *line)
{
    symbols->count = 0;
    for (size_t left = strlen(line), bytes; left; line += bytes, left -= bytes) {
        uint32_t code;
        bytes = utf8_space(line, left);
        if (bytes) continue;
        bytes = (size_t)utf8_decode(line, &code);
        symbols_add(symbols, (int32_t)code);
    }
}

static void put_word(struct counter *counter, struct symbols *symbols, const char *word,
                     size_t bytes)
{
    const int64_t fresh = (int64_t)counter->word->count;
    if (bytes) symbols_add(symbols, (int32_t)*table_at(counter->word, word, bytes, fresh));
}

static bool is_sign(char byte)
{
    return byte && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", byte);
}

/* A word and a sign behind it are two, or else a sign and the word behind it. */
static void put_words(struct counter *counter, struct symbols *symbols, const char *line)
{
    symbols->count = 0;
    for (size_t left = strlen(line), bytes; left; line += bytes, left -= bytes) {
        if ((bytes = utf8_space(line, left))) continue;
        while (bytes < left && !utf8_space(line + bytes, left - bytes))
            bytes += (size_t)utf8_length(line + bytes);
        const bool single = bytes == (size_t)utf8_length(line);
        const bool behind = !single && is_sign(line[bytes - 1]);
        const size_t cut = single ? bytes : behind ? bytes - 1 : is_sign(line[0]) ? 1 : bytes;
        put_word(counter, symbols, line, cut);
        put_word(counter, symbols, line + cut, bytes - cut);
    }
}

static void grams_clear(struct chrf_grams *grams, int symbols, int most)
{
    const int32_t room = symbols * most + 1;
    pair_table_clear(&grams->longer, (size_t)room);
    if (grams->room < room) {
        grams->room = 2 * room;
        grams->gram = heap_resize(grams->gram, sizeof *grams->gram * (size_t)grams->room);
    }
    grams->gram[0] = (struct chrf_gram){0};
    grams->count = 1;
}

/* The n-grams of a sequence, up to `most`: counted as the reference's, or the hypothesis's. */
static void count_grams(struct chrf_grams *grams, const struct symbols *symbols, int most,
                        bool reference)
{
    int32_t prefix[CHRF_CHARACTERS + 1] = {0}; /* [n]: the n symbols before this one */
    for (int i = 0; i < symbols->count; i++)
        for (int n = i + 1 < most ? i + 1 : most; n > 0; n--) {
            const int32_t id =
                *pair_table_at(&grams->longer, prefix[n - 1], symbols->symbol[i], grams->count);
            if (id == grams->count) grams->gram[grams->count++] = (struct chrf_gram){.order = n};
            struct chrf_gram *gram = &grams->gram[id];
            *(reference ? &gram->reference : &gram->hypothesis) += 1;
            if (n < most) prefix[n] = id;
        }
}

/* Fills the orders from `first` on: of the symbols of hypothesis and reference up to `most`. */
static void compare(struct counter *counter, int first, int most, struct chrf_item *item)
{
    struct chrf_grams *grams = &counter->grams;
    const struct symbols *hypothesis = &counter->hypothesis, *reference = &counter->reference;
    grams_clear(grams, hypothesis->count + reference->count, most);
    count_grams(grams, hypothesis, most, false);
    count_grams(grams, reference, most, true);
    for (int32_t id = 1; id < grams->count; id++) {
        const struct chrf_gram *gram = &grams->gram[id];
        item->both[first + gram->order - 1] +=
            gram->hypothesis < gram->reference ? gram->hypothesis : gram->reference;
    }
    for (int n = 1; n <= most; n++) {
        const int have = reference->count - n + 1;
        const int own = have > 0 ? hypothesis->count - n + 1 : 0;
        item->reference[first + n - 1] = have > 0 ? have : 0;
        item->hypothesis[first + n - 1] = own > 0 ? own : 0;
    }
}

/* Counts of n-grams: of a sentence or the sum of many. */
struct sums {
    double hypothesis[CHRF_ORDERS], reference[CHRF_ORDERS], both[CHRF_ORDERS];
};

static double score_of(const struct chrf_options *options, const struct sums *sums)
{
    const double factor = (double)options->beta * options->beta;
    double precision = 0, recall = 0;
    int orders = 0;
    for (int n = 0; n < options->characters + options->words; n++) {
        if (!(sums->hypothesis[n] > 0 && sums->reference[n] > 0)) continue;
        precision += sums->both[n] / sums->hypothesis[n];
        recall += sums->both[n] / sums->reference[n];
        orders++;
    }
    if (!orders) return 0;
    precision /= orders;
    recall /= orders;
    if (!(precision + recall > 0)) return 0;
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

/* The same in single precision. */
static double score_single(const struct chrf_options *options, const struct sums *sums)
{
    const float factor = (float)options->beta * (float)options->beta;
    float precision = 0, recall = 0, orders = 0;
    for (int n = 0; n < options->characters + options->words; n++) {
        if (!(sums->hypothesis[n] > 0 && sums->reference[n] > 0)) continue;
        precision += (float)sums->both[n] / (float)sums->hypothesis[n];
        recall += (float)sums->both[n] / (float)sums->reference[n];
        orders++;
    }
    if (orders == 0) return 0;
    precision /= orders;
    recall /= orders;
    if (!(precision + recall > 0)) return 0;
    return (double)(100 * ((1 + factor) * precision * recall / (factor * precision + recall)));
}

static void sums_add(struct sums *sums, const struct chrf_options *options,
                     const struct chrf_item *item)
{
    for (int n = 0; n < options->characters + options->words; n++) {
        sums->hypothesis[n] += item->hypothesis[n];
        sums->reference[n] += item->reference[n];
        sums->both[n] += item->both[n];
    }
}

static struct chrf_item count_pair(struct counter *counter, const char *hypothesis,
                                   const char *reference)
{
    const struct chrf_options *options = counter->options;
    struct chrf_item item = {{0}, {0}, {0}};
    put_characters(&counter->hypothesis, hypothesis);
    put_characters(&counter->reference, reference);
    compare(counter, 0, options->characters, &item);
    if (!options->words) return item;
    table_clear(counter->word, strlen(hypothesis) + strlen(reference));
    put_words(counter, &counter->hypothesis, hypothesis);
    put_words(counter, &counter->reference, reference);
    compare(counter, options->characters, options->words, &item);
    return item;
}

void chrf_count(const struct chrf_options *options, const char *const *hypothesis,
                const char *const *const *reference, int references, int count,
                struct chrf_item *item)
{
    CHECK(references > 0, "chrF without a reference");
    struct counter counter = {.options = options, .word = table_new(NULL, 0)};
    for (int i = 0; i < count; i++) {
        double best = -1;
        for (int r = 0; r < references; r++) {
            const struct chrf_item one = count_pair(&counter, hypothesis[i], reference[r][i]);
            struct sums sums = {{0}, {0}, {0}};
            sums_add(&sums, options, &one);
            const double score = score_of(options, &sums);
            if (score > best) item[i] = one;
            if (score > best) best = score;
        }
    }
    table_free(counter.word);
    pair_table_close(&counter.grams.longer);
    free(counter.grams.gram);
    free(counter.hypothesis.symbol);
    free(counter.reference.symbol);
}

/* ---- of sets ---- */

static struct sums sum_of(const struct chrf_options *options, struct strata strata,
                          const void *item, const uint32_t *at)
{
    const struct chrf_item *all = item;
    struct sums sums = {{0}, {0}, {0}};
    for (int i = 0; i < strata_items(strata); i++)
        sums_add(&sums, options, &all[at ? at[i] : (uint32_t)i]);
    return sums;
}

static double of_set(const void *context, struct strata strata, const void *item,
                     const uint32_t *at)
{
    const struct sums sums = sum_of(context, strata, item, at);
    return score_of(context, &sums);
}

static double of_sample(const void *context, struct strata strata, const void *item,
                        const uint32_t *at)
{
    const struct sums sums = sum_of(context, strata, item, at);
    return score_single(context, &sums);
}

struct statistic statistic_chrf(const struct chrf_options *options)
{
    return (struct statistic){"sentences", sizeof(struct chrf_item), options, of_set, of_sample,
                              true};
}

double chrf_score(const struct chrf_options *options, const struct chrf_item *item, int count)
{
    return of_set(options, (struct strata){1, &count}, item, NULL);
}

void chrf_name(const struct chrf_options *options, char name[CHRF_TEXT])
{
    snprintf(name, CHRF_TEXT, "chrF%d%.*s", options->beta, options->words, "++++");
}

void chrf_signature(const struct chrf_options *options, int references, const char *resampled,
                    char text[CHRF_TEXT])
{
    snprintf(text, CHRF_TEXT,
             "nrefs:%d|%scase:mixed|eff:yes|nc:%d|nw:%d|space:no|impl:sanlab-1|"
             "compat:sacrebleu-2.6.0",
             references, resampled, options->characters, options->words);
}
