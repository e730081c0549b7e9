/* A list in memory, as RUNS/digests has it; a file whose times or size differ is read again. The
 * time of its last change (ctime) is one of them, for nobody can set it. */
#include "experiments/stage/stage_digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/rewrite.h"

enum {
    SETTLED = 3,        /* seconds after which a change shows in a file's time */
    SPARE_BLOCKS = 1024 /* of the disk: a cache is not worth its last ones */
};

struct digested_file {
    unsigned long long file[2]; /* device, inode */
    long long stamp[5];         /* size; seconds and nanoseconds of its times */
    bool settled;               /* a change behind its digest would show in its times */
    char text[DIGEST_TEXT];
};

/* Of this process. */
static struct {
    struct digested_file *known; /* [count] */
    int count;
    bool fresh; /* there is something that RUNS/digests lacks */
} all;

static const char line_format[] = "%64[0-9a-f] %llu %llu %lld %lld %lld %lld %lld";

static void add(const struct digested_file *known)
{
    HEAP_MORE(all.known, all.count);
    all.known[all.count++] = *known;
}

void stage_digests_load(const char *runs)
{
    char *path = heap_print("%s/digests", runs), line[256];
    FILE *file = file_stream(path);
    free(path);
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        struct digested_file one = {.settled = true};
        if (sscanf(line, line_format, one.text, &one.file[0], &one.file[1], &one.stamp[0],
                   &one.stamp[1], &one.stamp[2], &one.stamp[3], &one.stamp[4]) == 8 &&
            strlen(one.text) == DIGEST_TEXT - 1 && strchr(line, '\n'))
            add(&one);
    }
    fclose(file);
    all.fresh = false;
}

void stage_digest(const char *path, char text[DIGEST_TEXT])
{
    struct stat info;
    if (!path_stat(path, &info)) die("%s: cannot be read: %s", path, strerror(errno));
    struct digested_file now = {.file = {info.st_dev, info.st_ino},
                                .stamp = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                                          info.st_ctim.tv_sec, info.st_ctim.tv_nsec}};
    const time_t read = time(NULL);
    now.settled = info.st_mtim.tv_sec + SETTLED < read && info.st_ctim.tv_sec + SETTLED < read;
    int i = 0;
    while (i < all.count && memcmp(all.known[i].file, now.file, sizeof now.file) != 0) i++;
    if (i == all.count || memcmp(all.known[i].stamp, now.stamp, sizeof now.stamp) != 0) {
        digest_file(path, now.text);
        if (i == all.count)
            add(&now);
        else
            all.known[i] = now;
        all.fresh = true;
    }
    memcpy(text, all.known[i].text, DIGEST_TEXT);
}

const char *stage_text_file(const char *path, struct arena *arena)
{
    const char *file = corpus_find_file(arena, path);
    if (!file) die("%s: the file is gone", path);
    return file;
}

void stage_digest_file(struct stage *stage, const char *name, const char *path, const char *file,
                       struct arena *arena)
{
    char digest[DIGEST_TEXT];
    if (file) stage_digest(file, digest);
    stage->file[stage->files++] =
        (struct input_file){name, path, file ? arena_text(arena, digest) : NULL};
    if (!file && !stage->missing) stage->missing = corpus_missing_file(path, arena);
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
        return rewrite_file(arena, planned->path, (struct place){.file = stage->name}, what);
    return rewrite_file(arena, rules, tree_place(stage->options, what), what);
}

void stage_digest_rules(struct stage *stage, const char *rules, const char *file,
                        struct arena *arena)
{
    const bool own = shipped_ends(rules, rewrite_shipped.ending);
    if (file) stage_digest_file(stage, rules_name, own ? file : rules, file, arena);
}

void stage_digests_keep(const char *runs)
{
    struct statvfs disk;
    if (!all.fresh || access(runs, W_OK) != 0) return;
    if (statvfs(runs, &disk) != 0 || disk.f_bavail < SPARE_BLOCKS) return;
    char *path = heap_print("%s/digests", runs);
    struct file_writer writer = file_create(path);
    for (int i = 0; i < all.count; i++) {
        const struct digested_file *one = &all.known[i];
        if (one->settled)
            fprintf(writer.stream, "%s %llu %llu %lld %lld %lld %lld %lld\n", one->text,
                    one->file[0], one->file[1], one->stamp[0], one->stamp[1], one->stamp[2],
                    one->stamp[3], one->stamp[4]);
    }
    file_commit(&writer);
    all.fresh = false;
    free(path);
}
