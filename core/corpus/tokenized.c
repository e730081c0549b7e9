/* Encodes text with external tokens. Rewriting returns the index of the original token of each
 * token. If the corpus has raw text, its tokenizer splits the text at other places, but keeps all
 * letters. So the token of a piece is found by the number of letters before the piece. */
#include "core/corpus/tokenized.h"

#include <string.h>

#include "core/text/lower.h"
#include "core/text/tokenize.h"
#include "core/text/untokenize.h"
#include "core/text/utf8.h"

/* Returns the number of characters of a text that are not white space. */
static int count_letters(const char *text, size_t bytes)
{
    SCOPED(buffer_free) struct buffer squeezed = {0};
    int letters = 0;
    tokenize_squeeze(text, bytes, &squeezed);
    for (const char *at = squeezed.text, *end = buffer_end(at, squeezed.bytes); at < end;
         at += utf8_length(at))
        letters += *at != ' ';
    return letters;
}

/* Returns the running text, and the token of each of its letters. If the text will be lower-cased,
 * letters are counted in lower case, because a dotted capital I becomes two letters. */
static const char *running_text(struct arena *arena, const struct rewritten *line, bool lowercase,
                                const int32_t **token, int *letters)
{
    SCOPED(buffer_free) struct buffer text = {0}, lower = {0};
    size_t *end = ARENA_ARRAY(arena, size_t, line->words + 1), begin = 0;
    untokenize_line(line->text, strlen(line->text), &text, end);
    int32_t *of = ARENA_ARRAY(arena, int32_t, 2 * text.bytes + 1);
    *letters = 0;
    for (int i = 0; i < line->words; begin = end[i++]) {
        buffer_clear(&lower);
        if (lowercase)
            lower_add(&lower, text.text + begin, end[i] - begin);
        else
            buffer_add(&lower, text.text + begin, end[i] - begin);
        for (int n = count_letters(lower.text, lower.bytes); n > 0; n--)
            of[(*letters)++] = line->from[i];
    }
    *token = of;
    return buffer_take(&text, arena);
}

/* Returns the original token of each word of the last encoded line: the token that contains the
 * word's first letter. */
static const int32_t *tokens_of_words(struct arena *arena, const struct buffer *words,
                                      const int32_t *token, int letters)
{
    SCOPED(buffer_free) struct buffer text = {0};
    const char *at = words->text, *end = buffer_end(at, words->bytes), *word;
    int32_t *of = ARENA_ARRAY(arena, int32_t, words->bytes + 1);
    int n = 0, w = 0;
    for (size_t length; bpe_next_word(&at, end, &word, &length); w++) {
        of[w] = token[n < letters ? n : letters - 1];
        buffer_clear(&text);
        detokenize_line(word, length, &text); /* without joiners and escapes */
        n += count_letters(text.text, text.bytes);
    }
    CHECK(n == letters, "%d letters became %d", letters, n);
    return of;
}

struct tokenized tokenized_encode(struct arena *arena, const struct corpus *corpus,
                                  enum side_name side, const struct tokenized_reading *reading,
                                  const char *sentence, const char *path, int line)
{
    struct tokenized result = {0};
    SCOPED(buffer_free) struct buffer clean = {0}, lower = {0};
    const size_t bytes = strlen(sentence);
    utf8_require(path, line, sentence, bytes);
    line_clean((struct line_format){0}, sentence, bytes, &clean);
    result.tokens = (int)line_count_words(false, clean.text, clean.bytes);
    const struct rewritten left = rewrite_line(arena, reading->rules, clean.text, clean.bytes);
    const int32_t *of = left.from;
    const char *text = left.text;
    int letters = 0;
    const bool lowercase = reading->lowercase || corpus->format.lowercase;
    if (corpus->format.raw) text = running_text(arena, &left, lowercase, &of, &letters);
    if (reading->lowercase) {
        line_clean((struct line_format){.raw = true, .lowercase = true}, text, strlen(text),
                   &lower);
        text = arena_text_range(arena, lower.text, lower.bytes);
    }
    result.id = corpus_encode_words(arena, corpus, side, text, &result.pieces, &result.token);
    if (result.pieces > CORPUS_LINE_PIECES)
        die("%s:%d: a sentence of %d pieces, <eos> included; expected at most %d", path, line,
            result.pieces, CORPUS_LINE_PIECES);
    if (corpus->format.raw) of = tokens_of_words(arena, &corpus->encoder->words, of, letters);

    result.changed = left.changed;
    result.unknown_words =
        corpus_unknown_words(corpus, side, result.id, result.token, result.pieces);
    result.words = result.pieces > 1 ? result.token[result.pieces - 2] + 1 : 0;
    for (int i = 0; i + 1 < result.pieces; i++) {
        result.unknown_pieces += result.id[i] == VOCABULARY_UNK;
        result.token[i] = of[result.token[i]];
    }
    return result;
}

/* Copies the integers of a buffer to the arena. */
static int32_t *take_numbers(const struct buffer *buffer, struct arena *arena)
{
    int32_t *number = arena_alloc(arena, buffer->bytes + sizeof *number);
    if (buffer->bytes) memcpy(number, buffer->text, buffer->bytes);
    return number;
}

struct tokenized tokenized_side(struct split *split, const struct corpus *corpus,
                                enum side_name side, const struct tokenized_reading *reading,
                                const char *const *sentence, const char *path, const int *line,
                                struct arena *arena)
{
    struct tokenized all = {0};
    SCOPED(arena_free) struct arena scratch = {0};
    SCOPED(buffer_free) struct buffer ids = {0}, tokens = {0};
    int64_t *start = ARENA_ARRAY(arena, int64_t, split->sentences + 1);
    split->longest[side] = 0;
    for (int i = 0; i < split->sentences; i++) {
        const struct tokenized one = tokenized_encode(&scratch, corpus, side, reading, sentence[i],
                                                      path, line ? line[i] : i + 1);
        const size_t bytes = (size_t)one.pieces * sizeof *one.id;
        buffer_add(&ids, (const char *)one.id, bytes);
        buffer_add(&tokens, (const char *)one.token, bytes);
        start[i + 1] = start[i] + one.pieces;
        if (one.pieces > split->longest[side]) split->longest[side] = one.pieces;
        all.pieces += one.pieces;
        all.tokens += one.tokens;
        all.changed += one.changed;
        all.words += one.words;
        all.unknown_words += one.unknown_words;
        all.unknown_pieces += one.unknown_pieces;
        arena_free(&scratch);
    }
    all.id = take_numbers(&ids, arena);
    all.token = take_numbers(&tokens, arena);
    split->side[side] = (struct side){all.id, start};
    return all;
}
