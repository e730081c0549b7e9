/* Computes digests of the files that stages read, and caches them. Each file is read at most once
 * per process. It is not read if RUNS/digests has its digest from an earlier run and the file is
 * unchanged. "Unchanged" means the same device, inode, size, and times of modification and change.
 * The digest of a file that was changed within the last seconds is not cached, because another
 * change might leave the same times.
 *
 * RUNS/digests has lines of digest, device, inode, size, times, and "special=0" or "special=1"
 * (stage_digest_special) if it is known. New lines are appended. The last line of a device and
 * inode counts. If a line is lost, because two machines append at the same time to a network disk,
 * its file is read again. A process that cannot read or write RUNS/digests warns once and computes
 * the digests.
 *
 * Call stage_digests_load only when a grid is planned. Without it, as in a worker, every file is
 * read. */
#pragma once

#include "core/base/digest.h"
#include "core/corpus/tokenized.h"
#include "experiments/stage/stage.h"
#include "probes/tasks.h"

/* Reads RUNS/digests, if it exists. Invalid lines are ignored. From then on, lines of new digests
 * are appended to it, if RUNS exists and is writable. */
void stage_digests_load(const char *runs);
/* Like digest_file. Dies if the file cannot be read. */
void stage_digest(const char *path, char text[DIGEST_TEXT]);
/* Returns lower_is_special of the file's text. The result is cached with the digest. */
bool stage_digest_special(const char *path);
/* Returns the actual path of a text file (corpus_find_file), for workers. Dies if the file is
 * missing. */
const char *stage_text_file(const char *path, struct arena *arena);
/* Adds an input file. `path` is the path in the options, `file` the actual path. If `file` is NULL,
 * the file is missing and stage_add_absent is also called. */
void stage_digest_file(struct stage *stage, const char *name, const char *path, const char *file,
                       struct arena *arena);
/* Adds a text file, which is searched by corpus_find_file. */
void stage_digest_text(struct stage *stage, const char *name, const char *path,
                       struct arena *arena);
/* Adds the text of a probing task as "task". */
void stage_digest_task(struct stage *stage, const struct probe_task *task, struct arena *arena);
/* Adds a missing file. Sets stage->missing unless it is set. */
void stage_add_absent(struct stage *stage, struct absent_file absent, struct arena *arena);
/* Adds the program of a command as command.1. Word number N of the command, if it names a file, is
 * added as command.N. */
void stage_digest_command(struct stage *stage, const struct texts *command, struct arena *arena);
/* Returns the signature of a stage's file, "NAME:01234567": its name without folder, and eight
 * digits of its digest. The folder is left out, because moving a file does not change its text. */
const char *stage_file_signature(const struct input_file *file, struct arena *arena);
/* Returns the path of the file of rules that the option with key `what` and value `rules` names;
 * NULL if there are no rules. If the stage already has the input file "rules", its recorded path or
 * name replaces `rules`. The reason is that a path in the options may be relative to the grid. */
const char *stage_rules_file(const struct stage *stage, const char *rules, const char *what,
                             struct arena *arena);
/* Dies if the rules that the option `what` of a point names are invalid. */
void stage_check_rules(const struct tree *point, const char *rules, const char *what,
                       struct arena *arena);
/* Returns how text is read: with these rules, and in lower case if `lowercase` is true. */
struct tokenized_reading stage_reading(const struct stage *stage, const char *rules,
                                       const char *what, bool lowercase, struct arena *arena);
/* Adds the file of rules, if there is one, as input file "rules". Rules of the user are recorded by
 * their path in the file system, shipped rules by their name. */
void stage_digest_rules(struct stage *stage, const struct stage *planned, const char *rules,
                        const char *what, struct arena *arena);
