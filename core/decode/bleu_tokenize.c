/* Tokenizers of BLEU: sacreBLEU's 13a, intl, zh, char and none, and multi-bleu.perl (sacreBLEU
 * 2.6.0; mosesdecoder), with tensor2tensor's splitting of compounds. */
#include "core/decode/bleu.h"

#include <string.h>
#include <utf8proc.h>

#include "core/text/utf8.h"

static void buffers_reserve(struct bleu_words *words, size_t bytes)
{
    if (bytes <= words->buffer_bytes) return;
    words->buffer_bytes = 2 * bytes;
    for (int i = 0; i < 2; i++) words->buffer[i] = arena_alloc(words->arena, words->buffer_bytes);
}

/* Replaces every `what` by `with`, in place. `with` must not be longer than `what`. Returns the new
 * number of bytes. */
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

/* Character classes. The first four are ASCII classes for the rules of 13a. The others are Unicode
 * classes for the rules of mteval-v14. */
enum character_class {
    DIGIT = 1,
    POINT = 2, /* period or comma */
    DASH = 4,
    OTHER = 8,
    NUMBER = 16,
    PUNCTUATION = 32,
    SYMBOL = 64,
    LETTER = 128 /* neither NUMBER nor PUNCTUATION nor SYMBOL */
};

static unsigned class_ascii(const char *at)
{
    if (*at >= '0' && *at <= '9') return DIGIT;
    if (*at == '.' || *at == ',') return POINT;
    return *at == '-' ? DASH : OTHER;
}

static unsigned class_unicode(const char *at)
{
    uint32_t code;
    utf8_decode(at, &code);
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) return NUMBER;
    if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) return PUNCTUATION;
    if (category >= UTF8PROC_CATEGORY_SM && category <= UTF8PROC_CATEGORY_SO) return SYMBOL;
    return LETTER;
}

/* A rule for pairs of neighboring characters. One pass from left to right applies it to pairs that
 * do not overlap. */
struct pair_rule {
    unsigned first, second; /* classes */
    int alone;              /* index of the character that gets blanks around it */
    unsigned (*class_of)(const char *at);
};
static const struct pair_rule rules_13a[] = {
    {POINT | DASH | OTHER, POINT, 1, class_ascii}, /* period or comma, not after a digit */
    {POINT, POINT | DASH | OTHER, 0, class_ascii}, /* period or comma, not before a digit */
    {DIGIT, DASH, 1, class_ascii},                 /* a dash after a digit */
};
static const struct pair_rule rules_intl[] = {
    {PUNCTUATION | SYMBOL | LETTER, PUNCTUATION, 1, class_unicode},
    {PUNCTUATION, PUNCTUATION | SYMBOL | LETTER, 0, class_unicode},
};

/* Writes one character, with blanks around it if `alone` is true. Returns the number of bytes. */
static size_t put(char *out, const char *at, size_t bytes, bool alone)
{
    if (alone) *out++ = ' ';
    memcpy(out, at, bytes);
    if (alone) out[bytes] = ' ';
    return alone ? bytes + 2 : bytes;
}

/* Ends a pass: the buffer that the pass has written becomes the line. */
static void pass_end(struct bleu_words *line, size_t bytes)
{
    line->bytes = bytes;
    line->now = !line->now;
}

static void isolate_pair(struct bleu_words *line, const struct pair_rule *rule)
{
    const char *in = line->buffer[line->now];
    char *out = line->buffer[!line->now];
    size_t length = 0;
    for (size_t i = 0; i < line->bytes;) {
        const char *at = in + i;
        const size_t first = (size_t)utf8_length(at);
        const bool pair = i + first < line->bytes && (rule->class_of(at) & rule->first) &&
                          (rule->class_of(at + first) & rule->second);
        length += put(out + length, at, first, pair && rule->alone == 0);
        i += first;
        if (!pair) continue;
        const size_t second = (size_t)utf8_length(in + i);
        length += put(out + length, in + i, second, rule->alone == 1);
        i += second;
    }
    pass_end(line, length);
}

static void isolate_pairs(struct bleu_words *line, const struct pair_rule *rule, size_t rules)
{
    for (size_t i = 0; i < rules; i++) isolate_pair(line, &rule[i]);
}

/* Puts blanks around every character for which `alone` is true. If `alone` is NULL, puts blanks
 * around all characters. */
static void isolate_characters(struct bleu_words *line, bool (*alone)(const char *at))
{
    const char *in = line->buffer[line->now];
    size_t length = 0, step;
    for (size_t i = 0; i < line->bytes; i += step) {
        step = (size_t)utf8_length(in + i);
        length += put(line->buffer[!line->now] + length, in + i, step, !alone || alone(in + i));
    }
    pass_end(line, length);
}

/* True for ASCII punctuation and symbols except ' , - . and blank. */
static bool is_ascii_sign(const char *at)
{
    const unsigned char c = (unsigned char)*at;
    return (c >= 0x20 && c <= 0x26) || (c >= 0x28 && c <= 0x2B) || c == 0x2F ||
           (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
}

static bool is_symbol(const char *at)
{
    return class_unicode(at) == SYMBOL;
}

/* True for Chinese characters according to sacreBLEU. Its list of 2017 contains two ranges beyond
 * U+FFFF, which Python does not parse as intended. So U+2001 to U+2A6D are included, with all
 * quotes, dashes, arrows and operators. The ideographs from U+20000 on are not included. */
static bool is_chinese(const char *at)
{
    static const struct {
        uint32_t first, last;
    } range[] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
        {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
        {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
    };
    uint32_t code;
    utf8_decode(at, &code);
    for (size_t i = 0; i < COUNT_OF(range); i++)
        if (code >= range[i].first && code <= range[i].last) return true;
    return false;
}

/* Returns the number of bytes of the white space at `text`; 0 if there is none. If `unicode` is
 * true, white space is defined as in Python, else as \s of Perl in ASCII. */
static size_t space_bytes(const char *text, size_t left, bool unicode)
{
    if (unicode) return utf8_space(text, left);
    return *text == ' ' || (*text >= 0x09 && *text <= 0x0D);
}

static void word_add(struct bleu_words *words, const char *text, size_t bytes)
{
    ARENA_ADD(words->arena, words->word, words->count, (struct bleu_word){text, bytes});
}

static void split(struct bleu_words *words, const char *text, size_t bytes, bool unicode)
{
    words->count = 0;
    size_t begin = 0;
    for (size_t i = 0; i < bytes;) {
        size_t space = space_bytes(text + i, bytes - i, unicode);
        if (!space) {
            i++;
            continue;
        }
        if (i > begin) word_add(words, text + begin, i - begin);
        begin = i += space;
    }
    if (bytes > begin) word_add(words, text + begin, bytes - begin);
}

/* Removes white space at the end, and at the beginning if `both` is true. */
static void trim(struct bleu_words *line, bool both)
{
    char *text = line->buffer[line->now];
    size_t begin = 0, end = 0, space;
    for (size_t i = 0; i < line->bytes; i += space ? space : 1) {
        space = utf8_space(text + i, line->bytes - i);
        if (!space)
            end = i + 1;
        else if (both && begin == i)
            begin = i + space;
    }
    line->bytes = end > begin ? end - begin : 0;
    memmove(text, text + begin, line->bytes);
}

static void tokenize_13a(struct bleu_words *line)
{
    char *text = line->buffer[line->now];
    size_t bytes = replace(text, line->bytes, "<skipped>", "");
    if (memchr(text, '&', bytes)) {
        static const char *const entity[][2] = {
            {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
        for (size_t i = 0; i < COUNT_OF(entity); i++)
            bytes = replace(text, bytes, entity[i][0], entity[i][1]);
    }
    memmove(text + 1, text, bytes);
    text[0] = text[bytes + 1] = ' ';
    line->bytes = bytes + 2;
    isolate_characters(line, is_ascii_sign);
    isolate_pairs(line, rules_13a, COUNT_OF(rules_13a));
}

/* Puts no blanks around the line, unlike 13a. So a period after a number is not separated at the
 * end of the line. */
static void tokenize_intl(struct bleu_words *line)
{
    trim(line, false);
    isolate_pairs(line, rules_intl, COUNT_OF(rules_intl));
    isolate_characters(line, is_symbol);
}

/* Does not decode entities such as &amp;. A period after a number is not separated at the end of
 * the line. */
static void tokenize_zh(struct bleu_words *line)
{
    trim(line, true);
    isolate_characters(line, is_chinese);
    isolate_characters(line, is_ascii_sign);
    isolate_pairs(line, rules_13a, COUNT_OF(rules_13a));
}

/* Makes a hyphen a separate word if it is between two bytes that are not white space. Matches do
 * not overlap, so only the first hyphen of "a-b-c" is split. As in tensor2tensor, the new word is
 * ##AT##-##AT##. So it differs from a hyphen that was already a separate word. */
static void split_compounds(struct bleu_words *line)
{
    static const char mark[] = " ##AT##-##AT## ";
    const char *in = line->buffer[line->now];
    char *out = line->buffer[!line->now];
    size_t length = 0;
    for (size_t i = 0; i < line->bytes; i++) {
        const bool pair = i + 2 < line->bytes && in[i + 1] == '-' &&
                          !space_bytes(in + i, 1, false) && !space_bytes(in + i + 2, 1, false);
        out[length++] = in[i];
        if (!pair) continue;
        memcpy(out + length, mark, sizeof mark - 1);
        length += sizeof mark - 1;
        out[length++] = in[i += 2];
    }
    pass_end(line, length);
}

void bleu_tokenize(const struct bleu_options *options, const char *line, struct bleu_words *words)
{
    words->bytes = strlen(line);
    words->now = 0;
    /* Upper bound: an isolated character gets two blanks. Only punctuation can be isolated twice,
     * so one byte becomes at most 5. A compound of three bytes becomes 17 bytes. */
    buffers_reserve(words, 6 * (words->bytes + 2));
    char *text = words->buffer[0];
    memcpy(text, line, words->bytes);
    const bool multi = options->metric == BLEU_MULTI_BLEU;
    if (options->lowercase)
        for (size_t i = 0; i < words->bytes; i++)
            if (text[i] >= 'A' && text[i] <= 'Z') text[i] = (char)(text[i] + ('a' - 'A'));
    const int tokenizer = multi ? BLEU_NONE : options->tokenizer;
    if (tokenizer == BLEU_13A) tokenize_13a(words);
    if (tokenizer == BLEU_INTL) tokenize_intl(words);
    if (tokenizer == BLEU_ZH) tokenize_zh(words);
    if (tokenizer == BLEU_CHAR) isolate_characters(words, NULL);
    if (multi && options->compounds) split_compounds(words);
    CHECK(words->bytes <= words->buffer_bytes, "%zu bytes of %zu", words->bytes,
          words->buffer_bytes);
    split(words, words->buffer[words->now], words->bytes, !multi);
}
