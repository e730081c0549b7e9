/* Writes journals: append-only files of lines, with one write() per record. A process that is
 * killed during a write leaves half a line at the end of the file. So a journal is cut back to its
 * last newline when it is opened. Else the next record would be appended to the torn line. */
#include "core/base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/number.h"

struct lines {
    char *path;
    int file;    /* opened to append */
    bool synced; /* nothing was written since the last sync */
};

struct journal {
    struct lines metrics, events;
    int64_t attempt; /* number of the last attempt; 0: none */
    bool ended;      /* true if the last attempt has ended */
    double opened;   /* clock_seconds at journal_open */
};

/* Removes the last line if it has no newline. Returns the length of the file. */
static int64_t lines_mend(const struct lines *lines)
{
    int64_t end = file_bytes(lines->path), keep = end;
    char block[4096];
    while (keep > 0) {
        size_t count = keep < (int64_t)sizeof block ? (size_t)keep : sizeof block;
        ssize_t got = pread(lines->file, block, count, keep - (int64_t)count);
        if (got != (ssize_t)count) die("%s: cannot be read: %s", lines->path, strerror(errno));
        const char *newline = memrchr(block, '\n', count);
        if (newline) {
            keep += newline + 1 - (block + count);
            break;
        }
        keep -= (int64_t)count;
    }
    if (keep != end && ftruncate(lines->file, keep) != 0)
        die("%s: cannot truncate the incomplete last line: %s", lines->path, strerror(errno));
    return keep;
}

static struct lines lines_open(const char *folder, const char *name)
{
    struct lines lines = {.path = heap_print("%s/%s", folder, name)};
    lines.file = file_open(lines.path, O_RDWR | O_APPEND | O_CREAT);
    if (lines.file < 0) die("%s: cannot be written: %s", lines.path, file_why(errno));
    lines_mend(&lines);
    return lines;
}

static void lines_sync(struct lines *lines)
{
    if (!lines->synced && fdatasync(lines->file) != 0)
        die("%s: sync failed: %s", lines->path, strerror(errno));
    lines->synced = true;
}

static void lines_close(struct lines *lines)
{
    close(lines->file);
    free(lines->path);
}

/* Writes one record in one write; takes ownership of the object. */
static void lines_add(struct lines *lines, json_t *record, size_t flags)
{
    char *text = json_dumps(record, JSON_COMPACT | flags);
    CHECK(text, "a journal record that is not JSON");
    json_decref(record);
    size_t length = strlen(text);
    text[length++] = '\n'; /* replaces the NUL */
    file_pass_fence();
    lines->synced = false;
    if (!file_put(lines->file, text, length)) {
        const int reason = errno;
        lines_mend(lines); /* half a line would spoil the next record */
        die("%s: cannot be written: %s", lines->path, strerror(reason));
    }
    free(text);
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Returns NULL for JOURNAL_NONE, so that json_pack omits the key. */
static json_t *number_of(int64_t value)
{
    return value == JOURNAL_NONE ? NULL : json_integer(value);
}

static json_t *text_of(const char *text)
{
    return text ? json_file_text(text) : NULL;
}

static bool ends_attempt(const char *event)
{
    return !strcmp(event, "failed") || !strcmp(event, "done") || !strcmp(event, "interrupted") ||
           !strcmp(event, "diverged");
}

/* Sets `attempt` and `ended` from the last readable event. */
static void find_attempt(struct journal *journal)
{
    SCOPED(arena_free) struct arena arena = {0};
    size_t bytes;
    char *text = file_read(&arena, journal->events.path, 0, &bytes);
    while (bytes > 0 && journal->attempt == 0) {
        text[bytes - 1] = 0; /* the newline of the last line */
        const char *newline = memrchr(text, '\n', bytes - 1);
        const char *line = newline ? newline + 1 : text;
        json_auto_t *record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        const char *event = json_string_value(json_object_get(record, "event"));
        journal->attempt = json_integer_value(json_object_get(record, "attempt"));
        journal->ended = event && ends_attempt(event);
        bytes = (size_t)(line - text);
    }
}

struct journal *journal_open(const char *folder)
{
    struct journal *journal = heap_alloc(sizeof *journal);
    journal->metrics = lines_open(folder, JOURNAL_METRICS);
    journal->events = lines_open(folder, JOURNAL_EVENTS);
    find_attempt(journal);
    journal->opened = clock_seconds();
    return journal;
}

void journal_close(struct journal *journal)
{
    lines_close(&journal->metrics);
    lines_close(&journal->events);
    free(journal);
}

void journal_metric(struct journal *journal, const struct metric *metric)
{
    json_t *record = json_pack("{s:o, s:o*, s:o, s:o*, s:o*, s:o*, s:o*, s:o*}", "name",
                               text_of(metric->name), "step", number_of(metric->step), "value",
                               real_or_null(metric->value), "layer", number_of(metric->layer),
                               "head", number_of(metric->head), "set", number_of(metric->set),
                               "class", text_of(metric->class), "n", number_of(metric->n));
    lines_add(&journal->metrics, record, JSON_REAL_PRECISION(number_digits(metric->value, 15)));
}

void journal_value(struct journal *journal, int64_t step, const char *name, double value)
{
    enum { NONE = JOURNAL_NONE };
    journal_metric(journal, &(struct metric){name, step, value, NONE, NONE, NONE, NULL, NONE});
}

int64_t journal_sync(struct journal *journal)
{
    lines_sync(&journal->metrics);
    lines_sync(&journal->events);
    return file_bytes(journal->metrics.path);
}

void journal_cut(struct journal *journal, int64_t length)
{
    struct lines *metrics = &journal->metrics;
    int64_t bytes = file_bytes(metrics->path);
    if (length < 0 || length > bytes)
        die("%s: has %lld bytes, but the checkpoint records %lld; another program changed the file",
            metrics->path, (long long)bytes, (long long)length);
    file_pass_fence();
    metrics->synced = false;
    if (ftruncate(metrics->file, length) != 0)
        die("%s: cannot be truncated: %s", metrics->path, strerror(errno));
    lines_mend(metrics);
}

void journal_fill(struct journal *journal, const char *lines, size_t bytes)
{
    struct lines *metrics = &journal->metrics;
    journal_cut(journal, 0);
    if (!file_put(metrics->file, lines, bytes))
        die("%s: cannot be written: %s", metrics->path, strerror(errno));
    lines_sync(metrics);
}

static double milliseconds(double seconds)
{
    return round(seconds * 1000) / 1000;
}

static json_t *event_json(struct journal *journal, const char *event, int64_t step)
{
    return json_pack("{s:o, s:f, s:f, s:I, s:o*}", "event", text_of(event), "time",
                     milliseconds(time_seconds()), "clock",
                     milliseconds(clock_seconds() - journal->opened), "attempt",
                     (json_int_t)journal->attempt, "step", number_of(step));
}

void journal_event(struct journal *journal, const char *event, int64_t step, const char *text)
{
    bool failed = !strcmp(event, "failed"); /* the worker may have died before "started" */
    if (!strcmp(event, "started") || journal->attempt == 0 || (failed && journal->ended))
        journal->attempt++;
    journal->ended = ends_attempt(event);
    json_t *record = event_json(journal, event, step);
    if (text) json_object_set_new(record, "text", json_file_text(text));
    lines_add(&journal->events, record, JSON_REAL_PRECISION(15));
}

void journal_timing(struct journal *journal, int64_t step, const char *name, double value)
{
    if (journal->attempt == 0) journal->attempt++;
    json_t *record = event_json(journal, "timing", step);
    json_object_set_new(record, "name", json_file_text(name));
    json_object_set_new(record, "value", real_or_null(value));
    lines_add(&journal->events, record, JSON_REAL_PRECISION(15));
}
