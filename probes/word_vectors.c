/* Computes vectors of words from the rows of their pieces, or reads them by an index of
 * sentences. */
#include "probes/word_vectors.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/npy.h"
#include "core/config/word.h"
#include "core/text/utf8.h"
#include "probes/vectors.h"

/* ---- of an encoder ---- */

static void add_path(struct graph *graph, void *context)
{
    const char *path = context;
    vectors_rows(graph, path);
}

/* Combines the rows of a word's pieces. `seen` counts the pieces of the word so far. */
static void add_piece(float *vector, const float *row, int columns, enum word_pieces pieces,
                      int seen)
{
    if (pieces == PIECES_FIRST && seen) return;
    if (pieces == PIECES_MEAN && seen)
        for (int c = 0; c < columns; c++) vector[c] += (row[c] - vector[c]) / (float)(seen + 1);
    else
        memcpy(vector, row, (size_t)columns * sizeof *row);
}

/* The sentences of a set, encoded. */
struct set_text {
    int first; /* index of its first sentence in words->sentence */
    struct split split;
    struct tokenized text;
};

static struct set_text text_of(const struct words *words, enum words_set set,
                               const struct corpus *corpus, const struct tokenized_reading *reading,
                               struct arena *arena)
{
    struct set_text of = {0};
    const char **sentence = ARENA_ARRAY(arena, const char *, words->sentences);
    int *line = ARENA_ARRAY(arena, int, words->sentences);
    for (int s = 0; s < words->sentences; s++) {
        if (words->sentence[s].set != set) continue;
        if (!of.split.sentences) of.first = s;
        sentence[of.split.sentences] = words->sentence[s].text->text;
        line[of.split.sentences++] = words->sentence[s].text->line[0];
    }
    of.text = tokenized_side(&of.split, corpus, SIDE_SOURCE, reading, sentence,
                             words->bank[set].path, line, arena);
    return of;
}

struct word_vectors word_vectors_measure(const struct frozen *frozen, struct words *words,
                                         const struct tokenized_reading *reading, const char *path,
                                         enum word_pieces pieces, struct arena *arena)
{
    struct word_vectors vectors = {0};
    int *seen = ARENA_ARRAY(arena, int, words->words);
    for (int set = 0; set < words->sets; set++) {
        SCOPED(arena_free) struct arena scratch = {0};
        const struct set_text of =
            text_of(words, (enum words_set)set, frozen->job.corpus, reading, &scratch);
        const int64_t *start = of.split.side[SIDE_SOURCE].start;
        struct kept_rows kept = {.path = path};
        kept_rows_measure(frozen, &of.split, &(struct kept_choice){add_path, (void *)path}, &kept,
                          1, &scratch);
        vectors.columns = kept.columns;
        if (!vectors.vector)
            vectors.vector =
                ARENA_ARRAY(arena, float, (size_t)words->words *(size_t)vectors.columns);
        for (int s = 0; s < of.split.sentences; s++)
            for (int64_t p = start[s]; p < start[s + 1]; p++) {
                if (of.text.token[p] == CORPUS_NO_WORD) continue;
                const int64_t word = words->first[of.first + s] +
                                     words->sentence[of.first + s].text->word[of.text.token[p]];
                add_piece(vectors.vector + word * kept.columns, kept.number + p * kept.columns,
                          kept.columns, pieces, seen[word]++);
            }
    }
    for (int w = 0; w < words->words; w++) words->lost[w] = !seen[w];
    return vectors;
}

/* ---- of another program ---- */

static int64_t count_words(const char *text)
{
    int64_t count = *text != 0;
    for (; *text; text++) count += *text == ' ';
    return count;
}

/* Returns the sentence of a line of the index; NULL if its set is not requested. */
static const struct treebank_sentence *find_sentence(const struct words *words, int set,
                                                     const char *number, const char *text,
                                                     struct location at)
{
    if (set >= words->sets) return NULL;
    const struct treebank *bank = &words->bank[set];
    char *end;
    const long n = strtol(number, &end, 10);
    if (*end || n < 1 || n > bank->sentences)
        die_at(at, "sentence \"%.20s\" of %s; expected 1 to %d, as %s has", number,
               words_set_names[set], bank->sentences, bank->path);
    const struct treebank_sentence *sentence = &bank->sentence[n - 1];
    if (strcmp(text, sentence->text) != 0)
        die_at(at, "has other words than %s:%d: \"%.60s\"; expected \"%.60s\"", bank->path,
               sentence->line[0], text, sentence->text);
    return sentence;
}

/* Sets row[set][i] to the first row of sentence i of the set; -1 if the index lacks the sentence.
 * Returns the number of rows. */
static int64_t index_read(const char *path, const struct words *words, int64_t *row[WORDS_SETS],
                          struct arena *arena)
{
    enum { SET, NUMBER, TEXT, COLUMNS };
    size_t bytes;
    int lines;
    int64_t rows = 0;
    char *all = utf8_read(arena, path, INT_MAX, &bytes);
    char **line = (char **)file_cut_lines(arena, all, bytes, &lines);
    for (int set = 0; set < words->sets; set++) {
        row[set] = ARENA_ARRAY(arena, int64_t, words->bank[set].sentences);
        for (int i = 0; i < words->bank[set].sentences; i++) row[set][i] = -1;
    }
    for (int i = 0; i < lines; i++) {
        const struct location at = {path, i + 1, 1};
        const char *column[COLUMNS];
        int set = 0;
        if (file_cut_columns(line[i], column, COLUMNS) != COLUMNS)
            die_at(at, "expected set, number and words, separated by tabs");
        while (words_set_names[set] && strcmp(column[SET], words_set_names[set]) != 0) set++;
        if (!words_set_names[set])
            word_refuse(at, "set", "unknown word", column[SET], words_set_names);
        const struct treebank_sentence *sentence =
            find_sentence(words, set, column[NUMBER], column[TEXT], at);
        if (sentence) row[set][sentence - words->bank[set].sentence] = rows;
        rows += sentence ? sentence->words : count_words(column[TEXT]);
    }
    return rows;
}

struct word_vectors word_vectors_read(const char *path, const char *index,
                                      const struct words *words, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    int64_t *row[WORDS_SETS];
    const int64_t rows = index_read(index, words, row, &scratch);
    struct npy npy = npy_open(path);
    if (npy.rows != rows)
        die("%s: %lld rows; expected one for each of the %lld words of %s", path,
            (long long)npy.rows, (long long)rows, index);
    const int64_t bad = npy_bad_row(&npy);
    if (bad >= 0) die("%s: row %lld has a number that is not finite", path, (long long)bad + 1);
    struct word_vectors vectors = {.columns = (int)npy.columns};
    vectors.vector = ARENA_ARRAY(arena, float, (size_t)words->words *(size_t)npy.columns);
    for (int s = 0; s < words->sentences; s++) {
        const struct words_sentence *of = &words->sentence[s];
        const int64_t from = row[of->set][of->number],
                      count = words->first[s + 1] - words->first[s];
        if (from < 0)
            die("%s: has no sentence %d of %s, which is in %s:%d", index, of->number + 1,
                words_set_names[of->set], words->bank[of->set].path, of->text->line[0]);
        memcpy(vectors.vector + words->first[s] * npy.columns, npy.number + from * npy.columns,
               (size_t)(count * npy.columns) * sizeof *npy.number);
    }
    npy_close(&npy);
    return vectors;
}

void word_vectors_standardize(struct word_vectors *vectors, const struct words *words)
{
    const int64_t D = vectors->columns;
    for (int64_t c = 0; c < D; c++) {
        float *x = vectors->vector + c;
        double sum = 0, squares = 0, n = 0;
        for (int w = 0; w < words->words; w++)
            if (words->sentence[words->of[w]].set == WORDS_TRAIN && !words->lost[w])
                sum += (double)x[w * D], n++;
        for (int w = 0; w < words->words; w++)
            if (words->sentence[words->of[w]].set == WORDS_TRAIN && !words->lost[w])
                squares += ((double)x[w * D] - sum / n) * ((double)x[w * D] - sum / n);
        for (int w = 0; w < words->words; w++)
            x[w * D] = squares > 0 ? (float)(((double)x[w * D] - sum / n) / sqrt(squares / n)) : 0;
    }
}
