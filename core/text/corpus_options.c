#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/text/prepare.h"

#define FIELD(name) offsetof(struct corpus_options, name)

/* Paths are no part of the identity: the digests of the files are. */
static const struct option rows[] = {
    {.key = "source", .type = OPTION_TEXT, .offset = FIELD(source), .flags = OPTION_ID,
     .help = "source language: ending of its files"},
    {.key = "target", .type = OPTION_TEXT, .offset = FIELD(target), .flags = OPTION_ID,
     .help = "target language: ending of its files"},
    {.key = "train", .type = OPTION_TEXT, .offset = FIELD(prefix[SPLIT_TRAIN]),
     .help = "path of the training text without .LANGUAGE, under $SANLAB_DATA or data/"},
    {.key = "dev", .type = OPTION_TEXT, .offset = FIELD(prefix[SPLIT_DEV]), .fallback = "",
     .help = "the same for validation"},
    {.key = "test", .type = OPTION_TEXT, .offset = FIELD(prefix[SPLIT_TEST]), .fallback = "",
     .help = "the same for the test"},
    {.key = "text", .type = OPTION_CHOICE, .offset = FIELD(text), .fallback = "tokens",
     .choices = "tokens|raw", .flags = OPTION_ID,
     .help = "tokens: words between blanks, scored as words; raw: tokenized here, scored as text"},
    {.key = "lowercase", .type = OPTION_BOOL, .offset = FIELD(lowercase), .fallback = "false",
     .flags = OPTION_ID, .help = "lower-case everything, references too"},
    {.key = "bad_utf8", .type = OPTION_CHOICE, .offset = FIELD(bad_utf8), .fallback = "error",
     .choices = "error|drop-pair", .flags = OPTION_ID,
     .help = "what a line that is not UTF-8 leads to"},
    {.key = "max_words", .type = OPTION_INT, .offset = FIELD(max_words), .fallback = "0",
     .low = 0, .high = 1e6, .flags = OPTION_ID,
     .help = "leave out pairs with more words and signs on a side (every split); 0: none"},
    {.key = "max_length", .type = OPTION_INT, .offset = FIELD(max_length), .fallback = "256",
     .low = 2, .high = 1e6, .flags = OPTION_ID,
     .help = "pieces with <eos>: longer pairs are left out of train, cut in dev and test"},
    {.key = "train_limit", .type = OPTION_INT, .offset = FIELD(limit[SPLIT_TRAIN]), .fallback = "0",
     .low = 0, .high = 2e9, .flags = OPTION_ID, .help = "take the first pairs only; 0: all"},
    {.key = "dev_limit", .type = OPTION_INT, .offset = FIELD(limit[SPLIT_DEV]), .fallback = "0",
     .low = 0, .high = 2e9, .flags = OPTION_ID, .help = "the same for validation"},
    {.key = "test_limit", .type = OPTION_INT, .offset = FIELD(limit[SPLIT_TEST]), .fallback = "0",
     .low = 0, .high = 2e9, .flags = OPTION_ID, .help = "the same for the test"},
    {.key = "merges", .type = OPTION_INT, .offset = FIELD(merges), .fallback = "8000", .low = 0,
     .high = 1e6, .flags = OPTION_ID,
     .help = "BPE merges, learned on both sides of train together"},
    {.key = "codes", .type = OPTION_TEXT, .offset = FIELD(codes), .fallback = "",
     .help = "path of ready merges (subword-nmt's format) instead of learning them"},
    {.key = "joint", .type = OPTION_BOOL, .offset = FIELD(joint), .fallback = "true",
     .flags = OPTION_ID, .help = "one vocabulary for both sides"},
    {.key = "threshold", .type = OPTION_INT, .offset = FIELD(threshold), .fallback = "0",
     .low = 0, .high = 1e9, .flags = OPTION_ID,
     .help = "split pieces again that are rarer than this in train"},
};

const struct section corpus_section = {.name = "corpus",
                                       .help = "parallel text, and how it becomes token ids",
                                       .option = rows,
                                       .count = COUNT_OF(rows),
                                       .bytes = sizeof(struct corpus_options)};

const char *corpus_data_path(struct arena *arena, const char *path)
{
    if (path[0] == '/') return file_exists(path) ? path : NULL;
    const char *folder[] = {getenv("SANLAB_DATA"), "data"};
    for (size_t i = 0; i < COUNT_OF(folder); i++) {
        if (!folder[i] || !folder[i][0]) continue;
        const char *file = arena_print(arena, "%s/%s", folder[i], path);
        if (file_exists(file)) return file;
    }
    return NULL;
}

int corpus_inputs(const struct corpus_options *options, struct arena *arena,
                  void (*digest)(const char *path, char text[DIGEST_TEXT]),
                  struct corpus_input input[CORPUS_INPUTS])
{
    const char *language[SIDES] = {options->source, options->target};
    if (!strcmp(language[SIDE_SOURCE], language[SIDE_TARGET]))
        die("corpus.source and corpus.target are both \"%s\": they name the two files of each "
            "split",
            language[SIDE_SOURCE]);
    if (!options->prefix[SPLIT_TRAIN][0]) die("corpus.train is empty: expected a path");
    int count = 0;
    for (int split = 0; split < SPLITS; split++)
        for (int side = 0; side < SIDES && options->prefix[split][0]; side++)
            input[count++] = (struct corpus_input){
                .name = arena_print(arena, "%s.%s", split_names[split], side_names[side]),
                .path = arena_print(arena, "%s.%s", options->prefix[split], language[side])};
    if (options->codes[0])
        input[count++] = (struct corpus_input){.name = "codes", .path = options->codes};
    for (int i = 0; i < count; i++) {
        input[i].file = corpus_data_path(arena, input[i].path);
        if (input[i].file) digest(input[i].file, input[i].digest);
    }
    return count;
}
