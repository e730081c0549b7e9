/* The stage `corpus` converts parallel text to token ids (core/corpus/prepare.h). */
/* sources: ..core/corpus */
/* rank: 0 */
#include <string.h>

#include "core/base/json_file.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/prepare.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_work.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"

/* Returns the name of an input file in the text of the id. If version 2 of lower-casing gives
 * another text than version 1, the name ends in ".lower-2". So only the ids of these corpora
 * changed with version 2. */
static const char *name_of(const struct corpus_options *options,
                           const struct corpus_sources *sources, const struct corpus_input *input,
                           struct arena *arena)
{
    const bool lowered = options->lowercase && input->file && input != sources->codes;
    return lowered && stage_digest_special(input->file)
               ? arena_print(arena, "%s.lower-2", input->name)
               : input->name;
}

/* Returns "corpus NAME". NAME is the preset of corpora/ that has the path of train, or this path if
 * no preset has it. */
static const char *corpus_words(const struct stage *stage, struct arena *arena)
{
    static const char folder[] = "corpora/", ending[] = ".yaml";
    const char *file = tree_location(stage->options, "corpus.train").file, *name = NULL;
    for (const char *at = file; at && (at = strstr(at, folder));) name = at += strlen(folder);
    if (!name)
        return arena_print(arena, "corpus %s", stage->settings->corpus.part[SPLIT_TRAIN].text[0]);
    return arena_print(arena, "corpus %.*s", (int)(strlen(name) - strlen(ending)), name);
}

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct corpus_options *options = &stage->settings->corpus;
    const struct corpus_sources sources = corpus_sources(options, arena, stage_digest);
    stage->missing = corpus_missing(options, &sources, arena);
    stage->files = sources.inputs;
    stage->file = ARENA_ARRAY(arena, struct input_file, stage->files);
    for (int i = 0; i < stage->files; i++) {
        const struct corpus_input *input = &sources.input[i];
        stage->file[i] = (struct input_file){name_of(options, &sources, input, arena), input->path,
                                             input->file ? input->digest : NULL};
        if (!input->file)
            stage_add_absent(
                stage,
                (struct absent_file){input->path, corpus_words(stage, arena), options->origin},
                arena);
    }
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct corpus_facts *facts = corpus_facts(stage, arena);
    double bytes = (double)facts->bytes; /* the text is read, and stored as words and as ids */
    if (!bytes) return (struct estimate){0};
    return (struct estimate){.seconds = bytes / 4e6, .memory = 2e7 + 8 * bytes, .disk = 2 * bytes};
}

/* The counts of a split in corpus.json (core/corpus/prepare.c): the key, and the words after the
 * number. Reasons for which pairs are dropped are keys of the object "dropped". */
static const struct {
    bool dropped;
    const char *key, *words;
} counts[] = {{true, "empty", "dropped (a side is empty)"},
              {true, "invalid", "dropped (not UTF-8)"},
              {true, "words", "dropped (too many words)"},
              {true, "ratio", "dropped (lengths too unlike)"},
              {true, "overlong", "dropped (too many pieces)"},
              {false, "cut", "cut"},
              {false, "held_out", "held out"},
              {false, "markup", "lines of markup"}};

/* Returns a warning about a split, or NULL. For dev and test: the shares of sentences that are also
 * in train, if the share of a side is above 1%. For train: its text was already split into
 * pieces. */
static const char *findings_words(const struct text_findings *findings, int split,
                                  struct arena *arena)
{
    const double source = text_findings_shared(findings, (enum split_name)split, SIDE_SOURCE),
                 target = text_findings_shared(findings, (enum split_name)split, SIDE_TARGET);
    const char *pieces = split == SPLIT_TRAIN ? text_findings_pieces(findings, arena) : NULL;
    if (pieces) return arena_print(arena, "came in pieces (%s)", pieces);
    if (source <= 1 && target <= 1) return NULL;
    return arena_print(arena, "%.1f%% of the sources and %.1f%% of the targets are in train, too",
                       source, target);
}

/* Writes how many pairs of each split were dropped or cut as values ("train_cut"). Describes them
 * in a text ("3 cut"), with warnings about text that makes scores misleading. Counts of 0 are left
 * out. */
static void summarize_drops(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const char *all = NULL;
    json_auto_t *root = json_file_read(stage_path(work->stage, "corpus.json", arena));
    struct text_findings findings;
    text_findings_read(&findings, json_object_get(root, "splits"));
    for (int split = 0; split < SPLITS; split++) {
        json_t *one = json_object_get(json_object_get(root, "splits"), split_names[split]);
        const char *said = NULL;
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            const json_t *in = counts[i].dropped ? json_object_get(one, "dropped") : one;
            const double count = (double)json_integer_value(json_object_get(in, counts[i].key));
            if (count <= 0) continue;
            stage_work_real(work,
                            arena_print(arena, "%s_%s%s", split_names[split],
                                        counts[i].dropped ? "dropped_" : "", counts[i].key),
                            count);
            said = arena_append(
                arena, said, ", ",
                arena_print(arena, "%s %s", number_count(arena, count), counts[i].words));
        }
        const char *words = findings_words(&findings, split, arena);
        if (words) said = arena_append(arena, said, ", ", words);
        if (said)
            all = arena_append(arena, all, "; ",
                               arena_print(arena, "%s: %s", split_names[split], said));
    }
    if (all) stage_work_text(work, "drops", all);
}

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    corpus_prepare(&stage->settings->corpus, stage->folder, stage_work_sentences, work);
    const struct corpus *corpus = corpus_open(&work->arena, stage->folder);
    for (int split = 0; split < SPLITS; split++)
        stage_work_real(work, split_names[split], corpus->split[split].sentences);
    stage_work_real(work, "source_vocabulary", corpus->vocabulary[SIDE_SOURCE].size);
    stage_work_real(work, "target_vocabulary", corpus->vocabulary[SIDE_TARGET].size);
    summarize_drops(work);
    stage_work_output(work, "corpus.json"); /* has the digests of all other files */
    return WORK_DONE;
}

static void verify(const struct stage *stage, struct arena *arena)
{
    corpus_close(corpus_open(arena, stage->folder));
}

static const char *unrecorded(const char *folder, struct arena *arena)
{
    const char *problem;
    struct text_findings findings;
    json_auto_t *root =
        json_file_try(arena, arena_print(arena, "%s/corpus.json", folder), &problem);
    return !root || text_findings_read(&findings, json_object_get(root, "splits"))
               ? NULL
               : "overlap with train not known (made before it was counted)";
}

const struct offer offer_corpus = {
    .kind = "corpus",
    .traits = OFFER_EXACT,
    .numbers = "train dev test train_ dev_ test_ source_vocabulary target_vocabulary",
    .telling = "train",
    .caption = "Pairs of the corpus; drops",
    .unrecorded = unrecorded,
};

const struct stage_kind kind_corpus = {
    .name = "corpus",
    .task = "translation",
    .traits = SETTINGS_CORPUS | KIND_SINGLE,
    .find_files = find_files,
    .estimate = estimate,
    .run = run,
    .verify = verify,
    .opened = CORPUS_TEXT,
};
