/* `sanlab score`: files of hypotheses against files of references, one sentence per line, and how
 * sure their scores and differences are (Koehn 2004; Riezler and Maxwell 2005).
 *
 * Only a line feed ends a line, and a byte order mark is not text. Files of unequal line counts
 * (the message has both), invalid UTF-8 and NUL bytes (file, line, byte) and empty files are
 * refused. */
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
/* `path` as a user named it (file_read_given). */
struct score_lines score_lines_read(struct arena *arena, const char *path);

/* One system, a file of hypotheses. */
struct score_system {
    const char *path;
    const void *item; /* [sentences] of the metric's statistic */
    double score;
    bool same; /* its lines are those of the first system, which has this set, too */
};

struct score {
    const struct score_metric *metric;
    int references, sentences, systems;
    struct score_system *system; /* [systems] in the order of the files */
};

struct score score_files(struct arena *arena, const struct score_metric *metric,
                         const char *const *reference, int references,
                         const char *const *hypothesis, int hypotheses);

/* What sacreBLEU says beside a score, with its numbers for the same seed. */
enum score_test {
    SCORE_CONFIDENCE,   /* --confidence, of each system by itself */
    SCORE_BOOTSTRAP,    /* --paired-bs, against the first system */
    SCORE_RANDOMIZATION /* --paired-ar, the same */
};
struct score_result {
    double mean, half; /* of the bootstrap: mean, half of the middle 95%; NaN: not this test's */
    double p;          /* NaN: of the first system */
    double koehn;      /* the share of samples in which the better of the two is not better */
};
/* result: [systems]; samples: of the bootstrap, or trials */
void score_judge(const struct score *score, enum score_test test, int samples, uint32_t seed,
                 struct score_result *result);
