#include "tests/support/made_corpus.h"

#include <jansson.h>

#include "core/corpus/prepare.h"
#include "tests/support/test.h"

const char *made_text, *made_corpus;

struct corpus_options made_options;
static struct corpus *prepared;

static void close_corpus(void)
{
    if (prepared) corpus_close(prepared);
}

void made_begin(void)
{
    made_text = arena_text(&arena, test_folder("corpus_text"));
    made_corpus = arena_text(&arena, test_folder("corpus_made"));
    setenv("SANLAB_DATA", made_text, 1);
    made_put_all("the house is small\nthe houses are small\nthe mouse is small\n",
                 "das Haus ist klein\ndie Häuser sind klein\ndie Maus ist klein\n");
    made_options =
        (struct corpus_options){.source = "xx",
                                .target = "yy",
                                .part = {made_part("train"), made_part("dev"), made_part("test")},
                                .separator = "|||",
                                .field = {-2, -1},
                                .origin = "",
                                .codes = "",
                                .merges = 50,
                                .joint = true,
                                .max_length = 256};
    prepared = NULL;
    if (!test_hooks.after_each) test_hooks.after_each = close_corpus;
}

void made_put_bytes(const char *name, const char *text, size_t bytes)
{
    file_write(arena_print(&arena, "%s/%s", made_text, name), text, bytes);
}

void made_put(const char *name, const char *text)
{
    made_put_bytes(name, text, strlen(text));
}

void made_put_all(const char *source, const char *target)
{
    static const char *const split[] = {"train", "dev", "test"};
    for (size_t i = 0; i < COUNT_OF(split); i++) {
        made_put(arena_print(&arena, "%s.xx", split[i]), source);
        made_put(arena_print(&arena, "%s.yy", split[i]), target);
    }
}

struct texts made_part(const char *path)
{
    struct texts part = {1, ARENA_ARRAY(&arena, const char *, 1),
                         ARENA_ARRAY(&arena, struct location, 1)};
    part.text[0] = path;
    return part;
}

struct corpus *made_prepare(void)
{
    close_corpus();
    corpus_prepare(&made_options, made_corpus, NULL, NULL);
    return prepared = corpus_open(&arena, made_corpus);
}

const char *made_text_of(const struct corpus *corpus, enum split_name split, enum side_name side,
                         int sentence)
{
    const struct side *from = &corpus->split[split].side[side];
    int64_t at = from->start[sentence];
    return corpus_text(&arena, corpus, side, from->token + at,
                       (int)(from->start[sentence + 1] - at));
}

int made_id(const struct corpus *corpus, const char *token)
{
    return vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], token, strlen(token));
}

/* Returns the number at a path of corpus.json, for example "splits.train.dropped.empty". */
int made_described(const char *path)
{
    json_t *root = json_load_file(arena_print(&arena, "%s/corpus.json", made_corpus), 0, NULL);
    assert_non_null(root);
    const json_t *at = root;
    char *copy = arena_text(&arena, path), *rest = copy;
    for (char *key; (key = strsep(&rest, "."));) at = json_object_get(at, key);
    assert_true(json_is_integer(at));
    int value = (int)json_integer_value(at);
    json_decref(root);
    return value;
}
