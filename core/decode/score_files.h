/* `sanlab score`: scores files of hypotheses against files of references, one sentence per line.
 * Computes confidence intervals and significance tests of differences (Koehn 2004; Riezler and
 * Maxwell 2005).
 *
 * Only a line feed ends a line. A byte order mark is skipped. Refuses empty files. Refuses files
 * with different numbers of lines (the message has both numbers). Refuses invalid UTF-8 and NUL
 * bytes (the message has file, line and byte). */
#pragma once

#include "core/base/arena.h"
#include "core/decode/metric.h"

/* A file of sentences. */
struct score_lines {
    const char *path;
    const char **line; /* [count] */
    int count;
    bool marked; /* the file begins with a byte order mark */
};
/* Reads the file that a user named `path` (file_read_given). */
struct score_lines score_lines_read(struct arena *arena, const char *path);

/* A system, given by a file of hypotheses. */
struct score_system {
    const char *path;
    const void *item; /* [sentences] items of the metric's statistic */
    double score;
    bool same; /* its lines equal the first system's; also true for the first system */
};

struct score {
    const struct score_metric *metric;
    int references, sentences, systems;
    struct score_system *system; /* [systems] in the order of the files */
};

struct score score_files(struct arena *arena, const struct score_metric *metric,
                         const char *const *reference, int references,
                         const char *const *hypothesis, int hypotheses);

/* Significance tests of sacreBLEU. For the same seed, the results equal sacreBLEU's. */
enum score_test {
    SCORE_CONFIDENCE,   /* --confidence, for each system alone */
    SCORE_BOOTSTRAP,    /* --paired-bs, against the first system */
    SCORE_RANDOMIZATION /* --paired-ar, against the first system */
};
struct score_result {
    /* bootstrap: mean of the samples, half of the width of their 95% interval; NaN for
     * SCORE_RANDOMIZATION */
    double mean, half;
    double p; /* p-value; NaN for the first system and for SCORE_CONFIDENCE */
    /* SCORE_BOOTSTRAP: fraction of the samples in which the system that is better on the whole
     * files is not better; else NaN. */
    double koehn;
};
/* Fills result [systems]. `samples` is the number of bootstrap samples or of trials. */
void score_judge(const struct score *score, enum score_test test, int samples, uint32_t seed,
                 struct score_result *result);
