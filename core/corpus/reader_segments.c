/* Reads test sets of shared tasks as mteval does: <doc docid="..."> contains <seg
 * id="...">text</seg>. The file is SGML or XML, and tags may be in upper or lower case. Titles,
 * paragraphs and all other text outside of <seg> are ignored. */
#include <stdlib.h>
#include <strings.h>

#include "core/corpus/reader.h"
#include "core/text/utf8.h"

/* True if the text at `at` begins with <NAME, and the name ends there. */
static bool is_tag(const char *at, const char *end, const char *name)
{
    size_t length = strlen(name);
    return (size_t)(end - at) > length + 1 && *at == '<' && !strncasecmp(at + 1, name, length) &&
           strchr(" \t\r\n>", at[length + 1]);
}

/* Returns the '>' of the tag at `at`. */
static const char *tag_end(const struct reader *reader, const char *at)
{
    const char *stop = memchr(at, '>', (size_t)(reader->end - at));
    if (!stop) die("%s:%d: a tag does not end in '>'", reader->path, reader->line);
    return stop;
}

/* Appends the value of an attribute of the tag [at, stop), quoted or not. Returns false if the tag
 * lacks the attribute. */
static bool add_attribute(struct buffer *out, const char *at, const char *stop, const char *name)
{
    size_t length = strlen(name);
    for (; stop - at > (ptrdiff_t)length + 1; at++) {
        if (!strchr(" \t\r\n", *at) || strncasecmp(at + 1, name, length) != 0 ||
            at[length + 1] != '=')
            continue;
        at += length + 2;
        char quote = at < stop && (*at == '"' || *at == '\'') ? *at++ : 0;
        while (at < stop && (quote ? *at != quote : !strchr(" \t\r\n", *at)))
            buffer_add_byte(out, *at++);
        return true;
    }
    return false;
}

/* Moves the reader forward to `to`, and updates its line number. */
static void advance(struct reader *reader, const char *to)
{
    for (; reader->at < to; reader->at++) reader->line += *reader->at == '\n';
}

/* Appends the character of the XML entity at `at` (&amp; &lt; &gt; &quot; &apos; &#N; &#xN;).
 * Returns the end of the entity; NULL if there is none. */
static const char *add_entity(struct buffer *out, const char *at, const char *end)
{
    static const struct {
        const char *name;
        uint32_t code;
    } entity[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    enum { LONGEST = 10 };
    size_t left = (size_t)(end - at);
    const char *stop = memchr(at, ';', left < LONGEST ? left : LONGEST);
    if (!stop) return NULL;
    uint32_t code = 0;
    if (at[1] == '#') {
        char *after;
        bool hex = at[2] == 'x' || at[2] == 'X';
        unsigned long value = strtoul(at + 2 + hex, &after, hex ? 16 : 10);
        bool valid = after == stop && value > 0 && value < 0x110000 && value - 0xD800 >= 0x800;
        code = valid ? (uint32_t)value : 0;
    }
    for (size_t i = 0; i < COUNT_OF(entity); i++)
        if (strlen(entity[i].name) == (size_t)(stop - at - 1) &&
            !memcmp(entity[i].name, at + 1, (size_t)(stop - at - 1)))
            code = entity[i].code;
    if (!code) return NULL;
    if (code == '\n') code = ' ';
    out->bytes += (size_t)utf8_put(code, buffer_room(out, UTF8_MOST));
    return stop + 1;
}

/* Appends text. Line breaks become blanks, and entities become characters. An & that does not begin
 * an entity is copied, because SGML of shared tasks contains such characters. */
static void add_text(struct buffer *out, const char *at, const char *end)
{
    while (at < end) {
        const char *next = *at == '&' ? add_entity(out, at, end) : NULL;
        if (next) {
            at = next;
        } else {
            buffer_add_byte(out, *at == '\n' ? ' ' : *at);
            at++;
        }
    }
}

/* Reads from the <seg> at `reader->at` to the end of its </seg>. */
static void read_segment(struct reader *reader, struct sentence *sentence)
{
    *sentence = (struct sentence){.line = reader->line};
    const char *open = tag_end(reader, reader->at), *stop = open + 1;
    while ((stop = memchr(stop, '<', (size_t)(reader->end - stop))) &&
           !is_tag(stop, reader->end, "/seg") && !is_tag(stop, reader->end, "seg"))
        stop++;
    if (!stop || !is_tag(stop, reader->end, "/seg"))
        die("%s:%d: this <seg> has no </seg>", reader->path, reader->line);

    buffer_clear(&reader->id);
    buffer_add(&reader->id, reader->document.text, reader->document.bytes);
    if (!add_attribute(&reader->id, reader->at, open, "id"))
        die("%s:%d: this <seg> has no id: expected <seg id=\"...\">", reader->path, reader->line);
    buffer_add_byte(&reader->id, 0);
    buffer_clear(&reader->text);
    add_text(&reader->text, open + 1, stop);
    advance(reader, tag_end(reader, stop) + 1);
    sentence->text = reader->text.bytes ? reader->text.text : "";
    sentence->bytes = reader->text.bytes;
    sentence->id = reader->id.text;
}

bool reader_next_segment(struct reader *reader, struct sentence *sentence)
{
    const char *at;
    while ((at = memchr(reader->at, '<', (size_t)(reader->end - reader->at)))) {
        advance(reader, at);
        if (is_tag(at, reader->end, "seg")) {
            read_segment(reader, sentence);
            return true;
        }
        if (is_tag(at, reader->end, "doc")) {
            buffer_clear(&reader->document);
            if (add_attribute(&reader->document, at, tag_end(reader, at), "docid"))
                buffer_add_byte(&reader->document, ' ');
        }
        advance(reader, at + 1);
    }
    if (!reader->sentences)
        die("%s: no <seg> found: expected a test set in SGML or XML", reader->path);
    return false;
}
