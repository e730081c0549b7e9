/* Lines to words as sacreBLEU's tokenizers "13a" and "none" and multi-bleu.perl see them
 * (papers.md 7.3). Works on bytes: every rule names ASCII characters only, and no byte of a longer
 * UTF-8 sequence is one. */
#include "core/decode/bleu.h"

#include <stdlib.h>
#include <string.h>

static void buffers_reserve(struct bleu_words *words, size_t bytes)
{
    if (bytes <= words->buffer_bytes) return;
    for (int i = 0; i < 2; i++) words->buffer[i] = heap_resize(words->buffer[i], bytes);
    words->buffer_bytes = bytes;
}

/* In place: a replacement is never longer than what it replaces. */
static size_t replace(char *text, size_t bytes, const char *what, const char *with)
{
    size_t what_bytes = strlen(what), with_bytes = strlen(with), out = 0;
    for (size_t in = 0; in < bytes;) {
        if (in + what_bytes <= bytes && !memcmp(text + in, what, what_bytes)) {
            memcpy(text + out, with, with_bytes);
            in += what_bytes, out += with_bytes;
        } else {
            text[out++] = text[in++];
        }
    }
    return out;
}

/* ASCII punctuation and symbols except ' , - . and the blank itself */
static bool stands_alone(unsigned char c)
{
    return (c >= 0x20 && c <= 0x26) || (c >= 0x28 && c <= 0x2B) || c == 0x2F ||
           (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
}

static size_t isolate(char *out, char c)
{
    out[0] = ' ', out[1] = c, out[2] = ' ';
    return 3;
}

static size_t isolate_symbols(const char *in, size_t bytes, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (stands_alone((unsigned char)in[i]))
            length += isolate(out + length, in[i]);
        else
            out[length++] = in[i];
    }
    return length;
}

enum class {
    DIGIT = 1,
    POINT = 2, /* period or comma */
    DASH = 4,
    OTHER = 8
};

static unsigned class_of(char c)
{
    if (c >= '0' && c <= '9') return DIGIT;
    if (c == '.' || c == ',') return POINT;
    return c == '-' ? DASH : OTHER;
}

/* One pass from left to right over pairs of neighbors that do not overlap. */
struct pair_rule {
    unsigned first, second; /* classes */
    int alone;              /* which of the two gets blanks around it */
};
static const struct pair_rule pair_rules[] = {
    {POINT | DASH | OTHER, POINT, 1}, /* a point, unless a digit is before it */
    {POINT, POINT | DASH | OTHER, 0}, /* a point, unless a digit is behind it */
    {DIGIT, DASH, 1},                 /* a dash behind a digit */
};

static size_t isolate_in_pairs(const struct pair_rule *rule, const char *in, size_t bytes,
                               char *out)
{
    size_t length = 0, i = 0;
    while (i + 1 < bytes) {
        if ((class_of(in[i]) & rule->first) && (class_of(in[i + 1]) & rule->second)) {
            for (int k = 0; k < 2; k++, i++) {
                if (k == rule->alone)
                    length += isolate(out + length, in[i]);
                else
                    out[length++] = in[i];
            }
        } else {
            out[length++] = in[i++];
        }
    }
    if (i < bytes) out[length++] = in[i];
    return length;
}

/* The text in buffer[0] -> its 13a form, in buffer[result]. */
static int tokenize_13a(struct bleu_words *words, size_t *length)
{
    char *text = words->buffer[0];
    size_t bytes = replace(text, *length, "<skipped>", "");
    if (memchr(text, '&', bytes)) {
        static const char *const entity[][2] = {
            {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
        for (size_t i = 0; i < COUNT_OF(entity); i++)
            bytes = replace(text, bytes, entity[i][0], entity[i][1]);
    }
    memmove(text + 1, text, bytes);
    text[0] = text[bytes + 1] = ' ';
    bytes += 2;

    int now = 0;
    bytes = isolate_symbols(words->buffer[now], bytes, words->buffer[!now]);
    now = !now;
    for (size_t i = 0; i < COUNT_OF(pair_rules); i++, now = !now)
        bytes = isolate_in_pairs(&pair_rules[i], words->buffer[now], bytes, words->buffer[!now]);
    *length = bytes;
    return now;
}

/* Bytes of the white space at `text`, 0 when there is none. ASCII is Perl's \s; beyond it what
 * Python's str.isspace() takes. */
static size_t space_bytes(const unsigned char *text, size_t left, bool unicode)
{
    if (*text == ' ' || (*text >= 0x09 && *text <= 0x0D)) return 1;
    if (!unicode) return 0;
    if (*text >= 0x1C && *text <= 0x1F) return 1;
    if (left >= 2 && text[0] == 0xC2 && (text[1] == 0x85 || text[1] == 0xA0)) return 2;
    if (left < 3 || text[0] < 0xE1 || text[0] > 0xE3) return 0;
    unsigned code = (text[0] & 15u) << 12 | (text[1] & 63u) << 6 | (text[2] & 63u);
    bool space = code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                 code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
    return space ? 3 : 0;
}

static void word_add(struct bleu_words *words, const char *text, size_t bytes)
{
    if (words->count == words->capacity) {
        words->capacity = words->capacity ? 2 * words->capacity : 64;
        words->word = heap_resize(words->word, sizeof *words->word * (size_t)words->capacity);
    }
    words->word[words->count++] = (struct bleu_word){text, bytes};
}

static void split(struct bleu_words *words, const char *text, size_t bytes, bool unicode)
{
    words->count = 0;
    size_t begin = 0;
    for (size_t i = 0; i < bytes;) {
        size_t space = space_bytes((const unsigned char *)text + i, bytes - i, unicode);
        if (!space) {
            i++;
            continue;
        }
        if (i > begin) word_add(words, text + begin, i - begin);
        begin = i += space;
    }
    if (bytes > begin) word_add(words, text + begin, bytes - begin);
}

void bleu_tokenize(const struct bleu_options *options, const char *line, struct bleu_words *words)
{
    size_t bytes = strlen(line);
    /* A byte that is isolated brings two blanks; only a point can be, twice. */
    buffers_reserve(words, 5 * (bytes + 2));
    char *text = words->buffer[0];
    memcpy(text, line, bytes);
    bool multi = options->metric == BLEU_MULTI_BLEU;
    if (options->lowercase)
        for (size_t i = 0; i < bytes; i++)
            if (text[i] >= 'A' && text[i] <= 'Z') text[i] = (char)(text[i] + ('a' - 'A'));
    if (!multi && options->tokenizer == BLEU_13A) text = words->buffer[tokenize_13a(words, &bytes)];
    CHECK(bytes <= words->buffer_bytes, "%zu bytes of %zu", bytes, words->buffer_bytes);
    split(words, text, bytes, !multi);
}

void bleu_words_free(struct bleu_words *words)
{
    free(words->word);
    free(words->buffer[0]);
    free(words->buffer[1]);
    *words = (struct bleu_words){0};
}
