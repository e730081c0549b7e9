/* Reads TED talks in the training format of IWSLT (train.tags.L1-L2.L): transcripts, one sentence
 * per line, with lines of markup before each talk. Title and description are text, because they are
 * translated. Other known tags are skipped. A line with an unknown tag is text. */
#include "core/corpus/reader.h"

/* True if the line begins with <NAME, and the name ends there. */
static bool begins_with_tag(const struct sentence *line, const char *name)
{
    size_t length = strlen(name);
    if (line->bytes < length + 2 || line->text[0] != '<' ||
        memcmp(line->text + 1, name, length) != 0)
        return false;
    char next = line->text[length + 1];
    return next == '>' || next == ' ' || next == '/';
}

static bool is_markup(const struct sentence *line)
{
    static const char *const tag[] = {"url",      "keywords",   "speaker", "talkid",
                                      "reviewer", "translator", "doc",     "/doc"};
    for (size_t i = 0; i < COUNT_OF(tag); i++)
        if (begins_with_tag(line, tag[i])) return true;
    return false;
}

static void trim(struct sentence *line)
{
    while (line->bytes && (*line->text == ' ' || *line->text == '\t')) line->text++, line->bytes--;
    while (line->bytes && memchr(" \t\r", line->text[line->bytes - 1], 3)) line->bytes--;
}

/* Replaces <title>Text</title> by Text. */
static void open_tag(const struct reader *reader, struct sentence *line, const char *name)
{
    char end[32];
    size_t begin = strlen(name) + 2, length = (size_t)snprintf(end, sizeof end, "</%s>", name);
    if (line->text[begin - 1] != '>' || line->bytes < begin + length ||
        memcmp(line->text + line->bytes - length, end, length) != 0)
        die("%s:%d: <%s> does not end in %s: expected both in one line", reader->path, line->line,
            name, end);
    line->text += begin;
    line->bytes -= begin + length;
    trim(line);
}

bool reader_next_tagged(struct reader *reader, struct sentence *sentence)
{
    static const char *const text[] = {"title", "description"};
    while (reader_line(reader, sentence)) {
        trim(sentence);
        if (is_markup(sentence)) {
            reader->markup++;
            continue;
        }
        for (size_t i = 0; i < COUNT_OF(text); i++)
            if (begins_with_tag(sentence, text[i])) open_tag(reader, sentence, text[i]);
        return true;
    }
    return false;
}
