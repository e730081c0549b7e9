/* The stage `words` probes single words of treebanks on the vectors of a frozen encoder. A part is
 * TASK@PATH, or for controls TASK@bag and TASK@PATH@start. */
/* sources: ..core/model probes/kept_rows.* probes/vectors.* probes/word* probes/classifier*
 * probes/protocol.* probes/online_code.* core/base/npy.* core/train/step.*
 * probes/structural.* probes/trees.* experiments/stage/words_report.*
 * experiments/stage/words_tree.* */
/* rank: 46 */
#include <string.h>

#include "core/base/file.h"
#include "core/config/word.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/tokenized.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/probe_options.h"
#include "experiments/stage/probe_vectors.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/words_report.h"
#include "experiments/stage/words_tree.h"
#include "probes/vectors.h"
#include "results/table/observations.h"
#include "results/store/offer.h"

#define FIELD(member) offsetof(struct words_options, member)
static const struct option rows[] = {
    OPTION_TEXTS("tasks", FIELD(tasks), "[]", OPTION_NO_ID,
                 "tasks, one stage each for every path: pos, relation, distance, head, tree"),
    OPTION_TEXT("treebank", FIELD(treebank), "pos/en_ewt-ud", OPTION_NO_ID,
                "prefix of three treebanks in CoNLL-U, under $SANLAB_DATA or data/: "
                "PREFIX-train.conllu, PREFIX-dev.conllu, PREFIX-test.conllu"),
    OPTION_TEXT("further", FIELD(further), "", OPTION_NO_ID,
                "a further test set: pos/pud/en_pud-ud-test.conllu"),
    OPTION_TEXTS("path", FIELD(path), "[encoder.output]", OPTION_NO_ID,
                 "vectors that are probed, as in evaluate.probe.path"),
    OPTION_TEXTS("controls", FIELD(controls), "[bag, start]", OPTION_NO_ID,
                 "controls: bag: the embeddings alone; start: every path with the parameters "
                 "before training"),
    OPTION_CHOICE("pieces", FIELD(pieces), "mean", WORD_PIECES, OPTION_ID,
                  "vector of a word: the mean of its pieces, its first or its last piece"),
    OPTION_TEXTS(
        "ranks", FIELD(ranks), "[8, 16, 32, 64, 128]", OPTION_ID,
        "tree: ranks that are trained; a rank above the width of the vectors is this width"),
    OPTION_ENCODER(FIELD(checkpoint)),
    OPTION_BOOL("standardize", FIELD(standardize), "false", OPTION_ID,
                "standardization of each number of a vector by its mean and deviation over train"),
    OPTION_BOOL("code", FIELD(code), "false", OPTION_ID,
                "online code of train's labels, in addition, also of the control task"),
    OPTION_TEXT("rules", FIELD(rules), "", OPTION_NO_ID,
                "rules that first rewrite words; default: evaluate.encode.rules"),
    OPTION_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
                "lower-casing of words; default: evaluate.encode.lowercase"),
    OPTION_TEXT("vectors", FIELD(vectors), "", OPTION_NO_ID,
                "folder with words.npy and sentences.tsv of another program, instead of an "
                "encoder"),
};
static const char rules_option[] = "evaluate.words.rules";

static bool alone(const void *fields)
{
    return *((const struct words_options *)fields)->vectors;
}

static void check_words(const struct texts *texts, const char *what, const char *problem,
                        const char *const *known)
{
    for (int i = 0; i < texts->count; i++)
        if (!word_known(texts->text[i], known))
            word_refuse(texts->location[i], what, problem, texts->text[i], known);
}

/* Adds the part TASK@VIEW, unless the folder with vectors of another program lacks the view. */
static void add_part(struct texts *parts, const struct words_options *options, const char *task,
                     const char *view, struct location location, struct arena *arena)
{
    const char *part = arena_print(arena, "%s@%s", task, view);
    const bool there = !*options->vectors || probe_vectors_has(options->vectors, view);
    if (there && !texts_have(parts, part)) texts_add(parts, part, location, arena);
}

static struct texts parts(const void *fields, struct arena *arena)
{
    static const char *const controls[] = {VECTORS_BAG, "start", NULL};
    const struct words_options *options = fields;
    struct texts parts = {0};
    check_words(&options->tasks, "evaluate.words.tasks", "there is no task", word_task_names);
    check_words(&options->controls, "evaluate.words.controls", "there is no control", controls);
    for (int i = 0; i < options->tasks.count; i++) {
        const char *task = options->tasks.text[i];
        const struct location at = options->tasks.location[i];
        const int before = parts.count;
        for (int start = 0; start <= texts_have(&options->controls, "start"); start++)
            for (int p = 0; p < options->path.count; p++)
                add_part(
                    &parts, options, task,
                    arena_print(arena, "%s%s", options->path.text[p], start ? VECTORS_START : ""),
                    at, arena);
        if (parts.count == before)
            texts_add(&parts, arena_print(arena, "%s" PROBE_VECTORS, task), at, arena);
        if (texts_have(&options->controls, VECTORS_BAG))
            add_part(&parts, options, task, VECTORS_BAG, at, arena);
    }
    return parts;
}

const struct evaluation evaluation_words = {
    .section = SECTION("evaluate.words", "probes of single words", rows, struct words_options),
    .parts = parts,
    .alone = alone};

const struct words_options *words_options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_words)->fields;
}

static const char *lacks(const struct settings *settings)
{
    return words_options_at(settings)->tasks.count > 0 ? NULL : "";
}

/* Completes the options of rows. `layers` is replaced by the paths of the layers. The folder of
 * vectors becomes a path that is valid outside of the grid's folder. Rules and lower-casing of the
 * corpus are those of evaluate.encode. */
static void ask(struct grid *grid, struct arena *arena)
{
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid_row_asks(grid, r, &evaluation_words);
        if (!resolved || lacks(resolved->settings)) continue;
        grid_row_about(grid, r, arena);
        struct tree *options = tree_merge(arena, NULL, resolved->options);
        const struct words_options *words = words_options_at(resolved->settings);
        const struct tree *map = tree_find(options, "evaluate.words");
        static const char *const shared[] = {"rules", "lowercase"};
        for (size_t i = 0; i < COUNT_OF(shared); i++) {
            const char *own = arena_print(arena, "evaluate.words.%s", shared[i]);
            const struct tree *encode =
                tree_find(options, arena_print(arena, "evaluate.encode.%s", shared[i]));
            if (encode && !tree_find(options, own))
                tree_put(arena, options, own, tree_merge(arena, NULL, encode));
        }
        if (resolved->settings->alone)
            tree_put(arena, options, "evaluate.words.vectors",
                     tree_new_text(
                         arena, map->location,
                         probe_vectors_folder(words->vectors, tree_get(map, "vectors"), arena)));
        else
            tree_put(arena, options, "evaluate.words.path",
                     probe_paths_tree(&words->path, resolved->settings, "evaluate.words.path",
                                      false, map->location, arena));
        grid_row_say(grid, r, options, arena);
    }
    grid_row_about(grid, -1, arena);
}

/* ---- files ---- */

/* Writes the paths of the treebanks, as in the options. Returns their number. */
static int bank_paths(const struct words_options *options, const char *path[WORDS_SETS],
                      struct arena *arena)
{
    int sets = 0;
    for (; sets < WORDS_FURTHER; sets++)
        path[sets] = arena_print(arena, "%s-%s.conllu", options->treebank, words_set_names[sets]);
    if (*options->further) path[sets++] = options->further;
    return sets;
}

static enum word_task task_of(const struct stage *stage)
{
    int task = 0;
    const size_t bytes = strcspn(stage->part, "@");
    while (strlen(word_task_names[task]) != bytes ||
           strncmp(word_task_names[task], stage->part, bytes) != 0)
        task++;
    return (enum word_task)task;
}

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct words_options *options = words_options_at(stage->settings);
    const char *path[WORDS_SETS];
    const int sets = bank_paths(options, path, arena);
    for (int set = 0; set < sets; set++)
        stage_digest_text(stage, words_set_names[set], path[set], arena);
    if (!*options->vectors) {
        stage_digest_rules(stage, planned, options->rules, rules_option, arena);
        return;
    }
    const char *of_view = arena_print(arena, "words%s", strchr(stage->part, '@'));
    const char *vectors = planned->files
                              ? stage_file(planned, "vectors")->path
                              : probe_vectors_file(options->vectors, of_view, stage->seed, arena);
    const char *index = arena_print(arena, "%s/" WORD_INDEX, options->vectors);
    stage_digest_file(stage, "vectors", vectors, file_exists(vectors) ? vectors : NULL, arena);
    stage_digest_file(stage, "index", index, file_exists(index) ? index : NULL, arena);
}

static void check_task(const struct words *words, int task, struct arena *arena)
{
    if (task != WORDS_TREE) words_labels(words, (enum word_task)task, arena);
    for (int set = 0; set < words->sets && task == WORDS_TREE; set++)
        trees_of(words, (enum words_set)set, arena);
}

/* Reads the treebanks that exist, so that an invalid file is found before any stage runs. */
static void check(struct kind_check *check)
{
    const struct words_options *options = check->options;
    SCOPED(arena_free) struct arena arena = {0};
    const char *path[WORDS_SETS];
    const int sets = bank_paths(options, path, &arena);
    words_tree_check(&options->ranks, kind_check_place(check, "ranks"));
    stage_frozen_check(check, options->checkpoint);
    stage_check_rules(check->resolved->options, options->rules, rules_option, check->arena);
    for (int set = 0; set < sets; set++)
        if (!(path[set] = corpus_find_file(&arena, path[set]))) return;
    const char *tasks = arena_join(&arena, options->tasks.text, options->tasks.count, " ");
    if (!kind_check_first(check, arena_print(&arena, "%s %s %s", tasks, *path, options->further)))
        return;
    const struct words words = words_read(&arena, path, sets);
    for (int i = 0; word_task_names[i]; i++)
        if (texts_have(&options->tasks, word_task_names[i])) check_task(&words, i, &arena);
}

/* The error is that of the form's most frequent label, because nothing is trained yet. */
static const char *power(const struct stage *stage, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const char *path[WORDS_SETS];
    int sets = bank_paths(words_options_at(stage->settings), path, &scratch);
    if (sets > WORDS_FURTHER) sets = WORDS_FURTHER;
    for (int set = 0; set < sets; set++) path[set] = stage_text_file(path[set], &scratch);
    const struct words words = words_read(&scratch, path, sets);
    if (task_of(stage) == WORDS_TREE) return words_tree_power(&words, arena);
    const struct word_labels labels = words_labels(&words, task_of(stage), &scratch);
    const struct words_score score = words_score(
        &words, labels.label, words_guess(&words, &labels, true, &scratch), WORDS_TEST, false);
    return arena_print(arena,
                       "power of words.%s: test has %d words in %d documents; the form's most "
                       "frequent label is right in %.1f%%, with a standard error of %.2f by "
                       "documents; a difference of %.1f points between two encoders is detected "
                       "in 4 of 5 cases",
                       word_task_names[task_of(stage)], score.words, score.documents,
                       score.accuracy, score.error, words_detectable(score.error));
}

/* ---- the work ---- */

/* Estimates the operations of the classifiers. Half of the epochs are typical. The online code
 * about doubles the work. `rate` includes the low speed of small products. */
static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    enum { EPOCHS = 15, TASKS = 2 };
    static const double rate = 1.5e11;
    const struct words_options *options = words_options_at(stage->settings);
    const struct probe_task train = {.file = stage->file[WORDS_TRAIN].path};
    double pieces;
    const double words = probe_count_text(&train, &pieces),
                 width = *options->vectors ? probe_vectors_width(stage_file(stage, "vectors")->path)
                                           : stage->settings->translator.model.width;
    double work = 0;
    for (int s = 0; s < WORD_SIZES; s++)
        work += TASKS * EPOCHS * words * probe_item_work(width, word_protocol.hidden[s] + 1);
    if (options->code) work *= 2;
    return (struct estimate){.seconds = work / rate,
                             .work = work,
                             .memory = 3 * words * width * sizeof(float),
                             .disk = 20 * words};
}

static void scored(int epochs, int going_on, void *context)
{
    char text[64];
    snprintf(text, sizeof text, "trainings, epoch %d, %d sizes", epochs, going_on);
    stage_work_progress(context, 0, 1, text);
}

static struct word_vectors vectors_of(struct stage_work *work, struct words *words)
{
    const struct stage *stage = work->stage;
    const struct words_options *options = words_options_at(stage->settings);
    if (*options->vectors)
        return word_vectors_read(stage_file(stage, "vectors")->path,
                                 stage_file(stage, "index")->path, words, &work->arena);
    const bool start = strstr(stage->part, VECTORS_START);
    const struct tokenized_reading reading =
        stage_reading(stage, options->rules, rules_option, options->lowercase, &work->arena);
    struct frozen *frozen = stage_work_frozen(work, start ? "start" : options->checkpoint);
    frozen_load(frozen, 0);
    const struct word_vectors vectors =
        word_vectors_measure(frozen, words, &reading, probe_path(stage->part, &work->arena),
                             (enum word_pieces)options->pieces, &work->arena);
    frozen_close(frozen);
    return vectors;
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct words_options *options = words_options_at(work->stage->settings);
    const enum word_task task = task_of(work->stage);
    const char *path[WORDS_SETS];
    const int sets = bank_paths(options, path, arena);
    for (int set = 0; set < sets; set++) path[set] = stage_text_file(path[set], arena);
    struct words words = words_read(arena, path, sets);
    struct word_vectors vectors = vectors_of(work, &words);
    if (options->standardize) word_vectors_standardize(&vectors, &words);
    if (task == WORDS_TREE) {
        words_tree(work, &words, &vectors);
        return WORK_DONE;
    }
    const struct word_labels labels = words_labels(&words, task, arena);
    const struct word_labels control = words_control(&words, task, &labels, arena);
    const struct word_probe_job job = {.ops = work->ops,
                                       .words = &words,
                                       .labels = &labels,
                                       .control = &control,
                                       .vector = vectors.vector,
                                       .columns = vectors.columns,
                                       .code = options->code,
                                       .calls = {.scored = scored, .context = work}};
    const struct word_probe probe = word_probe_run(&job, arena);
    words_report(work, &job, &probe);
    return WORK_DONE;
}

#define PERCENT(name_, header_, help_)                                                             \
    VALUE(name_, header_, help_, .decimals = 2, .best = COLUMN_MOST, .counted = "words")
#define RATIO(name_, header_, help_)                                                               \
    VALUE(name_, header_, help_, .option = "code", .decimals = 2, .best = COLUMN_MOST)
#define TREE(name_, header_, help_)                                                                \
    VALUE(name_, header_, help_, .decimals = 3, .best = COLUMN_MOST, .traits = BY_CLASS)
#define FREQUENT " on words whose form occurs in train at least 3 times"
const struct offer offer_words = {
    .kind = "words",
    .traits = OFFER_PARTS,
    .views = (const char *const[]){"encoder.output", "start", "bag", NULL},
    VALUES(
        VALUE("accuracy", "Accuracy", "test accuracy of the size that is best on dev; tree: UUAS",
              .decimals = 2, .best = COLUMN_MOST, .traits = BY_CLASS, .counted = "words",
              .observations = observations_items, .items = "documents"),
        VALUE("majority", "Majority", "accuracy of train's most frequent label", .decimals = 2,
              .traits = BASELINE),
        VALUE("form", "Form", "accuracy of the form's most frequent label in train", .decimals = 2,
              .traits = BASELINE),
        PERCENT("control", "Control", "accuracy on the control task"),
        PERCENT("selectivity", "Selectivity", "accuracy minus that on the control task"),
        PERCENT("frequent_accuracy", "Accuracy, frequent", "accuracy" FREQUENT),
        PERCENT("frequent_selectivity", "Selectivity, frequent", "selectivity" FREQUENT),
        VALUE("hidden", "Units", "hidden units of the size that is best on dev",
              .form = COLUMN_EXACT),
        PERCENT("selective_accuracy", "Accuracy, selective",
                "accuracy of the size that is most selective on dev"),
        PERCENT("selective_selectivity", "Selectivity, selective", "selectivity of this size"),
        PERCENT("selective_frequent_accuracy", "Accuracy, selective, frequent",
                "accuracy of this size" FREQUENT),
        PERCENT("selective_frequent_selectivity", "Selectivity, selective, frequent",
                "selectivity of this size" FREQUENT),
        VALUE("selective_hidden", "Units, selective", "hidden units of this size",
              .form = COLUMN_EXACT),
        PERCENT("further_accuracy", "Accuracy, further", "accuracy on the further test set"),
        PERCENT("further_selectivity", "Selectivity, further",
                "selectivity on the further test set"),
        VALUE("further_majority", "Majority, further", NULL, .decimals = 2),
        VALUE("further_form", "Form, further", NULL, .decimals = 2),
        VALUE("dev", "Dev", "accuracy on dev", .decimals = 2),
        VALUE("accuracy_se", "SE", "standard error of the accuracy, by documents", .decimals = 2),
        VALUE("detectable", "Detectable",
              "smallest difference of two accuracies that the test set detects with power 0.8, "
              "known before training",
              .decimals = 2),
        VALUE("bits", "Bits", "length of the online code of train's labels", .option = "code",
              .form = COLUMN_EXACT, .best = COLUMN_LEAST),
        RATIO("compression", "Compression",
              "bits of a uniform code divided by those of the online code"),
        RATIO("entropy_compression", "Compression, entropy",
              "entropy of the labels divided by the bits of the online code"),
        VALUE("control_bits", "Bits, control", NULL, .option = "code", .form = COLUMN_EXACT),
        RATIO("control_compression", "Compression, control", NULL),
        RATIO("control_entropy_compression", "Compression, control, entropy", NULL),
        PERCENT("root", "Root", "tree: words with the smallest depth that are the root"),
        TREE("distance", "Distances", "tree: Spearman's correlation of distances"),
        TREE("depth", "Depths", "tree: Spearman's correlation of depths"),
        VALUE("neighbors", "Neighbors", "tree: UUAS of joined neighbors", .decimals = 2,
              .traits = BASELINE),
        VALUE("further_root", "Root, further", NULL, .decimals = 2),
        TREE("further_distance", "Distances, further", NULL),
        TREE("further_depth", "Depths, further", NULL),
        VALUE("further_neighbors", "Neighbors, further", NULL, .decimals = 2),
        VALUE("rank", "Rank", "tree: chosen rank for distances", .form = COLUMN_EXACT),
        VALUE("depth_rank", "Rank, depths", "tree: chosen rank for depths", .form = COLUMN_EXACT),
        VALUE("undertrained", "Undertrained",
              "number of classifiers whose best score on dev was the last, or with fewer than "
              "1,000 updates",
              .form = COLUMN_EXACT)),
    .numbers = "items documents words frequent lost removed. further_words left_out. dev_",
    .telling = "accuracy",
    .section = "evaluate.words",
    .caption = "Words: {treebank}, vectors of {path}; caption",
    .doubt = "undertrained > 0: Undertrained probes of words (best on dev at the last evaluation, "
             "or fewer than 1,000 updates)",
};

const struct stage_kind kind_words = {
    .name = "words",
    .evaluation = &evaluation_words,
    .traits = KIND_COMPUTES | KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .lacks = lacks,
    .ask = ask,
    .find_files = find_files,
    .estimate = estimate,
    .check = check,
    .power = power,
    .run = run,
};
