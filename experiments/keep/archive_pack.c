/* Packs files into an archive. The files are gathered in a folder next to the archive, as hard
 * links if possible. The result gets its final name when it is complete. */
#include "experiments/keep/archive_pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/crash.h"
#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/unfinished.h"
#include "core/config/shipped.h"

/* True if the path exists, even as a link without a target. */
static bool is_there(const char *path)
{
    struct stat info;
    char target[1];
    return path_stat(path, &info) || path_read_link(path, target, sizeof target) >= 0;
}

bool archive_has_ending(const char *name)
{
    return shipped_ends(name, ".tar.gz") || shipped_ends(name, ".tar.xz");
}

void archive_check(const char *path)
{
    const char *name = strrchr(path, '/');
    SCOPED(arena_free) struct arena arena = {0};
    const char *folder = name == path ? "/"
                         : name       ? arena_text_range(&arena, path, (size_t)(name - path))
                                      : ".";
    if (is_there(path)) die("archive: %s: exists already; expected the path of a new file", path);
    if (!file_is_folder(file_named(&arena, folder)))
        die("archive: %s: there is no folder %s", path, folder);
}

void archive_check_name(const char *name)
{
    if (strchr(name, '\n'))
        die("archive: \"%s\" has a line break in its name; expected a name of one line", name);
}

struct archive *archive_new(const char *path, const char *name)
{
    struct archive *archive = heap_alloc(sizeof *archive);
    SCOPED(heap_free) char *temporary = file_temporary_name(path);
    archive_check(path);
    archive_check_name(name);
    archive->path = arena_text(&archive->arena, path);
    archive->name = arena_text(&archive->arena, name);
    archive->temporary = arena_text(&archive->arena, temporary);
    archive->root = arena_print(&archive->arena, "%s/%s", temporary, name);
    unfinished_begin(archive->temporary);
    file_make_folder(archive->root);
    return archive;
}

/* Returns the path of a file of the archive. Creates the folders above it. */
static const char *place_of(struct archive *archive, const char *name)
{
    archive_check_name(name);
    unfinished_pass();
    const char *place = arena_print(&archive->arena, "%s/%s", archive->root, name);
    const size_t length = (size_t)(strrchr(place, '/') - place);
    file_make_folder(arena_text_range(&archive->arena, place, length));
    archive->files++;
    return place;
}

void archive_text(struct archive *archive, const char *name, const char *text, size_t bytes)
{
    file_write(place_of(archive, name), text, bytes);
}

/* Adds a file as a hard link, which needs no space. If this fails, adds a copy. */
void archive_file(struct archive *archive, const char *name, const char *from)
{
    const char *place = place_of(archive, name);
    if (!path_link(from, place)) file_copy(from, place);
}

/* Prints a line for each file below root/FOLDER, sorted by name: digest, two blanks, path. */
static void put_sums(struct archive *archive, const char *folder, FILE *out)
{
    struct arena *arena = &archive->arena;
    int count;
    const char **name =
        file_folder_names(arena, arena_print(arena, "%s/%s", archive->root, folder), &count);
    for (int i = 0; i < count; i++) {
        const char *inside = arena_print(arena, "%s%s", folder, name[i]);
        const char *path = arena_print(arena, "%s/%s", archive->root, inside);
        char digest[DIGEST_TEXT];
        if (file_is_folder(path)) {
            put_sums(archive, arena_print(arena, "%s/", inside), out);
            continue;
        }
        unfinished_pass();
        digest_file(path, digest);
        fprintf(out, "%s  %s\n", digest, inside);
    }
}

static void pack(struct archive *archive, const char *path)
{
    static const char *const press[][2] = {{"gzip", "gzip --no-name --best"},
                                           {"xz", "xz -9e --threads=1"}};
    struct arena *arena = &archive->arena;
    const char *const *presses = press[shipped_ends(archive->path, ".tar.xz")];
    const char *const tar[] = {"tar",
                               "--create",
                               "--format=gnu",
                               "--sort=name",
                               "--owner=0",
                               "--group=0",
                               "--numeric-owner",
                               "--mtime=@0",
                               "--mode=u=rwX,go=rX",
                               "--hard-dereference",
                               "--force-local",
                               arena_print(arena, "--use-compress-program=%s", presses[1]),
                               arena_print(arena, "--file=%s", path),
                               "--directory",
                               archive->temporary,
                               "--",
                               archive->name,
                               NULL};
    const char *const program[] = {tar[0], presses[0]}, *paths = getenv("PATH");
    const char *const environment[] = {
        arena_print(arena, "PATH=%s", paths ? paths : "/usr/bin:/bin"), "LC_ALL=C", "TZ=UTC0",
        NULL};
    for (size_t i = 0; i < COUNT_OF(program); i++)
        if (!child_find(program[i], false, arena))
            die("archive: the program %s is not installed", program[i]);
    const int empty = open("/dev/null", O_RDWR | O_CLOEXEC);
    const struct child child = {
        .word = tar, .environment = environment, .input = empty, .output = empty, .errors = empty};
    pid_t process;
    const int error = child_start(&child, &process);
    if (error) die("archive: tar cannot be started: %s", strerror(error));
    close(empty);
    unfinished_child(process); /* a signal ends tar, and then the program to which it writes */
    const char *end = child_wait(process, arena);
    unfinished_child(0);
    unfinished_pass();
    if (end) die("archive: tar with %s %s", presses[0], end);
}

/* Renames the file to its final name. Dies if another process has created a file with this name. */
static void publish(const char *from, const char *to)
{
    const int file = file_open(from, O_RDONLY);
    if (file < 0 || fsync(file) != 0) die("archive: %s: %s", from, file_why(errno));
    close(file);
    crash_point("before-archive");
    unfinished_pass();
    bool moved = path_rename(from, to, RENAME_NOREPLACE);
    if (!moved && errno == EINVAL && !is_there(to))
        moved = file_move(from, to); /* the file system lacks RENAME_NOREPLACE */
    if (!moved) archive_check(to);
    if (!moved) die("archive: %s: %s", to, file_why(errno));
}

int64_t archive_finish(struct archive *archive)
{
    ARENA_STREAM(sums);
    put_sums(archive, "", sums.out);
    const char *text = arena_stream_close(&archive->arena, &sums);
    archive_text(archive, ARCHIVE_SUMS, text, sums.bytes);
    const char *packed =
        arena_print(&archive->arena, "%s/.packed", archive->temporary); /* never equals NAME */
    pack(archive, packed);
    const int64_t bytes = file_bytes(packed);
    publish(packed, archive->path);
    unfinished_end();
    arena_free(&archive->arena);
    free(archive);
    return bytes;
}
