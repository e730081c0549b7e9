/* `sanlab score`: scores files of hypotheses against files of references, one sentence per line.
 * Computes confidence intervals and tests of differences (Koehn 2004; Riezler and Maxwell 2005).
 *
 * A line ends only at a line feed; a byte order mark is not text. Refuses files with different
 * numbers of lines (the message has both), invalid UTF-8 and NUL bytes (file, line, byte), and
 * empty files. */
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

/* One system, a file of hypotheses. */
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

/* Tests of sacreBLEU, with equal results for the same seed. */
enum score_test {
    SCORE_CONFIDENCE,   /* --confidence, for each system alone */
    SCORE_BOOTSTRAP,    /* --paired-bs, against the first system */
    SCORE_RANDOMIZATION /* --paired-ar, against the first system */
};
struct score_result {
    double mean, half; /* bootstrap: mean, half of the middle 95%; NaN for other tests */
    double p;          /* NaN for the first system */
    /* Fraction of samples in which the better system is not better. */
    double koehn;
};
/* Fills result [systems]. `samples` is the number of bootstrap samples or of trials. */
void score_judge(const struct score *score, enum score_test test, int samples, uint32_t seed,
                 struct score_result *result);
