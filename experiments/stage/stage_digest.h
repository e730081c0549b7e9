/* Digests of the text that stages read. Each file is read once per process. It is not read if
 * RUNS/digests has its digest from an earlier run and the file is unchanged. "Unchanged" means the
 * same device, inode, size, and times of modification and change. A file that was changed within
 * the last seconds is not kept, because another change might leave the same time.
 *
 * RUNS/digests has one line for each device and inode: digest, device, inode, size, times, and
 * "special=0" or "special=1" (stage_digest_special) if it is known. It is a cache: a process that
 * cannot read or write it warns once and computes the digests.
 *
 * Only for planning: a worker reads its text itself. */
#pragma once

#include "core/base/digest.h"
#include "core/corpus/tokenized.h"
#include "experiments/stage/stage.h"
#include "probes/tasks.h"

/* Reads RUNS/digests. Invalid lines are ignored. */
void stage_digests_load(const char *runs);
/* Like digest_file. Dies if the file cannot be read. */
void stage_digest(const char *path, char text[DIGEST_TEXT]);
/* True if lower_is_special is true of the file's text. The answer is kept with the digest. */
bool stage_digest_special(const char *path);
/* Returns the path of a file of text (corpus_find_file), for workers. Dies if missing. */
const char *stage_text_file(const char *path, struct arena *arena);
/* Adds an input file: `path` as in the options, `file` its actual path. NULL: stage_add_absent. */
void stage_digest_file(struct stage *stage, const char *name, const char *path, const char *file,
                       struct arena *arena);
/* Adds a file of text, which is searched by corpus_find_file. */
void stage_digest_text(struct stage *stage, const char *name, const char *path,
                       struct arena *arena);
/* Adds the text of a probing task as "task". */
void stage_digest_task(struct stage *stage, const struct probe_task *task, struct arena *arena);
/* Adds a missing file. Sets stage->missing unless it is set. */
void stage_add_absent(struct stage *stage, struct absent_file absent, struct arena *arena);
/* Adds the program of a command and the other files that its words name, as command.1, command.2,
 * .. */
void stage_digest_command(struct stage *stage, const struct texts *command, struct arena *arena);
/* Returns the signature of a stage's file, "NAME:01234567": its name and eight digits of its
 * digest. The folder is left out, because a moved text is the same text. */
const char *stage_file_signature(const struct input_file *file, struct arena *arena);
/* Returns the file of rules of option `what`, "rules" among the stage's input files. If it was
 * planned, the planned file is used, because the options of a stage are not stored next to its
 * grid. NULL if there are no rules. */
const char *stage_rules_file(const struct stage *stage, const char *rules, const char *what,
                             struct arena *arena);
/* Dies at a fault in the rules that a point's option `what` names. */
void stage_check_rules(const struct tree *point, const char *rules, const char *what,
                       struct arena *arena);
/* Returns the reading of text with these rules. */
struct tokenized_reading stage_reading(const struct stage *stage, const char *rules,
                                       const char *what, bool lowercase, struct arena *arena);
/* Adds the file of rules, if there is one: shipped rules by name, others by path. */
void stage_digest_rules(struct stage *stage, const struct stage *planned, const char *rules,
                        const char *what, struct arena *arena);
/* Adds new entries to RUNS/digests, if RUNS exists and is writable. */
void stage_digests_keep(const char *runs);
