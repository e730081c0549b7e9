#include "core/text/corpus_pairs.h"

#include <limits.h>
#include <string.h>

#include "core/base/file.h"
#include "core/text/corpus_line.h"
#include "core/text/utf8.h"

/* A file cut into lines, without their ends. */
struct lines {
    int count;
    const char **text; /* [count] not NUL-terminated */
    size_t *bytes;     /* [count] */
};

static struct lines lines_read(struct arena *arena, const char *path)
{
    size_t bytes;
    const char *text = file_read(arena, path, 0, &bytes), *end = text + bytes;
    if (bytes >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) text += 3;
    size_t count = 0;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
    if (end > text && end[-1] != '\n') count++;
    if (count > INT_MAX - 1) die("%s: %zu lines, at most %d are read", path, count, INT_MAX - 1);

    struct lines lines = {.count = (int)count,
                          .text = ARENA_ARRAY(arena, const char *, count),
                          .bytes = ARENA_ARRAY(arena, size_t, count)};
    for (int i = 0; i < lines.count; i++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        lines.text[i] = text;
        lines.bytes[i] = (size_t)((stop ? stop : end) - text);
        text = stop + 1;
    }
    return lines;
}

/* Whether the line may be read on; dies where it may not and the options say so. */
static bool line_is_valid(const struct corpus_options *options, const char *path, int line,
                          const char *text, size_t bytes)
{
    const char *nul = memchr(text, 0, bytes);
    int64_t bad = nul ? nul - text : utf8_check(text, bytes);
    if (bad < 0) return true;
    if (options->bad_utf8 == BAD_UTF8_ERROR)
        die("%s:%d: byte %lld (0x%02x) is not valid UTF-8 text; convert the file, or leave such "
            "pairs out with corpus.bad_utf8=drop-pair",
            path, line, (long long)bad + 1, (unsigned char)text[bad]);
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

struct pairs pairs_read(struct arena *arena, const struct corpus_options *options,
                        enum split_name split, const char *const file[SIDES])
{
    struct lines lines[SIDES];
    for (int side = 0; side < SIDES; side++) lines[side] = lines_read(arena, file[side]);
    if (lines[SIDE_SOURCE].count != lines[SIDE_TARGET].count)
        die("corpus.%s: %s has %d lines, but %s has %d: line i of one must be the translation of "
            "line i of the other",
            split_names[split], file[SIDE_SOURCE], lines[SIDE_SOURCE].count, file[SIDE_TARGET],
            lines[SIDE_TARGET].count);

    struct line_format format = {.raw = options->text == CORPUS_RAW,
                                 .lowercase = options->lowercase};
    struct pairs pairs = {.lines = lines[SIDE_SOURCE].count};
    for (int side = 0; side < SIDES; side++)
        pairs.words[side] = ARENA_ARRAY(arena, const char *, pairs.lines);
    pairs.reference = ARENA_ARRAY(arena, const char *, pairs.lines);
    struct buffer clean[SIDES] = {0}, words[SIDES] = {0};
    int limit = options->limit[split] ? options->limit[split] : INT_MAX;
    for (int i = 0; i < pairs.lines && pairs.count < limit; i++) {
        bool valid = true, empty = false, over = false;
        for (int side = 0; side < SIDES; side++)
            valid &= line_is_valid(options, file[side], i + 1, lines[side].text[i],
                                   lines[side].bytes[i]);
        for (int side = 0; side < SIDES && valid; side++) {
            buffer_clear(&clean[side]);
            buffer_clear(&words[side]);
            line_clean(format, lines[side].text[i], lines[side].bytes[i], &clean[side]);
            line_words(format, clean[side].text, clean[side].bytes, &words[side]);
            int count = count_words(&words[side]);
            empty |= count == 0;
            over |= options->max_words && count > options->max_words;
        }
        if (!valid || over || (empty && split == SPLIT_TRAIN)) {
            (*(!valid ? &pairs.invalid : over ? &pairs.words_over : &pairs.empty))++;
            continue;
        }
        for (int side = 0; side < SIDES; side++)
            pairs.words[side][pairs.count] = keep(arena, &words[side]);
        pairs.reference[pairs.count++] = keep(arena, &clean[SIDE_TARGET]);
    }
    for (int side = 0; side < SIDES; side++) {
        buffer_free(&clean[side]);
        buffer_free(&words[side]);
    }
    return pairs;
}
