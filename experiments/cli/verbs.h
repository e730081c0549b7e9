/* The verbs that there are, one file each, in the order of --help. */
#ifndef EXPERIMENTS_CLI_VERBS_H
#define EXPERIMENTS_CLI_VERBS_H

#include "experiments/cli/verb.h"

#define VERBS(OF)                                                                                  \
    OF(plan), OF(run), OF(watch), OF(ls), OF(show), OF(diff), OF(compare), OF(tag), OF(table),     \
        OF(claims), OF(plot), OF(report), OF(archive), OF(export), OF(score), OF(translate),       \
        OF(encode), OF(probe), OF(logic), OF(analyze), OF(bpe), OF(corpus), OF(collect), OF(gc),   \
        OF(rm), OF(forget), OF(redo), OF(verify), OF(check), OF(bench), OF(doctor),                \
        OF(completion), OF(work)

#define VERB_NAME(name) verb_##name
#define VERB_ADDRESS(name) &verb_##name
extern const struct verb VERBS(VERB_NAME);

#endif
