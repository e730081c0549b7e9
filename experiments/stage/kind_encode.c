/* The stage `encode` computes vectors of the sentences of a probing task with a frozen encoder. It
 * writes one file for each path, and statistics of the task's text. */
/* sources: ..core/model probes/vectors.* probes/kept_rows.* probes/task* core/base/npy.* */
/* rank: 40 */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/tokenized.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/probe_options.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_work.h"
#include "probes/task_audit.h"
#include "probes/tasks.h"
#include "probes/vectors.h"
#include "results/store/offer.h"

struct encode_options {
    struct tasks tasks;
    struct texts keep;
    const char *checkpoint, *rules;
    int pool;
    bool end, lowercase, start;
};
#define FIELD(member) offsetof(struct encode_options, member)

static void tasks_custom_read(const struct tree *value, void *field, struct arena *arena)
{
    *(struct tasks *)field = tasks_asked(arena, value, "evaluate.encode.tasks");
}
static const struct option_custom tasks_custom = {"senteval, a file, a list", tasks_custom_read,
                                                  NULL, NULL};

static const struct option rows[] = {
    OPTION_CUSTOM("tasks", FIELD(tasks), "[]", &tasks_custom, OPTION_NO_ID,
                  "tasks whose sentences are encoded, one stage each: those of a file, some of "
                  "senteval's by name, or {name, file, group, origin}"),
    OPTION_TEXTS(
        "keep", FIELD(keep), "[encoder.output]", OPTION_ID,
        "vectors that are kept: encoder.output, encoder.2, encoder.group.1, .., bag; layers: "
        "every layer, with a short-cut also encoder.output"),
    OPTION_ENCODER(FIELD(checkpoint)),
    OPTION_BOOL("start", FIELD(start), "false", OPTION_NO_ID,
                "stage TASK@start for each task, in addition, with the parameters before training"),
    OPTION_CHOICE("pool", FIELD(pool), "mean", "mean|max|last", OPTION_ID,
                  "pooling of a sentence's piece vectors"),
    OPTION_BOOL("end", FIELD(end), "true", OPTION_ID, "inclusion of the end symbol in the pooling"),
    OPTION_TEXT("rules", FIELD(rules), "", OPTION_NO_ID,
                "rules that first rewrite tokens: moses, tatoeba, a path to a .tsv, or none"),
    OPTION_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
                "lower-casing of sentences, for a corpus that was lower-cased"),
};

static struct texts parts(const void *fields, struct arena *arena)
{
    const struct encode_options *options = fields;
    struct texts parts = {0};
    for (int i = 0; i < options->tasks.count; i++) {
        const struct probe_task *task = &options->tasks.task[i];
        for (int start = 0; start <= options->start; start++)
            texts_add(&parts, arena_print(arena, "%s%s", task->name, start ? VECTORS_START : ""),
                      task->location, arena);
    }
    return parts;
}

const struct evaluation evaluation_encode = {
    .section = SECTION("evaluate.encode", "sentences of probing tasks as vectors", rows,
                       struct encode_options),
    .parts = parts};

static const struct encode_options *options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_encode)->fields;
}

struct texts encode_paths(const struct settings *settings)
{
    return options_at(settings)->keep;
}

const char *encode_caption(const struct settings *settings, struct arena *arena)
{
    static const char *const pools[] = {"mean", "maximum", "the last"};
    const struct encode_options *options = options_at(settings);
    const bool ruled = *options->rules && strcmp(options->rules, "none") != 0;
    const char *rules = ruled ? arena_print(arena, ", rules %s", options->rules) : "";
    return arena_print(arena, "%s of the pieces%s%s%s, checkpoint %s", pools[options->pool],
                       options->end ? " and the end symbol" : "", rules,
                       options->lowercase ? ", lower-cased" : "", options->checkpoint);
}

static const char *lacks(const struct settings *settings)
{
    return options_at(settings)->tasks.count > 0 ? NULL : "";
}

/* Version 2 measures the last layer of an encoder with a short-cut at the output of the layer.
 * Version 1 measured encoder.output instead. */
static int version(const struct stage *stage)
{
    const struct texts *keep = &options_at(stage->settings)->keep;
    for (int i = 0; i < keep->count; i++)
        if (vectors_is_own_last(&stage->settings->translator.encoder, keep->text[i])) return 2;
    return 1;
}

/* Completes the options of rows that request vectors without a probe. A file of tasks is replaced
 * by its tasks, and `layers` by the paths of the layers. */
static void ask(struct grid *grid, struct arena *arena)
{
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid->row[r].resolved;
        if (!resolved || lacks(resolved->settings)) continue;
        const struct encode_options *asked = options_at(resolved->settings);
        struct tree *options = tree_merge(arena, NULL, resolved->options);
        const struct location location = tree_find(options, "evaluate.encode")->location;
        tree_put(arena, options, "evaluate.encode.tasks",
                 tasks_tree(arena, &asked->tasks, location));
        tree_put(arena, options, "evaluate.encode.keep",
                 probe_paths_tree(&asked->keep, resolved->settings, "evaluate.encode.keep", true,
                                  location, arena));
        grid_row_say(grid, r, options, arena);
    }
}

static const struct probe_task *task_of(const struct stage *stage)
{
    return tasks_of_part(&options_at(stage->settings)->tasks, stage->part);
}

static const char rules_option[] = "evaluate.encode.rules";

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    stage_digest_task(stage, task_of(stage), arena);
    stage_digest_rules(stage, planned, options_at(stage->settings)->rules, rules_option, arena);
}

/* Checks the paths, the rules, and the text of the tasks. */
static void check(struct kind_check *check)
{
    const struct encode_options *options = check->options;
    const struct grid_resolved *resolved = check->resolved;
    stage_frozen_check(check, options->checkpoint);
    for (int i = 0; i < options->keep.count; i++)
        vectors_width(&resolved->settings->translator, options->keep.text[i],
                      options->keep.location ? options->keep.location[i]
                                             : resolved->options->location,
                      "evaluate.encode.keep");
    stage_check_rules(resolved->options, options->rules, rules_option, check->arena);
    for (int i = 0; i < options->tasks.count; i++) {
        SCOPED(arena_free) struct arena text = {0};
        const char *path = options->tasks.task[i].file, *file = corpus_find_file(&text, path);
        if (file && kind_check_first(check, path)) task_data_read(&text, file);
    }
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    double pieces;
    const double lines = probe_count_text(task_of(stage), &pieces);
    struct estimate all = facts_forward(stage, pieces, 0, arena);
    all.disk = all.memory = lines * stage->settings->translator.model.width *
                            options_at(stage->settings)->keep.count * sizeof(float);
    return all;
}

/* Returns the 99th percentile of the lengths of a split's source sentences. */
static int64_t long_length(const struct split *split)
{
    const int count = split->sentences, rank = count - count / 100;
    const int64_t *start = split->side[SIDE_SOURCE].start;
    SCOPED(arena_free) struct arena arena = {0};
    int64_t *length = ARENA_ARRAY(&arena, int64_t, count + 1);
    for (int i = 0; i < count; i++) length[i] = start[i + 1] - start[i];
    qsort(length, (size_t)count, sizeof *length, compare_int64s);
    return rank ? length[rank - 1] : 0;
}

/* Writes statistics that show how the task's sentences differ from the encoder's training text. The
 * corpus of an exported model has no training text. */
static void summarize_text(struct stage_work *work, const struct tokenized *text,
                           const struct split *split, const struct split *train)
{
    const int64_t *start = split->side[SIDE_SOURCE].start, most = long_length(train);
    const int pieces = text->pieces - split->sentences; /* without <eos> */
    int longer = 0;
    for (int i = 0; i < split->sentences; i++) longer += start[i + 1] - start[i] > most;
    if (train->sentences) stage_work_share(work, "unknown_words", text->unknown_words, text->words);
    stage_work_share(work, "unknown_pieces", text->unknown_pieces, pieces);
    stage_work_real(work, "pieces_per_word", text->words ? (double)pieces / text->words : 0);
    stage_work_share(work, "changed", text->changed, text->tokens);
    if (train->sentences) stage_work_share(work, "long", longer, split->sentences);
}

static void summarize_data(struct stage_work *work, const struct task_data *data)
{
    const struct task_audit audit = task_audit(data);
    for (int split = 0; split < TASK_SPLITS; split++) {
        const char *name = task_split_names[split];
        stage_work_real(work, arena_print(&work->arena, "items.%s", name), audit.items[split]);
        stage_work_real(work, arena_print(&work->arena, "classes.%s", name), audit.classes[split]);
    }
    stage_work_real(work, "shared", audit.shared);
    stage_work_real(work, "bare", audit.bare);
    stage_work_real(work, "majority", audit.majority);
    stage_work_real(work, "length", audit.length);
    stage_work_real(work, "words", audit.words);
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct encode_options *options = options_at(stage->settings);
    const struct texts *keep = &options->keep;
    const char *file = stage_text_file(task_of(stage)->file, arena);
    const struct tokenized_reading reading =
        stage_reading(stage, options->rules, rules_option, options->lowercase, arena);
    const struct task_data data = task_data_read(arena, file);
    struct frozen *frozen =
        stage_work_frozen(work, strchr(stage->part, '@') ? "start" : options->checkpoint);
    const struct corpus *corpus = frozen->job.corpus;
    const char **sentence = ARENA_ARRAY(arena, const char *, data.items);
    struct split split = {.sentences = data.items};
    for (int i = 0; i < data.items; i++) sentence[i] = data.item[i].text;
    const struct tokenized text =
        tokenized_side(&split, corpus, SIDE_SOURCE, &reading, sentence, file, NULL, arena);
    frozen_load(frozen, 0);
    const struct vectors_form form = {(enum pooling)options->pool, options->end};
    const struct kept_rows *vectors =
        vectors_measure(frozen, &split, form, keep->text, keep->count, arena);
    summarize_data(work, &data);
    summarize_text(work, &text, &split, &corpus->split[SPLIT_TRAIN]);
    frozen_close(frozen);
    for (int i = 0; i < keep->count; i++)
        stage_work_npy(work, keep->text[i], vectors[i].number, vectors[i].rows, vectors[i].columns);
    return WORK_DONE;
}

const struct offer offer_encode = {
    .kind = "encode",
    .traits = OFFER_PARTS,
    VALUES(
        VALUE("majority", "Majority", "test accuracy of tr's most frequent label", .decimals = 1),
        VALUE("length", "Length alone",
              "test accuracy of tr's most frequent label for the sentence's length", .decimals = 1,
              .traits = BASELINE),
        VALUE("words", "Counted words", "test accuracy of naive Bayes over tokens", .decimals = 1),
        VALUE("unknown_words", "Unknown words", "% of words that the train text lacks",
              .decimals = 1),
        VALUE("unknown_pieces", "Unknown pieces", "% of pieces that are <unk>", .decimals = 1),
        VALUE("pieces_per_word", "Pieces a word", NULL, .decimals = 2),
        VALUE("changed", "Changed", "% of tokens that rules changed", .decimals = 1),
        VALUE("long", "Long", "% of sentences longer than 99% of the train lines", .decimals = 1),
        VALUE("shared", "Shared", "number of sentences that are in two splits",
              .form = COLUMN_FIXED),
        VALUE("bare", "Bare", "number of lines without a sentence", .form = COLUMN_EXACT),
        VALUE("items.tr", "Items of tr", NULL, .form = COLUMN_EXACT),
        VALUE("items.va", "Items of va", NULL, .form = COLUMN_EXACT),
        VALUE("items.te", "Items of te", NULL, .form = COLUMN_EXACT),
        VALUE("classes.tr", "Classes of tr", NULL, .form = COLUMN_EXACT),
        VALUE("classes.va", "Classes of va", NULL, .form = COLUMN_EXACT),
        VALUE("classes.te", "Classes of te", NULL, .form = COLUMN_EXACT)),
    .numbers = "",
};

const struct stage_kind kind_encode = {
    .name = "encode",
    .version = version,
    .evaluation = &evaluation_encode,
    READS_FROZEN,
    .lacks = lacks,
    .ask = ask,
    .find_files = find_files,
    .check = check,
    .estimate = estimate,
    .run = run,
    .opened = "*.npy",
};
