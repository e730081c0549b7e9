/* Reads and writes files. A written file appears under its final name complete and synced, or not
 * at all. All files that sanlab writes and later reads are written by these functions or by
 * journal.h.
 *
 * A path may lead into a runs folder that came from another person. So calls with a path below RUNS
 * (path.h) follow no link. Only regular files and folders are opened, because a pipe or a device
 * could block the program, or fill its memory. */
#pragma once

#include <dirent.h>

#include "core/base/arena.h"
#include "core/base/base.h"

/* Like open(), fopen() for reading, and opendir(), but they never block. On failure they return -1
 * or NULL with errno. file_open and file_stream set EINVAL if the path is not a regular file. ELOOP
 * means that the path leads through a link below RUNS. `flags` are those of open(). A new file has
 * mode 0666. */
int file_open(const char *path, int flags);
FILE *file_stream(const char *path);
DIR *file_list(const char *path);
/* Opens the folder `name` in the open folder `folder`, as file_list does. Never follows links. */
DIR *file_list_at(int folder, const char *name);
/* Returns the next entry of an open folder, or its name. Skips "." and "..". At the end closes the
 * folder and returns NULL. A NULL folder has no entries. */
const struct dirent *file_next_entry(DIR *folder);
const char *file_next(DIR *folder);
/* Returns the message for the errno of a failed call of this file or of path.h. It is the message
 * of strerror, except for links (ELOOP), irregular files (EINVAL) and paths that leave the runs
 * folder (EXDEV). */
const char *file_why(int error);

/* Returns the content of a file, NUL-terminated. *bytes is its length without the NUL. Dies if the
 * file cannot be read or has more than `limit` bytes (0: no limit). */
char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);
/* Reads a text that a user named on the command line. "-" and /dev/stdin mean standard input. Dies
 * if standard input is named twice. Also reads a pipe, such as <(..) of a shell. */
char *file_read_given(struct arena *arena, const char *path, size_t *bytes);
/* Opens a text that a user named on the command line, for reading by lines. Standard input is as in
 * file_read_given. Dies if the text cannot be opened. *name is the name for messages. */
FILE *file_stream_given(const char *path, const char **name);
/* Like file_read, but returns NULL if the file does not exist, cannot be read or is too large.
 * *problem is then the reason, in the arena ("PATH: cannot be read: .."), or NULL if the file does
 * not exist. Dies on errors of the machine, such as too many open files. Otherwise a caller could
 * treat an existing file as absent. */
char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem);
/* Returns the number of line feeds in a text. */
int64_t file_count_lines(const char *text, size_t bytes);
/* Returns the index of the line that contains the byte at `at`, for messages. Lines are counted
 * from 0. *column is the position of the byte in its line, counted from 1. */
int64_t file_find_line(const char *text, const char *at, size_t *column);
/* Splits a text into lines: replaces every line feed by a NUL, and returns an array of *count
 * pointers to the lines. If the last line has no line feed, the text must end with a NUL. */
const char **file_cut_lines(struct arena *arena, char *text, size_t bytes, int *count);
/* Splits a line at its tabs, in place, and writes the first `most` columns to `column`. Returns the
 * number of columns, which may be larger. */
int file_cut_columns(char *line, const char **column, int most);
/* Opens a file for reading by lines. Returns NULL if it does not exist; dies if it cannot be
 * opened. */
FILE *file_lines(const char *path);
/* Like getline(), for a file of file_lines. Reads the next line into *text. Returns its number of
 * bytes with the line feed, which the last line may lack; -1 at the end. Before the first call,
 * *text is NULL and *capacity is 0. The caller frees *text. Dies if a line is longer than 16 MB,
 * because sanlab writes no such line. */
ssize_t file_line(FILE *file, const char *path, char **text, size_t *capacity);
void file_close(FILE *file, const char *path); /* dies if a read failed; file may be NULL */
/* Opens a folder. Returns NULL if it does not exist; dies if it cannot be opened. */
DIR *file_open_folder(const char *path);
/* Returns the *count names in a folder, sorted by bytes and NULL-terminated. Omits hidden and
 * temporary names. Returns NULL if the folder does not exist; dies if it cannot be read. */
const char **file_folder_names(struct arena *arena, const char *path, int *count);
/* Properties of a path. These functions die on errors of the machine, such as too many open
 * files. */
bool file_exists(const char *path); /* true for a regular file */
bool file_is_folder(const char *path);
bool file_is_no_folder(const char *path); /* true for an existing file of any other kind */
int64_t file_bytes(const char *path);     /* size; -1 if absent, 0 if not regular */
/* Returns a path that a user named for reading, with links resolved. This function exists because
 * users may name the links in RUNS/names, which the other functions do not follow. Do not use it
 * for a path that was read from a run folder. */
const char *file_named(struct arena *arena, const char *path);

/* Part of the name of a file or folder while it is being written: PATH.tmp-PID.. */
#define FILE_TEMPORARY ".tmp-"
bool file_is_temporary(const char *name);
/* Returns PATH.tmp-PID-NONCE, from the heap. Processes of several machines or containers may have
 * the same PID. Outside of stages no lease prevents them from writing the same path, but their
 * random NONCE differs. */
char *file_temporary_name(const char *path);

/* A file that is being written under a temporary name. file_commit syncs it and renames it to
 * PATH. */
struct file_writer {
    FILE *stream; /* the caller writes here */
    char *path, *temporary;
};
struct file_writer file_create(const char *path);
/* Flushes, syncs and renames the file, and syncs its folder (or see file_sync_once). Dies on
 * error. */
void file_commit(struct file_writer *writer);
void file_write(const char *path, const void *bytes, size_t count); /* creates, writes, commits */
/* Like file_write, for a cache that several users share. The file gets the group of its folder
 * (path_share). The folder is not synced. On failure returns false with errno, and the old file
 * stays. */
bool file_try_write(const char *path, const void *bytes, size_t count);
void file_copy(const char *from, const char *to); /* any size; dies on error */

/* Writes all bytes, in one write() if possible. On failure returns false with errno. */
bool file_put(int file, const void *bytes, size_t count);

/* Makes a new empty folder with a unique name in the folder `where` (NULL: $TMPDIR if set, else
 * /tmp). Returns its path, from the heap. On failure file_temporary_folder dies, and
 * file_try_temporary_folder returns NULL with errno. */
char *file_temporary_folder(const char *where);
char *file_try_temporary_folder(const char *where);
const char *file_temporary_place(const char *where); /* `where`, or its default */
void file_make_folder(const char *path);             /* and its parents; may exist */
void file_sync_folder(const char *path);
/* From now on, new names in this folder are not synced one by one. file_sync_end syncs them all.
 * NULL, or another folder: they are not synced. */
void file_sync_once(const char *folder);
void file_sync_end(void);
/* Waits until no other process has a turn at the folder, so that processes use the folder one after
 * another. A turn is an flock of the returned descriptor; close() ends it. Turns are only a hint:
 * after `seconds` the function returns without a turn, because the process with the turn may be
 * frozen. Returns -1 with errno if the folder cannot be read. */
int file_turn(const char *folder, double seconds);
bool file_move(const char *from, const char *to);   /* rename(); on failure false with errno */
void file_rename(const char *from, const char *to); /* dies on error; syncs the folder of `to` */
bool file_unlink(const char *path);                 /* true if removed or absent; else errno */
void file_remove_tree(const char *path);            /* follows no links; path may be absent */
/* Removes the file or folder `name` in the open folder `parent`. A folder is removed with its
 * content, as far as possible. Returns false with errno if anything remains. */
bool file_remove_at(int parent, const char *name);

/* Sets the fence, a function that is called before a file gets its final name, before a file is
 * removed, and before a journal changes. It ends a worker if another worker has taken over its
 * stage (lease.h). NULL: no fence. */
void file_set_fence(void (*fence)(void *context), void *context);
void file_pass_fence(void);

/* The executable. It is the only place that defines how the program is started again and where its
 * plug-ins and presets are.
 *   file_program:        a path for this machine. It is this executable, even if another one has
 *                        replaced the file since. For workers and descriptions of devices
 *   file_program_path:   its path without links, for another machine; NULL if the file was removed
 *   file_by_program:     a path of the file `name` next to it
 *   file_program_folder: the folder of its plug-ins, and of the presets in experiments/: its own
 *                        folder, or PREFIX/lib/sanlab if it is installed as PREFIX/bin/NAME */
const char *file_program(void);
const char *file_program_path(struct arena *arena);
const char *file_by_program(struct arena *arena, const char *name);
const char *file_program_folder(void);
