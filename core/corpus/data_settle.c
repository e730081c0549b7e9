/* Checks the digests of new files. Messages for a wrong digest include its likely cause. */
#include "core/corpus/data_settle.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crash.h"
#include "core/base/digest.h"
#include "core/base/file.h"

/* True if the file begins with a tag of HTML. */
static bool is_page(const char *path)
{
    static const char *const begins[] = {"<!doctype html", "<html"};
    char text[256] = "", *at = text;
    FILE *file = file_stream(path);
    if (file) text[fread(text, 1, sizeof text - 1, file)] = 0;
    if (file) fclose(file);
    while (isspace((unsigned char)*at)) at++;
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (!strncasecmp(at, begins[i], strlen(begins[i]))) return true;
    return false;
}

const char *data_settle_differs(const struct data_file *file, const char *path, struct arena *arena)
{
    char digest[DIGEST_TEXT];
    (file->sha256 ? digest_file : digest_blob)(path, digest);
    if (!strcmp(digest, file->digest)) return NULL;
    const int64_t bytes = file_bytes(path), wanted = file->bytes;
    const char *size = wanted < 0 ? "" : arena_print(arena, " of %lld bytes", (long long)wanted);
    const char *cause = is_page(path)    ? ": the server sent a page; does it need a login?"
                        : wanted > bytes ? ": it is truncated"
                                         : "";
    return arena_print(arena, "expected %s %s%s, got %s of %lld bytes%s",
                       file->sha256 ? "SHA-256" : "blob", file->digest, size, digest,
                       (long long)bytes, cause);
}

/* Resolves the deepest existing folder of the path, to detect links that leave the data folder. */
void data_settle_folder(const struct data_set *set, const char *target)
{
    char folder[PATH_MAX], real[PATH_MAX], data[PATH_MAX];
    const char *const root = data_folder();
    const size_t least = strlen(root);
    if (strlen(target) >= sizeof folder) die("%s: %s: the path is too long", set->name, target);
    strcpy(folder, target);
    do *strrchr(folder, '/') = 0;
    while (strlen(folder) > least && access(folder, F_OK) != 0);
    if (!realpath(folder, real) || !realpath(root, data))
        die("%s: %s: cannot be accessed: %s", set->name, folder, strerror(errno));
    const size_t bytes = !strcmp(data, "/") ? 0 : strlen(data);
    if (strncmp(real, data, bytes) != 0 || (real[bytes] && real[bytes] != '/'))
        die("%s: %s resolves to %s, outside of the data folder; expected a folder in the data "
            "folder",
            set->name, folder, real);
    strcpy(folder, target);
    *strrchr(folder, '/') = 0;
    file_make_folder(folder);
}

void data_settle(const struct data_set *set, const struct data_file *file, const char *from,
                 const char *target)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *differs = data_settle_differs(file, from, &arena);
    const char *refused = arena_print(&arena, "%s.refused", target);
    if (differs) {
        file_rename(from, refused);
        die("%s: %s: %s; kept as %s", set->name, file->path, differs, refused);
    }
    const int synced = file_open(from, O_RDONLY);
    if (synced < 0 || fsync(synced) != 0) die("%s: sync failed: %s", from, file_why(errno));
    close(synced);
    crash_point("before-rename");
    file_rename(from, target);
}
