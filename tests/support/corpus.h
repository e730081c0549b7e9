/* Small corpora for tests: text in made_text (SPLIT.xx, SPLIT.yy), and made_corpus built from
 * the text. */
#pragma once

#include "core/config/scalar.h"
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_options.h"

extern const char *made_text, *made_corpus;               /* folders, made anew for every test */
extern const char *const made_source, *const made_target; /* three sentences each */

void made_begin(void); /* before a test; points $SANLAB_DATA at made_text */

void made_put_bytes(const char *name, const char *text, size_t bytes);
void made_put(const char *name, const char *text);
void made_put_all(const char *source, const char *target); /* the same text for every split */

struct texts made_part(const char *path); /* a list of one path; "" is the empty list */
struct corpus_options made_options(void);
struct corpus *made_prepare(const struct corpus_options *options);
const char *made_text_of(const struct corpus *corpus, enum split_name split, enum side_name side,
                         int sentence);
int made_id(const struct corpus *corpus, const char *token); /* of the source; VOCABULARY_UNK */
/* Returns the number at a path of corpus.json, for example "splits.train.dropped.empty". */
int made_described(const char *path);
