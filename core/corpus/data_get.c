/* Starts the program that downloads data sets. Its folder of unfinished files is removed here,
 * because a signal ends the program at once. */
#include "core/corpus/data_get.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/unfinished.h"
#include "core/corpus/data_program.h"

enum data_state data_state(const struct data_file *file)
{
    SCOPED(arena_free) struct arena arena = {0};
    char digest[DIGEST_TEXT];
    const char *path = arena_print(&arena, "%s/%s", data_folder(), file->path);
    if (!file_exists(path)) return DATA_ABSENT;
    if (!file->digest) return DATA_HERE;
    (file->sha256 ? digest_file : digest_blob)(path, digest);
    return strcmp(digest, file->digest) ? DATA_OTHER : DATA_HERE;
}

void data_get_check_mirror(const char *mirror)
{
    if (strstr(mirror, "://"))
        data_set_check_url(mirror, (struct location){.file = "--mirror"});
    else if (!file_is_folder(mirror))
        die("--mirror: %s: is not a folder; expected a folder, https://.., http://.. or file:///..",
            mirror);
}

static json_t *files_json(const struct data_file *file, int files)
{
    json_t *list = json_array();
    for (int i = 0; i < files; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s?, s:s, s:b, s:I}", "path", file[i].path, "url",
                                        file[i].url, "digest", file[i].digest, "sha256",
                                        file[i].sha256, "bytes", (json_int_t)file[i].bytes));
    return list;
}

int data_get(const struct data_set *set, const char *mirror, bool quiet)
{
    SCOPED(arena_free) struct arena arena = {0};
    SCOPED(buffer_free) struct buffer input = {0};
    json_auto_t *json = json_pack("{s:o, s:o}", "files", files_json(set->file, set->files), "made",
                                  files_json(set->made, set->mades));
    SCOPED(heap_free) char *text = json_dumps(json, 0);
    const char *word[] = {"python3",
                          arena_print(&arena, "%s/scripts/data/get", file_program_folder()),
                          arena_print(&arena, "--name=%s", set->name),
                          arena_print(&arena, "--out=%s", data_folder()),
                          NULL, /* room for three optional words */
                          NULL,
                          NULL,
                          NULL};
    const char **next = &word[COUNT_OF(word) - 4];
    if (set->program) *next++ = arena_print(&arena, "--program=%s", set->program);
    if (mirror) *next++ = arena_print(&arena, "--mirror=%s", mirror);
    if (quiet) *next++ = "--quiet";
    data_program_check(set->name);
    buffer_add(&input, text, strlen(text));
    file_make_folder(data_folder());
    unfinished_begin(arena_print(&arena, "%s/.%s.making", data_folder(), set->name));
    const int status = data_program_run(set->name, word, &input, STDERR_FILENO);
    unfinished_end();
    return status;
}
