/* The stage `statements` computes vectors of logical statements with a frozen encoder, for
 * classifiers of pairs (kind_inference.c). trained.npy has the vectors of the trained encoder,
 * start.npy those of the encoder before training. */
/* sources: ..core/model core/corpus/labeled.* core/corpus/known_words.* core/base/npy.* logic
 * probes/vectors.* probes/kept_rows.* core/train/relating.* experiments/stage/inference_pairs.*
 * experiments/stage/logic_files.* experiments/stage/stage_frozen.* */
/* rank: 66 */
#include <string.h>

#include "core/corpus/known_words.h"
#include "core/corpus/tokenized.h"
#include "experiments/stage/inference_pairs.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "logic/pairs.h"
#include "probes/vectors.h"
#include "results/store/offer.h"

static const char rules_option[] = "evaluate.inference.rules";

/* Returns the stage that trained the encoder: `train` or `relate`. An encoder of `train` reads the
 * statements as text, an encoder of `relate` reads them as symbols. */
static const struct stage *training_of(const struct stage *stage)
{
    return stage->input[stage->inputs - 1];
}

static bool reads_symbols(const struct stage *stage)
{
    return !strcmp(training_of(stage)->kind->name, "relate");
}

/* ---- before anything runs ---- */

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct inference_options *options = stage_options(stage);
    logic_files_find(stage, planned, arena);
    stage_digest_rules(stage, planned, options->rules, rules_option, arena);
}

/* Dies with message `why` at the location of option `name`, unless `good` is true. */
static void check_value(const struct kind_check *check, const char *name, bool good,
                        const char *why)
{
    if (!good) die_at(kind_check_place(check, name), "%s.%s: %s", check->section, name, why);
}

/* Checks the options that depend on the task. `symbols` is true for the task logic, whose models
 * read symbols that are not rewritten. */
static void check_task(const struct kind_check *check, bool symbols)
{
    const struct inference_options *options = check->options;
    check_value(check, "end", !symbols || options->end,
                "statements of the task logic have no end symbol; expected true");
    check_value(check, "rules", !symbols || !strcmp(options->rules, "none"),
                "models of the task logic read symbols, not text; expected none");
    check_value(check, "pool", symbols || options->pool != INFERENCE_OWN,
                "own is for models of the task logic; expected mean, max or last");
}

/* Dies at `location` unless the rules give each symbol a word of its own, and rewrite two adjacent
 * symbols one by one. */
static void check_rules(const struct rewrite_rules *rules, const char *file,
                        const struct formula_names *names, struct location location)
{
    SCOPED(arena_free) struct arena arena = {0};
    for (int i = 0; i < names->symbols * names->symbols; i++) {
        const int s = i / names->symbols, t = i % names->symbols;
        const char *const written[] = {
            names->name[s], names->name[t],
            arena_print(&arena, "%s %s", names->name[s], names->name[t])};
        const char *became[COUNT_OF(written)];
        for (size_t k = 0; k < COUNT_OF(written); k++)
            became[k] = rewrite_line(&arena, rules, written[k], strlen(written[k])).text;
        if (!*became[0] || (s != t && !strcmp(became[0], became[1])) ||
            strcmp(became[2], arena_print(&arena, "%s %s", became[0], became[1])) != 0)
            die_at(location,
                   "evaluate.inference.rules: %s makes \"%s\" of \"%s\", and \"%s\" of \"%s\"; "
                   "expected a word of its own for each symbol, and no rule for two symbols",
                   file, became[0], written[0], became[2], written[2]);
    }
}

static void check(struct kind_check *check)
{
    const struct inference_options *options = check->options;
    const struct location location = kind_check_place(check, "rules");
    const char *rules = rewrite_file(check->arena, options->rules, location, rules_option);
    stage_frozen_check(check, options->checkpoint);
    logic_files_check(check);
    check_task(check, !strcmp(check->grid->task, "logic"));
    if (rules) {
        const struct formula_names names = logic_files_names(&options->logic);
        check_rules(rewrite_read(check->arena, rules), rules, &names, location);
    }
}

/* ---- the work ---- */

/* For an encoder of translations, the statements are text. Like sentences of probing tasks, they
 * are rewritten by rules, lower-cased if the corpus is, and split by the BPE of the corpus.
 *
 * An encoder can distinguish statements only if it can distinguish their symbols. So two symbols
 * must not become equal, neither by rules nor because both are <unk>. The occurrences of each
 * symbol in the encoder's source text are also counted. The share of unknown pieces would not
 * suffice, because a joint vocabulary may have pieces that occur only in the target text. */

/* Encodes each symbol alone, without <eos>. Dies if two symbols have the same ids. */
static void read_symbols(struct arena *arena, const struct corpus *corpus,
                         const struct tokenized_reading *reading, const struct formula_names *names,
                         struct token_span *symbol)
{
    for (int s = 0; s < names->symbols; s++) {
        const struct tokenized one =
            tokenized_encode(arena, corpus, SIDE_SOURCE, reading, names->name[s], "symbols", s + 1);
        symbol[s] = (struct token_span){one.id, one.pieces - 1};
        for (int t = 0; t < s; t++)
            if (symbol[t].count == symbol[s].count &&
                !memcmp(symbol[t].token, symbol[s].token,
                        (size_t)symbol[s].count * sizeof *symbol[s].token))
                die("the encoder reads \"%s\" and \"%s\" as the same pieces%s; expected rules that "
                    "rewrite them to different words, as formulas-words",
                    names->name[t], names->name[s],
                    symbol[s].token[0] == VOCABULARY_UNK ? ", unknown pieces" : "");
    }
}

/* Counts how often each symbol, rewritten by the rules, is a word of the source side of the
 * training text. */
static void count_symbols(struct stage_work *work, const struct corpus *corpus,
                          const struct token_span *symbol, const struct formula_names *names)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct hash_table *number = hash_table_new(&arena, 0);
    const struct split *train = &corpus->split[SPLIT_TRAIN];
    struct side_words words = side_words(&arena, &train->side[SIDE_SOURCE], train->sentences,
                                         &corpus->vocabulary[SIDE_SOURCE]);
    int64_t all = 0, of[FORMULA_SYMBOLS] = {0};
    for (int s = 0; s < names->symbols; s++) span_at(number, symbol[s], s);
    for (struct token_span word; side_words_next(&words, &word); all++) {
        const int64_t s = span_get(number, word);
        if (s != HASH_TABLE_ABSENT) of[s]++;
    }
    for (int s = 0; s < names->symbols; s++)
        stage_work_value(work, "occurrences", (double)of[s], all,
                         (struct value_at){.class = names->name[s]});
    stage_work_real(work, "words", (double)all);
}

/* Returns the statements in the form that the encoder reads. For a translation model, also writes
 * statistics of the text. */
static struct split read_text(struct stage_work *work, const struct inference_pairs *pairs)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct inference_options *options = stage_options(stage);
    if (reads_symbols(stage)) return split_chosen(arena, &pairs->data.text, pairs->row);
    const struct tokenized_reading reading =
        stage_reading(stage, options->rules, rules_option, false, arena);
    struct corpus *corpus = corpus_open(arena, stage->input[FROZEN_CORPUS]->folder);
    struct token_span symbol[FORMULA_SYMBOLS];
    read_symbols(arena, corpus, &reading, &pairs->names, symbol);
    count_symbols(work, corpus, symbol, &pairs->names);
    struct split split = {.sentences = pairs->statements};
    const char **sentence = ARENA_ARRAY(arena, const char *, pairs->statements);
    int *line = ARENA_ARRAY(arena, int, pairs->statements);
    for (int s = 0; s < pairs->text.statements; s++) {
        const struct logic_statement *statement = &pairs->text.statement[s];
        const int32_t row = pairs->row[s];
        if (row < 0) continue;
        sentence[row] = arena_text_range(arena, statement->text, statement->bytes);
        line[row] = s + 1;
    }
    const struct tokenized text =
        tokenized_side(&split, corpus, SIDE_SOURCE, &reading, sentence, "statement", line, arena);
    corpus_close(corpus);
    stage_work_share(work, "unknown_pieces", text.unknown_pieces, text.pieces - split.sentences);
    return split;
}

/* Writes NAME.npy, which has the vector of each statement as a row. */
static void write_vectors(struct stage_work *work, const struct split *text, const char *checkpoint,
                          const char *name)
{
    struct arena *arena = &work->arena;
    const struct inference_options *options = stage_options(work->stage);
    const bool own = options->pool == INFERENCE_OWN;
    const char *const path[] = {own ? "pool" : "encoder.output"};
    const struct vectors_form form = {own ? POOL_MEAN : (enum pooling)options->pool, options->end};
    const struct stage *training = training_of(work->stage);
    struct frozen *frozen =
        reads_symbols(work->stage)
            ? stage_work_open(work, relate_job(training, work->ops, checkpoint, arena))
            : stage_work_frozen(work, checkpoint);
    frozen_load(frozen, 0);
    const struct kept_rows *vectors = vectors_measure(frozen, text, form, path, 1, arena);
    frozen_close(frozen);
    stage_work_npy(work, name, vectors->number, vectors->rows, vectors->columns);
}

static enum work_end run(struct stage_work *work)
{
    const struct inference_options *options = stage_options(work->stage);
    struct inference_pairs *pairs = inference_pairs_read(&work->arena, work->stage);
    const struct split text = read_text(work, pairs);
    stage_work_real(work, "statements", text.sentences);
    write_vectors(work, &text, options->checkpoint, INFERENCE_TRAINED);
    if (options->start) write_vectors(work, &text, "start", INFERENCE_START);
    return WORK_DONE;
}

const struct offer offer_statements = {
    .kind = "statements",
    VALUES(
        VALUE("statements", "Statements", "number of different statements", .form = COLUMN_EXACT),
        VALUE("occurrences", "Occurrences",
              "occurrences of each symbol (its class) as a word of the encoder's source text",
              .form = COLUMN_EXACT, .traits = BY_CLASS),
        VALUE("unknown_pieces", "Unknown pieces", "% of the statements' pieces that are <unk>",
              .decimals = 1)),
    .numbers = "words",
};

const struct stage_kind kind_statements = {
    .name = "statements",
    .evaluation = &evaluation_inference,
    .traits = KIND_COMPUTES,
    .ignores = (const char *const[]){"evaluate.inference.features=", "evaluate.inference.protocol=",
                                     "evaluate.inference.standardize=", NULL},
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .other_inputs = (const char *const[]){"relate", NULL},
    .find_files = find_files,
    .check = check,
    .passes = 200,
    .run = run,
    .opened = "*.npy",
};
