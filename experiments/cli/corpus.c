/* sanlab corpus check|prepare: look at a prepared corpus, or prepare one outside of a grid. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/progress.h"
#include "core/text/check.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/stage.h"

static void need_words(const struct verb_call *call, int count, const char *usage)
{
    if (call->words != count) die("usage: sanlab corpus %s", usage);
}

static int check(struct verb_call *call)
{
    need_words(call, 2, "check FOLDER (of a corpus stage, or its id)");
    const char *folder = call->word[1];
    if (!file_is_folder(folder))
        folder = stage_folder_find(&call->arena, verb_value(call, "--runs"), folder);
    corpus_check(corpus_open(&call->arena, folder), stdout);
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
    struct corpus_input input[CORPUS_INPUTS];
    int inputs = corpus_inputs(&options, &call->arena, input);
    for (int i = 0; i < inputs; i++)
        if (!input[i].file)
            die("%s: %s is neither under $SANLAB_DATA nor under data/", input[i].name,
                input[i].path);
    file_make_folder(call->word[2]);
    corpus_prepare(&options, call->word[2], show, &progress);
    progress_close(progress, NULL);
    return 0;
}

static int run(struct verb_call *call)
{
    static const struct {
        const char *name;
        int (*run)(struct verb_call *call);
    } action[] = {{"check", check}, {"prepare", prepare}};
    const char *names[COUNT_OF(action) + 1] = {0};
    for (size_t i = 0; i < COUNT_OF(action); i++) {
        names[i] = action[i].name;
        if (!strcmp(call->word[0], names[i])) return action[i].run(call);
    }
    word_refuse((struct place){"command line", 0, 0}, "corpus", "there is no action",
                call->word[0], names);
}

const struct verb verb_corpus = {
    .name = "corpus",
    .usage = "check FOLDER | prepare PRESET FOLDER",
    .help = "look at prepared text, or prepare it outside of a grid",
    .run = run,
    .words_least = 1,
    .words_most = 3,
};
