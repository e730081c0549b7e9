/* Files that are never half: content appears under its final name complete and synced, or not at
 * all. Everything that sanlab writes and later reads goes through here (or through journal.h).
 *
 * Whatever is named here may lie in a runs folder that somebody sent. So every call below RUNS
 * (path.h) acts on what the path names and follows no link, and what is opened is a regular file or
 * a folder: a pipe or a device would keep the program waiting, or fill its memory. */
#pragma once

#include <dirent.h>

#include "core/base/arena.h"
#include "core/base/base.h"

/* open(), fopen() to read, opendir(): -1 or NULL with errno, which is EINVAL where the path names
 * something else than a regular file or a folder, and ELOOP where below RUNS it leads through a
 * link. They never wait. `flags` as of open(); a new file has mode 0666. */
int file_open(const char *path, int flags);
FILE *file_stream(const char *path);
DIR *file_list(const char *path);
/* opendir() of a name in an open folder; no link is followed anywhere. */
DIR *file_list_at(int folder, const char *name);
/* The next name in an open folder, but "." and ".."; at the end NULL, and the folder is closed.
 * NULL has no names. */
const char *file_next(DIR *folder);
/* What errno of these calls means: strerror, but for links, for what is not a regular file and for
 * what lies elsewhere. */
const char *file_why(int error);

/* The whole file, NUL-terminated (the NUL is not counted). Dies when it cannot be read or is
 * larger than `limit` bytes (0: no limit). */
char *file_read(struct arena *arena, const char *path, size_t limit, size_t *bytes);
/* A text that a user named on the command line: "-" and /dev/stdin are standard input, which dies
 * the second time; a pipe is read, as <(..) of a shell. */
char *file_read_given(struct arena *arena, const char *path, size_t *bytes);
/* Opens such a text to read it by lines; dies where it cannot be opened. *name: for messages. */
FILE *file_stream_given(const char *path, const char **name);
/* As file_read, but what is wrong with the file comes back: NULL, and *problem in the arena ("PATH:
 * not a regular file"), which is NULL when there is no such file. What is wrong with the machine
 * (too many open files) dies all the same: a file that was not read must not pass for one that is
 * not there. */
char *file_try_read(struct arena *arena, const char *path, size_t limit, size_t *bytes,
                    const char **problem);
/* Line feeds in a text. */
int64_t file_count_lines(const char *text, size_t bytes);
/* Where a byte of a text is, for messages: in which line, from 0; and *column, from 1, is which of
 * the line's bytes. */
int64_t file_find_line(const char *text, const char *at, size_t *column);
/* The lines of such a text: every line feed becomes a NUL, and the last line may lack one. */
const char **file_cut_lines(struct arena *arena, char *text, size_t bytes, int *count);
/* To read a file by lines: NULL when it is not there; dies when it cannot be opened, and at its end
 * when it could not be read so far. */
FILE *file_lines(const char *path);
/* getline() of such a file: bytes of the next line with its line feed (the last line may lack one),
 * or -1 at the end. *text begins as NULL and *room as 0; the caller frees *text. Dies when a line
 * is longer than 16 MB: it is none that we write. */
ssize_t file_line(FILE *file, const char *path, char **text, size_t *room);
void file_close(FILE *file, const char *path); /* NULL is fine */
/* To list a folder: NULL when it is not there; dies when it cannot be opened. */
DIR *file_open_folder(const char *path);
/* The names in a folder, sorted by bytes, without those that are hidden or temporary: [*count], and
 * a NULL. NULL when it is not there; dies when it cannot be read. */
const char **file_folder_names(struct arena *arena, const char *path, int *count);
/* What lies there. They die when the machine cannot tell (too many open files). */
bool file_exists(const char *path); /* a regular file */
bool file_is_folder(const char *path);
bool file_is_no_folder(const char *path); /* something else is there */
int64_t file_bytes(const char *path);     /* -1 when it is not there; 0 of what is not regular */
/* A file or folder that a user named, to read it: the path, or where it leads to when it goes
 * through links. RUNS/names is made of links for people. A path that run folders name does not
 * pass here. */
const char *file_named(struct arena *arena, const char *path);

/* In the names of files and folders that are being written, PATH.tmp-PID... */
#define FILE_TEMPORARY ".tmp-"
bool file_is_temporary(const char *name);
/* PATH.tmp-PID-NONCE, from the heap. Processes of several machines or containers may have one
 * number; outside stages, where no lease keeps them apart, the nonce does. */
char *file_temporary_name(const char *path);

/* A file being written: under a temporary name, then synced and renamed to PATH by file_commit. */
struct file_writer {
    FILE *stream; /* write here */
    char *path, *temporary;
};
struct file_writer file_create(const char *path);
/* Flushes, syncs, renames, syncs the folder; dies on error. */
void file_commit(struct file_writer *writer);
void file_write(const char *path, const void *bytes, size_t count); /* create, write, commit */
/* The same of a cache that several users share: the file gets the group of its folder. False with
 * errno, and the old file stays. */
bool file_try_write(const char *path, const void *bytes, size_t count);
void file_copy(const char *from, const char *to); /* of any size; dies when one of them fails */

/* All of it, in one write where the system allows; false with errno. */
bool file_put(int file, const void *bytes, size_t count);

/* A new empty folder of a name of its own within `where` (NULL: $TMPDIR, or /tmp), from the heap.
 * Where none can be made the first dies, and the second comes back with NULL and errno. */
char *file_temporary_folder(const char *where);
char *file_try_temporary_folder(const char *where);
const char *file_temporary_place(const char *where); /* that folder, or what it stands for */
void file_make_folder(const char *path);             /* with parents; fine when it is there */
void file_sync_folder(const char *path);
/* Where there is flock, processes that ask for the turn at a folder come one after another; it ends
 * with close(). It is only a help: not waited for longer than that, since its holder may be frozen.
 * -1 with errno when the folder cannot be read. */
int file_turn(const char *folder, double seconds);
bool file_move(const char *from, const char *to);   /* rename(): false with errno */
void file_rename(const char *from, const char *to); /* dies; and syncs the folder of `to` */
bool file_unlink(const char *path);                 /* false with errno; true when absent */
void file_remove_tree(const char *path);            /* never follows links; fine when absent */
/* The same of a name in an open folder, its parent: removes what it can; false with errno. */
bool file_remove_at(int parent, const char *name);

/* A fence is passed before anything appears under a final name, goes away, or is added to a
 * journal: a worker whose stage was taken over by another ends there (lease.h). NULL: none. */
void file_set_fence(void (*fence)(void *context), void *context);
void file_pass_fence(void);

/* PATH of the program's own folder of presets etc.: next to the executable. */
const char *file_program_folder(void);
