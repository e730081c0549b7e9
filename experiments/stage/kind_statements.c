/* The stage `statements`: statements of logic as vectors of a frozen encoder, each once, for the
 * classifiers of pairs (kind_inference.c) that read them: trained.npy, and start.npy of the encoder
 * before it was trained. An encoder of translations reads text, one of the task logic symbols. */
/* sources: ..core/model core/corpus/labeled.* core/corpus/known_words.* core/base/npy.* logic
 * probes/vectors.* core/train/relating.* experiments/stage/inference_pairs.*
 * experiments/stage/inference_text.* experiments/stage/logic_files.*
 * experiments/stage/stage_relate.* */
#include <string.h>

#include "code.h"
#include "core/base/npy.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/inference_pairs.h"
#include "experiments/stage/inference_text.h"
#include "experiments/stage/logic_files.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_relate.h"
#include "probes/vectors.h"
#include "results/store/offer.h"

static const char rules_option[] = "evaluate.inference.rules";

static const struct inference_options *options_of(const struct stage *stage)
{
    return inference_options_at(stage->settings);
}

/* The training whose encoder it is. */
static const struct stage *training_of(const struct stage *stage)
{
    return stage->input[stage->inputs - 1];
}

static bool reads_symbols(const struct stage *stage)
{
    return !strcmp(training_of(stage)->kind->name, "relate");
}

/* ---- before anything runs ---- */

static void find_files(struct stage *stage, struct arena *arena)
{
    const char *said = options_of(stage)->rules;
    const char *rules = stage_rules_file(stage, said, rules_option, arena);
    logic_files_find(stage, &options_of(stage)->logic, arena);
    struct input_file *all = ARENA_ARRAY(arena, struct input_file, stage->files + 1);
    for (int i = 0; i < stage->files; i++) all[i] = stage->file[i];
    stage->file = all;
    stage_digest_rules(stage, said, rules, arena);
}

/* Dies at an option of the section that has another value than this task allows. */
static void check_value(const struct tree *point, const char *name, bool good, const char *why)
{
    struct arena arena = {0};
    const char *key = arena_print(&arena, "%s.%s", inference_section.name, name);
    if (!good) die_at(tree_place(point, key), "%s: %s", key, why);
    arena_free(&arena);
}

/* A model of the task logic reads symbols, as they are. */
static void check_task(const struct tree *point, const struct inference_options *options,
                       bool symbols)
{
    check_value(point, "end", !symbols || options->end,
                "statements of the task logic have no end symbol; expected true");
    check_value(point, "rules", !symbols || !strcmp(options->rules, "none"),
                "models of the task logic read symbols, not text; expected none");
    check_value(point, "pool", symbols || options->pool != INFERENCE_OWN,
                "own is of models of the task logic; expected mean, max or last");
}

static void check_point(const struct grid *grid, const struct grid_point *point,
                        const struct stage_kind *kind)
{
    struct arena arena = {0};
    const struct inference_options *options = inference_options_at(&point->settings);
    const char *rules = rewrite_file(&arena, options->rules,
                                     tree_place(point->options, rules_option), rules_option);
    stage_frozen_check(point->options, kind->evaluation->section->name, options->checkpoint);
    logic_files_check(point->options, "evaluate.inference", &options->logic);
    check_task(point->options, options, !strcmp(grid->task, "logic"));
    if (rules) {
        const struct formula_names names = logic_files_names(&options->logic);
        inference_check_rules(rewrite_read(&arena, rules), rules, &names,
                              tree_place(point->options, rules_option));
    }
    arena_free(&arena);
}

/* About as many statements and pieces as the published files have for so many pairs. */
enum { STATEMENTS = 80000 };
static const double pieces_each = 25, symbols_each = 20;

static void count_forward(struct stage *stage, struct estimate *estimate, struct arena *arena)
{
    if (reads_symbols(stage)) {
        const struct pair_options model = logic_model(training_of(stage)->settings);
        const struct pair_cost cost =
            pair_classifier_train_cost(&model, STATEMENTS / 2, symbols_each * STATEMENTS);
        estimate->flops = cost.flops / 3, estimate->work = cost.work / 3;
    } else {
        const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
        const struct translator_cost cost =
            facts_forward_cost(stage->settings, facts, pieces_each * STATEMENTS, 0);
        estimate->flops = cost.flops, estimate->work = cost.work;
    }
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    struct estimate all = {0};
    const int passes = 1 + options_of(stage)->start;
    const double bytes =
        (double)STATEMENTS * stage->settings->translator.model.width * (double)sizeof(float);
    count_forward(stage, &all, arena);
    all.flops *= passes, all.work *= passes;
    all.memory = bytes, all.disk = passes * bytes;
    return all;
}

/* ---- the work ---- */

/* The statements as that training's model reads them, and what that tells of its text. */
static struct split read_text(struct stage_work *work, const struct inference_pairs *pairs)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    if (reads_symbols(stage)) return labeled_chosen(arena, &pairs->data, pairs->row);
    const char *rules = stage_rules_file(stage, options_of(stage)->rules, rules_option, arena);
    const struct tokenized_reading reading = {.rules = rules ? rewrite_read(arena, rules) : NULL};
    struct corpus *corpus = corpus_open(arena, stage->input[FROZEN_CORPUS]->folder);
    const struct inference_text text =
        inference_text_read(arena, corpus, &reading, &pairs->text, pairs->row);
    corpus_close(corpus);
    for (int s = 0; s < pairs->names.symbols; s++)
        journal_mean(work->journal, "occurrences", (double)text.of[s], JOURNAL_NONE,
                     pairs->names.name[s], text.words);
    stage_work_count(work, "words", text.words);
    stage_work_real(work, "unknown_pieces", 100. * (double)text.unknown / (double)text.pieces);
    return text.split;
}

static struct frozen *open_encoder(struct stage_work *work, const struct pair_options *model,
                                   const char *checkpoint)
{
    if (!reads_symbols(work->stage)) return stage_work_frozen(work, checkpoint);
    return relate_frozen(work, training_of(work->stage), model, checkpoint);
}

/* Both passes of the statements together: a second one goes on where the first one ended. */
struct passes {
    struct stage_work *work;
    int done, count;
};

static void progress(void *context, int64_t done, int64_t total)
{
    const struct passes *passes = context;
    stage_work_sentences(passes->work, passes->done * total + done, passes->count * total);
}

/* NAME.npy: a row for each statement. */
static void write_vectors(struct passes *passes, const struct split *text, const char *checkpoint,
                          const char *name)
{
    struct stage_work *work = passes->work;
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct inference_options *options = options_of(stage);
    const bool own = options->pool == INFERENCE_OWN;
    const char *const path[] = {own ? "pool" : "encoder.output"};
    const struct vectors_form form = {own ? POOL_MEAN : (enum pooling)options->pool, options->end};
    const struct pair_options model =
        reads_symbols(stage) ? logic_model(training_of(stage)->settings) : (struct pair_options){0};
    struct frozen *frozen = open_encoder(work, &model, checkpoint);
    frozen->job.progress = progress, frozen->job.progress_context = passes;
    frozen_load(frozen, 0);
    const struct vectors *vectors = vectors_measure(frozen, text, form, path, 1, arena);
    frozen_close(frozen);
    const char *file = arena_print(arena, "%s.npy", name);
    npy_write(arena_print(arena, "%s/%s", stage->folder, file), vectors->number, vectors->rows,
              vectors->columns);
    stage_work_output(work, file);
    passes->done++;
}

static enum work_end run(struct stage_work *work)
{
    const struct inference_options *options = options_of(work->stage);
    struct passes passes = {.work = work, .count = 1 + options->start};
    struct inference_pairs *pairs = inference_pairs_read(&work->arena, work->stage);
    const struct split text = read_text(work, pairs);
    stage_work_count(work, "statements", text.sentences);
    write_vectors(&passes, &text, options->checkpoint, INFERENCE_TRAINED);
    if (options->start) write_vectors(&passes, &text, "start", INFERENCE_START);
    inference_pairs_close(pairs);
    return WORK_DONE;
}

static const struct measure measures[] = {
    {.name = "statements", .header = "Statements", .help = "each once", .form = COLUMN_EXACT},
    {.name = "occurrences",
     .header = "Occurrences",
     .help = "of each symbol, which are its classes, as a word of the encoder's source text",
     .form = COLUMN_EXACT,
     .dimensions = 1u << DIMENSION_CLASS},
    {.name = "unknown_pieces",
     .header = "Unknown pieces",
     .help = "% of the statements' pieces that are <unk>",
     .decimals = 1},
};
const struct offer offer_statements = {
    .kind = "statements",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .numbers = "words",
    .numeric = true,
};

const struct stage_kind kind_statements = {
    .name = "statements",
    .help = "statements of logic as vectors of a frozen encoder",
    .version = 1,
    .code = CODE_statements,
    .evaluation = &evaluation_inference,
    .ignores = (const char *const[]){"evaluate.inference.features=", "evaluate.inference.protocol=",
                                     "evaluate.inference.standardize=", NULL},
    .computes = true,
    .rank = 66,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .other_inputs = (const char *const[]){"relate", NULL},
    .find_files = find_files,
    .check_point = check_point,
    .estimate = estimate,
    .run = run,
    .opened = "*.npy",
};
