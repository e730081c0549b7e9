/* Reads manifests of data sets. Checks all values that become part of a URL or a path. */
#include "core/corpus/data_set.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/scalar.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/corpus/corpus_sources.h"

static const struct shipped kind = {
    .folder = "corpora/sets", .ending = ".yaml", .none = "there is no data set"};

const char *const *data_set_names(struct arena *arena)
{
    return shipped_names(
        arena, arena_print(arena, "%s/experiments/%s", file_program_folder(), kind.folder),
        kind.ending);
}

const char *data_folder(void)
{
    const char *folder = getenv("SANLAB_DATA");
    return folder && folder[0] ? folder : "data";
}

/* Returns the value of a key. Dies if the value is missing, empty or has several lines. */
static const char *line_of(const struct tree *map, const char *key, const char *what)
{
    const struct tree *value = tree_get(map, key);
    if (!value) die_at(map->location, "%s: %s is missing", what, key);
    const char *text = scalar_text(value, key);
    if (!text[0]) die_at(value->location, "%s is empty", key);
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            die_at(value->location, "%s has a control character: expected one line", key);
    return text;
}

/* Returns the path of a file. No part of the path may begin with a dot, so ".." and hidden files
 * are refused. */
static const char *path_of(const struct tree *map)
{
    const char *path = line_of(map, "path", "a file");
    const struct location location = tree_get(map, "path")->location;
    if (path[0] == '/')
        die_at(location, "%s leaves the data folder: expected a relative path", path);
    for (const char *part = path;; part++) {
        const size_t bytes = strcspn(part, "/");
        if (!bytes || part[0] == '.')
            die_at(location, "%s %s: expected names that are not empty and do not begin with a dot",
                   path,
                   !strncmp(part, "..", bytes) && bytes == 2 ? "leaves the data folder"
                                                             : "is not a path of a data set");
        part += bytes;
        if (!*part) return path;
    }
}

void data_set_check_url(const char *url, struct location location)
{
    static const char *const schemes[] = {"https://", "http://", "file:///"};
    size_t scheme = 0;
    for (size_t i = 0; i < COUNT_OF(schemes); i++)
        if (!strncmp(url, schemes[i], strlen(schemes[i]))) scheme = strlen(schemes[i]);
    if (!scheme || !url[scheme])
        die_at(location, "url: %s: expected https://.., http://.. or file:///..", url);
    for (const char *at = url; *at; at++)
        if (*at <= ' ' || *at >= 127 || strchr("\"\\", *at))
            die_at(location,
                   "url: %s: has a blank, a quote, a backslash or a non-ASCII character: write it "
                   "as %%XX",
                   url);
}

/* Sets the digest of the file, if the manifest has one. */
static void digest_of(const struct tree *map, struct data_file *file)
{
    const struct tree *blob = tree_get(map, "blob"), *sha256 = tree_get(map, "sha256");
    if (blob && sha256)
        die_at(sha256->location, "blob and sha256 are both given; expected one of them");
    if (!blob && !sha256) return;
    const size_t digits = blob ? 40 : 64;
    const char *key = blob ? "blob" : "sha256";
    file->digest = line_of(map, key, "a file");
    file->sha256 = sha256 != NULL;
    if (strlen(file->digest) != digits || strspn(file->digest, "0123456789abcdef") != digits)
        die_at(tree_get(map, key)->location, "%s: %s: expected %zu digits of 0-9 and a-f", key,
               file->digest, digits);
}

enum file_kind { FETCHED, MADE, OF_STEPS };

static void read_file(const struct tree *map, enum file_kind kind_, bool fetched,
                      struct data_file *file)
{
    static const char *const keys[] = {"path", "url", "blob", "sha256", "bytes", "fetched", NULL};
    tree_only_keys(map, "a file of a data set", keys);
    const struct tree *bytes = tree_get(map, "bytes"), *seen = tree_get(map, "fetched");
    *file = (struct data_file){.path = path_of(map), .location = map->location, .bytes = -1};
    digest_of(map, file);
    if (!file->digest && kind_ != OF_STEPS)
        die_at(map->location, "%s: the digest is missing: expected blob or sha256", file->path);
    if (tree_get(map, "url") && kind_ == MADE)
        die_at(tree_get(map, "url")->location,
               "url: expected no url, because a program makes this file");
    if (tree_get(map, "url") || kind_ == FETCHED) {
        file->url = line_of(map, "url", "a file without url:");
        data_set_check_url(file->url, tree_get(map, "url")->location);
    }
    if (bytes) file->bytes = scalar_int64(bytes, "bytes", 0, 1e15);
    file->fetched = seen ? scalar_bool(seen, "fetched") : fetched;
}

static const struct data_file *read_files(struct arena *arena, const struct tree *list,
                                          enum file_kind kind_, bool fetched, int *count)
{
    if (list && list->kind != TREE_LIST)
        die_at(list->location, "files: expected a list of maps, got %s", tree_kind_name(list));
    *count = list ? list->count : 0;
    struct data_file *file = ARENA_ARRAY(arena, struct data_file, *count + 1);
    for (int i = 0; i < *count; i++) {
        read_file(list->item[i], kind_, fetched, &file[i]);
        for (int k = 0; k < i; k++)
            if (!strcmp(file[k].path, file[i].path))
                die_at(file[i].location, "%s is listed twice, first in line %d; expected it once",
                       file[i].path, file[k].location.line);
    }
    return file;
}

/* Returns the path of the program. A relative path is looked up in the folder of the manifest, then
 * in the folder of the executable. The shipped sets name their programs scripts/data/NAME. */
static const char *program_of(struct arena *arena, const struct tree *make, const char *manifest)
{
    const char *program = line_of(make, "program", "make");
    const char *slash = strrchr(manifest, '/');
    const char *own =
        arena_print(arena, "%.*s%s", slash ? (int)(slash + 1 - manifest) : 0, manifest, program);
    if (program[0] == '/') return program;
    if (file_exists(own)) return own;
    return arena_print(arena, "%s/%s", file_program_folder(), program);
}

static void read_make(struct arena *arena, const struct tree *make, bool fetched,
                      struct data_set *set)
{
    static const char *const keys[] = {"program", "files", NULL};
    if (!make) return;
    tree_only_keys(make, "make", keys);
    set->program = program_of(arena, make, set->manifest);
    set->made = read_files(arena, tree_get(make, "files"), MADE, fetched, &set->mades);
    if (!set->mades)
        die_at(make->location,
               "make: files is missing or empty; expected the files that the program makes");
}

static const char *name_of(struct arena *arena, const char *manifest)
{
    const char *slash = strrchr(manifest, '/'), *name = slash ? slash + 1 : manifest;
    return arena_text_range(arena, name, strlen(name) - strlen(kind.ending));
}

const struct data_set *data_set_read(struct arena *arena, const char *name,
                                     struct location location)
{
    static const char *const keys[] = {"description", "license", "warn", "citation", "fetched",
                                       "login",       "files",   "make", "steps",    NULL};
    struct data_set *set = ARENA_NEW(arena, struct data_set);
    set->manifest = shipped_file(arena, &kind, name, "", location, "corpus get");
    set->name = name_of(arena, set->manifest);
    const struct tree *map = tree_read(arena, set->manifest), *flag;
    tree_only_keys(map, "a data set", keys);
    set->description = line_of(map, "description", "a data set");
    set->license = line_of(map, "license", "a data set");
    set->citation = line_of(map, "citation", "a data set");
    const struct texts warn =
        (flag = tree_get(map, "warn")) ? scalar_texts(flag, "warn", arena) : (struct texts){0};
    set->warn = texts_words(&warn, arena);
    set->login = (flag = tree_get(map, "login")) && scalar_bool(flag, "login");
    const bool fetched = !(flag = tree_get(map, "fetched")) || scalar_bool(flag, "fetched");
    set->steps = (flag = tree_get(map, "steps")) ? scalar_text(flag, "steps") : NULL;
    set->file = read_files(arena, tree_get(map, "files"), set->steps ? OF_STEPS : FETCHED, fetched,
                           &set->files);
    read_make(arena, tree_get(map, "make"), fetched, set);
    if (!set->files && !set->steps)
        die_at(map->location, "%s: expected files to fetch, or steps", set->name);
    if (set->mades && set->steps)
        die_at(tree_location(map, "steps"), "make and steps are both given; expected one of them");
    return set;
}

const struct data_file *data_set_files(const struct data_set *set, int *count)
{
    *count = set->mades ? set->mades : set->files;
    return set->mades ? set->made : set->file;
}

const struct data_set *data_set_with(const char *path)
{
    static struct arena arena;
    static const struct data_set **set; /* all shipped sets, which are read once */
    static int sets;
    const char *const *name = set ? NULL : data_set_names(&arena);
    for (; name && (ARENA_MORE(&arena, set, sets), name[sets]); sets++)
        set[sets] = data_set_read(&arena, name[sets], (struct location){.file = "corpora/sets"});
    for (int i = 0; i < sets; i++) {
        int files;
        const struct data_file *file = data_set_files(set[i], &files);
        for (int k = 0; k < files; k++)
            if (!strcmp(file[k].path, path)) return set[i];
    }
    return NULL;
}
