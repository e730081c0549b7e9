/* chrF. A symbol is an integer: a code point or the index of a word. So the same code compares
 * characters and words. */
#include "core/decode/chrf.h"

#include <string.h>

#include "core/decode/symbols.h"
#include "core/text/utf8.h"

const struct chrf_options chrf_default = {.characters = 6, .beta = 2};

struct counter {
    const struct chrf_options *options;
    struct grams grams;
    struct hash_table *word; /* word -> symbol, for the current sentence */
    struct symbols hypothesis, reference;
};

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

static bool is_sign(char byte)
{
    return byte && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", byte);
}

/* Adds the words of a line. Splits a trailing punctuation character from its word. If there is
 * none, splits a leading punctuation character. */
static void put_words(struct symbols *symbols, struct hash_table *known, const char *line)
{
    const char *const end = line + strlen(line);
    symbols->count = 0;
    for (size_t bytes; (bytes = utf8_word(&line, end)); line += bytes) {
        const bool single = bytes == (size_t)utf8_length(line);
        const bool trailing = !single && is_sign(line[bytes - 1]);
        const size_t cut = single ? bytes : trailing ? bytes - 1 : is_sign(line[0]) ? 1 : bytes;
        symbols_add_word(symbols, known, line, cut);
        if (cut < bytes) symbols_add_word(symbols, known, line + cut, bytes - cut);
    }
}

/* Counts the n-grams of hypothesis and reference, for n = 1 to `most`. The counts of n are
 * item->both[first + n - 1], etc. */
static void compare(struct counter *counter, int first, int most, struct chrf_item *item)
{
    struct grams *grams = &counter->grams;
    const struct symbols *hypothesis = &counter->hypothesis, *reference = &counter->reference;
    grams_clear(grams, (size_t)(hypothesis->count + reference->count), most);
    grams_count(grams, reference, most);
    grams_keep(grams);
    grams_count(grams, hypothesis, most);
    for (int32_t id = 1; id < grams->count; id++) {
        const struct gram *gram = &grams->gram[id];
        item->both[first + gram->order - 1] += gram->here < gram->most ? gram->here : gram->most;
    }
    for (int n = 1; n <= most; n++) {
        const int have = reference->count - n + 1;
        const int own = have > 0 ? hypothesis->count - n + 1 : 0;
        item->reference[first + n - 1] = have > 0 ? have : 0;
        item->hypothesis[first + n - 1] = own > 0 ? own : 0;
    }
}

/* Counts of n-grams of a sentence, or their sum over sentences. */
struct sums {
    double hypothesis[CHRF_ORDERS], reference[CHRF_ORDERS], both[CHRF_ORDERS];
};

/* Returns chrF. If `single` is true, rounds to single precision after every operation. */
static double score_of(const struct chrf_options *options, const struct sums *sums, bool single)
{
    const double factor = (double)options->beta * options->beta;
    double precision = 0, recall = 0;
    int orders = 0;
    for (int n = 0; n < options->characters + options->words; n++) {
        if (!(sums->hypothesis[n] > 0 && sums->reference[n] > 0)) continue;
        const double both = rounded(single, sums->both[n]);
        const double p = rounded(single, both / rounded(single, sums->hypothesis[n]));
        const double r = rounded(single, both / rounded(single, sums->reference[n]));
        precision = rounded(single, precision + p);
        recall = rounded(single, recall + r);
        orders++;
    }
    if (!orders) return 0;
    precision = rounded(single, precision / orders);
    recall = rounded(single, recall / orders);
    if (!(precision + recall > 0)) return 0;
    const double above = rounded(single, rounded(single, (1 + factor) * precision) * recall);
    const double below = rounded(single, rounded(single, factor * precision) + recall);
    return rounded(single, 100 * rounded(single, above / below));
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
    hash_table_clear(counter->word, strlen(hypothesis) + strlen(reference));
    put_words(&counter->hypothesis, counter->word, hypothesis);
    put_words(&counter->reference, counter->word, reference);
    compare(counter, options->characters, options->words, &item);
    return item;
}

void chrf_count(const struct chrf_options *options, const char *const *hypothesis,
                const char *const *const *reference, int references, int count,
                struct chrf_item *item)
{
    CHECK(references > 0, "chrF without a reference");
    SCOPED(arena_free) struct arena arena = {0};
    struct counter counter = {.options = options,
                              .word = hash_table_new(&arena, 0),
                              .hypothesis.arena = &arena,
                              .reference.arena = &arena};
    for (int i = 0; i < count; i++) {
        double best = -1;
        for (int r = 0; r < references; r++) {
            const struct chrf_item one = count_pair(&counter, hypothesis[i], reference[r][i]);
            struct sums sums = {{0}, {0}, {0}};
            sums_add(&sums, options, &one);
            const double score = score_of(options, &sums, false);
            if (score > best) item[i] = one;
            if (score > best) best = score;
        }
    }
    grams_free(&counter.grams);
}

/* ---- statistics of sets ---- */

static double chrf_of(const void *context, struct strata strata, const void *item,
                      const uint32_t *at, bool single)
{
    const struct chrf_item *all = item;
    struct sums sums = {{0}, {0}, {0}};
    for (int i = 0; i < strata_items(strata); i++)
        sums_add(&sums, context, &all[at ? at[i] : (uint32_t)i]);
    return score_of(context, &sums, single);
}

struct statistic statistic_chrf(const struct chrf_options *options)
{
    return (struct statistic){"sentences", sizeof(struct chrf_item), options, chrf_of, true};
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
