/* Reads both sides of a part in parallel, and counts the pairs by their fate. */
#include "core/corpus/corpus_pairs.h"

#include <limits.h>
#include <string.h>

#include "core/corpus/corpus_line.h"
#include "core/text/utf8.h"

struct pair_reader {
    struct arena *arena; /* owns the texts */
    const struct corpus_options *options;
    struct line_format format;
    struct pairs *pairs;      /* [SPLITS] */
    struct text_audit *audit; /* or NULL */
    struct buffer clean[SIDES], words[SIDES];
    /* number of files of further references, read in parallel with the test */
    int references;
    struct reader *more; /* [references] */
    /* [references] references of the current pair; empty after the end of a file */
    struct sentence *more_sentence;
};

enum pair_fate pair_judge(const struct corpus_options *options, enum split_name split,
                          const int64_t words[SIDES], int64_t before)
{
    const int64_t least = words[0] < words[1] ? words[0] : words[1],
                  most = words[0] < words[1] ? words[1] : words[0];
    if (least < 0) return PAIR_INVALID;
    if (options->max_words && most > options->max_words) return PAIR_WORDS_OVER;
    if (split != SPLIT_TRAIN) return PAIR_KEPT;
    if (options->train_max_words && most > options->train_max_words) return PAIR_WORDS_OVER;
    if (!least) return PAIR_EMPTY;
    if (options->train_max_ratio > 0 && (double)most > options->train_max_ratio * (double)least)
        return PAIR_RATIO_OVER;
    const int every = options->dev_every;
    return every && (before + 1) % every == 0 ? PAIR_HELD_OUT : PAIR_KEPT;
}

int64_t sentence_check(const struct sentence *sentence)
{
    const char *nul = memchr(sentence->text, 0, sentence->bytes);
    return nul ? nul - sentence->text : utf8_check(sentence->text, sentence->bytes);
}

/* True if the sentence is valid text. If not, dies or returns false, depending on the option
 * bad_utf8. */
static bool is_valid(const struct corpus_options *options, const struct reader *reader,
                     const struct sentence *sentence)
{
    const int64_t bad = sentence_check(sentence);
    if (bad < 0) return true;
    if (options->bad_utf8 == BAD_UTF8_ERROR)
        die("%s:%d: byte %lld (0x%02x) is not valid UTF-8 text; convert the file, or leave such "
            "pairs out with corpus.bad_utf8=drop-pair",
            reader->path, sentence->line, (long long)bad + 1, (unsigned char)sentence->text[bad]);
    return false;
}

static void add_pair(const struct pair_reader *reading, struct pairs *pairs)
{
    const enum split_name split = (enum split_name)(pairs - reading->pairs);
    for (int side = 0; side < SIDES; side++) {
        if (reading->audit)
            text_audit_add(reading->audit, split, (enum side_name)side, reading->clean[side].text,
                           reading->clean[side].bytes);
        ARENA_MORE(reading->arena, pairs->words[side], pairs->count);
        pairs->words[side][pairs->count] =
            arena_text_range(reading->arena, reading->words[side].text, reading->words[side].bytes);
    }
    ARENA_ADD(reading->arena, pairs->reference, pairs->count,
              arena_text_range(reading->arena, reading->clean[SIDE_TARGET].text,
                               reading->clean[SIDE_TARGET].bytes));
}

/* Adds the further references of a pair that is kept. */
static void add_references(struct pair_reader *reading, struct pairs *pairs)
{
    for (int r = 0; r < reading->references; r++) {
        const struct sentence *sentence = &reading->more_sentence[r];
        struct buffer *clean = &reading->clean[SIDE_TARGET];
        buffer_clear(clean);
        line_clean(reading->format, sentence->text, sentence->bytes, clean);
        const int count = pairs->count - 1;
        ARENA_MORE(reading->arena, pairs->more[r], count);
        pairs->more[r][count] = arena_text_range(reading->arena, clean->text, clean->bytes);
    }
}

static bool is_full(const struct pair_reader *reading, enum split_name split)
{
    int limit = reading->options->limit[split];
    return reading->pairs[split].count == (limit ? limit : INT_MAX);
}

/* Fills `clean` and `words` of a side. Returns the number of words; -1 if the side is not valid
 * text. */
static int64_t read_side(struct pair_reader *reading, enum side_name side,
                         const struct reader *reader, const struct sentence *sentence)
{
    if (!is_valid(reading->options, reader, sentence)) return -1;
    struct buffer *clean = &reading->clean[side], *words = &reading->words[side];
    buffer_clear(clean);
    buffer_clear(words);
    line_clean(reading->format, sentence->text, sentence->bytes, clean);
    line_words(reading->format, clean->text, clean->bytes, words);
    if (!words->bytes) return 0;
    return line_count_words(reading->format.raw, clean->text, clean->bytes);
}

static void take_pair(struct pair_reader *reading, enum split_name split,
                      const struct reader reader[SIDES], const struct sentence sentence[SIDES])
{
    struct pairs *pairs = &reading->pairs[split], *to = pairs;
    int64_t words[SIDES];
    for (int side = 0; side < SIDES; side++)
        words[side] = read_side(reading, side, &reader[side], &sentence[side]);
    for (int r = 0; split == SPLIT_TEST && r < reading->references; r++)
        if (!is_valid(reading->options, &reading->more[r], &reading->more_sentence[r]))
            words[SIDE_TARGET] = -1;
    const enum pair_fate fate = pair_judge(reading->options, split, words,
                                           pairs->fate[PAIR_KEPT] + pairs->fate[PAIR_HELD_OUT]);
    pairs->fate[fate]++;
    if (fate > PAIR_HELD_OUT) return;
    if (fate == PAIR_HELD_OUT) {
        to = &reading->pairs[SPLIT_DEV];
        if (is_full(reading, SPLIT_DEV)) return;
    }
    add_pair(reading, to);
    if (split == SPLIT_TEST) add_references(reading, to);
}

static void open_references(struct pair_reader *reading, const struct corpus_sources *sources)
{
    const struct reader_layout lines = {.format = READER_LINES, .separator = ""};
    struct pairs *test = &reading->pairs[SPLIT_TEST];
    bool tested = false;
    for (int i = 0; i < sources->parts; i++) tested |= sources->part[i].split == SPLIT_TEST;
    if (!tested || !sources->references) return;
    reading->references = test->references = sources->references;
    reading->more = ARENA_ARRAY(reading->arena, struct reader, sources->references);
    reading->more_sentence = ARENA_ARRAY(reading->arena, struct sentence, sources->references);
    test->more = ARENA_ARRAY(reading->arena, const char **, sources->references);
    for (int r = 0; r < reading->references; r++)
        reader_open(&reading->more[r], sources->reference[r].file, lines);
}

static void next_references(struct pair_reader *reading)
{
    for (int r = 0; r < reading->references; r++)
        if (!reader_next(&reading->more[r], &reading->more_sentence[r]))
            reading->more_sentence[r] = (struct sentence){.text = ""};
}

/* Dies unless each file of references has one line for each sentence of the test. */
static void close_references(struct pair_reader *reading)
{
    for (int r = 0; r < reading->references; r++) {
        struct reader *more = &reading->more[r];
        struct sentence rest;
        while (reader_next(more, &rest)) continue;
        if (more->sentences != reading->pairs[SPLIT_TEST].lines)
            die_at(
                reading->options->references.location[r],
                "corpus.test_references: %s has %d lines, the test has %d sentences: line i must "
                "be a reference of sentence i",
                more->path, more->sentences, reading->pairs[SPLIT_TEST].lines);
        reader_close(more);
    }
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
        die("%s:%d: segment \"%s\", but %s:%d has \"%s\": expected the same document and id",
            reader[SIDE_TARGET].path, sentence[SIDE_TARGET].line, target, reader[SIDE_SOURCE].path,
            sentence[SIDE_SOURCE].line, source);
    return there[SIDE_SOURCE];
}

static void read_part(struct pair_reader *reading, const struct corpus_part *part)
{
    struct pairs *pairs = &reading->pairs[part->split];
    struct reader reader[SIDES];
    struct sentence sentence[SIDES];
    for (int side = 0; side < SIDES; side++)
        reader_open(&reader[side], part->side[side]->file,
                    corpus_layout(reading->options, part->split, side));
    for (; next_pair(part, reader, sentence); pairs->lines++) {
        if (part->split == SPLIT_TEST) next_references(reading);
        if (!is_full(reading, part->split)) take_pair(reading, part->split, reader, sentence);
    }
    for (int side = 0; side < SIDES; side++) {
        pairs->markup += reader[side].markup;
        reader_close(&reader[side]);
    }
}

void pairs_read(struct arena *arena, const struct corpus_options *options,
                const struct corpus_sources *sources, struct pairs pairs[SPLITS],
                struct text_audit *audit)
{
    struct pair_reader reading = {.arena = arena,
                                  .options = options,
                                  .format = {.raw = options->text == CORPUS_RAW,
                                             .segmented = options->segmented,
                                             .lowercase = options->lowercase},
                                  .pairs = pairs,
                                  .audit = audit};
    open_references(&reading, sources);
    for (int i = 0; i < sources->parts; i++) read_part(&reading, &sources->part[i]);
    close_references(&reading);
    for (int side = 0; side < SIDES; side++) {
        buffer_free(&reading.clean[side]);
        buffer_free(&reading.words[side]);
    }
}
