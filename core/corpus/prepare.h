/* Prepares a corpus (corpus_folder.h) from parallel text, by the options of a grid's section
 * `corpus`.
 *
 *   text ─► pairs that are kept ─► words ─► BPE ─► vocabularies ─► token ids, references
 *
 * Dropped pairs are counted in corpus.json:
 *   empty    train: a side without words. dev, test: kept; an empty side has only <eos>
 *   words    every split: a side with more than max_words words, punctuation included; train:
 *            also a side with more than train_max_words words
 *   ratio    train: a side with more than train_max_ratio times the words of the other side
 *   invalid  every split: a line that is not UTF-8, if bad_utf8 is drop-pair
 *   overlong train: a side with more than max_length pieces. dev, test: kept, cut to max_length */
#pragma once

#include "core/corpus/corpus_options.h"

/* Makes the corpus in `folder`, which must exist. corpus.json is written last, so a folder without
 * corpus.json is not a corpus. `progress`, if not NULL, receives the number of sentences done and
 * their total. */
void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context);
