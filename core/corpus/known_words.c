/* Ids are compared as bytes: a table's keys may hold any. */
#include "core/corpus/known_words.h"

#include <string.h>

#include "core/text/bpe.h"

bool span_is_in(const struct table *set, struct token_span span)
{
    return table_get(set, (const char *)span.token, (size_t)span.count * sizeof *span.token) !=
           TABLE_ABSENT;
}

bool span_put(struct table *set, struct token_span span)
{
    const size_t before = set->count;
    table_at(set, (const char *)span.token, (size_t)span.count * sizeof *span.token, 1);
    return set->count > before;
}

bool *words_marked(struct arena *arena, const struct vocabulary *vocabulary)
{
    const size_t mark = strlen(BPE_SEPARATOR);
    bool *marked = ARENA_ARRAY(arena, bool, vocabulary->size);
    for (int id = VOCABULARY_FIRST; id < vocabulary->size; id++) {
        const size_t bytes = strlen(vocabulary->token[id]);
        marked[id] = bytes >= mark && !strcmp(vocabulary->token[id] + bytes - mark, BPE_SEPARATOR);
    }
    return marked;
}

bool words_next(struct token_span sentence, const bool *marked, int64_t *at,
                struct token_span *word)
{
    int64_t i = *at;
    while (i < sentence.count - 1 && marked[sentence.token[i]]) i++;
    if (i < sentence.count - 1) i++;
    *word = (struct token_span){sentence.token + *at, i - *at};
    *at = i;
    return word->count > 0;
}

struct table *words_of_side(const struct side *side, int sentences,
                            const struct vocabulary *vocabulary)
{
    struct arena scratch = {0};
    const bool *marked = words_marked(&scratch, vocabulary);
    struct table *set = table_new(NULL, 0);
    for (int i = 0; i < sentences; i++) {
        const struct token_span sentence = {side->token + side->start[i],
                                            side->start[i + 1] - side->start[i]};
        struct token_span word;
        for (int64_t at = 0; words_next(sentence, marked, &at, &word);) span_put(set, word);
    }
    arena_free(&scratch);
    return set;
}
