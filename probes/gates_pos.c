/* Computes mean gates by part of speech. Words are indexed 0..n-1. Each word has a class and a
 * frequency decile. */
#include "probes/gates_pos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mean.h"
#include "core/base/random.h"
#include "core/decode/resample.h"

double gates_of_word(const struct gates *gates, int set, int layer, int32_t word)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < gates->sets; s++)
        for (int l = 0; l < gates->layers; l++) {
            if ((set >= 0 && s != set) || (layer >= 0 && l != layer)) continue;
            sum += gates_sums(gates, s, l).word[word];
            count++;
        }
    return sum / count;
}

/* Returns the sum and the number of gates at all positions of a sentence. If `layer` is -1, each
 * head of each layer counts separately, as in gates_over. */
static struct ratio_item of_positions(const struct gates *gates, int sentence, int layer)
{
    const int64_t *start = gates->text->split.side[SIDE_SOURCE].start;
    const int64_t positions = start[sentence + 1] - start[sentence];
    struct ratio_item share = {0};
    for (int l = 0; l < gates->layers; l++) {
        if (layer >= 0 && l != layer) continue;
        const int weight = layer >= 0 ? 1 : gates->heads[l];
        for (int s = 0; s < gates->sets; s++)
            share.number +=
                weight / (double)gates->sets * gates_sums(gates, s, l).sentence[sentence];
        share.weight += (double)(weight * positions);
    }
    return share;
}

struct ratio_item gates_of_sentence(const struct gates *gates, int sentence, int layer, int class)
{
    const struct tagged_text *text = gates->text;
    if (class < 0) return of_positions(gates, sentence, layer);
    struct ratio_item share = {0};
    for (int32_t w = text->first[sentence]; w < text->first[sentence + 1]; w++) {
        if (text->class[w] != class || !text->pieces[w]) continue;
        share.number += gates_of_word(gates, -1, layer, w);
        share.weight++;
    }
    return share;
}

/* ---- means ---- */

static void take_means(const struct gates *gates, int set, int layer, struct gates_class *of)
{
    const struct tagged_text *text = gates->text;
    /* 1 + index of the last sentence with a word of the class. */
    int *last = heap_alloc(sizeof *last * (size_t)(text->classes + 1));
    for (int s = 0; s < text->split.sentences; s++)
        for (int32_t w = text->first[s]; w < text->first[s + 1]; w++) {
            if (!text->pieces[w]) continue;
            const int class = text->class[w];
            of[class].mean += gates_of_word(gates, set, layer, w);
            of[class].words++;
            of[class].sentences += last[class] != s + 1;
            last[class] = s + 1;
        }
    for (int c = 0; c < text->classes; c++) {
        of[c].mean /= (double)of[c].words;
        of[c].error = (double)NAN;
    }
    free(last);
}

/* ---- errors ---- */

/* Returns the standard error. Uses only samples with a word of the class (finite samples) and moves
 * them to the front. */
static double error_of(double *sample, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(sample[i])) sample[n++] = sample[i];
    return n > 1 ? mean_deviation(sample, n) : (double)NAN;
}

/* Computes all errors from the same bootstrap samples of sentences. */
static void take_errors(const struct gates *gates, struct gates_pos *pos)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int sentences = gates->text->split.sentences, rows = 1 + gates->layers;
    const int runs = rows * pos->classes;
    const void **item = ARENA_ARRAY(&arena, const void *, runs);
    for (int r = 0; r < runs; r++) {
        struct ratio_item *ratio = ARENA_ARRAY(&arena, struct ratio_item, sentences);
        item[r] = ratio;
        for (int s = 0; s < sentences; s++)
            ratio[s] = gates_of_sentence(gates, s, r / pos->classes - 1, r % pos->classes);
    }
    const struct resample_runs all = {&statistic_ratio, {1, &sentences}, runs, item};
    double *sample = ARENA_ARRAY(&arena, double, (size_t)runs *GATES_SAMPLES);
    struct pcg64 random = pcg64_seed(1);
    resample_bootstrap(&all, &random, GATES_SAMPLES, sample);
    for (int r = 0; r < runs; r++)
        if (pos->of[r].sentences > 1)
            pos->of[r].error = error_of(sample + (size_t)r * GATES_SAMPLES, GATES_SAMPLES);
}

/* ---- the control ---- */

/* Returns the number of sorted values below `limit`. */
static int count_below(const int64_t *sorted, int count, int64_t limit)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int *gates_deciles(const struct tagged_text *text, struct arena *arena)
{
    int *decile = ARENA_ARRAY(arena, int, text->words + 1), count = 0;
    SCOPED(heap_free) int64_t *sorted = heap_alloc(sizeof *sorted * (size_t)(text->words + 1));
    for (int w = 0; w < text->words; w++)
        if (text->pieces[w]) sorted[count++] = text->frequency[w];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_int64s);
    for (int w = 0; w < text->words; w++) {
        const int below = count_below(sorted, count, text->frequency[w]);
        decile[w] = text->pieces[w] ? (int)(GATES_DECILES * (int64_t)below / count) : -1;
    }
    return decile;
}

/* Returns V (gates_pos.h) of value[count] with the classes class[count]. */
static double between(const double *value, const int32_t *class, int count, int classes,
                      double *sum, double *n)
{
    double mean = 0, spread = 0;
    memset(sum, 0, sizeof *sum * (size_t)classes);
    memset(n, 0, sizeof *n * (size_t)classes);
    for (int i = 0; i < count; i++) {
        sum[class[i]] += value[i];
        n[class[i]]++;
        mean += value[i] / count;
    }
    for (int c = 0; c < classes; c++)
        if (n[c] > 0) spread += n[c] * (sum[c] / n[c] - mean) * (sum[c] / n[c] - mean);
    return spread / count;
}

/* The words with a gate, ordered by decile. */
struct shuffling {
    int count, end[GATES_DECILES];
    int32_t *word;            /* [count] */
    int32_t *class, *shuffle; /* [count] class of each word; shuffled classes */
    int32_t *order;           /* [count] working memory */
};

static struct shuffling words_by_decile(const struct tagged_text *text, struct arena *arena)
{
    const int *decile = gates_deciles(text, arena);
    struct shuffling words = {.word = ARENA_ARRAY(arena, int32_t, text->words + 1),
                              .class = ARENA_ARRAY(arena, int32_t, text->words + 1),
                              .shuffle = ARENA_ARRAY(arena, int32_t, text->words + 1),
                              .order = ARENA_ARRAY(arena, int32_t, text->words + 1)};
    for (int d = 0; d < GATES_DECILES; d++) {
        for (int w = 0; w < text->words; w++) {
            if (decile[w] != d) continue;
            words.class[words.count] = text->class[w];
            words.word[words.count++] = w;
        }
        words.end[d] = words.count;
    }
    return words;
}

static void shuffle_tags(struct shuffling *words, int number)
{
    const struct random_key key = {1, random_stream("gates.shuffle")};
    for (int d = 0, begin = 0; d < GATES_DECILES; begin = words->end[d++]) {
        const int count = words->end[d] - begin;
        random_permute(key, (uint32_t)(number * GATES_DECILES + d), words->order, count);
        for (int i = 0; i < count; i++)
            words->shuffle[begin + i] = words->class[begin + words->order[i]];
    }
}

static void take_control(const struct gates *gates, struct gates_pos *pos)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int rows = 1 + gates->layers, classes = pos->classes;
    struct shuffling words = words_by_decile(gates->text, &arena);
    double *sum = ARENA_ARRAY(&arena, double, classes), *n = ARENA_ARRAY(&arena, double, classes);
    double **value = ARENA_ARRAY(&arena, double *, rows);
    for (int r = 0; r < rows; r++) {
        value[r] = ARENA_ARRAY(&arena, double, words.count + 1);
        for (int i = 0; i < words.count; i++)
            value[r][i] = gates_of_word(gates, -1, r - 1, words.word[i]);
        pos->between[r] = between(value[r], words.class, words.count, classes, sum, n);
    }
    for (int k = 0; k < GATES_SHUFFLES; k++) {
        shuffle_tags(&words, k);
        for (int r = 0; r < rows; r++)
            pos->reached[r] += between(value[r], words.shuffle, words.count, classes, sum, n) >=
                               pos->between[r] * (1 - 1e-12);
    }
}

struct gates_pos gates_by_pos(const struct gates *gates, int set, struct arena *arena)
{
    CHECK(gates->text, "the words have no tags");
    const int rows = 1 + gates->layers, classes = gates->text->classes;
    struct gates_pos pos = {.layers = gates->layers,
                            .classes = classes,
                            .of = ARENA_ARRAY(arena, struct gates_class, rows * classes),
                            .between = ARENA_ARRAY(arena, double, rows),
                            .reached = ARENA_ARRAY(arena, int, rows),
                            .controlled = set < 0};
    for (int r = 0; r < rows; r++) take_means(gates, set, r - 1, pos.of + r * classes);
    if (set >= 0) return pos;
    take_errors(gates, &pos);
    take_control(gates, &pos);
    return pos;
}
