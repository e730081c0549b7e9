/* From parallel text to a prepared corpus (corpus.h): the section `corpus` of a grid, and the stage
 * that it describes.
 *
 *   text ─► pairs that are kept ─► words ─► BPE ─► vocabularies ─► token ids, references
 *
 * What is left out is counted in corpus.json, never silent:
 *   empty    train: a side without words. dev, test: kept, an empty side is just <eos>
 *   words    a side with more than max_words words, signs included (every split)
 *   invalid  a line that is not UTF-8 (every split), when bad_utf8 says drop-pair
 *   overlong train: a side with more than max_length pieces. dev, test: kept, cut to max_length */
#ifndef CORE_TEXT_PREPARE_H
#define CORE_TEXT_PREPARE_H

#include "core/base/digest.h"
#include "core/config/option.h"
#include "core/text/corpus.h"

enum corpus_text_kind {
    CORPUS_TOKENS, /* words stand between blanks; scored on words */
    CORPUS_RAW     /* tokenized here, reversibly; scored as text, against the text */
};

enum corpus_bad_utf8 { BAD_UTF8_ERROR, BAD_UTF8_DROP_PAIR };

struct corpus_options {
    const char *source, *target; /* languages: the endings of the files */
    const char *prefix[SPLITS];  /* files are prefix.source and prefix.target; "": no split */
    int limit[SPLITS];           /* pairs that are taken at most; 0: all */
    const char *codes;           /* file of ready merges; "": learn them */
    int merges;                  /* that are learned at most */
    bool joint;                  /* one vocabulary for both sides */
    int threshold;               /* pieces that are rarer in train are split again */
    int max_length;              /* pieces of a sentence with <eos> */
    int max_words;               /* 0: any */
    int text, bad_utf8;          /* enum corpus_text_kind, enum corpus_bad_utf8 */
    bool lowercase;
};
extern const struct section corpus_section;

/* Where a relative path of data lies: under $SANLAB_DATA, else under data/; the first where there
 * is a file. An absolute path is itself. NULL when there is none. */
const char *corpus_data_path(struct arena *arena, const char *path);

/* A file that the corpus is made from. */
struct corpus_input {
    const char *name;         /* "train.source", "codes" */
    const char *path;         /* as the options have it */
    const char *file;         /* where it is, or NULL: missing */
    char digest[DIGEST_TEXT]; /* of its content; empty when missing */
};
enum { CORPUS_INPUTS = SPLITS * SIDES + 1 };
/* Fills input[] and returns how many there are; for identities, and to say what is missing. Dies
 * when the options contradict each other. `digest` is digest_file, or one that remembers. */
int corpus_inputs(const struct corpus_options *options, struct arena *arena,
                  void (*digest)(const char *path, char text[DIGEST_TEXT]),
                  struct corpus_input input[CORPUS_INPUTS]);

/* Makes the corpus in `folder`, which is there. corpus.json is written last: without it there is no
 * corpus. `progress` is told the sentences that are done, of how many; it may be NULL. */
void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context);

#endif
