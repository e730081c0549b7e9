/* Files as FILE.tar.gz, by the tar and gzip of the system: names sorted, without owners and times,
 * so that the same files are the same bytes. All of them lie in one folder, whose SHA256SUMS has
 * the digest of each: `sha256sum -c SHA256SUMS` there checks what has been unpacked.
 *
 *     struct archive *archive = archive_new("ablation.tar.gz", "ablation");
 *     archive_text(archive, "table.txt", text, strlen(text));
 *     archive_file(archive, "stages/train-0123/metrics.jsonl", path);
 *     archive_finish(archive);
 *
 * FILE appears whole or not at all, and what is there is never replaced. */
#pragma once

#include "core/base/arena.h"

#define ARCHIVE_ENDING ".tar.gz"
#define ARCHIVE_SUMS "SHA256SUMS"
/* "stages/KIND-ID/FILE" of each file of a stage that the archive leaves out, one a line. */
#define ARCHIVE_LEFT_OUT "left-out.txt"

struct archive {
    struct arena arena;
    const char *path, *name; /* FILE, and the folder in it */
    const char *temporary;   /* the folder beside FILE in which it is put together */
    const char *root;        /* where that folder stands until then */
    int files;
};

/* Dies when something is there already, or the file cannot stand there: before any work. */
void archive_check(const char *path);
/* `name` is of letters, digits and ._=,+-. Until archive_finish a signal removes all of it
 * (unfinished.h). */
struct archive *archive_new(const char *path, const char *name);
/* Dies if a name has a line break: a line of SHA256SUMS and of left-out.txt has one name. */
void archive_check_name(const char *name);
/* A file of this name in the folder; folders on the way are made. Its name is checked. */
void archive_text(struct archive *archive, const char *name, const char *text, size_t bytes);
void archive_file(struct archive *archive, const char *name, const char *from);
/* Writes FILE and forgets the archive; returns how many bytes. What others have written below
 * `root` is in it, too. */
int64_t archive_finish(struct archive *archive);
