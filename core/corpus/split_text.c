/* Reads the sentences of a split with the reader and filter of the corpus. */
#include "core/corpus/split_text.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/corpus_pairs.h"

/* Returns only the parts that may contain the split's sentences. */
static struct corpus_sources sources_of(const struct corpus_options *options, enum split_name split,
                                        struct arena *arena)
{
    struct corpus_sources sources = corpus_sources(options, arena, NULL);
    const char *missing = corpus_missing(options, &sources, arena);
    const bool held_out = split == SPLIT_DEV && options->dev_every;
    int parts = 0;
    if (missing) die("corpus: missing %s", missing);
    for (int i = 0; i < sources.parts; i++)
        if (sources.part[i].split == split || held_out) sources.part[parts++] = sources.part[i];
    sources.parts = parts;
    return sources;
}

static const char *plain_words(const char *words, struct arena *arena)
{
    struct buffer plain = {0};
    line_plain(words, strlen(words), &plain);
    return buffer_take(&plain, arena);
}

struct split_text split_text_read(struct arena *arena, const struct corpus_options *options,
                                  enum split_name split)
{
    CHECK(split != SPLIT_TRAIN, "sentences leave train for their pieces, which nobody knows here");
    struct pairs pairs[SPLITS] = {{0}};
    const struct corpus_sources sources = sources_of(options, split, arena);
    pairs_read(arena, options, &sources, pairs, NULL);
    struct split_text text = {.sentences = pairs[split].count};
    text.words = ARENA_ARRAY(arena, const char *, text.sentences + 1);
    text.plain = ARENA_ARRAY(arena, const char *, text.sentences + 1);
    for (int i = 0; i < text.sentences; i++) {
        text.words[i] = pairs[split].words[SIDE_SOURCE][i];
        text.plain[i] =
            options->text == CORPUS_RAW ? plain_words(text.words[i], arena) : text.words[i];
    }
    return text;
}
