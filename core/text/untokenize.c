/* Detokenizes tokens of other tokenizers. The class of a token, and the open quotation marks,
 * determine if the token is joined to its neighbors. */
#include "core/text/untokenize.h"

#include <utf8proc.h>

#include "core/text/utf8.h"

struct part {
    const char *text;
    size_t bytes;
};

static bool is(struct part token, const char *text)
{
    return token.bytes == strlen(text) && !memcmp(token.text, text, token.bytes);
}

static bool is_one_of(struct part token, const char *const *text)
{
    for (; *text; text++)
        if (is(token, *text)) return true;
    return false;
}

static uint32_t character(struct part token)
{
    uint32_t code = 0;
    if (token.bytes) utf8_decode(token.text, &code);
    return code;
}

static bool is_apostrophe(uint32_t code)
{
    return code == '\'' || code == 0x2019;
}

static bool is_letter(uint32_t code)
{
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/* True for runs such as ".." and "?!". */
static bool is_run_of_ends(struct part token)
{
    for (size_t i = 0; i < token.bytes;) {
        uint32_t code;
        i += (size_t)utf8_decode(token.text + i, &code);
        if (code != '.' && code != '!' && code != '?' && code != 0x2026) return false;
    }
    return true;
}

/* True for "'s", "'Brien", "n't". */
static bool is_clitic(struct part token)
{
    static const char *const negation[] = {"n't", "n’t", "N'T", "N’T", NULL};
    if (is_one_of(token, negation)) return true;
    const uint32_t first = character(token);
    const size_t length = token.bytes ? (size_t)utf8_length(token.text) : 0;
    return is_apostrophe(first) &&
           is_letter(character((struct part){token.text + length, token.bytes - length}));
}

/* True for the letters of a clitic whose apostrophe is a separate token. */
static bool is_cut_clitic(struct part token)
{
    static const char *const rest[] = {"s", "t", "m", "d", "re", "ve", "ll", NULL};
    return is_one_of(token, rest);
}

/* Flags: the sides of a token on which there is no blank. */
enum { JOIN_LEFT = 1, JOIN_RIGHT = 2 };

/* True for the quotation marks that are open: ' and ". */
struct quotes {
    bool single, paired;
};

static int open_or_close(bool *open, bool opens)
{
    *open = opens;
    return opens ? JOIN_RIGHT : JOIN_LEFT;
}

static int joins_of(struct part before, struct part token, struct part next, struct quotes *quotes)
{
    static const char *const closing[] = {".", ",", ";", ":", "%", ")",
                                          "]", "}", "”", "»", "°", NULL};
    static const char *const opening[] = {"(", "[", "{", "“", "‘", "„", "«", "#",
                                          "$", "£", "€", "¥", "¿", "¡", NULL};
    const bool possessive = before.bytes && (before.text[before.bytes - 1] | 0x20) == 's';
    if (is_one_of(token, closing) || is_run_of_ends(token) || is_clitic(token)) return JOIN_LEFT;
    if (is_one_of(token, opening)) return JOIN_RIGHT;
    if (is(token, "\"")) return open_or_close(&quotes->paired, !quotes->paired);
    if (is(token, "``")) return open_or_close(&quotes->paired, true);
    if (is(token, "''")) return open_or_close(&quotes->paired, false);
    if (is(token, "`")) return open_or_close(&quotes->single, true);
    if (!is(token, "'") && !is(token, "’")) return 0;
    if (is_cut_clitic(next)) return JOIN_LEFT | JOIN_RIGHT;
    if (is(token, "’")) return JOIN_LEFT;
    return open_or_close(&quotes->single, !quotes->single && !possessive && next.bytes);
}

/* Returns the token at *at, and moves *at past the token and the blank after it. */
static struct part cut_part(const char **at, const char *end)
{
    struct part token = {*at, 0};
    if (*at == end) return token;
    const char *blank = memchr(*at, ' ', (size_t)(end - *at)), *stop = blank ? blank : end;
    token.bytes = (size_t)(stop - *at);
    *at = blank ? blank + 1 : end;
    return token;
}

void untokenize_line(const char *line, size_t bytes, struct buffer *out, size_t *end)
{
    const char *const stop = buffer_end(line, bytes);
    struct quotes quotes = {0};
    struct part before = {0}, token = cut_part(&line, stop);
    for (int joins = JOIN_RIGHT; token.bytes;) {
        const struct part next = cut_part(&line, stop);
        const int now = joins_of(before, token, next, &quotes);
        if (!(joins & JOIN_RIGHT) && !(now & JOIN_LEFT)) buffer_add_byte(out, ' ');
        if (is(token, "``") || is(token, "''"))
            buffer_add_byte(out, '"');
        else if (is(token, "`"))
            buffer_add_byte(out, '\'');
        else
            buffer_add(out, token.text, token.bytes);
        if (end) *end++ = out->bytes;
        joins = now;
        before = token;
        token = next;
    }
}
