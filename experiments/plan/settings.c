#include "experiments/plan/settings.h"

#include <string.h>

#include "core/config/tree_read.h"
#include "core/model/checkpoint.h"

/* evaluate.bleu is two rows of its own and those of the beam search. */
static const struct section *score_section(void)
{
    static struct option row[16];
    static struct section section = {
        .name = "evaluate.bleu",
        .help = "translate a split with beam search and score it",
        .option = row,
        .bytes = sizeof(struct score_options),
    };
    static const struct option own[] = {
        {.key = "split",
         .type = OPTION_CHOICE,
         .offset = offsetof(struct score_options, split),
         .fallback = "test",
         .choices = "train|dev|test",
         .help = "the sentences to translate",
         .flags = OPTION_ID},
        {.key = "checkpoint",
         .type = OPTION_TEXT,
         .offset = offsetof(struct score_options, checkpoint),
         .fallback = "best",
         .help = "best, last, average(N), mean_of_best(N) or start",
         .flags = OPTION_ID},
    };
    if (section.count) return &section;
    CHECK(COUNT_OF(own) + (size_t)beam_section.count <= COUNT_OF(row), "too many rows");
    memcpy(row, own, sizeof own);
    section.count = (int)COUNT_OF(own);
    for (int i = 0; i < beam_section.count; i++) {
        struct option *option = &row[section.count++];
        *option = beam_section.option[i];
        option->offset += offsetof(struct score_options, beam);
    }
    return &section;
}

struct part {
    enum settings_part part;
    const struct section *section;
    size_t offset; /* of its fields in struct settings */
};

enum { PARTS = 8, PART_OF_SCORE = 5 };

static const struct part *parts(void)
{
    static struct part list[PARTS] = {
        {PART_CORPUS, &corpus_section, offsetof(struct settings, corpus)},
        {PART_MODEL, &model_section, offsetof(struct settings, translator.model)},
        {PART_MODEL, &encoder_section, offsetof(struct settings, translator.encoder)},
        {PART_MODEL, &decoder_section, offsetof(struct settings, translator.decoder)},
        {PART_TRAIN, &train_section, offsetof(struct settings, train)},
        [PART_OF_SCORE] = {PART_SCORE, NULL, offsetof(struct settings, score)},
        {PART_GATES, &gates_section, offsetof(struct settings, gates)},
        {PART_SPEED, &pace_section, offsetof(struct settings, pace)},
    };
    list[PART_OF_SCORE].section = score_section();
    return list;
}

/* The checkpoint's words are checked here, long before there is one to select. */
static void check_checkpoint(const struct tree *map, const struct section *section,
                             const char *words, const struct train_options *train,
                             struct arena *arena)
{
    const struct tree *value = tree_get(map, "checkpoint");
    struct place place = value ? value->place : map->place;
    int count;
    const enum checkpoint_choice choice =
        checkpoint_parse(words,
                         arena_print(arena, "%s:%d:%d: %s.checkpoint", place.file, place.line,
                                     place.column, section->name),
                         &count);
    const bool best = choice == CHECKPOINT_BEST || choice == CHECKPOINT_MEAN_OF_BEST;
    const int kept = best ? train->keep_best : train->keep_average;
    if (count > kept)
        die_at(place, "checkpoint: %s needs train.keep_%s of %d at least, it is %d", words,
               best ? "best" : "average", count, kept);
    if (!train->validate_every && train->epochs && count > train->epochs)
        die_at(place, "checkpoint: %s needs %d validations, %d epochs have one each", words, count,
               train->epochs);
}

/* One key of `evaluate`: its fields, among which are the split that it needs text of and the
 * checkpoint that training must keep. False when it is not there. */
static bool evaluation_read(const struct tree *evaluate, const char *key,
                            const struct section *section, void *fields,
                            const struct settings *settings, const int *split,
                            const char *const *checkpoint, struct arena *arena)
{
    const struct tree *map = tree_find(evaluate, key);
    if (!map) return false;
    section_read(section, map, fields, arena);
    check_checkpoint(map, section, *checkpoint, &settings->train, arena);
    if (!corpus_has_split(&settings->corpus, *split))
        die_at(map->place, "%s.split: the corpus has no %s text (corpus.%s)", section->name,
               split_names[*split], split_names[*split]);
    return true;
}

void settings_read(struct settings *settings, const struct tree *point, struct arena *arena)
{
    static const char *const metrics[] = {"bleu", "gates", "speed", NULL};
    memset(settings, 0, sizeof *settings);
    section_read(&corpus_section, tree_find(point, "corpus"), &settings->corpus, arena);
    translator_options_read(&settings->translator, point, arena);
    section_read(&train_section, tree_find(point, "train"), &settings->train, arena);
    if (settings->translator.model.share == SHARE_ALL && !settings->corpus.joint) {
        const struct tree *share = tree_find(point, "model.share");
        die_at(share ? share->place : point->place,
               "model.share: one table for both sides needs corpus.joint: true");
    }
    if (!settings->train.epochs && !settings->train.steps) {
        const struct tree *train = tree_find(point, "train");
        die_at(train ? train->place : point->place,
               "train: epochs and steps are both 0: one of them must end the training");
    }
    if (settings->train.select == SELECT_BLEU && !settings->train.validate_sentences) {
        const struct tree *select = tree_find(point, "train.select");
        die_at(select ? select->place : point->place,
               "train.select: bleu needs train.validate_sentences above 0");
    }
    const struct tree *evaluate = tree_find(point, "evaluate");
    settings->timed = tree_find(point, "evaluate.speed") != NULL;
    section_read(&pace_section, tree_find(point, "evaluate.speed"), &settings->pace, arena);
    if (!evaluate) return;
    tree_only_keys(evaluate, "evaluate", metrics);
    settings->scored =
        evaluation_read(evaluate, "bleu", score_section(), &settings->score, settings,
                        &settings->score.split, &settings->score.checkpoint, arena);
    settings->gated = evaluation_read(evaluate, "gates", &gates_section, &settings->gates, settings,
                                      &settings->gates.split, &settings->gates.checkpoint, arena);
}

struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed)
{
    return (struct translating){.ops = ops,
                                .corpus = corpus,
                                .model = &settings->translator,
                                .train = &settings->train,
                                .seed = seed};
}

void settings_canonical(const struct settings *settings, unsigned wanted, FILE *out)
{
    const struct part *part = parts();
    for (int i = 0; i < PARTS; i++)
        if (wanted & part[i].part)
            section_canonical(part[i].section, (const char *)settings + part[i].offset, out);
}

const struct tree *settings_defaults(struct arena *arena)
{
    const struct part *part = parts();
    struct tree *defaults = tree_new(arena, TREE_MAP, (struct place){.file = "defaults"});
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k < part[i].section->count; k++) {
            const struct option *option = &part[i].section->option[k];
            if (!option->fallback) continue;
            const char *path = arena_print(arena, "%s.%s", part[i].section->name, option->key);
            const char *text = *option->fallback ? option->fallback : "\"\"";
            tree_put(arena, defaults, path, tree_parse(arena, path, text));
        }
    return defaults;
}

const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point)
{
    const struct part *part = parts();
    struct tree *defaults = NULL;
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k < part[i].section->count; k++) {
            const struct option *option = &part[i].section->option[k];
            if (!option->beside) continue;
            const struct tree *map = tree_find(point, part[i].section->name);
            const char *path = arena_print(arena, "%s.%s", part[i].section->name, option->key);
            if (tree_get(map, option->key) || option_default(option, map) == option->fallback)
                continue;
            if (!defaults) defaults = tree_new(arena, TREE_MAP, (struct place){.file = "defaults"});
            tree_put(arena, defaults, path, tree_parse(arena, path, option->then));
        }
    return defaults;
}

const struct option *settings_option(const char *name)
{
    const struct part *part = parts();
    for (int i = 0; i < PARTS; i++) {
        const size_t length = strlen(part[i].section->name);
        if (strncmp(name, part[i].section->name, length) || name[length] != '.') continue;
        for (int k = 0; k < part[i].section->count; k++)
            if (!strcmp(part[i].section->option[k].key, name + length + 1))
                return &part[i].section->option[k];
    }
    return NULL;
}

const char *const *settings_names(struct arena *arena)
{
    const struct part *part = parts();
    int count = 0;
    for (int i = 0; i < PARTS; i++) count += part[i].section->count;
    const char **name = ARENA_ARRAY(arena, const char *, count + 1);
    count = 0;
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k < part[i].section->count; k++)
            name[count++] =
                arena_print(arena, "%s.%s", part[i].section->name, part[i].section->option[k].key);
    return name;
}

void settings_help(FILE *out)
{
    const struct part *part = parts();
    for (int i = 0; i < PARTS; i++) section_help(part[i].section, out);
    attention_help(out);
}
