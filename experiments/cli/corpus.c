/* sanlab corpus libreoffice|prepare|check: get real text, prepare it outside of a grid, look at it.
 */
#include <string.h>

#include "core/base/file.h"
#include "core/base/progress.h"
#include "core/config/word.h"
#include "core/corpus/corpus_statistics.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/libreoffice.h"
#include "core/corpus/prepare.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/stage.h"

static void need_words(const struct verb_call *call, int count, const char *usage)
{
    if (call->words != count) die("usage: sanlab corpus %s", usage);
}

static int libreoffice(struct verb_call *call)
{
    need_words(call, 1, "libreoffice --from en-US --to de [--root FOLDER] [--out FOLDER]");
    struct libreoffice_options options = {
        .from = verb_value(call, "--from"),
        .to = verb_value(call, "--to"),
        .root = verb_value(call, "--root"),
        .out = verb_value(call, "--out"),
        .version = verb_value(call, "--package-version"),
        .max_words = verb_number(call, "--max-words"),
        .dev = verb_number(call, "--dev"),
        .test = verb_number(call, "--test"),
    };
    if (!options.out)
        options.out = arena_print(&call->arena, "data/libreoffice/%s-%s", options.from, options.to);
    struct libreoffice_counts counts = corpus_libreoffice(&options);
    if (!verb_switch(call, "--quiet")) {
        libreoffice_print(&counts, stdout);
        printf("written to %s\n", options.out);
    }
    return 0;
}

static int check(struct verb_call *call)
{
    need_words(call, 2, "check FOLDER (of a corpus stage, or the stage)");
    const char *folder = file_named(&call->arena, call->word[1]);
    if (!file_is_folder(folder)) folder = stage_argument(call, folder, "corpus").path;
    corpus_statistics_print(corpus_open(&call->arena, folder), stdout);
    return 0;
}

static void show(void *context, int64_t done, int64_t total)
{
    struct progress **progress = context;
    if (!*progress) *progress = progress_open("sentences", total);
    progress_step(*progress, done, NULL);
}

static int prepare(struct verb_call *call)
{
    need_words(call, 3, "prepare PRESET|FILE.yaml FOLDER");
    struct progress *progress = NULL;
    struct corpus_options options;
    const struct tree *preset = grid_preset(&call->arena, "corpus", call->word[1]);
    section_read(&corpus_section, tree_get(preset, "corpus"), &options, &call->arena);
    const struct corpus_sources sources = corpus_sources(&options, &call->arena, NULL);
    const char *missing = corpus_missing(&options, &sources, &call->arena);
    if (missing) die("%s: missing %s", call->word[1], missing);
    file_make_folder(call->word[2]);
    progress_quiet(verb_switch(call, "--quiet"));
    corpus_prepare(&options, call->word[2], show, &progress);
    progress_close(progress, NULL);
    return 0;
}

static int run(struct verb_call *call)
{
    static const struct {
        const char *name;
        int (*run)(struct verb_call *call);
    } action[] = {{"libreoffice", libreoffice}, {"prepare", prepare}, {"check", check}};
    const char *names[COUNT_OF(action) + 1] = {0};
    for (size_t i = 0; i < COUNT_OF(action); i++) {
        names[i] = action[i].name;
        if (!strcmp(call->word[0], names[i])) return action[i].run(call);
    }
    word_refuse((struct place){"command line", 0, 0}, "corpus", "there is no action", call->word[0],
                names);
}

static const struct verb_option options[] = {
    {.name = "--from",
     .value = "LANGUAGE",
     .fallback = "en-US",
     .help = "libreoffice: source, as its help's folder is called"},
    {.name = "--to", .value = "LANGUAGE", .fallback = "de", .help = "libreoffice: target"},
    {.name = "--root",
     .value = "FOLDER",
     .fallback = "/",
     .help = "libreoffice: where the packages libreoffice-help-* were unpacked"},
    {.name = "--out",
     .value = "FOLDER",
     .help = "libreoffice: where text is written; data/libreoffice/FROM-TO when not given"},
    {.name = "--package-version",
     .value = "TEXT",
     .help = "libreoffice: noted in the description; of ROOT/DEBIAN/control when not given"},
    {.name = "--max-words",
     .value = "NUMBER",
     .fallback = "0",
     .low = 0,
     .high = 1e6,
     .help = "libreoffice: leave out pairs with more words on a side; 0: none"},
    {.name = "--dev",
     .value = "NUMBER",
     .fallback = "1000",
     .low = 1,
     .high = 1e6,
     .help = "libreoffice: pairs for validation"},
    {.name = "--test",
     .value = "NUMBER",
     .fallback = "1000",
     .low = 1,
     .high = 1e6,
     .help = "libreoffice: pairs for the test"},
};

const struct verb verb_corpus = {
    .name = "corpus",
    .usage = "libreoffice | prepare PRESET FOLDER | check FOLDER",
    .help = "get real text, prepare it outside of a grid, look at what was prepared",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_least = 1,
    .words_most = 3,
};
