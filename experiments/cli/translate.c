/* sanlab translate: translates lines of text with a trained model. */
#include <string.h>

#include "core/base/file.h"
#include "core/decode/translate_text.h"
#include "core/text/utf8.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

/* Reads all lines of a text. Removes carriage returns at their ends and the byte order mark, as the
 * reader of a corpus does. */
static const char **read_lines(const char *path, int *count, struct arena *arena)
{
    size_t bytes;
    char *text = file_read_given(arena, path, &bytes);
    text = utf8_text(path, text, &bytes);
    char **line = (char **)file_cut_lines(arena, text, bytes, count);
    for (int i = 0; i < *count; i++)
        for (size_t end = strlen(line[i]); end && line[i][end - 1] == '\r';) line[i][--end] = 0;
    return (const char **)line;
}

static int run(struct verb_call *call)
{
    if (call->words > 1 && !file_exists(call->word[1])) verb_take_changes(call, 1);
    if (call->words > 2) verb_take_changes(call, 2);
    if (call->words > 1 && strcmp(call->word[1], "-") != 0 && file_bytes(call->word[1]) < 0)
        die("translate: there is no file %s; expected a FILE of text, or text on standard input: "
            "echo TEXT | sanlab translate %s",
            call->word[1], call->word[0]);
    if (call->words > 2)
        die("translate: expected one file of text, got \"%s\" as well", call->word[2]);
    struct beam_options beam;
    verb_section(call, &beam);
    const int most = verb_number(call, "--nbest");
    if (most > beam.beam)
        die("translate: --nbest %d: expected at most %d, the size of the beam; or --beam %d with "
            "it",
            most, beam.beam, most);
    struct frozen *frozen = stage_argument_frozen(call, call->word[0], STAGE_ARGUMENT_TRAIN, NULL);
    int count;
    const char **line = read_lines(call->words > 1 ? call->word[1] : "-", &count, &call->arena);
    const struct nbest *nbest =
        translate_lines_nbest(frozen, &beam, line, count, most ? most : 1, &call->arena);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < nbest[i].count; k++)
            if (most)
                printf("%d ||| %s ||| %.6f\n", i, nbest[i].text[k], nbest[i].score[k]);
            else
                puts(nbest[i].text[k]);
    frozen_close(frozen);
    return 0;
}

const struct verb verb_translate = {
    .name = "translate",
    .run = run,
    .data = true,
    .section = &beam_section,
};
