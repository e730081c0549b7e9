/* Computes the classes that a pair classifier predicts, with an inference list. */
#pragma once

#include "core/corpus/labeled.h"
#include "core/model/model.h"

struct classify;

/* A batch has up to CLASSIFY_PAIRS pairs and CLASSIFY_TOKENS tokens, or one longer pair. The list
 * allocates its memory on first use. `labeled` must outlive the classifier. */
enum { CLASSIFY_PAIRS = 256, CLASSIFY_TOKENS = 8192 };
struct classify *classify_open(struct arena *arena, struct model *model,
                               const struct labeled *labeled);
size_t classify_bytes(const struct classify *classify);
void classify_close(struct classify *classify);

/* Writes class[0] .. class[count - 1], the most probable class of each pair (ties: the first), with
 * the current parameters. Returns the sum of -log p of the labels. progress may be NULL. */
double classify_pairs(struct classify *classify, const int32_t *pair, int count, int32_t *class,
                      void (*progress)(void *context, int64_t done, int64_t total), void *context);
