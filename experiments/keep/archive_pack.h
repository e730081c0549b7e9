/* Packs files into an archive FILE, NAME.tar.gz or NAME.tar.xz, with the system's tar and gzip or
 * xz. The names are sorted, and owners and times are removed. So equal files give archives with
 * equal bytes. All files are in one folder. The file SHA256SUMS of this folder has the digest of
 * each file. After unpacking, `sha256sum -c SHA256SUMS` checks the folder.
 *
 *     struct archive *archive = archive_new("ablation.tar.gz", "ablation");
 *     archive_text(archive, "table.txt", text, strlen(text));
 *     archive_file(archive, "stages/train-0123/metrics.jsonl", path);
 *     archive_finish(archive);
 *
 * FILE appears only when it is complete, and never replaces an existing file. */
#pragma once

#include "core/base/arena.h"

/* True for names that end in .tar.gz or .tar.xz. */
bool archive_has_ending(const char *name);
#define ARCHIVE_SUMS "SHA256SUMS"

struct archive {
    struct arena arena;
    const char *path, *name; /* path of FILE, and name of the folder in the archive */
    const char *temporary;   /* folder next to FILE in which the files are gathered */
    const char *root;        /* TEMPORARY/NAME, the folder that is packed */
    int files;               /* number of files that were added */
};

/* Dies if the path exists, or if the folder of this path does not exist. Call this function before
 * any work. */
void archive_check(const char *path);
/* Begins an archive. `name` may have letters, digits and ._=,+-. If a signal ends the process
 * before archive_finish, everything is removed (unfinished.h). */
struct archive *archive_new(const char *path, const char *name);
/* Dies if a name has a line break, because SHA256SUMS and left-out.txt have one name per line. */
void archive_check_name(const char *name);
/* Both functions add a file to the archive: archive_text from memory, archive_file from the file
 * `from`. They check the name (archive_check_name), and create the folders above the file. */
void archive_text(struct archive *archive, const char *name, const char *text, size_t bytes);
void archive_file(struct archive *archive, const char *name, const char *from);
/* Writes FILE, frees the archive and returns the bytes of FILE. Files that the caller itself wrote
 * below `root` are also packed. */
int64_t archive_finish(struct archive *archive);
