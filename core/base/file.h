/* Atomic files: content appears under its final name complete and synced, or not at all. All files
 * that sanlab writes and later reads are written by these functions or by journal.h.
 *
 * The paths may lie in a runs folder that came from another person. So every call below RUNS
 * (path.h) acts on the named file itself and follows no link. Only regular files and folders are
 * opened, because a pipe or a device could block the program, or fill its memory. */
#pragma once

#include <dirent.h>

#include "core/base/arena.h"
#include "core/base/base.h"

/* open(), fopen() to read, opendir(). On failure they return -1 or NULL with errno. EINVAL: the
 * path is neither a regular file nor a folder. ELOOP: the path leads through a link below RUNS.
 * They never block. `flags` as for open(); a new file has mode 0666. */
int file_open(const char *path, int flags);
FILE *file_stream(const char *path);
DIR *file_list(const char *path);
/* opendir() of a name in an open folder; never follows links. */
DIR *file_list_at(int folder, const char *name);
/* Returns the next name in an open folder, without "." and "..". Returns NULL at the end, and
 * closes the folder. A NULL folder has no names. */
const char *file_next(DIR *folder);
/* Returns the message for an errno of these calls. The message is that of strerror, except for
 * links, irregular files and paths that leave the runs folder. */
const char *file_why(int error);

/* Returns the whole file, NUL-terminated (the NUL is not counted). Dies if it cannot be read or is
 * larger than `limit` bytes (0: no limit). */
char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);
/* Reads a text that a user named on the command line. "-" and /dev/stdin are standard input; a
 * second use dies. A pipe is read, as for <(..) of a shell. */
char *file_read_given(struct arena *arena, const char *path, size_t *bytes);
/* Opens a text that a user named for reading by lines; dies if it cannot be opened. *name is the
 * name for messages. */
FILE *file_stream_given(const char *path, const char **name);
/* Like file_read, but returns NULL if the file is at fault. *problem is then the reason, in the
 * arena ("PATH: not a regular file"), or NULL if the file does not exist. Dies if the machine is at
 * fault (too many open files): an unread file must not look like an absent file. */
char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem);
/* Returns the number of line feeds in a text. */
int64_t file_count_lines(const char *text, size_t bytes);
/* Returns the line that contains the byte at `at`, counted from 0, for messages. *column is the
 * position of the byte within the line, from 1. */
int64_t file_find_line(const char *text, const char *at, size_t *column);
/* Returns the lines of a text: replaces every line feed by a NUL. The last line may lack a line
 * feed. */
const char **file_cut_lines(struct arena *arena, char *text, size_t bytes, int *count);
/* Opens a file for reading by lines. Returns NULL if it does not exist; dies if it cannot be
 * opened. */
FILE *file_lines(const char *path);
/* getline() for file_lines. Returns the bytes of the next line with its line feed (the last line
 * may lack it), or -1 at the end. *text starts as NULL and *capacity as 0; the caller frees *text.
 * Dies if a line is longer than 16 MB: sanlab writes no such line. */
ssize_t file_line(FILE *file, const char *path, char **text, size_t *capacity);
void file_close(FILE *file, const char *path); /* dies after a read error; NULL is fine */
/* Opens a folder. Returns NULL if it does not exist; dies if it cannot be opened. */
DIR *file_open_folder(const char *path);
/* Returns the names in a folder, sorted by bytes, without hidden and temporary names: [*count], and
 * a NULL. Returns NULL if it does not exist; dies if it cannot be read. */
const char **file_folder_names(struct arena *arena, const char *path, int *count);
/* Tests of a path. They die if the system call fails (too many open files). */
bool file_exists(const char *path); /* a regular file */
bool file_is_folder(const char *path);
bool file_is_no_folder(const char *path); /* true if another kind of file exists */
int64_t file_bytes(const char *path);     /* -1 if absent; 0 if not regular */
/* Returns the path of a file or folder that a user named for reading, with links resolved. This
 * function exists because RUNS/names consists of links for people. Do not use it for paths from run
 * folders. */
const char *file_named(struct arena *arena, const char *path);

/* Part of the names of files and folders that are being written, PATH.tmp-PID... */
#define FILE_TEMPORARY ".tmp-"
bool file_is_temporary(const char *name);
/* Returns PATH.tmp-PID-NONCE, from the heap. Processes of several machines or containers may have
 * the same pid. Outside of stages no lease separates these processes, but the nonce differs. */
char *file_temporary_name(const char *path);

/* A file that is being written under a temporary name. file_commit syncs it and renames it to
 * PATH. */
struct file_writer {
    FILE *stream; /* the caller writes here */
    char *path, *temporary;
};
struct file_writer file_create(const char *path);
/* Flushes, syncs, renames, syncs the folder; dies on error. */
void file_commit(struct file_writer *writer);
void file_write(const char *path, const void *bytes, size_t count); /* create, write, commit */
/* file_write for a cache that several users share: the file gets the group of its folder. Returns
 * false with errno on failure; the old file stays. */
bool file_try_write(const char *path, const void *bytes, size_t count);
void file_copy(const char *from, const char *to); /* any size; dies on error */

/* Writes all bytes, in one write() if possible; false with errno. */
bool file_put(int file, const void *bytes, size_t count);

/* Makes a new empty folder with a unique name in `where` (NULL: $TMPDIR, or /tmp), from the heap.
 * On failure file_temporary_folder dies, and file_try_temporary_folder returns NULL with errno. */
char *file_temporary_folder(const char *where);
char *file_try_temporary_folder(const char *where);
const char *file_temporary_place(const char *where); /* `where`, or its default */
void file_make_folder(const char *path);             /* with parents; may exist */
void file_sync_folder(const char *path);
/* Waits for a turn at a folder by flock, so that processes that use the folder run one after
 * another. close() ends the turn. The turn is only a hint: the function returns after `seconds`
 * without it, because the holder may be frozen. Returns -1 with errno if the folder cannot be
 * read. */
int file_turn(const char *folder, double seconds);
bool file_move(const char *from, const char *to);   /* rename(): false with errno */
void file_rename(const char *from, const char *to); /* dies on error; syncs the folder of `to` */
bool file_unlink(const char *path);                 /* false with errno; true when absent */
void file_remove_tree(const char *path);            /* never follows links; may be absent */
/* Removes a name in an open folder, its parent, as far as possible; false with errno. */
bool file_remove_at(int parent, const char *name);

/* Sets the fence: a function that is called before a file gets its final name, a file is removed,
 * or a journal grows. The fence ends a worker whose stage another worker has taken over (lease.h).
 * NULL: no fence. */
void file_set_fence(void (*fence)(void *context), void *context);
void file_pass_fence(void);

/* Returns the folder of the executable, which also contains the presets. */
const char *file_program_folder(void);
