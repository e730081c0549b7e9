/* Small corpora for tests: text in made_text (SPLIT.xx, SPLIT.yy), and made_corpus built from
 * the text. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/corpus_folder.h"
#include "core/corpus/corpus_options.h"

extern const char *made_text, *made_corpus; /* folders, made anew for every test */

/* Before a test: points $SANLAB_DATA at made_text, with three short sentences as every split, and
 * sets made_options. */
void made_begin(void);
extern struct corpus_options made_options;

void made_put_bytes(const char *name, const char *text, size_t bytes);
void made_put(const char *name, const char *text);
void made_put_all(const char *source, const char *target); /* the same text for every split */

struct texts made_part(const char *path); /* a list of one path; "" is the empty list */
/* Prepares a corpus with made_options; opens it until the next call or the end of the test. */
struct corpus *made_prepare(void);
const char *made_text_of(const struct corpus *corpus, enum split_name split, enum side_name side,
                         int sentence);
int made_id(const struct corpus *corpus, const char *token); /* of the source; VOCABULARY_UNK */
/* Returns the number at a path of corpus.json, for example "splits.train.dropped.empty". */
int made_described(const char *path);
