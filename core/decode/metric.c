/* Selects the options, the name, the signature and the statistic of a metric by its kind. */
#include "core/decode/metric.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(member) offsetof(struct score_metric, member)
static const struct option rows[] = {
    OPTION_CHOICE(
        "metric", FIELD(kind), "sacrebleu", "sacrebleu|multi-bleu|chrf|ter", OPTION_ID,
        "metric: BLEU, chrF or TER of sacreBLEU; multi-bleu: BLEU of Moses, without tokenization"),
    OPTION_CHOICE(
        "tokenizer", FIELD(bleu.tokenizer), "13a", BLEU_TOKENIZERS, OPTION_ID,
        "BLEU: tokenizer 13a, intl (all of Unicode), zh (Chinese) or char (characters) for "
        "detokenized text; none for tokens"),
    OPTION_CHOICE("smoothing", FIELD(bleu.smoothing), "exp", "exp|none", OPTION_ID,
                  "BLEU: matches of the k-th n-gram order without a match: 1/2^k (exp) or 0"),
    OPTION_BOOL("lowercase", FIELD(bleu.lowercase), "false", OPTION_ID,
                "multi-bleu: lower-casing of ASCII letters"),
    OPTION_CHOICE("compounds", FIELD(bleu.compounds), "keep", BLEU_COMPOUNDS, OPTION_ID,
                  "multi-bleu: split: a hyphen within a word is a word of its own (tensor2tensor)"),
    CHRF_ROWS(FIELD(chrf), "chrF: "),
    TER_ROWS(FIELD(ter), "TER: "),
};
const struct section metric_section = {"score", "metrics for hypotheses", rows, COUNT_OF(rows),
                                       sizeof(struct score_metric)};

bool metric_is_bleu(const struct score_metric *metric)
{
    return metric->kind == METRIC_BLEU || metric->kind == METRIC_MULTI_BLEU;
}

void metric_check(struct score_metric *metric)
{
    const struct bleu_options *bleu = &metric->bleu;
    const struct chrf_options *chrf = &metric->chrf;
    const char *of = metric->kind == METRIC_CHRF  ? "chrf"
                     : metric->kind == METRIC_TER ? "ter"
                                                  : "BLEU";
    metric->bleu.metric = metric->kind == METRIC_MULTI_BLEU ? BLEU_MULTI_BLEU : BLEU_SACREBLEU;
    if (!metric_is_bleu(metric) &&
        (bleu->tokenizer != BLEU_13A || bleu->smoothing != BLEU_EXP || bleu->lowercase))
        die("score: --tokenizer, --smoothing and --lowercase need BLEU; the metric is %s", of);
    if (metric->kind != METRIC_MULTI_BLEU && bleu->compounds)
        die("score: --compounds needs --metric multi-bleu; the metric is %s", of);
    if (metric->kind != METRIC_CHRF &&
        (chrf->characters != chrf_default.characters || chrf->words != chrf_default.words ||
         chrf->beta != chrf_default.beta))
        die("score: --char-order, --word-order and --beta need --metric chrf; the metric is %s",
            of);
    if (metric->kind != METRIC_TER && metric->ter.case_sensitive)
        die("score: --case-sensitive needs --metric ter; the metric is %s", of);
}

void metric_of_section(const struct tree *section, enum metric_kind kind,
                       struct score_metric *metric, struct arena *arena)
{
    struct tree *own = tree_new(arena, TREE_MAP, (struct location){0});
    for (int i = 0; section && i < section->count; i++) {
        const struct tree *item = section->item[i];
        /* The value auto means the default. */
        if (item->kind == TREE_SCALAR && !strcmp(item->text, "auto")) continue;
        for (size_t k = 0; k < COUNT_OF(rows); k++)
            if (!strcmp(section->key[i]->text, rows[k].key))
                tree_add(arena, own, section->key[i], section->item[i]);
    }
    *metric = (struct score_metric){0};
    section_read(&metric_section, own, metric, arena);
    if (!tree_get(own, "metric")) metric->kind = kind;
    metric->bleu.metric = metric->kind == METRIC_MULTI_BLEU ? BLEU_MULTI_BLEU : BLEU_SACREBLEU;
}

void metric_check_sentences(struct score_metric *metric)
{
    if (metric->kind == METRIC_MULTI_BLEU || metric->bleu.smoothing != BLEU_EXP)
        die("score: --sentences: BLEU of a sentence needs smoothing; expected --metric sacrebleu "
            "and --smoothing exp");
    metric->bleu.effective = true;
}

void metric_name(const struct score_metric *metric, char name[METRIC_TEXT])
{
    if (metric->kind == METRIC_CHRF)
        chrf_name(&metric->chrf, name);
    else
        snprintf(name, METRIC_TEXT, "%s", metric->kind == METRIC_TER ? "TER" : "BLEU");
}

void metric_signature(const struct score_metric *metric, int references, const char *resampled,
                      char text[METRIC_TEXT])
{
    if (metric->kind == METRIC_CHRF)
        chrf_signature(&metric->chrf, references, resampled, text);
    else if (metric->kind == METRIC_TER)
        ter_signature(&metric->ter, references, resampled, text);
    else
        bleu_signature(&metric->bleu, references, resampled, text);
}

static bool has(const char *signature, const char *field)
{
    return strstr(signature, field) != NULL;
}

bool metric_read(const char *signature, struct score_metric *metric)
{
    struct chrf_options *chrf = &metric->chrf;
    const char *letters = strstr(signature, "|nc:");
    *metric = (struct score_metric){.kind = METRIC_TER};
    if (!has(signature, "|compat:sacrebleu-2.6.0")) return false;
    if (!strncmp(signature, "TER|", 4)) {
        metric->ter.case_sensitive = has(signature, "|case:mixed|");
        return has(signature, "|tok:tercom|norm:no|punct:yes|asian:no|");
    }
    metric->kind = METRIC_CHRF;
    return letters && sscanf(signature, "chrF%d", &chrf->beta) == 1 &&
           sscanf(letters, "|nc:%d|nw:%d|", &chrf->characters, &chrf->words) == 2 &&
           chrf->characters >= 1 && chrf->characters <= CHRF_CHARACTERS && chrf->words >= 0 &&
           chrf->words <= CHRF_WORDS && chrf->beta >= 1 && chrf->beta <= 100;
}

struct statistic metric_statistic(const struct score_metric *metric)
{
    return metric->kind == METRIC_CHRF  ? statistic_chrf(&metric->chrf)
           : metric->kind == METRIC_TER ? statistic_ter
                                        : statistic_bleu(&metric->bleu);
}

static const void *count_bleu(const struct bleu_options *options, const char *const *hypothesis,
                              const char *const *const *reference, int references, int count,
                              struct arena *arena)
{
    struct bleu_item *item = ARENA_ARRAY(arena, struct bleu_item, count);
    SCOPED(heap_free) struct bleu_stats *stats = heap_alloc(sizeof *stats * (size_t)count);
    bleu_corpus(options, hypothesis, reference, references, count, stats);
    statistic_bleu_items(stats, count, item);
    return item;
}

const void *metric_count(const struct score_metric *metric, const char *const *hypothesis,
                         const char *const *const *reference, int references, int count,
                         struct arena *arena)
{
    if (metric_is_bleu(metric))
        return count_bleu(&metric->bleu, hypothesis, reference, references, count, arena);
    const struct statistic statistic = metric_statistic(metric);
    void *item = arena_alloc(arena, statistic.bytes * (size_t)count);
    if (metric->kind == METRIC_CHRF)
        chrf_count(&metric->chrf, hypothesis, reference, references, count, item);
    else
        ter_count(&metric->ter, hypothesis, reference, references, count, item);
    return item;
}

double metric_sentence(const struct score_metric *metric, const void *item, int index)
{
    const struct statistic statistic = metric_statistic(metric);
    const void *own = (const char *)item + statistic.bytes * (size_t)index;
    const int one = 1;
    return statistic_of(&statistic, (struct strata){1, &one}, own, NULL);
}
