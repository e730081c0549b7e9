/* The functions and units of the text formats. */
#include "core/corpus/reader.h"

static const struct {
    bool (*next)(struct reader *reader, struct sentence *sentence);
    const char *unit;
} formats[] = {
    [READER_LINES] = {reader_line, "lines"},
    [READER_TAGGED] = {reader_next_tagged, "lines of text"},
    [READER_SEGMENTS] = {reader_next_segment, "segments"},
    [READER_FIELDS] = {reader_next_field, "lines"},
};

bool reader_next(struct reader *reader, struct sentence *sentence)
{
    if (!formats[reader->layout.format].next(reader, sentence)) return false;
    reader->sentences++;
    return true;
}

const char *reader_unit(const struct reader *reader)
{
    return formats[reader->layout.format].unit;
}
