/* Paragraphs are paired by page and id. Pairs that share a sentence are joined (union and find), so
 * that no sentence is in two splits, and the digests of groups put them in an order that no version
 * of the packages chose. */
#include "core/corpus/libreoffice.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/table.h"
#include "core/corpus/corpus.h"
#include "core/corpus/help_page.h"
#include "core/corpus/text_folder.h"
#include "core/text/tokenize.h"

struct help_pair {
    const char *text[SIDES];
    int32_t group; /* the first pair of its group, once groups are known */
    int32_t pairs; /* of that first one: how many are in the group */
    enum split_name split;
};

struct builder {
    const struct libreoffice_options *options;
    struct libreoffice_counts counts;
    struct arena arena;     /* texts of pairs */
    char *help;             /* folder that holds the languages */
    struct help_pair *pair; /* [counts.pairs] in the order of pages and paragraphs */
    struct table *known;    /* source TAB target: pairs that are there already */
};

/* ---- the folders ---- */

/* The names in a folder that must be there. */
static const char **folder_names(struct arena *arena, const char *path, int *count)
{
    const char **name = file_folder_names(arena, path, count);
    if (!name) die("%s: cannot be read: %s", path, strerror(errno));
    return name;
}

/* The folder that holds the languages: ROOT as unpacked, or itself that folder. */
static char *find_help(struct arena *arena, const char *root)
{
    char *inside = arena_print(arena, "%s/usr/share/libreoffice/help", root);
    if (file_is_folder(inside)) return inside;
    if (!file_is_folder(root)) die("%s: is not a folder", root);
    return arena_text(arena, root);
}

static void require_language(struct builder *builder, const char *language)
{
    struct arena arena = {0};
    if (file_is_folder(arena_print(&arena, "%s/%s/text", builder->help, language))) {
        arena_free(&arena);
        return;
    }
    int names;
    const char **name = folder_names(&arena, builder->help, &names), *there = "";
    for (int i = 0; i < names; i++)
        if (file_is_folder(arena_print(&arena, "%s/%s/text", builder->help, name[i])))
            there = arena_print(&arena, "%s%s%s", there, *there ? ", " : "", name[i]);
    if (!*there)
        die("%s: no help of LibreOffice is below it; unpack the packages libreoffice-help-* there "
            "(apt-get download, then dpkg-deb -x)",
            builder->options->root);
    die("%s: no help in \"%s\"; there are: %s", builder->help, language, there);
}

/* ---- pairs ---- */

/* One page in both languages. A paragraph's key is its id and how often that id came before. */
struct page {
    struct builder *builder;
    struct arena arena;
    struct table *seen;   /* id -> times it came */
    struct table *target; /* id TAB time -> position in `text` */
    const char **text;    /* the target's paragraphs */
    int64_t texts;
};

static const char *paragraph_key(struct page *page, const char *id)
{
    const char *copy = arena_text(&page->arena, id);
    int64_t time = (*table_at(page->seen, copy, strlen(copy), 0))++;
    return arena_print(&page->arena, "%s\t%lld", copy, (long long)time);
}

static void note_target(void *context, const char *id, const char *text, size_t bytes)
{
    struct page *page = context;
    const char *key = paragraph_key(page, id);
    HEAP_MORE(page->text, page->texts);
    page->text[page->texts] = arena_text_range(&page->arena, text, bytes);
    table_put(page->target, key, strlen(key), page->texts++);
}

static bool is_too_long(const struct builder *builder, const char *text)
{
    int limit = builder->options->max_words;
    return limit && tokenize_count(text, strlen(text), false) > limit;
}

static void add_pair(struct builder *builder, const char *source, const char *target)
{
    struct libreoffice_counts *counts = &builder->counts;
    if (!*source || !*target) {
        counts->empty++;
    } else if (!strcmp(source, target)) {
        counts->untranslated++;
    } else if (is_too_long(builder, source) || is_too_long(builder, target)) {
        counts->too_long++;
    } else {
        const char *key = arena_print(&builder->arena, "%s\t%s", source, target);
        if (*table_at(builder->known, key, strlen(key), counts->pairs) != counts->pairs) {
            counts->duplicate++;
            return;
        }
        HEAP_MORE(builder->pair, counts->pairs);
        builder->pair[counts->pairs++] = (struct help_pair){
            .text = {arena_text(&builder->arena, source), arena_text(&builder->arena, target)}};
    }
}

static void pair_source(void *context, const char *id, const char *text, size_t bytes)
{
    struct page *page = context;
    const char *key = paragraph_key(page, id);
    int64_t target = table_get(page->target, key, strlen(key));
    page->builder->counts.paragraphs++;
    if (target == TABLE_ABSENT)
        page->builder->counts.paragraphs_unpaired++;
    else
        add_pair(page->builder, arena_text_range(&page->arena, text, bytes), page->text[target]);
}

static void pair_page(struct builder *builder, const char *source, const char *target)
{
    struct page page = {.builder = builder};
    page.target = table_new(&page.arena, 0);
    page.seen = table_new(&page.arena, 0);
    help_page_read(target, note_target, &page);
    page.seen = table_new(&page.arena, 0);
    help_page_read(source, pair_source, &page);
    free(page.text);
    arena_free(&page.arena);
}

/* Pairs all pages below a folder, `inside` being its path within a language. */
static void pair_folder(struct builder *builder, const char *inside)
{
    struct arena arena = {0};
    const struct libreoffice_options *options = builder->options;
    const char *folder = arena_print(&arena, "%s/%s/%s", builder->help, options->from, inside);
    int names;
    const char **name = folder_names(&arena, folder, &names);
    for (int i = 0; i < names; i++) {
        const char *source = arena_print(&arena, "%s/%s", folder, name[i]);
        const char *ending = strrchr(name[i], '.');
        if (file_is_folder(source)) {
            pair_folder(builder, arena_print(&arena, "%s/%s", inside, name[i]));
        } else if (ending && !strcmp(ending, ".html")) {
            const char *target =
                arena_print(&arena, "%s/%s/%s/%s", builder->help, options->to, inside, name[i]);
            builder->counts.pages++;
            if (file_exists(target))
                pair_page(builder, source, target);
            else
                builder->counts.pages_unpaired++;
        }
    }
    arena_free(&arena);
}

/* ---- groups and splits ---- */

static int32_t find_group(struct help_pair *pair, int32_t i)
{
    while (pair[i].group != i) i = pair[i].group = pair[pair[i].group].group;
    return i;
}

/* Pairs with a common sentence get a common group, named by its first pair. */
static void find_groups(struct builder *builder)
{
    int32_t pairs = (int32_t)builder->counts.pairs;
    struct help_pair *pair = builder->pair;
    for (int32_t i = 0; i < pairs; i++) pair[i].group = i;
    for (int side = 0; side < SIDES; side++) {
        struct table *first = table_new(NULL, (size_t)pairs);
        for (int32_t i = 0; i < pairs; i++) {
            const char *text = pair[i].text[side];
            int32_t other = (int32_t)*table_at(first, text, strlen(text), i);
            int32_t a = find_group(pair, i), b = find_group(pair, other);
            pair[a > b ? a : b].group = a > b ? b : a;
        }
        table_free(first);
    }
    for (int32_t i = 0; i < pairs; i++) {
        pair[i].group = find_group(pair, i);
        builder->counts.groups += pair[i].group == i;
        pair[pair[i].group].pairs++;
    }
}

struct help_group {
    char digest[DIGEST_TEXT]; /* of its first source sentence */
    struct help_pair *first;
};

static int compare_groups(const void *a, const void *b)
{
    const struct help_group *p = a, *q = b;
    return strcmp(p->digest, q->digest);
}

static void split_pairs(struct builder *builder)
{
    struct libreoffice_counts *counts = &builder->counts;
    int64_t wanted[SPLITS] = {
        [SPLIT_DEV] = builder->options->dev, [SPLIT_TEST] = builder->options->test};
    struct help_group *group = heap_alloc((size_t)counts->groups * sizeof *group);
    int32_t groups = 0;
    for (int32_t i = 0; i < counts->pairs; i++) {
        struct help_pair *pair = &builder->pair[i];
        const char *source = pair->text[SIDE_SOURCE];
        if (pair->group != i) continue;
        digest_bytes(source, strlen(source), group[groups].digest);
        group[groups++].first = pair;
    }
    qsort(group, (size_t)groups, sizeof *group, compare_groups);
    for (int32_t i = 0; i < groups; i++) {
        const int32_t pairs = group[i].first->pairs;
        const enum split_name split = pairs <= wanted[SPLIT_TEST]  ? SPLIT_TEST
                                      : pairs <= wanted[SPLIT_DEV] ? SPLIT_DEV
                                                                   : SPLIT_TRAIN;
        if (split != SPLIT_TRAIN) wanted[split] -= pairs;
        group[i].first->split = split;
    }
    if (wanted[SPLIT_DEV] || wanted[SPLIT_TEST])
        die("%lld pairs are too few for %d in dev and %d in test", (long long)counts->pairs,
            builder->options->dev, builder->options->test);
    counts->dev = builder->options->dev;
    counts->test = builder->options->test;
    counts->train = counts->pairs - counts->dev - counts->test;
    if (!counts->train)
        die("%lld pairs leave none for train beside %d in dev and %d in test",
            (long long)counts->pairs, builder->options->dev, builder->options->test);
    for (int32_t i = 0; i < counts->pairs; i++)
        builder->pair[i].split = builder->pair[builder->pair[i].group].split;
    free(group);
}

/* ---- what is written ---- */

static const struct {
    const char *key, *words;
    size_t offset;
} rows[] = {
#define ROW(field, words)                                                                          \
    {                                                                                              \
#field, words, offsetof(struct libreoffice_counts, field)                                  \
    }
    ROW(pages, "pages"),
    ROW(pages_unpaired, "pages that are not in the other language"),
    ROW(paragraphs, "paragraphs"),
    ROW(paragraphs_unpaired, "paragraphs whose id is not in the other language"),
    ROW(empty, "pairs dropped: a side is empty"),
    ROW(untranslated, "pairs dropped: both sides are equal"),
    ROW(too_long, "pairs dropped: too many words"),
    ROW(duplicate, "pairs dropped: the same pair came before"),
    ROW(pairs, "pairs kept"),
    ROW(groups, "groups: pairs with a common sentence are one"),
    ROW(train, "pairs in train"),
    ROW(dev, "pairs in dev"),
    ROW(test, "pairs in test"),
#undef ROW
};

static int64_t row_value(const struct libreoffice_counts *counts, size_t row)
{
    return *(const int64_t *)(const void *)((const char *)counts + rows[row].offset);
}

void libreoffice_print(const struct libreoffice_counts *counts, FILE *out)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        fprintf(out, "%9lld %s\n", (long long)row_value(counts, i), rows[i].words);
}

static void write_side(struct builder *builder, enum split_name split, enum side_name side)
{
    const struct libreoffice_options *options = builder->options;
    char *path = heap_print("%s/%s.%s", options->out, split_names[split],
                            side == SIDE_SOURCE ? options->from : options->to);
    struct file_writer writer = file_create(path);
    for (int64_t i = 0; i < builder->counts.pairs; i++) {
        if (builder->pair[i].split != split) continue;
        fputs(builder->pair[i].text[side], writer.stream);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
    free(path);
}

/* The "Version:" field of ROOT/DEBIAN/control, where `dpkg-deb -R` puts it; NULL without one. */
static const char *control_version(struct arena *arena, const char *root)
{
    static const char field[] = "\nVersion: ";
    const char *path = arena_print(arena, "%s/DEBIAN/control", root);
    if (!file_exists(path)) return NULL;
    const char *at = strstr(file_read(arena, path, 1 << 20, NULL), field);
    if (!at) return NULL;
    at += sizeof field - 1;
    return arena_text_range(arena, at, strcspn(at, " \r\n"));
}

static void write_description(struct builder *builder, const char *path)
{
    const struct libreoffice_options *options = builder->options;
    const char *version =
        options->version ? options->version : control_version(&builder->arena, options->root);
    json_t *counts = json_object();
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        json_object_set_new(counts, rows[i].key, json_integer(row_value(&builder->counts, i)));
    json_t *root = json_pack("{s:s, s:s, s:s, s:s?, s:i, s:o}", "text", "LibreOffice help", "from",
                             options->from, "to", options->to, "package_version", version,
                             "max_words", options->max_words, "counts", counts);
    CHECK(root, "jansson could not pack the description");
    json_file_write(path, root);
    json_decref(root);
}

struct libreoffice_counts corpus_libreoffice(const struct libreoffice_options *options)
{
    struct builder builder = {.options = options, .known = table_new(NULL, 1 << 14)};
    builder.help = find_help(&builder.arena, options->root);
    require_language(&builder, options->from);
    require_language(&builder, options->to);
    if (!strcmp(options->from, options->to)) die("--from and --to are both %s", options->to);
    pair_folder(&builder, "text");
    find_groups(&builder);
    split_pairs(&builder);

    text_folder_open(options->out, "description.json", "text", "LibreOffice help");
    for (enum split_name split = 0; split < SPLITS; split++)
        for (enum side_name side = 0; side < SIDES; side++) write_side(&builder, split, side);
    write_description(&builder, arena_print(&builder.arena, "%s/description.json", options->out));
    text_folder_close(options->out);
    table_free(builder.known);
    free(builder.pair);
    arena_free(&builder.arena);
    return builder.counts;
}
