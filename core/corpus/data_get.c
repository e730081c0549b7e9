/* Downloads in rounds. Each round requests all files that are still absent. Completed files are
 * kept even if the round failed. */
#include "core/corpus/data_get.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/base/progress.h"
#include "core/base/unfinished.h"
#include "core/corpus/curl.h"
#include "core/corpus/data_program.h"
#include "core/corpus/data_settle.h"

/* ---- files made by a program ---- */

/* Runs the Python program that makes the files of a data set from its downloads: `python3 PROGRAM
 * DATA/raw OUT`, with a new folder OUT. Afterwards, data_make renames the files to their paths, if
 * all of them have the right digest. */
static void run_program(const struct data_set *set, const char *out, struct arena *arena)
{
    const char *const word[] = {"python3", set->program,
                                arena_print(arena, "%s/raw", data_folder()), out, NULL};
    mask_line(stderr, "%s: python3 %s %s %s", set->name, word[1], word[2], word[3]);
    if (data_program_run(set->name, word, NULL, STDERR_FILENO))
        die("%s: python3 %s ended with status %d", set->name, set->program, DIE_EXIT);
}

static const char *made_path(struct arena *arena, const char *folder, const struct data_file *file)
{
    return arena_print(arena, "%s/%s", folder, file->path);
}

/* Dies if the set has a program, and the program or python3 is missing. */
static void data_make_check(const struct data_set *set)
{
    if (!set->program) return;
    data_program_check(set->name);
    if (!file_exists(set->program))
        die("%s: make.program: file %s not found", set->manifest, set->program);
}

static void data_make(const struct data_set *set)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *out = arena_print(&arena, "%s/.%s.making", data_folder(), set->name);
    file_remove_tree(out);
    file_make_folder(out);
    unfinished_begin(out);
    run_program(set, out, &arena);
    for (int i = 0; i < set->mades; i++)
        if (!file_exists(made_path(&arena, out, &set->made[i])))
            die("%s: %s did not make %s", set->name, set->program, set->made[i].path);
    for (int right = 0; right < 2; right++) /* first a file with a wrong digest: data_settle dies */
        for (int i = 0; i < set->mades; i++) {
            const struct data_file *file = &set->made[i];
            const char *from = made_path(&arena, out, file);
            const char *target = made_path(&arena, data_folder(), file);
            if (!right) data_settle_folder(set, target);
            if (right || data_settle_differs(file, from, &arena))
                data_settle(set, file, from, target);
        }
    unfinished_end();
}

enum { TRIES = 4 }; /* maximum number of rounds without a new file */

/* A file to fetch. */
struct need {
    const struct data_file *file;
    const char *target, *part, *url;
    bool done;
    bool continued; /* the round started with a part of the file */
};

struct get {
    const struct data_set *set;
    struct need *need; /* [needs] */
    int needs, done;
    int *asked; /* [needs] indices in `need` of the files of this round */
    int64_t kilobytes;
    struct progress *progress;
    struct arena arena;
};

static const char *target_of(struct arena *arena, const struct data_file *file)
{
    return arena_print(arena, "%s/%s", data_folder(), file->path);
}

enum data_state data_state(const struct data_file *file)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *target = target_of(&arena, file);
    enum data_state state = file_exists(target) ? DATA_HERE : DATA_ABSENT;
    if (state == DATA_HERE && file->digest && data_settle_differs(file, target, &arena))
        state = DATA_OTHER;
    return state;
}

static int absent(const struct data_set *set, const struct data_file *file, int files)
{
    SCOPED(arena_free) struct arena arena = {0};
    int count = 0;
    for (int i = 0; i < files; i++) {
        const char *target = target_of(&arena, &file[i]);
        const enum data_state state = data_state(&file[i]);
        if (state == DATA_OTHER)
            die("%s: %s exists with other content (%s); move the file first", set->name, target,
                data_settle_differs(&file[i], target, &arena));
        count += state == DATA_ABSENT;
    }
    return count;
}

int data_get_absent(const struct data_set *set)
{
    int files;
    const struct data_file *file = data_set_files(set, &files);
    return absent(set, file, files);
}

static bool is_url(const char *mirror)
{
    return strstr(mirror, "://");
}

void data_get_check_mirror(const char *mirror)
{
    if (!is_url(mirror) && !file_is_folder(mirror))
        die("--mirror: %s: is not a folder; expected a folder, https://.., http://.. or file:///..",
            mirror);
    if (is_url(mirror)) data_set_check_url(mirror, (struct location){.file = "--mirror"});
}

/* Returns the part of a URL after its host, such as OWNER/NAME/COMMIT/PATH. */
static const char *url_path(const char *url)
{
    const char *host = strstr(url, "://") + 3, *slash = strchr(host, '/');
    return slash ? slash + 1 : "";
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- one file ---- */

static void take(struct get *get, struct need *need)
{
    data_settle(get->set, need->file, need->part, need->target);
    need->done = true;
    get->done++;
}

static void ended(void *context, int index)
{
    struct get *get = context;
    struct need *need = &get->need[get->asked[index]];
    /* for an empty file, curl may write nothing */
    if (!file_exists(need->part)) file_write(need->part, "", 0);
    if (need->continued && data_settle_differs(need->file, need->part, &get->arena))
        file_unlink(need->part); /* the old part was wrong: the next round fetches the whole file */
    else
        take(get, need);
}

static void tick(void *context)
{
    struct get *get = context;
    int64_t bytes = 0;
    for (int i = 0; i < get->needs; i++) {
        const int64_t some =
            file_bytes(get->need[i].done ? get->need[i].target : get->need[i].part);
        bytes += some > 0 ? some : 0;
    }
    progress_step(get->progress, bytes / 1000, NULL);
}

/* Checks an existing part of a file. If the part is complete, takes it. If it is wrong and not
 * shorter than the file, removes it. */
static void look_at_part(struct get *get, struct need *need)
{
    const int64_t bytes = file_bytes(need->part);
    need->continued = bytes > 0;
    if (!need->continued) return;
    if (!data_settle_differs(need->file, need->part, &get->arena)) {
        take(get, need);
    } else if (need->file->bytes >= 0 && bytes >= need->file->bytes) {
        file_unlink(need->part);
        need->continued = false;
    }
}

/* ---- errors ---- */

static const char *why_not_written(const char *part)
{
    static const char block[1 << 16];
    const int file = file_open(part, O_WRONLY | O_CREAT | O_APPEND);
    if (file < 0) return file_why(errno);
    const off_t end = lseek(file, 0, SEEK_END);
    const int reason = file_put(file, block, sizeof block) ? EIO : errno;
    if (ftruncate(file, end) != 0) trace("file", "%s: keeps zeros at its end", part);
    close(file);
    return strerror(reason);
}

static const char *words_of(const struct curl_end *end, struct arena *arena)
{
    static const struct {
        int status;
        const char *words;
    } known[] = {{401, ", unauthorized; does it need a login?"},
                 {403, ", forbidden; does it need a login?"},
                 {404, ", not found"},
                 {429, ", too many requests; try again later"}};
    if (end->status < 400) return end->why[0] ? end->why : arena_print(arena, "curl %d", end->code);
    const char *words = "";
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i].status == end->status) words = known[i].words;
    return arena_print(arena, "HTTP %d%s", end->status, words);
}

static int refuse(struct get *get, const struct curl_end *end)
{
    const enum curl_failure failure = curl_failure(end);
    const struct need *need = end->index < 0 ? NULL : &get->need[get->asked[end->index]];
    progress_close(get->progress, "stopped");
    if (need && failure == CURL_WRITE)
        die("%s: %s: cannot be written: %s", get->set->name, need->part,
            why_not_written(need->part));
    if (failure != CURL_UNREACHED && failure != CURL_BROKEN)
        die("%s: %s%s%s", get->set->name, need ? need->url : "", need ? ": " : "",
            words_of(end, &get->arena));
    mask_line(stderr,
              "sanlab: %s: %s: %s; fetch each file by hand to its path below, or all files to a "
              "folder for --mirror FOLDER:",
              get->set->name, need->url, words_of(end, &get->arena));
    for (int i = 0; i < get->needs; i++)
        if (!get->need[i].done)
            mask_line(stderr, "    %s  to  %s", get->need[i].url, get->need[i].target);
    return DIE_EXIT;
}

/* ---- all files ---- */

static int ask(struct get *get, struct curl_file *file)
{
    int asked = 0;
    for (int i = 0; i < get->needs; i++) {
        struct need *need = &get->need[i];
        if (!need->done) look_at_part(get, need);
        if (need->done) continue;
        file[asked] = (struct curl_file){.url = need->url, .path = need->part};
        get->asked[asked++] = i;
    }
    return asked;
}

/* True if another round may succeed. Then removes a part that cannot be continued, or sleeps before
 * the retry. */
static bool again(struct get *get, const struct curl_end *end, int tries)
{
    const enum curl_failure failure = curl_failure(end);
    if (!end->code) return tries < TRIES;
    if (tries >= TRIES || failure == CURL_FINAL || failure == CURL_WRITE) return false;
    if (failure == CURL_UNREACHED && !get->done) return false;
    if (failure == CURL_NO_RESUME)
        file_unlink(get->need[get->asked[end->index]].part);
    else
        sleep((unsigned)tries);
    return true;
}

static int download(struct get *get)
{
    struct curl_file *file = ARENA_ARRAY(&get->arena, struct curl_file, get->needs);
    const struct curl_calls calls = {.ended = ended, .tick = tick, .context = get};
    for (int tries = 1, asked; (asked = ask(get, file)); tries++) {
        const int before = get->done;
        const struct curl_end end = curl_fetch(get->set->name, file, asked, &calls, &get->arena);
        if (get->done > before) tries = 1;
        if (get->done < get->needs && !again(get, &end, tries)) return refuse(get, &end);
    }
    return 0;
}

/* Copies a file from the mirror folder. Returns false if no file there has the right digest. */
static bool copy(struct get *get, struct need *need, const char *mirror)
{
    const char *const name[] = {url_path(need->file->url), need->file->path,
                                name_of(need->file->path), name_of(need->file->url)};
    for (size_t i = 0; i < COUNT_OF(name); i++) {
        const char *from = arena_print(&get->arena, "%s/%s", mirror, name[i]);
        if (!file_exists(from) || data_settle_differs(need->file, from, &get->arena)) continue;
        file_copy(from, need->part);
        take(get, need);
        tick(get);
        return true;
    }
    return false;
}

static void copy_all(struct get *get, const char *mirror)
{
    const struct need *lacks = NULL;
    for (int i = 0; i < get->needs; i++)
        if (!copy(get, &get->need[i], mirror) && !lacks) lacks = &get->need[i];
    if (!lacks) return;
    progress_close(get->progress, "stopped");
    die("%s: %s lacks %d of %d files: no file with the digest of %s (tried %s, %s, %s and %s); "
        "without --mirror they are fetched from their URLs",
        get->set->name, mirror, get->needs - get->done, get->needs, lacks->file->path,
        url_path(lacks->file->url), lacks->file->path, name_of(lacks->file->path),
        name_of(lacks->file->url));
}

static void add_needs(struct get *get, const char *mirror)
{
    const struct data_set *set = get->set;
    struct arena *arena = &get->arena;
    int64_t bytes = 0;
    bool known = true;
    get->need = ARENA_ARRAY(arena, struct need, set->files);
    get->asked = ARENA_ARRAY(arena, int, set->files);
    for (int i = 0; i < set->files; i++) {
        const struct data_file *file = &set->file[i];
        if (data_state(file) == DATA_HERE) continue;
        const char *target = target_of(arena, file);
        const bool moved = mirror && is_url(mirror);
        data_settle_folder(get->set, target);
        get->need[get->needs++] =
            (struct need){.file = file,
                          .target = target,
                          .part = arena_print(arena, "%s.part", target),
                          .url = moved ? arena_print(arena, "%s%s%s", mirror,
                                                     mirror[strlen(mirror) - 1] == '/' ? "" : "/",
                                                     url_path(file->url))
                                       : file->url};
        known &= file->bytes >= 0;
        bytes += file->bytes;
    }
    get->kilobytes = known ? bytes / 1000 : 0;
}

static int fetch(struct get *get, const char *mirror)
{
    int status = 0;
    get->progress =
        progress_open(arena_print(&get->arena, "%s, kB", get->set->name), get->kilobytes);
    if (mirror && !is_url(mirror))
        copy_all(get, mirror);
    else
        status = download(get);
    if (!status) progress_close(get->progress, NULL);
    return status;
}

/* Waits for the lock of the data folder. close() of the returned file releases the lock. */
static int lock(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    file_make_folder(folder);
    const char *path = arena_print(&arena, "%s/.sanlab-get", folder);
    const int file = file_open(path, O_RDONLY | O_CREAT);
    if (file < 0) die("%s: cannot be written: %s", path, file_why(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        mask_line(stderr, "sanlab: %s: waiting for another process that gets data", folder);
        while (flock(file, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    return file;
}

int data_get(const struct data_set *set, const char *mirror)
{
    struct get get = {.set = set};
    int status = 0;
    const int turn = lock(data_folder());
    if (data_get_absent(set)) { /* another process may have fetched the files */
        data_make_check(set);
        absent(set, set->file, set->files);
        add_needs(&get, mirror);
        if (get.needs) status = fetch(&get, mirror);
        if (!status && set->program) data_make(set);
    }
    close(turn);
    arena_free(&get.arena);
    return status;
}
