/* Reads the new lines of journals into the database. Programs only append to a journal, so reading
 * continues at the byte offset in the table `file`. A last line without newline is incomplete. The
 * next collect reads this line again. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/number.h"
#include "results/store/notes.h"

enum {
    TAIL_BYTES = 4096 /* number of bytes before the offset whose digest is stored (tail_digest) */
};

/* Returns the number in "tag":"2", the older form of "set":2; 0 if the tag is no number. */
static json_int_t set_of_tag(const char *tag)
{
    double number;
    const bool digits = *tag && !tag[strspn(tag, "0123456789")];
    return digits && real_parse(tag, &number) && number <= INT_MAX ? (json_int_t)number : 0;
}

/* Inserts a line of metrics.jsonl as a row. Returns false if the line is invalid. */
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
    store_insert(ingest->store, "value", "isnnnnsndi", stage, name, (int64_t)step, (int64_t)layer,
                 (int64_t)head, (int64_t)set, class, (int64_t)n, number, (int64_t)STORE_OF_LINE);
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
        store_insert(ingest->store, "timing", "iinsddd", stage, (int64_t)attempt, (int64_t)step,
                     name, time, clock, number);
    } else {
        store_insert(ingest->store, "event", "iinsdds", stage, (int64_t)attempt, (int64_t)step,
                     event, time, clock, text);
    }
    ingest->report.events++;
    return true;
}

static const struct journal_kind {
    const char *name;
    bool (*take)(struct ingest *ingest, int64_t stage, json_t *line); /* inserts a line as a row;
                                                                         returns false if the line
                                                                         is invalid */
    const char *forget[2]; /* statements that delete the rows of a stage's journal; the second may
                              be NULL */
} kinds[] = {
    {JOURNAL_METRICS, ingest_metric, {"DELETE FROM value WHERE stage = ? AND " STORE_LINES}},
    {JOURNAL_EVENTS,
     ingest_event,
     {"DELETE FROM event WHERE stage = ?", "DELETE FROM timing WHERE stage = ?"}},
    {NOTES_FILE,
     notes_take,
     {"DELETE FROM tag WHERE stage = ?", "DELETE FROM note WHERE stage = ?"}},
};

/* A journal that is being read. known->bytes is the offset of the next line. */
struct open_journal {
    struct ingest *ingest;
    int64_t stage;
    const char *path;
    const struct journal_kind *kind;
    FILE *file; /* NULL: the journal does not exist */
    struct ingest_file *known;
};

/* Writes the digest of the bytes before the offset, at most the last TAIL_BYTES of them. By this
 * digest, the next collect recognizes the journal (was_cut). */
static void tail_digest(const struct open_journal *journal, char text[DIGEST_TEXT])
{
    char bytes[TAIL_BYTES];
    const int64_t end = journal->known->bytes;
    const size_t count = end < TAIL_BYTES ? (size_t)end : TAIL_BYTES;
    if (fseeko(journal->file, end - (int64_t)count, SEEK_SET) != 0 ||
        fread(bytes, 1, count, journal->file) != count)
        die("%s: cannot be read: %s", journal->path, strerror(errno));
    digest_bytes(bytes, count, text);
}

/* True if the journal was truncated, removed or replaced. Compares the digest of the bytes before
 * the offset with the stored digest. The size alone is not enough, because a truncated journal may
 * grow again. */
static bool was_cut(const struct open_journal *journal, int64_t bytes)
{
    char digest[DIGEST_TEXT] = "";
    if (journal->known->bytes < 0) return true; /* this program stores no negative offset */
    if (journal->file && bytes >= journal->known->bytes) tail_digest(journal, digest);
    return journal->known->tail && strcmp(digest, journal->known->tail) != 0;
}

static void forget_rows(const struct open_journal *journal)
{
    for (int i = 0; i < 2 && journal->kind->forget[i]; i++)
        store_run(journal->ingest->store, journal->kind->forget[i], "i", journal->stage);
}

/* Stores the offset. The transaction that inserts the rows also has the offset, so a killed
 * collector leaves both or neither. */
static void remember_place(const struct open_journal *journal)
{
    char digest[DIGEST_TEXT] = "";
    if (journal->file) tail_digest(journal, digest);
    journal->known->tail = digest;
    ingest_remember(journal->ingest, journal->stage, journal->kind->name, journal->known);
    journal->known->tail = NULL; /* `digest` is a local buffer */
}

static void ingest_line(const struct open_journal *journal, const char *text, size_t length)
{
    struct ingest *ingest = journal->ingest;
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (!line || !journal->kind->take(ingest, journal->stage, line)) {
        journal->known->bad++;
        ingest_complain(ingest, "%s: byte %lld: this line is not a record: %.60s", journal->path,
                        (long long)journal->known->bytes, text);
    }
    json_decref(line);
}

/* Inserts the lines from the offset to `size`, which was the size of the journal when this collect
 * checked it. */
static void ingest_lines(const struct open_journal *journal, int64_t size)
{
    struct ingest *ingest = journal->ingest;
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    fseeko(journal->file, journal->known->bytes, SEEK_SET);
    while (journal->known->bytes < size &&
           (length = file_line(journal->file, journal->path, &text, &capacity)) > 0) {
        if (text[length - 1] != '\n') {
            ingest->report.torn++;
            break;
        }
        text[length - 1] = 0;
        ingest_line(journal, text, (size_t)length - 1);
        journal->known->bytes += length;
    }
    free(text);
}

bool ingest_journal(struct ingest *ingest, int64_t stage, const char *path, const char *name,
                    struct ingest_file *known)
{
    const struct ingest_file now = ingest_look(path);
    const bool gone = !now.bytes && !now.modified;
    if (gone && !known->bytes) return false;
    if (now.bytes == known->bytes && now.modified == known->modified) return false;
    const struct journal_kind *kind = kinds;
    while (strcmp(kind->name, name) != 0) kind++;
    const struct open_journal journal = {ingest, stage, path, kind, gone ? NULL : file_lines(path),
                                         known};
    if (was_cut(&journal, now.bytes)) {
        forget_rows(&journal);
        *known = (struct ingest_file){0};
    }
    if (journal.file) ingest_lines(&journal, now.bytes);
    known->modified = now.modified;
    remember_place(&journal);
    file_close(journal.file, path);
    return true;
}
