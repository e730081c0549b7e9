/* The stage `parity`, for tests/slow/new_kind.sh: how many sentences of a side of the dev text have
 * an even number of tokens. It has all that a kind may have: a section, parts, inputs of two kinds,
 * classes, items, a column and a series of a figure. */
/* sources: ..core/corpus */
/* rank: 50 */
#include <string.h>

#include "core/config/scalar.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/stage_work.h"
#include "results/table/observations.h"
#include "results/store/items.h"
#include "results/store/offer.h"

enum { INPUT_CORPUS, INPUT_SCORE };

struct parity_options {
    struct texts sides;
    int limit;
};

static const struct option rows[] = {
    OPTION_TEXTS("sides", offsetof(struct parity_options, sides), "[source]", OPTION_NO_ID,
                 "source and target: a stage each"),
    OPTION_INT("limit", offsetof(struct parity_options, limit), "5", 1, 1000, OPTION_ID,
               "tokens of the shortest long sentence"),
};

static struct texts parts(const void *fields, struct arena *arena)
{
    const struct parity_options *options = fields;
    for (int i = 0; i < options->sides.count; i++)
        if (strcmp(options->sides.text[i], "source") && strcmp(options->sides.text[i], "target"))
            die_at(options->sides.location[i], "evaluate.parity.sides: expected source or target");
    return options->sides;
}

const struct evaluation evaluation_parity = {
    .section = SECTION("evaluate.parity", "even and odd sentences", rows, struct parity_options),
    .parts = parts};

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    return (struct estimate){.seconds = 0.01, .disk = 1e3};
}

static void write_mean(struct stage_work *work, const char *class, const struct item *item,
                       int count)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (class && strcmp(item[i].class, class) != 0) continue;
        sum += item[i].number;
        n++;
    }
    if (!n) return;
    stage_work_value(work, "even", sum / n, n, (struct value_at){.class = class});
}

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    const struct parity_options *options = stage_options(stage);
    const struct corpus *corpus = corpus_open(&work->arena, stage->input[INPUT_CORPUS]->folder);
    const struct split *dev = &corpus->split[SPLIT_DEV];
    const enum side_name side = strcmp(stage->part, "source") ? SIDE_TARGET : SIDE_SOURCE;
    struct item *item = ARENA_ARRAY(&work->arena, struct item, dev->sentences);
    for (int i = 0; i < dev->sentences; i++) {
        const int64_t tokens = dev->side[side].start[i + 1] - dev->side[side].start[i];
        item[i] = (struct item){.number = tokens % 2 ? 0 : 100,
                                .class = tokens < options->limit ? "short" : "long",
                                .stratum = ""};
    }
    stage_work_items(work, items_file(0, 1, &work->arena), item, dev->sentences);
    write_mean(work, NULL, item, dev->sentences);
    write_mean(work, "short", item, dev->sentences);
    write_mean(work, "long", item, dev->sentences);
    stage_work_real(work, "items", dev->sentences);
    stage_work_text(work, "signature", "parity|dev");
    return WORK_DONE;
}

const struct offer offer_parity = {
    .kind = "parity",
    .traits = OFFER_PARTS | OFFER_EXACT,
    VALUES(VALUE("even", "Even", NULL, .decimals = 1, .best = COLUMN_MOST, .traits = BY_CLASS,
                 .counted = "sentences", .observations = observations_items)),
    .telling = "even",
};

const struct stage_kind kind_parity = {
    .name = "parity",
    .evaluation = &evaluation_parity,
    .traits = KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "score", NULL},
    .estimate = estimate,
    .run = run,
};
