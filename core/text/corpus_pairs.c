#include "core/text/corpus_pairs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/corpus_line.h"
#include "core/text/utf8.h"

struct reading {
    struct arena *arena; /* of texts */
    const struct corpus_options *options;
    struct line_format format;
    struct pairs *pairs; /* [SPLITS] */
    struct buffer clean[SIDES], words[SIDES];
};

/* Whether the sentence may be read on; dies where it may not and the options say so. */
static bool is_valid(const struct corpus_options *options, const struct reader *reader,
                     const struct sentence *sentence)
{
    const char *text = sentence->text, *nul = memchr(text, 0, sentence->bytes);
    int64_t bad = nul ? nul - text : utf8_check(text, sentence->bytes);
    if (bad < 0) return true;
    if (options->bad_utf8 == BAD_UTF8_ERROR)
        die("%s:%d: byte %lld (0x%02x) is not valid UTF-8 text; convert the file, or leave such "
            "pairs out with corpus.bad_utf8=drop-pair",
            reader->path, sentence->line, (long long)bad + 1, (unsigned char)text[bad]);
    return false;
}

static int count_words(const struct buffer *words)
{
    int count = 0;
    const char *at = words->text, *end = at + words->bytes, *word;
    for (size_t length; bpe_next_word(&at, end, &word, &length);) count++;
    return count;
}

static const char *keep(struct arena *arena, const struct buffer *buffer)
{
    return buffer->bytes ? arena_text_range(arena, buffer->text, buffer->bytes) : "";
}

static void add_pair(const struct reading *reading, struct pairs *pairs)
{
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 1024;
        size_t bytes = (size_t)pairs->capacity * sizeof(char *);
        for (int side = 0; side < SIDES; side++)
            pairs->words[side] = heap_resize(pairs->words[side], bytes);
        pairs->reference = heap_resize(pairs->reference, bytes);
    }
    for (int side = 0; side < SIDES; side++)
        pairs->words[side][pairs->count] = keep(reading->arena, &reading->words[side]);
    pairs->reference[pairs->count++] = keep(reading->arena, &reading->clean[SIDE_TARGET]);
}

static bool is_full(const struct reading *reading, enum split_name split)
{
    int limit = reading->options->limit[split];
    return reading->pairs[split].count == (limit ? limit : INT_MAX);
}

/* Fills clean and words, and tells why the pair is not kept; NULL: it is. */
static int *judge_pair(struct reading *reading, enum split_name split,
                       const struct reader reader[SIDES], const struct sentence sentence[SIDES])
{
    const struct corpus_options *options = reading->options;
    struct pairs *pairs = &reading->pairs[split];
    bool valid = true;
    int count[SIDES];
    for (int side = 0; side < SIDES; side++)
        valid &= is_valid(options, &reader[side], &sentence[side]);
    if (!valid) return &pairs->invalid;
    for (int side = 0; side < SIDES; side++) {
        struct buffer *clean = &reading->clean[side], *words = &reading->words[side];
        buffer_clear(clean);
        buffer_clear(words);
        line_clean(reading->format, sentence[side].text, sentence[side].bytes, clean);
        line_words(reading->format, clean->text, clean->bytes, words);
        count[side] = count_words(words);
    }
    const bool train = split == SPLIT_TRAIN;
    const int least = count[0] < count[1] ? count[0] : count[1],
              most = count[0] < count[1] ? count[1] : count[0];
    if (options->max_words && most > options->max_words) return &pairs->words_over;
    if (train && options->train_max_words && most > options->train_max_words)
        return &pairs->words_over;
    if (train && !least) return &pairs->empty;
    if (train && options->train_max_ratio > 0 && most > options->train_max_ratio * least)
        return &pairs->ratio_over;
    return NULL;
}

static void take_pair(struct reading *reading, enum split_name split,
                      const struct reader reader[SIDES], const struct sentence sentence[SIDES])
{
    struct pairs *pairs = &reading->pairs[split], *to = pairs;
    int *reason = judge_pair(reading, split, reader, sentence);
    if (reason) {
        ++*reason;
        return;
    }
    const int every = split == SPLIT_TRAIN ? reading->options->dev_every : 0;
    if (every && (pairs->count + pairs->held_out + 1) % every == 0) {
        pairs->held_out++;
        to = &reading->pairs[SPLIT_DEV];
        if (is_full(reading, SPLIT_DEV)) return;
    }
    add_pair(reading, to);
}

static bool next_pair(const struct corpus_part *part, struct reader reader[SIDES],
                      struct sentence sentence[SIDES])
{
    bool there[SIDES];
    for (int side = 0; side < SIDES; side++)
        there[side] = reader_next(&reader[side], &sentence[side]);
    if (there[SIDE_SOURCE] != there[SIDE_TARGET]) {
        for (int side = 0; side < SIDES; side++)
            while (reader_next(&reader[side], &sentence[side])) continue;
        die("corpus.%s: %s has %d %s, but %s has %d: number i of one must be the translation of "
            "number i of the other",
            split_names[part->split], reader[SIDE_SOURCE].path, reader[SIDE_SOURCE].sentences,
            reader_unit(reader), reader[SIDE_TARGET].path, reader[SIDE_TARGET].sentences);
    }
    const char *source = sentence[SIDE_SOURCE].id, *target = sentence[SIDE_TARGET].id;
    if (there[SIDE_SOURCE] && source && strcmp(source, target) != 0)
        die("%s:%d: segment \"%s\", but %s:%d has \"%s\" there: expected the same document and id",
            reader[SIDE_TARGET].path, sentence[SIDE_TARGET].line, target, reader[SIDE_SOURCE].path,
            sentence[SIDE_SOURCE].line, source);
    return there[SIDE_SOURCE];
}

static void read_part(struct reading *reading, const struct corpus_part *part)
{
    struct pairs *pairs = &reading->pairs[part->split];
    struct reader reader[SIDES];
    struct sentence sentence[SIDES];
    for (int side = 0; side < SIDES; side++)
        reader_open(&reader[side], part->side[side]->file,
                    corpus_layout(reading->options, part->split, side));
    for (; next_pair(part, reader, sentence); pairs->lines++)
        if (!is_full(reading, part->split)) take_pair(reading, part->split, reader, sentence);
    for (int side = 0; side < SIDES; side++) {
        pairs->markup += reader[side].markup;
        reader_close(&reader[side]);
    }
}

void pairs_read(struct arena *arena, const struct corpus_options *options,
                const struct corpus_sources *sources, struct pairs pairs[SPLITS])
{
    struct reading reading = {
        .arena = arena,
        .options = options,
        .format = {.raw = options->text == CORPUS_RAW,
                   .segmented = options->segmented,
                   .lowercase = options->lowercase},
        .pairs = pairs};
    for (int i = 0; i < sources->parts; i++) read_part(&reading, &sources->part[i]);
    for (int side = 0; side < SIDES; side++) {
        buffer_free(&reading.clean[side]);
        buffer_free(&reading.words[side]);
    }
}

void pairs_free(struct pairs *pairs)
{
    for (int side = 0; side < SIDES; side++) free(pairs->words[side]);
    free(pairs->reference);
    *pairs = (struct pairs){0};
}
