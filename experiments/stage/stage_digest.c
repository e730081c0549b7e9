/* Caches digests of files. The key of a file consists of its device, inode, size and times. The
 * times include the last change (ctime), because a program cannot set it to an old value. */
#include "experiments/stage/stage_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/hash_table.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/rewrite.h"
#include "core/text/lower.h"

enum {
    UNKNOWN = -1, /* not computed yet */
    SETTLED = 3   /* seconds after which another change surely gets other times */
};

struct digested_file {
    char text[DIGEST_TEXT]; /* digest; "": not known yet */
    int special;            /* lower_is_special of the file's text: 0, 1 or UNKNOWN */
    const char *key;        /* "DEVICE INODE SIZE SECONDS NANOSECONDS SECONDS NANOSECONDS" */
};

/* The files that are in RUNS/digests, or whose digest this process has computed. */
static struct {
    struct arena arena;
    struct digested_file **item; /* [count] */
    int count;
    struct hash_table *index; /* from key to an index of `item` */
    const char *path;         /* RUNS/digests; NULL: no lines are appended */
    bool cut;                 /* its last line has no end */
} known;

/* Returns the entry of a key. If there is none, adds an entry without digest. */
static struct digested_file *entry_of(const char *key)
{
    if (!known.index) known.index = hash_table_new(&known.arena, 0);
    const int64_t at = hash_table_get(known.index, key, strlen(key));
    if (at != HASH_TABLE_ABSENT) return known.item[at];
    struct digested_file *fresh = ARENA_NEW(&known.arena, struct digested_file);
    *fresh = (struct digested_file){.special = UNKNOWN, .key = arena_text(&known.arena, key)};
    hash_table_put(known.index, fresh->key, strlen(key), known.count);
    ARENA_ADD(&known.arena, known.item, known.count, fresh);
    return fresh;
}

/* Warns once, and uses RUNS/digests no more. */
static void give_up(const char *verb, int error)
{
    static bool once;
    if (!once)
        warn("%s: cannot be %s: %s; digests of files are not cached", known.path, verb,
             file_why(error));
    once = true;
    known.path = NULL;
}

/* Reads a line: the digest, the key and, if it is known, " special=1". Ignores other lines. */
static void read_line(char *line)
{
    static const char mark[] = " special=";
    const size_t bytes = strcspn(line, "\n"), digest = strspn(line, "0123456789abcdef");
    known.cut = !line[bytes];
    line[bytes] = 0;
    if (known.cut || digest != DIGEST_TEXT - 1 || line[digest] != ' ') return;
    char *special = strstr(line, mark);
    if (special) *special = 0;
    struct digested_file *file = entry_of(line + digest + 1);
    memcpy(file->text, line, digest);
    file->special = special ? special[sizeof mark - 1] - '0' : UNKNOWN;
}

void stage_digests_load(const char *runs)
{
    char line[256];
    known.path = arena_print(&known.arena, "%s/digests", runs);
    known.cut = false;
    FILE *file = file_stream(known.path);
    bool failed = !file && errno != ENOENT;
    while (file && fgets(line, sizeof line, file)) read_line(line); /* a later line is newer */
    failed |= file && ferror(file);
    if (failed) give_up("read", errno);
    if (file) fclose(file);
    if (access(runs, W_OK) != 0) known.path = NULL;
}

/* Appends a line to RUNS/digests, if RUNS exists and is writable. */
static void record(const struct digested_file *one)
{
    if (!known.path) return;
    SCOPED(arena_free) struct arena arena = {0};
    const char *special =
        one->special == UNKNOWN ? "" : arena_print(&arena, " special=%d", one->special);
    const char *line =
        arena_print(&arena, "%s%s %s%s\n", known.cut ? "\n" : "", one->text, one->key, special);
    const int file = file_open(known.path, O_WRONLY | O_APPEND | O_CREAT);
    if (file >= 0) path_share(known.path);
    if (file < 0 || !file_put(file, line, strlen(line))) give_up("written", errno);
    if (file >= 0) close(file);
    known.cut = false;
}

/* ---- a file ---- */

/* Returns the entry of a file. If the digest is not cached, or if `special` is asked for and not
 * known, reads the file. */
static struct digested_file *look_at(const char *path, bool special)
{
    struct stat info;
    char key[256];
    if (!path_stat(path, &info)) die("%s: cannot be read: %s", path, strerror(errno));
    snprintf(key, sizeof key, "%llu %llu %lld %lld %lld %lld %lld", (unsigned long long)info.st_dev,
             (unsigned long long)info.st_ino, (long long)info.st_size,
             (long long)info.st_mtim.tv_sec, (long long)info.st_mtim.tv_nsec,
             (long long)info.st_ctim.tv_sec, (long long)info.st_ctim.tv_nsec);
    struct digested_file *file = entry_of(key);
    if (*file->text && (!special || file->special != UNKNOWN)) return file;
    const time_t settled = time(NULL) - SETTLED;
    SCOPED(arena_free) struct arena scratch = {0};
    size_t bytes;
    if (!*file->text) digest_file(path, file->text);
    if (special) {
        const char *text = file_read(&scratch, path, 0, &bytes);
        file->special = lower_is_special(text, bytes);
    }
    if (info.st_mtim.tv_sec < settled && info.st_ctim.tv_sec < settled) record(file);
    return file;
}

void stage_digest(const char *path, char text[DIGEST_TEXT])
{
    memcpy(text, look_at(path, false)->text, DIGEST_TEXT);
}

bool stage_digest_special(const char *path)
{
    return look_at(path, true)->special;
}

const char *stage_text_file(const char *path, struct arena *arena)
{
    const char *file = corpus_find_file(arena, path);
    if (!file) die("%s: the file is gone", path);
    return file;
}

void stage_add_absent(struct stage *stage, struct absent_file absent, struct arena *arena)
{
    ARENA_ADD(arena, stage->absent, stage->absents, absent);
    if (!stage->missing)
        stage->missing = arena_print(arena, "%s%s%s", corpus_missing_file(absent.path, arena),
                                     absent.origin[0] ? "; " : "", absent.origin);
}

static void add_file(struct stage *stage, const char *name, const char *file,
                     struct absent_file absent, struct arena *arena)
{
    char digest[DIGEST_TEXT];
    if (file) stage_digest(file, digest);
    ARENA_ADD(arena, stage->file, stage->files,
              (struct input_file){name, absent.path, file ? arena_text(arena, digest) : NULL});
    if (!file) stage_add_absent(stage, absent, arena);
}

void stage_digest_file(struct stage *stage, const char *name, const char *path, const char *file,
                       struct arena *arena)
{
    add_file(stage, name, file, (struct absent_file){path, "", ""}, arena);
}

void stage_digest_text(struct stage *stage, const char *name, const char *path, struct arena *arena)
{
    stage_digest_file(stage, name, path, corpus_find_file(arena, path), arena);
}

void stage_digest_task(struct stage *stage, const struct probe_task *task, struct arena *arena)
{
    const struct absent_file absent = {task->file, "text of probing tasks", task->origin};
    add_file(stage, "task", corpus_find_file(arena, task->file), absent, arena);
}

void stage_digest_command(struct stage *stage, const struct texts *command, struct arena *arena)
{
    for (int i = 0; i < command->count; i++) {
        const char *file = child_file(command->text, i, arena);
        if (!i || file)
            stage_digest_file(stage, arena_print(arena, "command.%d", i + 1), command->text[i],
                              file, arena);
    }
}

const char *stage_file_signature(const struct input_file *file, struct arena *arena)
{
    const char *slash = strrchr(file->path, '/');
    return arena_print(arena, "%s:%.8s", slash ? slash + 1 : file->path, file->digest);
}

static const char rules_name[] = "rules";

const char *stage_rules_file(const struct stage *stage, const char *rules, const char *what,
                             struct arena *arena)
{
    const struct input_file *planned = stage_file(stage, rules_name);
    if (planned)
        return rewrite_file(arena, planned->path, (struct location){.file = stage->name}, what);
    return rewrite_file(arena, rules, tree_location(stage->options, what), what);
}

void stage_check_rules(const struct tree *point, const char *rules, const char *what,
                       struct arena *arena)
{
    const char *file = rewrite_file(arena, rules, tree_location(point, what), what);
    if (file) rewrite_read(arena, file);
}

struct tokenized_reading stage_reading(const struct stage *stage, const char *rules,
                                       const char *what, bool lowercase, struct arena *arena)
{
    const char *file = stage_rules_file(stage, rules, what, arena);
    return (struct tokenized_reading){file ? rewrite_read(arena, file) : NULL, lowercase};
}

void stage_digest_rules(struct stage *stage, const struct stage *planned, const char *rules,
                        const char *what, struct arena *arena)
{
    const bool own = shipped_ends(rules, rewrite_shipped.ending);
    const char *file = stage_rules_file(planned, rules, what, arena);
    if (file) stage_digest_file(stage, rules_name, own ? file : rules, file, arena);
}
