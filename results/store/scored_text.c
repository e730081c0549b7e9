/* Reads the translations of a stage of kind score, and their references. done.json of the stage
 * lists the files of hypotheses and their digests. */
#include "results/store/scored_text.h"

#include <jansson.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/corpus/corpus_folder.h"
#include "results/sheet/cell.h"
#include "results/store/kept_file.h"
#include "results/store/stage_folder.h"

/* Returns the lines of a file. If their number differs from the other files, or the digest from
 * `recorded` (NULL: not checked), sets the problem and returns NULL. Writes the digest of the file
 * to `digest` (NULL: not written). */
static const char *const *read_lines(struct scored_text *text, struct arena *arena,
                                     const char *path, const char *recorded,
                                     char digest[DIGEST_TEXT])
{
    size_t bytes;
    int count;
    char *content = kept_read(arena, path, recorded, &bytes, &text->problem);
    if (!content) return NULL;
    if (digest) digest_bytes(content, bytes, digest);
    const char **line = file_cut_lines(arena, content, bytes, &count);
    if (!text->count) text->count = count;
    if (count == text->count) return line;
    text->problem = arena_print(arena, "%s has %d lines, expected %d", path, count, text->count);
    return NULL;
}

static void read_hypotheses(struct scored_text *text, struct arena *arena, const json_t *outputs,
                            const char *folder)
{
    const char *const **line = ARENA_ARRAY(arena, const char *const *, json_object_size(outputs));
    const char **file = ARENA_ARRAY(arena, const char *, json_object_size(outputs));
    const char *name = "hypotheses.txt", *recorded;
    if (!json_object_get(outputs, name)) name = "hypotheses.1.txt";
    while (!text->problem && (recorded = json_string_value(json_object_get(outputs, name)))) {
        file[text->sets] = arena_print(arena, "%s/%s", folder, name);
        line[text->sets] = read_lines(text, arena, file[text->sets], recorded, NULL);
        name = arena_print(arena, "hypotheses.%d.txt", ++text->sets + 1);
    }
    if (!text->sets) text->problem = arena_print(arena, "%s has no hypotheses", folder);
    text->hypothesis = line;
    text->hypothesis_file = file;
    text->hypotheses = text->sets > 1 ? "hypotheses.*.txt" : "hypotheses.txt";
}

/* Reads SPLIT.reference, SPLIT.reference.2 and so on. A signature has the digest of each reference,
 * "..|refs:DIGEST+DIGEST|..". Without a signature, reads all references that exist. */
static void read_references(struct scored_text *text, struct arena *arena, const char *folder,
                            const char *signature)
{
    const char *const **line = NULL, **file = NULL, *at = NULL, *recorded = NULL,
                      *path = corpus_reference_file(arena, folder, text->split, 0);
    if (signature && (at = strstr(signature, "|refs:"))) at += strlen("|refs:");
    int files = 0;
    text->digest = "";
    for (bool more = true; more;) {
        const size_t length = strcspn(at ? at : "", "+|");
        char digest[DIGEST_TEXT] = "";
        if (signature) recorded = at ? arena_text_range(arena, at, length) : "";
        ARENA_ADD(arena, file, files, path);
        ARENA_ADD(arena, line, text->references,
                  text->problem ? NULL : read_lines(text, arena, path, recorded, digest));
        text->digest = arena_print(arena, "%s%s%.8s", text->digest, files > 1 ? "+" : "", digest);
        path = corpus_reference_file(arena, folder, text->split, files);
        more = signature ? at && at[length] == '+' : file_exists(path);
        if (at) at += length + more;
    }
    ARENA_ADD(arena, file, files, NULL);
    text->reference_file = file;
    text->reference = line;
}

struct scored_text scored_text_read(struct arena *arena, const char *corpus, const char *score,
                                    const char *signature)
{
    struct scored_text text = {0};
    json_t *done = stage_folder_done(arena, score, &text.problem);
    const char *split = json_string_value(json_object_get(stage_folder_texts(done), "split"));
    if (!text.problem && !done) text.problem = arena_print(arena, "%s is gone", score);
    if (!text.problem && !split)
        text.problem = arena_print(arena, "%s: has no translations of a split", score);
    text.split = split ? arena_text(arena, split) : NULL;
    if (!text.problem) read_hypotheses(&text, arena, json_object_get(done, "outputs"), score);
    if (!text.problem) read_references(&text, arena, corpus, signature);
    json_decref(done);
    return text;
}
