/* Digests of the text that stages read. Each file is read once per process, and not at all when an
 * earlier run left its digest in RUNS/digests and the file is still the one that was read then:
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

/* Reads RUNS/digests. Invalid lines are passed over. */
void stage_digests_load(const char *runs);
/* As digest_file; dies when the file cannot be read. */
void stage_digest(const char *path, char text[DIGEST_TEXT]);
/* True if lower_is_special is true of the file's text. The answer is kept with the digest. */
bool stage_digest_special(const char *path);
/* Where a file of text lies (corpus_find_file), for the work: dies when it is gone. */
const char *stage_text_file(const char *path, struct arena *arena);
/* Adds one of its input files: `path` as options have it, `file` where that lies; NULL:
 * stage_add_absent. */
void stage_digest_file(struct stage *stage, const char *name, const char *path, const char *file,
                       struct arena *arena);
/* The same of a file of text, which corpus_find_file finds. */
void stage_digest_text(struct stage *stage, const char *name, const char *path,
                       struct arena *arena);
/* Adds the text of a probing task as "task". */
void stage_digest_task(struct stage *stage, const struct probe_task *task, struct arena *arena);
/* Adds a file that is not there. The first one fills stage->missing, unless that is filled. */
void stage_add_absent(struct stage *stage, struct absent_file absent, struct arena *arena);
/* Adds the program of a command, and what else its words name, as command.1, command.2, .. */
void stage_digest_command(struct stage *stage, const struct texts *command, struct arena *arena);
/* A file of a stage in a signature, "NAME:01234567": its name without its folder, because a text
 * that was moved is the same text, and eight digits of its digest. */
const char *stage_file_signature(const struct input_file *file, struct arena *arena);
/* The file of rules of an option `what`, "rules" among the stage's input files: the one that was
 * planned, for the options of a stage do not lie beside its grid, or else what the option means.
 * NULL: there are none. */
const char *stage_rules_file(const struct stage *stage, const char *rules, const char *what,
                             struct arena *arena);
/* Dies at a mistake in the rules that a point's option `what` names. */
void stage_check_rules(const struct tree *point, const char *rules, const char *what,
                       struct arena *arena);
/* How a stage reads text with those rules. */
struct tokenized_reading stage_reading(const struct stage *stage, const char *rules,
                                       const char *what, bool lowercase, struct arena *arena);
/* Adds it, if there is one: rules that we ship by their name, others by where they lie. */
void stage_digest_rules(struct stage *stage, const struct stage *planned, const char *rules,
                        const char *what, struct arena *arena);
/* Adds what is new to RUNS/digests, where RUNS is there and can be written. */
void stage_digests_keep(const char *runs);
