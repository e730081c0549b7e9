/* Scores existing translations. The hypotheses of the stage `score` are read and verified, so
 * nothing is translated again. */
#include "experiments/stage/rescore.h"

struct bleu_options score_bleu(const struct score_options *score, const struct corpus *corpus)
{
    struct bleu_options options = bleu_options_named(corpus_bleu_tokenizer(corpus));
    options.metric = score->metric;
    if (score->tokenizer) options.tokenizer = score->tokenizer - 1;
    options.compounds = score->compounds;
    return options;
}

void rescore_check(struct kind_check *check)
{
    if (!settings_evaluated(check->resolved->settings, &evaluation_score)->asked)
        die_at(
            kind_check_place(check, ""),
            "%s: scores the translations of evaluate.bleu; expected evaluate.bleu in the grid, too",
            check->section);
}

struct scored_text rescore_text(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    const struct scored_text text =
        scored_text_read(&work->arena, stage->input[RESCORE_CORPUS]->folder,
                         stage->input[RESCORE_SCORE]->folder, NULL);
    if (text.problem) die("%s", text.problem);
    return text;
}

enum work_end rescore_by(struct stage_work *work, const struct score_metric *metric)
{
    const char *name = work->stage->kind->name;
    const struct scored_text text = rescore_text(work);
    const struct statistic statistic = metric_statistic(metric);
    const struct strata strata = {1, &text.count};
    char called[METRIC_TEXT], how[METRIC_TEXT];
    for (int set = 0; set < text.sets; set++) {
        const void *item = metric_count(metric, text.hypothesis[set], text.reference,
                                        text.references, text.count, &work->arena);
        stage_work_set(work, name, statistic_of(&statistic, strata, item, NULL), set, text.sets,
                       text.count);
        stage_work_progress(work, set + 1, text.sets, name);
    }
    metric_name(metric, called);
    metric_signature(metric, text.references, "", how);
    const char *signature = arena_print(&work->arena, "%s|%s|refs:%s|sentences:%d", called, how,
                                        text.digest, text.count);
    stage_work_text(work, "signature", signature);
    stage_work_real(work, "sentences", text.count);
    stage_work_text(work, "split", text.split);
    return WORK_DONE;
}
