/* The verbs that there are, one file each, in the order of --help. */
#ifndef EXPERIMENTS_CLI_VERBS_H
#define EXPERIMENTS_CLI_VERBS_H

#include "experiments/cli/verb.h"

#define VERBS(DO)                                                                                  \
    DO(plan)                                                                                       \
    DO(run)                                                                                        \
    DO(ls)                                                                                         \
    DO(show)                                                                                       \
    DO(diff)                                                                                       \
    DO(compare)                                                                                    \
    DO(tag)                                                                                        \
    DO(table)                                                                                      \
    DO(claims)                                                                                     \
    DO(plot)                                                                                       \
    DO(report)                                                                                     \
    DO(export)                                                                                     \
    DO(score)                                                                                      \
    DO(translate)                                                                                  \
    DO(bpe)                                                                                        \
    DO(corpus)                                                                                     \
    DO(collect)                                                                                    \
    DO(gc)                                                                                         \
    DO(verify)                                                                                     \
    DO(check)                                                                                      \
    DO(bench)                                                                                      \
    DO(doctor)                                                                                     \
    DO(work)

#define VERB_DECLARE(name) extern const struct verb verb_##name;
VERBS(VERB_DECLARE)

#endif
