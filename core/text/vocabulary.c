/* Builds, writes and reads vocabularies. The id of a token is the index of its line in the file.
 * First come control symbols, then tokens by descending frequency. */
#include "core/text/vocabulary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/hash_table.h"

static const char *const control[VOCABULARY_FIRST] = {"<pad>", "<eos>", "<unk>"};

int vocabulary_id(const struct vocabulary *vocabulary, const char *token, size_t bytes)
{
    int64_t id = hash_table_get(vocabulary->index, token, bytes);
    return id < VOCABULARY_FIRST ? VOCABULARY_UNK : (int)id; /* text has no control symbols */
}

/* Gives `token` the next id. Returns false if the token already has an id. */
static bool append(struct vocabulary *vocabulary, const char *token, int64_t count)
{
    int64_t id = vocabulary->size;
    if (*hash_table_at(vocabulary->index, token, strlen(token), id) != id) return false;
    vocabulary->token[id] = token;
    vocabulary->count[id] = count;
    vocabulary->size++;
    return true;
}

static struct vocabulary vocabulary_new(struct arena *arena, int capacity)
{
    return (struct vocabulary){.token = ARENA_ARRAY(arena, const char *, capacity),
                               .count = ARENA_ARRAY(arena, int64_t, capacity),
                               .index = hash_table_new(arena, (size_t)capacity)};
}

static int compare_words(const void *left, const void *right)
{
    const struct bpe_word *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->text, b->text);
}

struct vocabulary vocabulary_build(struct arena *arena, struct bpe_word *word, int words)
{
    struct vocabulary vocabulary = vocabulary_new(arena, words + VOCABULARY_FIRST);
    qsort(word, (size_t)words, sizeof *word, compare_words);
    for (int i = 0; i < VOCABULARY_FIRST; i++) append(&vocabulary, control[i], 0);
    for (int i = 0; i < words; i++) append(&vocabulary, word[i].text, word[i].count);
    return vocabulary;
}

void vocabulary_write(const struct vocabulary *vocabulary, const char *path)
{
    struct file_writer writer = file_create(path);
    for (int id = 0; id < vocabulary->size; id++)
        fprintf(writer.stream, "%s\t%" PRId64 "\n", vocabulary->token[id], vocabulary->count[id]);
    file_commit(&writer);
}

struct vocabulary vocabulary_parse(struct arena *arena, const char *path, const char *text,
                                   size_t bytes)
{
    const int64_t whole = file_count_lines(text, bytes);
    if (whole < VOCABULARY_FIRST || whole > INT_MAX || text[bytes - 1] != '\n')
        die("%s: not a vocabulary: %" PRId64 " whole lines", path, whole);

    int lines;
    const char **token = file_cut_lines(arena, arena_text_range(arena, text, bytes), bytes, &lines);
    struct vocabulary vocabulary = vocabulary_new(arena, lines);
    for (int i = 0; i < lines; i++) {
        char *tab = strrchr(token[i], '\t'), *end = NULL;
        int64_t count = tab ? strtoll(tab + 1, &end, 10) : -1;
        if (!tab || tab == token[i] || end == tab + 1 || *end || count < 0)
            die("%s:%d: expected: token TAB count", path, i + 1);
        *tab = 0;
        if (i < VOCABULARY_FIRST && strcmp(token[i], control[i]) != 0)
            die("%s:%d: expected the control symbol %s", path, i + 1, control[i]);
        if (!append(&vocabulary, token[i], count))
            die("%s:%d: token \"%s\" occurs twice", path, i + 1, token[i]);
    }
    return vocabulary;
}
