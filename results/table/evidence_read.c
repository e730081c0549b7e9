/* What has been read is kept; readers get the stage's records and verified files. */
#include "results/table/evidence_read.h"

#include <math.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "results/sheet/number.h"
#include "results/store/stage_folder.h"

/* For as long as the process lives. */
struct entry {
    struct entry *next;
    const char *runs, *kind, *value;
    struct evidence evidence;
};
static struct entry *entries;
static struct arena memory;

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static struct entry *find_entry(const char *runs, const char *kind, const char *id,
                                const char *value, const char *class)
{
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (!strcmp(entry->evidence.id, id) && !strcmp(entry->value, value) &&
            same_text(entry->evidence.class, class) && !strcmp(entry->kind, kind) &&
            !strcmp(entry->runs, runs))
            return entry;
    return NULL;
}

const char *evidence_folder(const struct evidence_job *job, const char *kind, const char *id)
{
    return arena_print(job->arena, "%s/stages/" STAGE_FOLDER, job->store->runs, kind, id);
}

const struct evidence *evidence_read(struct store *store, const char *kind, const char *id,
                                     const char *value, const char *class,
                                     void (*read)(struct evidence_job *job))
{
    struct entry *entry = find_entry(store->runs, kind, id, value, class);
    if (entry) return &entry->evidence;
    entry = ARENA_NEW(&memory, struct entry);
    *entry = (struct entry){
        entries,
        arena_text(&memory, store->runs),
        arena_text(&memory, kind),
        arena_text(&memory, value),
        {.id = arena_text(&memory, id), .class = class ? arena_text(&memory, class) : NULL}};
    entries = entry;
    struct evidence *evidence = &entry->evidence;
    struct evidence_job job = {evidence, &memory, store, .kind = entry->kind,
                               .value = entry->value};
    job.folder = evidence_folder(&job, kind, id);
    evidence->name = strrchr(job.folder, '/') + 1;
    const char *bad, *worse;
    json_t *stage = json_file_try(&memory, arena_print(&memory, "%s/stage.json", job.folder), &bad),
           *done = json_file_try(&memory, arena_print(&memory, "%s/done.json", job.folder), &worse);
    job.stage = stage;
    job.summary = json_object_get(done, "summary");
    job.outputs = json_object_get(done, "outputs");
    if (bad || worse)
        evidence->problem = bad ? bad : worse;
    else if (!done)
        evidence->problem = arena_print(&memory, "%s is not done", evidence->name);
    else
        read(&job);
    json_decref(stage);
    json_decref(done);
    return evidence;
}

void evidence_forget(void)
{
    entries = NULL;
    arena_free(&memory);
}

const char *evidence_word(struct evidence_job *job, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_text(job->arena, text) : NULL;
}

char *evidence_file(struct evidence_job *job, const char *path, const char *digest,
                    const char *word, size_t *bytes)
{
    char text[DIGEST_TEXT];
    if (!file_exists(path)) {
        job->evidence->problem = arena_print(job->arena, "%s is gone", path);
        return NULL;
    }
    char *content = file_read(job->arena, path, 0, bytes);
    digest_bytes(content, *bytes, text);
    if (*digest && !strncmp(text, digest, strlen(digest))) return content;
    job->evidence->problem = arena_print(job->arena,
                                         "%s has changed since it was %s (its digest is %.8s, "
                                         "not %.8s)",
                                         path, word, text, digest);
    return NULL;
}

bool evidence_sets(struct evidence_job *job, const char *stem, const char *type, const char *word,
                   bool (*read)(void *context, int set, const char *path, char *text, size_t bytes),
                   void *context)
{
    struct evidence *evidence = job->evidence;
    const char *single = arena_print(job->arena, "%s.%s", stem, type), *name = single;
    const char *digest = evidence_word(job, job->outputs, name);
    evidence->files = digest ? name : arena_print(job->arena, "%s.*.%s", stem, type);
    for (int set = 0;; set++) {
        size_t bytes;
        if (set || !digest) {
            name = arena_print(job->arena, "%s.%d.%s", stem, set + 1, type);
            digest = evidence_word(job, job->outputs, name);
        }
        if (!digest) break;
        const char *path = arena_print(job->arena, "%s/%s", job->folder, name);
        char *text = evidence_file(job, path, digest, word, &bytes);
        if (!text || !read(context, set, path, text, bytes)) return false;
        evidence->sets++;
    }
    if (!evidence->sets)
        evidence->problem = arena_print(job->arena, "%s has no %s", job->folder, stem);
    return evidence->sets > 0;
}

void evidence_check(struct evidence_job *job, const char *what, double recorded)
{
    struct evidence *evidence = job->evidence;
    if (fabs(evidence->score - recorded) <= 1e-9 * fmax(1, fabs(recorded))) return;
    evidence->problem =
        arena_print(job->arena, "%s: its %s score %s, but %s was recorded", evidence->name, what,
                    number_fixed(job->arena, evidence->score, 4),
                    isnan(recorded) ? "nothing" : number_fixed(job->arena, recorded, 4));
}
