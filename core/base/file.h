/* Files that are never half: content appears under its final name complete and synced, or not at
 * all. Everything that sanlab writes and later reads goes through here (or through journal.h). */
#ifndef CORE_BASE_FILE_H
#define CORE_BASE_FILE_H

#include "core/base/arena.h"
#include "core/base/base.h"

/* The whole file, NUL-terminated (the NUL is not counted). Dies when it cannot be read or is
 * larger than `limit` bytes (0: no limit). */
char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);
bool file_exists(const char *path); /* a regular file */
bool file_is_folder(const char *path);
int64_t file_bytes(const char *path); /* -1 when it is not there */

/* A file being written: PATH.tmp-PID, then synced and renamed to PATH by file_commit. */
struct file_writer {
    FILE *stream; /* write here */
    char *path, *temporary;
};
struct file_writer file_create(const char *path);
/* Flushes, syncs, renames, syncs the folder; dies on error. */
void file_commit(struct file_writer *writer);
void file_write(const char *path, const void *bytes, size_t count); /* create, write, commit */

/* A new empty folder of a name of its own within `where` (NULL: $TMPDIR, or /tmp), from the heap;
 * NULL with errno when none can be made. */
char *file_temporary_folder(const char *where);
void file_make_folder(const char *path); /* with parents; fine when it is there */
void file_sync_folder(const char *path);
void file_rename(const char *from, const char *to); /* and sync the folder of `to` */
void file_remove_tree(const char *path);            /* never follows links; fine when absent */

/* A fence is passed before anything appears under a final name, goes away, or is added to a
 * journal: a worker whose stage was taken over by another ends there (lease.h). NULL: none. */
void file_set_fence(void (*fence)(void *context), void *context);
void file_pass_fence(void);

/* PATH of the program's own folder of presets etc.: next to the executable. */
const char *file_program_folder(void);

/* Named points at which tests kill the program: SANLAB_CRASH_AT=label:n ends it (as kill -9 would)
 * at the n-th passing of that label; SANLAB_FREEZE_AT=label:n stops it there (as kill -STOP would).
 * Free when neither variable is set. */
void file_crash_point(const char *label);

#endif
