/* Archives: writes files as FILE.tar.gz with the system's tar and gzip. Names are sorted, and
 * owners and times are removed, so equal files give equal bytes. All files are in one folder. Its
 * SHA256SUMS has the digest of each file: `sha256sum -c SHA256SUMS` checks the unpacked folder.
 *
 *     struct archive *archive = archive_new("ablation.tar.gz", "ablation");
 *     archive_text(archive, "table.txt", text, strlen(text));
 *     archive_file(archive, "stages/train-0123/metrics.jsonl", path);
 *     archive_finish(archive);
 *
 * FILE appears complete or not at all, and never replaces an existing file. */
#pragma once

#include "core/base/arena.h"

#define ARCHIVE_ENDING ".tar.gz"
#define ARCHIVE_SUMS "SHA256SUMS"
/* Lists the files of stages that the archive omits: "stages/KIND-ID/FILE", one per line. */
#define ARCHIVE_LEFT_OUT "left-out.txt"

struct archive {
    struct arena arena;
    const char *path, *name; /* FILE, and the name of the folder in it */
    const char *temporary;   /* folder next to FILE in which the archive is assembled */
    const char *root;        /* path of the archive's folder in `temporary` */
    int files;
};

/* Dies if the path exists, or if there is no folder for the file. Call before any work. */
void archive_check(const char *path);
/* Begins an archive. `name`: letters, digits and ._=,+-. Until archive_finish, a signal removes the
 * whole archive (unfinished.h). */
struct archive *archive_new(const char *path, const char *name);
/* Dies if a name has a line break, because SHA256SUMS and left-out.txt have one name per line. */
void archive_check_name(const char *name);
/* Add a file of this name to the folder, and create the folders above the file. The name is
 * checked. */
void archive_text(struct archive *archive, const char *name, const char *text, size_t bytes);
void archive_file(struct archive *archive, const char *name, const char *from);
/* Writes FILE, frees the archive and returns the number of bytes. Includes files that the caller
 * wrote below `root`. */
int64_t archive_finish(struct archive *archive);
