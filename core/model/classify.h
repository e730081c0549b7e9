/* The classes that a pair classifier gives to pairs, by an infer list. */
#pragma once

#include "core/corpus/labeled.h"
#include "core/model/model.h"

struct classify;

/* CLASSIFY_PAIRS at a time, but at most CLASSIFY_TOKENS tokens, or one pair of more. The list
 * takes its memory when it is first used. `labeled` lives as long. */
enum { CLASSIFY_PAIRS = 256, CLASSIFY_TOKENS = 8192 };
struct classify *classify_open(struct arena *arena, struct model *model,
                               const struct labeled *labeled);
size_t classify_bytes(const struct classify *classify);
void classify_close(struct classify *classify);

/* Writes class[0] .. class[count - 1], each the most probable one (of equal ones the first), by the
 * parameters as they are. Returns the sum of -log p of the labels. progress: NULL: no progress is
 * reported. */
double classify_pairs(struct classify *classify, const int32_t *pair, int count, int32_t *class,
                      void (*progress)(void *context, int64_t done, int64_t total), void *context);
