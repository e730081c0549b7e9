/* Classifiers of the head of each word: a softmax over the words of its sentence (Hewitt and Liang
 * 2019, dependency edge prediction). The energy of the word i and the head j with the vectors x is
 *
 *     x_i' A x_j                              linear, A [D, D]
 *     w' relu(U'x_i + V'x_j + b)              with hidden units, U and V [D, units]
 *
 * The loss is the mean cross entropy of the words of a batch of 16 sentences. Adam, evaluations and
 * stopping are those of word_protocol. A starts uniform between -1/D and 1/D, other parameters
 * between -1/sqrt(K) and 1/sqrt(K) for K inputs. Random streams: words.heads (value i of the
 * parameters A, or U, V, b, w) and words.heads.epoch. */
#pragma once

#include "probes/word_job.h"

/* Sentences, as indices into words->sentence. */
struct word_heads_text {
    const int32_t *sentence;
    int count;
};
/* Trains a classifier of `head` [words] on `train`, with this number of hidden units. Sets
 * trained->dev. If trained->predicted is not NULL, predicts the heads of all words outside of the
 * set train. Returns the codelength of `coded`, in bits. */
double word_heads_train(const struct word_probe_job *job, const int32_t *head, int hidden,
                        struct word_heads_text train, struct word_trained *trained,
                        struct word_heads_text coded);
