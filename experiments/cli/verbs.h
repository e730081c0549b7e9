/* The verbs that there are, one file each. */
#ifndef EXPERIMENTS_CLI_VERBS_H
#define EXPERIMENTS_CLI_VERBS_H

#include "experiments/cli/verb.h"

extern const struct verb verb_plan, verb_run, verb_ls, verb_show, verb_table, verb_claims,
    verb_plot, verb_report, verb_score, verb_bpe, verb_corpus, verb_translate, verb_collect,
    verb_doctor, verb_bench, verb_work, verb_diff, verb_tag, verb_export;

#endif
