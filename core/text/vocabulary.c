#include "core/text/vocabulary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/table.h"

static const char *const control[VOCABULARY_FIRST] = {"<pad>", "<eos>", "<unk>"};

int vocabulary_id_bytes(const struct vocabulary *vocabulary, const char *token, size_t bytes)
{
    int64_t id = table_get(vocabulary->index, token, bytes);
    return id < VOCABULARY_FIRST ? VOCABULARY_UNK : (int)id; /* text never makes control symbols */
}

int vocabulary_id(const struct vocabulary *vocabulary, const char *token)
{
    return vocabulary_id_bytes(vocabulary, token, strlen(token));
}

/* Gives `token` the next id; false when it has one. */
static bool append(struct vocabulary *vocabulary, int64_t *counts, const char *token, int64_t count)
{
    int64_t id = vocabulary->size;
    if (*table_at(vocabulary->index, token, strlen(token), id) != id) return false;
    vocabulary->token[id] = token;
    counts[id] = count;
    vocabulary->size++;
    return true;
}

static struct vocabulary vocabulary_new(struct arena *arena, int room, int64_t **counts)
{
    *counts = ARENA_ARRAY(arena, int64_t, room);
    return (struct vocabulary){.token = ARENA_ARRAY(arena, const char *, room),
                               .count = *counts,
                               .index = table_new(arena, (size_t)room)};
}

struct counted {
    const char *token;
    int64_t count;
};

static int compare_counted(const void *left, const void *right)
{
    const struct counted *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->token, b->token);
}

struct vocabulary vocabulary_build(struct arena *arena, const char *const *token,
                                   const int64_t *count, int tokens)
{
    struct arena scratch = {0};
    struct counted *sorted = ARENA_ARRAY(&scratch, struct counted, tokens);
    for (int i = 0; i < tokens; i++) sorted[i] = (struct counted){token[i], count[i]};
    qsort(sorted, (size_t)tokens, sizeof *sorted, compare_counted);

    int64_t *counts;
    struct vocabulary vocabulary = vocabulary_new(arena, tokens + VOCABULARY_FIRST, &counts);
    for (int i = 0; i < VOCABULARY_FIRST; i++) append(&vocabulary, counts, control[i], 0);
    for (int i = 0; i < tokens; i++) append(&vocabulary, counts, sorted[i].token, sorted[i].count);
    arena_free(&scratch);
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
    size_t lines = 0;
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    if (lines < VOCABULARY_FIRST || lines > INT_MAX || text[bytes - 1] != '\n')
        die("%s: not a vocabulary: %zu whole lines", path, lines);

    int64_t *counts;
    struct vocabulary vocabulary = vocabulary_new(arena, (int)lines, &counts);
    for (int line = 1; (size_t)line <= lines; line++) {
        size_t length = (size_t)((const char *)memchr(text, '\n', bytes) - text);
        const char *tab = memrchr(text, '\t', length);
        char *end = NULL;
        int64_t count = tab ? strtoll(tab + 1, &end, 10) : -1;
        if (!tab || tab == text || end != text + length || count < 0)
            die("%s:%d: expected: token TAB count", path, line);
        const char *token = arena_text_range(arena, text, (size_t)(tab - text));
        if (line <= VOCABULARY_FIRST && strcmp(token, control[line - 1]) != 0)
            die("%s:%d: expected the control symbol %s", path, line, control[line - 1]);
        if (!append(&vocabulary, counts, token, count))
            die("%s:%d: token \"%s\" occurs twice", path, line, token);
        text += length + 1;
        bytes -= length + 1;
    }
    return vocabulary;
}
