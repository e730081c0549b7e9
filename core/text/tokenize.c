/* Tokenizes text. A token ends where the class of the characters changes. A joiner shows that the
 * text has no blank. */
#include "core/text/tokenize.h"

#include <utf8proc.h>

#include "core/text/utf8.h"

enum token_class {
    CLASS_SPACE,
    CLASS_WORD,
    CLASS_SIGN,
    CLASS_IDEOGRAPH,
    CLASS_MARK /* belongs to the preceding token; begins a word if there is none */
};

enum { JOINER = 0xFFED, ESCAPE = 0xFFEE };

/* True for code points in the blocks of Han, Hiragana and Katakana. Only letters in these blocks
 * are ideographs. */
static bool is_ideographic_block(uint32_t code)
{
    static const uint32_t range[][2] = {
        {0x2E80, 0x2FDF},   /* radicals */
        {0x3005, 0x3007},   /* iteration mark, closing mark, zero */
        {0x3021, 0x303B},   /* Hangzhou numerals, vertical iteration marks */
        {0x3040, 0x30FF},   /* Hiragana, Katakana */
        {0x31F0, 0x31FF},   /* small Katakana */
        {0x3400, 0x4DBF},   /* Han, extension A */
        {0x4E00, 0x9FFF},   /* Han */
        {0xF900, 0xFAFF},   /* Han, compatibility */
        {0xFF66, 0xFF9F},   /* halfwidth Katakana */
        {0x1AFF0, 0x1B16F}, /* historic and small Kana */
        {0x20000, 0x3FFFF}, /* Han, all further extensions */
    };
    if (code < range[0][0]) return false;
    for (size_t i = 0; i < COUNT_OF(range); i++)
        if (code >= range[i][0] && code <= range[i][1]) return true;
    return false;
}

static enum token_class class_of(uint32_t code)
{
    if ((code >= '\t' && code <= '\r') || code == 0x85) return CLASS_SPACE;
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    const bool number = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
    const bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    if (letter || number) return is_ideographic_block(code) ? CLASS_IDEOGRAPH : CLASS_WORD;
    if (mark || category == UTF8PROC_CATEGORY_CF) return CLASS_MARK;
    const bool space = category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
    return space ? CLASS_SPACE : CLASS_SIGN;
}

static bool is_digit(uint32_t code)
{
    return utf8proc_category((utf8proc_int32_t)code) == UTF8PROC_CATEGORY_ND;
}

struct token {
    const char *text;
    size_t bytes;
    enum token_class class; /* word, sign or ideograph */
    bool spaced;            /* true if white space precedes the token */
};

/* True if the sign at `at` is a '.' or ',' between two digits. */
static bool is_inside_number(uint32_t before, const char *at, const char *end)
{
    uint32_t after;
    if ((*at != '.' && *at != ',') || !is_digit(before) || at + 1 == end) return false;
    utf8_decode(at + 1, &after);
    return is_digit(after);
}

/* Reads the next token of the text, and moves *text past it. Returns false at the end. */
static bool next_token(const char **text, const char *end, struct token *token)
{
    const char *at = *text;
    uint32_t first = 0, code;
    token->spaced = false;
    for (int length; at < end; at += length) {
        length = utf8_decode(at, &first);
        token->class = class_of(first);
        if (token->class != CLASS_SPACE) break;
        token->spaced = true;
    }
    if (at == end) return false;
    if (token->class == CLASS_MARK) token->class = CLASS_WORD;
    token->text = at;
    at += utf8_length(at);
    uint32_t before = first;
    for (int length; at < end; at += length, before = code) {
        length = utf8_decode(at, &code);
        enum token_class class = class_of(code);
        bool goes_on = class == CLASS_MARK;
        if (token->class == CLASS_WORD)
            goes_on |= class == CLASS_WORD || is_inside_number(before, at, end);
        if (token->class == CLASS_SIGN) goes_on |= code == before && code == first && code != '@';
        if (!goes_on) break;
    }
    token->bytes = (size_t)(at - token->text);
    *text = at;
    return true;
}

static void add_escaped(struct buffer *out, const char *text, size_t bytes)
{
    for (const char *at = text, *end = buffer_end(text, bytes); at < end;) {
        uint32_t code;
        int length = utf8_decode(at, &code);
        if (code == JOINER || code == ESCAPE) {
            buffer_add(out, TOKENIZE_ESCAPE, sizeof TOKENIZE_ESCAPE - 1);
            buffer_add_byte(out, code == JOINER ? 'j' : 'e');
        } else {
            buffer_add(out, at, (size_t)length);
        }
        at += length;
    }
}

static void add_joiner(struct buffer *out)
{
    buffer_add(out, TOKENIZE_JOINER, sizeof TOKENIZE_JOINER - 1);
}

/* True for tokens next to which running text has no blank: Han, Kana, and their punctuation. */
static bool is_wide(const struct token *token)
{
    if (token->class != CLASS_SIGN) return token->class == CLASS_IDEOGRAPH;
    uint32_t code;
    utf8_decode(token->text, &code);
    return (code >= 0x3001 && code <= 0x303F) || (code >= 0xFF01 && code <= 0xFF65);
}

void tokenize_line(const char *line, size_t bytes, bool segmented, struct buffer *out)
{
    const char *end = buffer_end(line, bytes);
    struct token token = {0}, before = {0};
    for (; next_token(&line, end, &token); before = token) {
        if (segmented && before.text && (is_wide(&before) || is_wide(&token))) token.spaced = false;
        bool both_ideographs = before.class == CLASS_IDEOGRAPH && token.class == CLASS_IDEOGRAPH;
        bool joined = before.text && !token.spaced && !both_ideographs;
        bool right_carries = token.class == CLASS_SIGN ||
                             (token.class == CLASS_WORD && before.class == CLASS_IDEOGRAPH);
        if (joined && !right_carries) add_joiner(out);
        if (before.text) buffer_add_byte(out, ' ');
        if (before.text && token.spaced && both_ideographs) {
            add_joiner(out);
            buffer_add_byte(out, ' ');
        }
        if (joined && right_carries) add_joiner(out);
        add_escaped(out, token.text, token.bytes);
    }
}

/* The separator between the last written token and the next token. */
enum gap {
    GAP_NONE,
    GAP_USUAL, /* a blank, but nothing between ideographs */
    GAP_BLANK
};

static void add_unescaped(struct buffer *out, const char *text, size_t bytes)
{
    const size_t escape = sizeof TOKENIZE_ESCAPE - 1;
    for (const char *at = text, *end = buffer_end(text, bytes); at < end;) {
        bool escaped = (size_t)(end - at) > escape && !memcmp(at, TOKENIZE_ESCAPE, escape);
        if (escaped && at[escape] == 'j') {
            buffer_add(out, TOKENIZE_JOINER, sizeof TOKENIZE_JOINER - 1);
            at += escape + 1;
        } else if (escaped && at[escape] == 'e') {
            buffer_add(out, TOKENIZE_ESCAPE, escape);
            at += escape + 1;
        } else {
            buffer_add_byte(out, *at++);
        }
    }
}

void detokenize_line(const char *line, size_t bytes, struct buffer *out)
{
    const size_t joiner = sizeof TOKENIZE_JOINER - 1;
    const char *end = buffer_end(line, bytes);
    enum gap gap = GAP_NONE;
    bool after_ideograph = false;
    while (line < end) {
        const char *blank = memchr(line, ' ', (size_t)(end - line));
        const char *text = line, *stop = blank ? blank : end;
        line = blank ? blank + 1 : end;
        if (text == stop) continue;
        bool left = (size_t)(stop - text) >= joiner && !memcmp(text, TOKENIZE_JOINER, joiner);
        if (left) text += joiner;
        if (text == stop) { /* a separate joiner */
            if (gap == GAP_USUAL) gap = GAP_BLANK;
            continue;
        }
        bool right =
            (size_t)(stop - text) >= joiner && !memcmp(stop - joiner, TOKENIZE_JOINER, joiner);
        if (right) stop -= joiner;

        uint32_t first = 0;
        if (text < stop) utf8_decode(text, &first);
        bool ideograph = class_of(first) == CLASS_IDEOGRAPH;
        bool usual = gap == GAP_USUAL && !(after_ideograph && ideograph);
        if (!left && (gap == GAP_BLANK || usual)) buffer_add_byte(out, ' ');
        add_unescaped(out, text, (size_t)(stop - text));
        gap = right ? GAP_NONE : GAP_USUAL;
        after_ideograph = ideograph;
    }
}

void tokenize_squeeze(const char *line, size_t bytes, struct buffer *out)
{
    const char *end = buffer_end(line, bytes);
    bool any = false, spaced = false;
    for (int length; line < end; line += length) {
        uint32_t code;
        length = utf8_decode(line, &code);
        if (class_of(code) == CLASS_SPACE) {
            spaced = true;
            continue;
        }
        if (any && spaced) buffer_add_byte(out, ' ');
        buffer_add(out, line, (size_t)length);
        any = true;
        spaced = false;
    }
}

bool tokenize_is_blank(const char *line, size_t bytes)
{
    struct token token;
    return !next_token(&line, buffer_end(line, bytes), &token);
}

int64_t tokenize_count(const char *line, size_t bytes, bool signs)
{
    int64_t count = 0;
    struct token token;
    for (const char *end = buffer_end(line, bytes); next_token(&line, end, &token);)
        count += signs || token.class != CLASS_SIGN;
    return count;
}
