#include "results/store/ingest.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/json_file.h"
#include "core/base/journal.h"
#include "core/base/number.h"

enum {
    BATCH_ROWS = 100000,     /* per transaction, so that other writers get their turn */
    TAIL_BYTES = 4096,       /* by whose digest a journal is recognized */
    OBJECT_BYTES = 16 << 20, /* largest stage.json and the like */
    NAMED = 5                /* bad records that are named; the rest is counted */
};

struct ingest ingest_open(struct store *store)
{
    return (struct ingest){.store = store};
}

void ingest_close(struct ingest *ingest)
{
    for (int i = 0; i < ingest->kept; i++) store_finish(ingest->keep[i].statement);
}

sqlite3_stmt *ingest_keep(struct ingest *ingest, const char *sql)
{
    for (int i = 0; i < ingest->kept; i++)
        if (ingest->keep[i].sql == sql) {
            sqlite3_reset(ingest->keep[i].statement);
            return ingest->keep[i].statement;
        }
    CHECK(ingest->kept < INGEST_KEPT, "more than %d statements", INGEST_KEPT);
    sqlite3_stmt *statement = store_prepare(ingest->store, sql);
    ingest->keep[ingest->kept].sql = sql;
    ingest->keep[ingest->kept++].statement = statement;
    return statement;
}

void ingest_complain(struct ingest *ingest, const char *format, ...)
{
    if (ingest->complaints++ >= NAMED) return;
    char message[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    message_print(message, format, list);
    va_end(list);
    warn("%s", message);
}

json_t *ingest_object(struct ingest *ingest, const char *path)
{
    struct arena arena = {0};
    const char *problem;
    int64_t bytes = file_bytes(path);
    if (bytes > OBJECT_BYTES) {
        ingest_complain(ingest, "%s: %lld bytes are too many for a record", path, (long long)bytes);
        return NULL;
    }
    json_t *object = json_file_try(&arena, path, &problem);
    if (problem) ingest_complain(ingest, "%s", problem);
    arena_free(&arena);
    if (object && !json_is_object(object)) {
        ingest_complain(ingest, "%s: is no JSON object", path);
        json_decref(object);
        object = NULL;
    }
    return object;
}

bool ingest_changed(const char *path, struct ingest_file *known)
{
    struct stat info;
    int64_t bytes = 0, modified = 0;
    if (path_stat(path, &info)) {
        bytes = (int64_t)info.st_size;
        modified = info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
    }
    if (bytes == known->bytes && modified == known->modified) return false;
    *known = (struct ingest_file){.bytes = bytes, .modified = modified};
    return true;
}

void ingest_flatten(const json_t *object, const char *prefix, ingest_take *take, void *context)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        char *name = *prefix ? heap_print("%s.%s", prefix, key) : heap_print("%s", key);
        if (json_is_object(value)) {
            ingest_flatten(value, name, take, context);
        } else if (json_is_string(value)) {
            take(context, name, json_string_value(value), value);
        } else {
            char *text =
                json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
            take(context, name, text, value);
            free(text);
        }
        free(name);
    }
}

/* The number in "tag":"2", as rows of a set had it before they said "set"; 0: it is none. */
static json_int_t set_of_tag(const char *tag)
{
    double number;
    const bool digits = *tag && !tag[strspn(tag, "0123456789")];
    return digits && real_parse(tag, &number) && number <= INT_MAX ? (json_int_t)number : 0;
}

/* One line of a journal to one row; false when it is no record. */
static bool ingest_metric(struct ingest *ingest, int64_t stage, json_t *line)
{
    const char *name, *class = NULL, *tag = NULL;
    json_int_t step = JOURNAL_NONE, layer = JOURNAL_NONE, head = JOURNAL_NONE, n = JOURNAL_NONE,
               set = JOURNAL_NONE;
    json_t *value;
    if (json_unpack_ex(line, NULL, JSON_STRICT, "{s:s, s:o, s?I, s?I, s?I, s?I, s?s, s?s, s?I}",
                       "name", &name, "value", &value, "step", &step, "layer", &layer, "head",
                       &head, "set", &set, "class", &class, "tag", &tag, "n", &n) != 0)
        return false;
    if (tag && set != JOURNAL_NONE) return false;
    if (tag) set = set_of_tag(tag);
    if (set != JOURNAL_NONE && set < 1) return false;
    if (!json_is_number(value) && !json_is_null(value)) return false;
    double number = json_is_null(value) ? (double)NAN : json_number_value(value);
    ingest_run(ingest,
               "INSERT INTO metric (stage, name, step, layer, head, \"set\", class, n, value) "
               "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "isnnnnsnd", stage, name, (int64_t)step, (int64_t)layer, (int64_t)head, (int64_t)set,
               class, (int64_t)n, number);
    ingest->report.metrics++;
    return true;
}

static bool ingest_event(struct ingest *ingest, int64_t stage, json_t *line)
{
    const char *event, *text = NULL, *name = NULL;
    double time, clock = 0;
    json_int_t attempt, step = JOURNAL_NONE;
    json_t *value = NULL;
    if (json_unpack_ex(line, NULL, JSON_STRICT, "{s:s, s:F, s?F, s:I, s?I, s?s, s?s, s?o}", "event",
                       &event, "time", &time, "clock", &clock, "attempt", &attempt, "step", &step,
                       "text", &text, "name", &name, "value", &value) != 0)
        return false;
    if (strcmp(event, "timing") == 0) {
        if (!name || (!json_is_number(value) && !json_is_null(value))) return false;
        double number = json_is_null(value) ? (double)NAN : json_number_value(value);
        ingest_run(ingest,
                   "INSERT INTO timing (stage, attempt, step, name, time, clock, value) VALUES "
                   "(?, ?, ?, ?, ?, ?, ?)",
                   "iinsddd", stage, (int64_t)attempt, (int64_t)step, name, time, clock, number);
    } else {
        ingest_run(ingest,
                   "INSERT INTO event (stage, attempt, step, event, time, clock, text) VALUES "
                   "(?, ?, ?, ?, ?, ?, ?)",
                   "iinsdds", stage, (int64_t)attempt, (int64_t)step, event, time, clock, text);
    }
    ingest->report.events++;
    return true;
}

/* Digest of the bytes before `end`, by which we know the journal again. */
static void tail_digest(FILE *file, const char *path, int64_t end, char text[DIGEST_TEXT])
{
    char bytes[TAIL_BYTES];
    size_t count = end < TAIL_BYTES ? (size_t)end : TAIL_BYTES;
    if (fseeko(file, end - (int64_t)count, SEEK_SET) != 0 || fread(bytes, 1, count, file) != count)
        die("%s: cannot be read: %s", path, strerror(errno));
    digest_bytes(bytes, count, text);
}

void ingest_remember(struct ingest *ingest, int64_t stage, const char *name,
                     const struct ingest_file *known)
{
    ingest_run(ingest,
               "INSERT OR REPLACE INTO file (stage, name, bytes, modified, tail, bad) "
               "VALUES (?, ?, ?, ?, ?, ?)",
               "isiisi", stage, name, known->bytes, known->modified, known->tail ? known->tail : "",
               known->bad);
}

static void forget_rows(struct store *store, int64_t stage, bool metrics)
{
    if (metrics) {
        store_run(store, "DELETE FROM metric WHERE stage = ?", "i", stage);
    } else {
        store_run(store, "DELETE FROM event WHERE stage = ?", "i", stage);
        store_run(store, "DELETE FROM timing WHERE stage = ?", "i", stage);
    }
}

bool ingest_journal(struct ingest *ingest, int64_t stage, const char *path, const char *name,
                    struct ingest_file *known)
{
    struct stat info;
    bool metrics = strcmp(name, "metrics.jsonl") == 0, there = path_stat(path, &info);
    if (!there && known->bytes == 0) return false;
    int64_t size = there ? (int64_t)info.st_size : 0;
    int64_t modified = there ? info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec : 0;
    if (size == known->bytes && modified == known->modified) return false;

    FILE *file = there ? file_lines(path) : NULL;
    char digest[DIGEST_TEXT] = "";
    if (file && size >= known->bytes) tail_digest(file, path, known->bytes, digest);
    if (known->tail && strcmp(digest, known->tail) != 0) { /* it was cut */
        forget_rows(ingest->store, stage, metrics);
        *known = (struct ingest_file){0};
    }
    if (file) fseeko(file, known->bytes, SEEK_SET);

    char *text = NULL;
    size_t room = 0;
    ssize_t length = 0;
    while (file && known->bytes < size && (length = file_line(file, path, &text, &room)) > 0) {
        if (text[length - 1] != '\n') {
            ingest->report.torn++;
            break;
        }
        text[length - 1] = 0;
        json_t *line = json_loadb(text, (size_t)length - 1, JSON_REJECT_DUPLICATES, NULL);
        bool good = line && (metrics ? ingest_metric : ingest_event)(ingest, stage, line);
        if (!good) {
            known->bad++;
            ingest_complain(ingest, "%s: byte %lld: this line is no record: %.60s", path,
                            (long long)known->bytes, text);
        }
        json_decref(line);
        known->bytes += length;
        if (++ingest->pending % BATCH_ROWS == 0) {
            tail_digest(file, path, known->bytes, digest);
            known->tail = digest;
            ingest_remember(ingest, stage, name, known);
            store_commit(ingest->store);
            store_begin(ingest->store);
            fseeko(file, known->bytes, SEEK_SET);
        }
    }
    free(text);
    if (file) tail_digest(file, path, known->bytes, digest);
    known->tail = digest;
    known->modified = modified;
    ingest_remember(ingest, stage, name, known);
    file_close(file, path);
    known->tail = NULL; /* was ours */
    return true;
}
