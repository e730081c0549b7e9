/* Makes parallel text from the pages of LibreOffice's help. Two paragraphs are a pair if they have
 * the same page and id. */
#include "core/corpus/libreoffice.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/hash_table.h"
#include "core/corpus/help_page.h"
#include "core/corpus/text_folder.h"
#include "core/text/tokenize.h"

struct builder {
    const struct libreoffice_options *options;
    struct libreoffice_counts counts;
    struct arena arena; /* texts of pairs */
    char *help;         /* folder of the languages */
    struct help_pairs pairs;
    struct hash_table *known; /* source TAB target -> index of the pair */
};

/* ---- the folders ---- */

/* Returns the names in a folder; dies if it does not exist. */
static const char **folder_names(struct arena *arena, const char *path, int *count)
{
    const char **name = file_folder_names(arena, path, count);
    if (!name) die("%s: cannot be read: %s", path, strerror(errno));
    return name;
}

/* Returns the folder of the languages: a folder in an unpacked ROOT, or ROOT itself. */
static char *find_help(struct arena *arena, const char *root)
{
    char *inside = arena_print(arena, "%s/usr/share/libreoffice/help", root);
    if (file_is_folder(inside)) return inside;
    if (!file_is_folder(root)) die("%s: is not a folder", root);
    return arena_text(arena, root);
}

static void require_language(struct builder *builder, const char *language)
{
    SCOPED(arena_free) struct arena arena = {0};
    if (file_is_folder(arena_print(&arena, "%s/%s/text", builder->help, language))) return;
    int names;
    const char **name = folder_names(&arena, builder->help, &names), *there = "";
    for (int i = 0; i < names; i++)
        if (file_is_folder(arena_print(&arena, "%s/%s/text", builder->help, name[i])))
            there = arena_print(&arena, "%s%s%s", there, *there ? ", " : "", name[i]);
    if (!*there)
        die("%s: has no help of LibreOffice; unpack the packages libreoffice-help-* there (apt-get "
            "download, then dpkg-deb -x)",
            builder->options->root);
    die("%s: no help in \"%s\"; expected one of: %s", builder->help, language, there);
}

/* ---- pairs ---- */

/* One page in both languages. A paragraph's key is its id and the number of earlier occurrences of
 * this id. */
struct page {
    struct builder *builder;
    struct arena arena;
    struct hash_table *seen;   /* id -> number of occurrences */
    struct hash_table *target; /* id TAB occurrence -> index in `text` */
    const char **text;         /* paragraphs of the target, in their order */
    int64_t texts;
};

static const char *paragraph_key(struct page *page, const char *id)
{
    const char *copy = arena_text(&page->arena, id);
    int64_t time = (*hash_table_at(page->seen, copy, strlen(copy), 0))++;
    return arena_print(&page->arena, "%s\t%lld", copy, (long long)time);
}

static void note_target(void *context, const char *id, const char *text, size_t bytes)
{
    struct page *page = context;
    const char *key = paragraph_key(page, id);
    HEAP_MORE(page->text, page->texts);
    page->text[page->texts] = arena_text_range(&page->arena, text, bytes);
    hash_table_put(page->target, key, strlen(key), page->texts++);
}

static bool is_too_long(const struct builder *builder, const char *text)
{
    int limit = builder->options->max_words;
    return limit && tokenize_count(text, strlen(text), false) > limit;
}

static void add_pair(struct builder *builder, const char *source, const char *target)
{
    struct libreoffice_counts *counts = &builder->counts;
    struct help_pairs *pairs = &builder->pairs;
    if (!*source || !*target) {
        counts->empty++;
    } else if (!strcmp(source, target)) {
        counts->untranslated++;
    } else if (is_too_long(builder, source) || is_too_long(builder, target)) {
        counts->too_long++;
    } else {
        const char *key = arena_print(&builder->arena, "%s\t%s", source, target);
        const int64_t at = *hash_table_at(builder->known, key, strlen(key), pairs->pairs);
        HEAP_ADD(pairs->occurrence, pairs->occurrences, (int32_t)at);
        if (at != pairs->pairs) {
            counts->duplicate++;
            return;
        }
        HEAP_ADD(pairs->pair, pairs->pairs,
                 (struct help_pair){.text = {arena_text(&builder->arena, source),
                                             arena_text(&builder->arena, target)}});
    }
}

static void pair_source(void *context, const char *id, const char *text, size_t bytes)
{
    struct page *page = context;
    const char *key = paragraph_key(page, id);
    int64_t target = hash_table_get(page->target, key, strlen(key));
    page->builder->counts.paragraphs++;
    if (target == HASH_TABLE_ABSENT)
        page->builder->counts.paragraphs_unpaired++;
    else
        add_pair(page->builder, arena_text_range(&page->arena, text, bytes), page->text[target]);
}

static void pair_page(struct builder *builder, const char *source, const char *target)
{
    struct page page = {.builder = builder};
    page.target = hash_table_new(&page.arena, 0);
    page.seen = hash_table_new(&page.arena, 0);
    help_page_read(target, note_target, &page);
    page.seen = hash_table_new(&page.arena, 0);
    help_page_read(source, pair_source, &page);
    free(page.text);
    arena_free(&page.arena);
}

/* Begins a page. If `path` is NULL, ends the last page. */
static void begin_page(struct help_pairs *pairs, const char *path)
{
    HEAP_MORE(pairs->page, pairs->pages);
    pairs->page[pairs->pages] = (struct help_page){.path = path, .first = pairs->occurrences};
    pairs->pages += path != NULL;
}

/* Pairs all pages below a folder. `inside` is the path of this folder within the folder of a
 * language. */
static void pair_folder(struct builder *builder, const char *inside)
{
    SCOPED(arena_free) struct arena arena = {0};
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
            if (!file_exists(target)) {
                builder->counts.pages_unpaired++;
                continue;
            }
            begin_page(&builder->pairs, arena_print(&builder->arena, "%s/%s", inside, name[i]));
            pair_page(builder, source, target);
        }
    }
}

/* ---- output ---- */

static const struct {
    const char *key, *words;
    size_t offset;
} rows[] = {
#define ROW(key, field, words)                                                                     \
    {                                                                                              \
        key, words, offsetof(struct libreoffice_counts, field)                                     \
    }
    ROW("pages", pages, "pages"),
    ROW("pages_unpaired", pages_unpaired, "pages that are not in the other language"),
    ROW("paragraphs", paragraphs, "paragraphs"),
    ROW("paragraphs_unpaired", paragraphs_unpaired,
        "paragraphs whose id is not in the other language"),
    ROW("empty", empty, "pairs dropped: a side is empty"),
    ROW("untranslated", untranslated, "pairs dropped: both sides are equal"),
    ROW("too_long", too_long, "pairs dropped: too many words"),
    ROW("duplicate", duplicate, "pairs dropped: repetitions of an earlier pair"),
    ROW("pairs", pairs, "pairs kept"),
    ROW("groups", groups, "groups of pairs that share sentences"),
    ROW("train", split[SPLIT_TRAIN], "pairs in train"),
    ROW("dev", split[SPLIT_DEV], "pairs in dev"),
    ROW("test", split[SPLIT_TEST], "pairs in test"),
    ROW("pages_dev", split_pages[SPLIT_DEV], "pages whose sentences are in dev"),
    ROW("pages_test", split_pages[SPLIT_TEST], "pages whose sentences are in test"),
    ROW("shared", shared, "pairs of these pages in train, because another page shares a sentence"),
#undef ROW
};

static int64_t row_value(const struct libreoffice_counts *counts, size_t row)
{
    return *(const int64_t *)(const void *)((const char *)counts + rows[row].offset);
}

/* Returns the number of rows. Only a split by page has the last three rows. */
static size_t row_count(const struct libreoffice_counts *counts)
{
    return COUNT_OF(rows) -
           (counts->split_pages[SPLIT_TEST] || counts->split_pages[SPLIT_DEV] ? 0 : 3);
}

void libreoffice_print(const struct libreoffice_counts *counts, FILE *out)
{
    for (size_t i = 0; i < row_count(counts); i++)
        fprintf(out, "%9lld %s\n", (long long)row_value(counts, i), rows[i].words);
}

static void write_side(struct builder *builder, enum split_name split, enum side_name side)
{
    const struct libreoffice_options *options = builder->options;
    char *path = heap_print("%s/%s.%s", options->out, split_names[split],
                            side == SIDE_SOURCE ? options->from : options->to);
    struct file_writer writer = file_create(path);
    for (int64_t i = 0; i < builder->pairs.pairs; i++) {
        const struct help_pair *pair = &builder->pairs.pair[i];
        if (pair->split != split) continue;
        fputs(pair->text[side], writer.stream);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
    free(path);
}

/* Returns the "Version:" field of ROOT/DEBIAN/control, which `dpkg-deb -R` writes; NULL if there is
 * none. */
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
    for (size_t i = 0; i < row_count(&builder->counts); i++)
        json_object_set_new(counts, rows[i].key, json_integer(row_value(&builder->counts, i)));
    json_auto_t *root = json_pack("{s:s, s:s, s:s, s:s?, s:i, s:o}", "text", "LibreOffice help",
                                  "from", options->from, "to", options->to, "package_version",
                                  version, "max_words", options->max_words, "counts", counts);
    CHECK(root, "jansson could not pack the description");
    if (options->by_page) json_object_set_new(root, "split", json_string("page"));
    json_file_write(path, root);
}

struct libreoffice_counts corpus_libreoffice(const struct libreoffice_options *options)
{
    struct builder builder = {.options = options, .known = hash_table_new(NULL, 1 << 14)};
    builder.help = find_help(&builder.arena, options->root);
    require_language(&builder, options->from);
    require_language(&builder, options->to);
    if (!strcmp(options->from, options->to))
        die("--from and --to are both %s; expected two languages", options->to);
    pair_folder(&builder, "text");
    begin_page(&builder.pairs, NULL);
    libreoffice_split(&builder.pairs, options, &builder.counts);

    text_folder_open(options->out, "description.json", "text", "LibreOffice help");
    for (enum split_name split = 0; split < SPLITS; split++)
        for (enum side_name side = 0; side < SIDES; side++) write_side(&builder, split, side);
    write_description(&builder, arena_print(&builder.arena, "%s/description.json", options->out));
    text_folder_close(options->out);
    hash_table_free(builder.known);
    free(builder.pairs.pair);
    free(builder.pairs.page);
    free(builder.pairs.occurrence);
    arena_free(&builder.arena);
    return builder.counts;
}
