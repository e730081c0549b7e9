#include "tests/support/scored.h"

#include "tests/support/test.h"

#include <jansson.h>

#include "core/base/digest.h"
#include "core/decode/bleu.h"
#include "results/store/items.h"

static int split_lines(const char *text, const char ***line)
{
    int count = 0;
    *line = ARENA_ARRAY(&arena, const char *, strlen(text) + 1);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        (*line)[count++] = arena_text_range(&arena, text, (size_t)(end - text));
    return count;
}

struct run scored_new(const char *runs, const char *name, const char *train, const char *reference,
                      int sets, const char *const *hypothesis)
{
    struct run corpus = run_new(runs, "corpus", reference, "{}", NULL, name);
    run_write(&corpus, "test.reference", reference);
    run_done(&corpus, "done", "{}");

    struct run score =
        run_new(runs, "score", arena_print(&arena, "score of %s", name), "{}", NULL, name);
    char *path = heap_print("%s/stage.json", score.folder), digest[DIGEST_TEXT];
    json_t *stage = json_load_file(path, 0, NULL);
    json_object_set_new(stage, "inputs", json_pack("[s, s]", corpus.id, train));
    json_dump_file(stage, path, 0);
    json_decref(stage);
    free(path);

    const struct bleu_options options = bleu_options_named("none");
    const char **line, **words;
    char signature[BLEU_SIGNATURE_TEXT];
    const int count = split_lines(reference, &line);
    double bleu = 0;
    json_t *outputs = json_object();
    for (int set = 0; set < sets; set++) {
        const char *file =
            sets > 1 ? arena_print(&arena, "hypotheses.%d.txt", set + 1) : "hypotheses.txt";
        run_write(&score, file, hypothesis[set]);
        digest_bytes(hypothesis[set], strlen(hypothesis[set]), digest);
        json_object_set_new(outputs, file, json_string(digest));
        CHECK(split_lines(hypothesis[set], &words) == count, "lines of %s", name);
        const char *const *one = line;
        bleu += bleu_corpus(&options, words, &one, 1, count, NULL).score / sets;
    }
    bleu_signature(&options, 1, "", signature);
    digest_bytes(reference, strlen(reference), digest);
    json_t *done = json_pack(
        "{s:s, s:{s:f, s:s, s:i, s:s}, s:o}", "status", "done", "summary", "bleu", bleu,
        "signature", arena_print(&arena, "%s|refs:%.8s|sentences:%d", signature, digest, count),
        "sentences", count, "split", "test", "outputs", outputs);
    char *text = json_dumps(done, 0);
    run_write(&score, "done.json", text);
    free(text);
    json_decref(done);
    return score;
}

void scored_items(const struct run *run, const char *summary, int sets)
{
    json_t *outputs = json_object(), *values = json_loads(summary, 0, NULL);
    for (int set = 0; set < sets; set++) {
        char digest[DIGEST_TEXT];
        const char *file = items_file(set, sets, &arena);
        digest_file(arena_print(&arena, "%s/%s", run->folder, file), digest);
        json_object_set_new(outputs, file, json_string(digest));
    }
    json_t *done =
        json_pack("{s:s, s:o, s:o}", "status", "done", "summary", values, "outputs", outputs);
    char *text = json_dumps(done, 0);
    run_write(run, "done.json", text);
    free(text);
    json_decref(done);
}

const char *scored_lines(int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++)
        text = arena_print(&arena, "%sline %d says that word%d comes before word%d at the end\n",
                           text, i, i * 7 % 11, i % 5);
    return text;
}

const char *scored_worse(const char *text, int first, int every)
{
    const char **line, *result = "";
    const int count = split_lines(text, &line);
    for (int i = 0; i < count; i++) {
        const char *blank = strrchr(line[i], ' ');
        if (i >= first && (i - first) % every == 0 && blank)
            result = arena_print(&arena, "%s%.*s else\n", result, (int)(blank - line[i]), line[i]);
        else
            result = arena_print(&arena, "%s%s\n", result, line[i]);
    }
    return result;
}
