/* From parallel text to a prepared corpus (corpus.h), as the options of a grid's section `corpus`
 * describe it.
 *
 *   text ─► pairs that are kept ─► words ─► BPE ─► vocabularies ─► token ids, references
 *
 * What is left out is counted in corpus.json, never silent:
 *   empty    train: a side without words. dev, test: kept, an empty side is just <eos>
 *   words    a side with more than max_words words, signs included (every split; train:
 *            train_max_words, too)
 *   ratio    train: a side with more than train_max_ratio times the words of the other
 *   invalid  a line that is not UTF-8 (every split), when bad_utf8 says drop-pair
 *   overlong train: a side with more than max_length pieces. dev, test: kept, cut to max_length */
#pragma once

#include "core/corpus/corpus_options.h"

/* Makes the corpus in `folder`, which is there. corpus.json is written last: without it there is no
 * corpus. `progress` gets how many sentences are done, of how many; NULL: it is not reported. */
void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context);
