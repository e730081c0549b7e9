/* The sentences of a probing task as an encoder reads them, and how far they are from what it was
 * trained on. */
#pragma once

#include "core/corpus/tokenized.h"
#include "probes/task_data.h"

struct task_text {
    struct split split; /* its source is the task's sentences, in the order of the file */
    /* Sums over all sentences. */
    int64_t tokens;        /* of the file, */
    int64_t changed;       /* of them changed by rules */
    int64_t words;         /* as the encoder reads them, */
    int64_t unknown_words; /* of them not in its train text */
    int64_t pieces;        /* without <eos>, */
    int64_t unknown_pieces;
    int64_t long_sentences; /* with more pieces than 99% of the train lines */
};
/* Dies at FILE:LINE of a sentence of too many pieces (tokenized.h). In the arena. */
struct task_text task_text_read(struct arena *arena, const struct corpus *corpus,
                                const struct tokenized_reading *reading,
                                const struct task_data *data);
