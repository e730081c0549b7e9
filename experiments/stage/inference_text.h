/* Statements of logic as text that a translation encoder reads: through rules and through the
 * corpus's own lower-casing and merges, as the sentences of probing tasks.
 *
 * An encoder can tell statements apart only where it can tell their symbols apart. So no two
 * symbols may become one, neither by rules nor as ids (both unknown); and how often each stands in
 * the text that the encoder was trained on is counted: pieces may be known from the other language
 * of a joint vocabulary, so that unknown pieces say nothing. */
#pragma once

#include "core/corpus/tokenized.h"
#include "logic/pairs.h"

/* Dies at the place where rules take a symbol away, or make one of two. */
void inference_check_rules(const struct rewrite_rules *rules, const char *file,
                           const struct formula_names *names, struct place place);

struct inference_text {
    struct split split;          /* source: the statements that are wanted, in their order */
    int64_t words;               /* of the training text's source */
    int64_t of[FORMULA_SYMBOLS]; /* of them each symbol, as rules leave it */
    int64_t pieces, unknown;     /* of the statements; of them <unk> */
};
/* `row` [statements]: below 0 it is not wanted. In the arena. Dies where two symbols have the same
 * ids. */
struct inference_text inference_text_read(struct arena *arena, const struct corpus *corpus,
                                          const struct tokenized_reading *reading,
                                          const struct logic_pairs *pairs, const int32_t *row);
