/* Sentence by sentence through rules, lower-casing and merges; ids are kept and what is odd is
 * counted. */
#include "probes/task_text.h"

#include <stdlib.h>
#include <string.h>

/* The length that 99% of a side's sentences do not exceed. */
static int64_t long_length(const struct split *train, enum side_name side)
{
    const int count = train->sentences, rank = count - count / 100;
    SCOPED(arena_free) struct arena arena = {0};
    int64_t *length = ARENA_ARRAY(&arena, int64_t, count + 1);
    for (int i = 0; i < count; i++)
        length[i] = train->side[side].start[i + 1] - train->side[side].start[i];
    qsort(length, (size_t)count, sizeof *length, compare_int64s);
    return rank ? length[rank - 1] : 0;
}

static void count(struct task_text *text, const struct tokenized *line, int64_t longest)
{
    text->tokens += line->tokens;
    text->changed += line->changed;
    text->words += line->words;
    text->unknown_words += line->unknown_words;
    text->pieces += line->pieces - 1;
    text->unknown_pieces += line->unknown_pieces;
    text->long_sentences += line->pieces > longest;
}

struct task_text task_text_read(struct arena *arena, const struct corpus *corpus,
                                const struct tokenized_reading *reading,
                                const struct task_data *data)
{
    struct task_text text = {.split.sentences = data->items};
    struct arena line = {0};
    const int64_t longest = long_length(&corpus->split[SPLIT_TRAIN], SIDE_SOURCE);
    int64_t *start = ARENA_ARRAY(arena, int64_t, data->items + 1);
    SCOPED(buffer_free) struct buffer ids = {0};
    for (int i = 0; i < data->items; i++) {
        const struct tokenized one = tokenized_encode(&line, corpus, SIDE_SOURCE, reading,
                                                      data->item[i].text, data->path, i + 1);
        start[i + 1] = start[i] + one.pieces;
        count(&text, &one, longest);
        buffer_add(&ids, (const char *)one.id, (size_t)one.pieces * sizeof *one.id);
        if (one.pieces > text.split.longest[SIDE_SOURCE])
            text.split.longest[SIDE_SOURCE] = one.pieces;
        arena_free(&line);
    }
    int32_t *token = arena_alloc(arena, ids.bytes);
    memcpy(token, ids.text, ids.bytes);
    text.split.side[SIDE_SOURCE] = (struct side){token, start};
    return text;
}
