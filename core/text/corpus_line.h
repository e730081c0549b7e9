/* The way of one line: text as it came ─► clean text ─► words ─► pieces ─► ids; and back. */
#ifndef CORE_TEXT_CORPUS_LINE_H
#define CORE_TEXT_CORPUS_LINE_H

#include "core/text/bpe.h"
#include "core/text/buffer.h"
#include "core/text/corpus.h"

/* How text is read. */
struct line_format {
    bool raw;       /* text that we tokenize; else words between blanks */
    bool segmented; /* raw text in which blanks beside Han and Kana are no text */
    bool lowercase; /* by Unicode's simple mapping, character by character */
};

/* The line as a reference: no white space at its ends and, unless it is raw, single blanks between
 * words (tabs, CR and the like separate words). Appends to `out`. Valid UTF-8 only. */
void line_clean(struct line_format format, const char *line, size_t bytes, struct buffer *out);
/* A clean line as words between single blanks. */
void line_words(struct line_format format, const char *clean, size_t bytes, struct buffer *out);
/* Words between blanks as text for the metric. */
void line_text(struct line_format format, const char *words, size_t bytes, struct buffer *out);

/* Lines to ids with the merges of a prepared corpus, which the first line makes it read. The
 * encoder lives in the arena, what it reads on the heap until it is closed. */
struct line_encoder *line_encoder_new(struct arena *arena);
void line_encoder_close(struct line_encoder *encoder);
int32_t *line_encode(struct line_encoder *encoder, struct arena *arena, const struct corpus *corpus,
                     enum side_name side, const char *line, int *count);

#endif
