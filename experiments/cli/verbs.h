/* Lists all verbs, in the order of --help. Each verb has its own file. The verbs of a group are
 * neighbors, and the first one has the heading of the group. */
#pragma once

#include "experiments/cli/verb.h"

#define VERBS(OF)                                                                                  \
    OF(init), OF(plan), OF(run), OF(watch), OF(check), OF(doctor), OF(table), OF(claims),          \
        OF(plot), OF(report), OF(archive), OF(export), OF(ls), OF(show), OF(diff), OF(compare),    \
        OF(tag), OF(score), OF(translate), OF(encode), OF(probe), OF(logic), OF(analyze),          \
        OF(bench), OF(corpus), OF(bpe), OF(redo), OF(rm), OF(forget), OF(gc), OF(verify),          \
        OF(collect), OF(completion), OF(work)

#define VERB_NAME(name) verb_##name
#define VERB_ADDRESS(name) &verb_##name
extern const struct verb VERBS(VERB_NAME);
