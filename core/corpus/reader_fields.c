/* Reads lines of fields, such as ASPEC's "0.9 ||| ID ||| 1 ||| Japanese ||| English". The layout
 * selects the field of a side. Blanks around a field are ignored. All lines of a file must have the
 * same number of fields. */
#include "core/corpus/reader.h"

static const char *find(const char *at, const char *end, const char *separator, size_t length)
{
    for (; (at = memchr(at, *separator, (size_t)(end - at))); at++)
        if ((size_t)(end - at) >= length && !memcmp(at, separator, length)) return at;
    return end;
}

static int count_fields(const struct sentence *line, const char *separator, size_t length)
{
    int fields = 1;
    const char *end = line->text + line->bytes;
    for (const char *at = line->text; (at = find(at, end, separator, length)) < end; at += length)
        fields++;
    return fields;
}

bool reader_next_field(struct reader *reader, struct sentence *sentence)
{
    struct sentence line;
    if (!reader_line(reader, &line)) return false;
    const char *separator = reader->layout.separator;
    const size_t length = strlen(separator);
    const int fields = count_fields(&line, separator, length), wanted = reader->layout.field;
    if (!reader->fields) reader->fields = fields;
    if (fields != reader->fields)
        die("%s:%d: %d fields, expected %d as in the lines before", reader->path, line.line, fields,
            reader->fields);
    int skip = wanted > 0 ? wanted - 1 : fields + wanted;
    if (skip < 0 || skip >= fields)
        die("%s:%d: %d fields, expected at least %d: field %d is a sentence", reader->path,
            line.line, fields, wanted > 0 ? wanted : -wanted, wanted);

    const char *at = line.text, *end = line.text + line.bytes;
    while (skip--) at = find(at, end, separator, length) + length;
    end = find(at, end, separator, length);
    while (at < end && *at == ' ') at++;
    while (at < end && end[-1] == ' ') end--;
    *sentence = (struct sentence){.text = at, .bytes = (size_t)(end - at), .line = line.line};
    return true;
}
