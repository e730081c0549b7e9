/* Appends tags and notes to notes.jsonl, and reads its lines. Other programs may write the stage at
 * the same time. Each line is appended under a lock and synced, and is never rewritten. Tags and
 * notes in the database are the result of all lines. */
#include "results/store/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mask.h"
#include "core/base/path.h"
#include "core/text/utf8.h"

void notes_check_tag(const char *tag)
{
    size_t bytes = strlen(tag);
    if (!bytes || bytes > NOTES_TAG_BYTES)
        die("expected a tag of 1 to %d bytes; \"%.20s%s\" has %zu", NOTES_TAG_BYTES, tag,
            bytes > 20 ? ".." : "", bytes);
    if (utf8_check(tag, bytes) >= 0) die("tag \"%s\": expected UTF-8", tag);
    static const char signs[] = " \t\"',;()=<>!~&|";
    bool bad = strpbrk(tag, signs) || *tag == '-';
    for (const char *at = tag; *at;) {
        int32_t character;
        const char *next = mask_next(at, &character);
        bad |= character == '?' && *at != '?';
        at = next;
    }
    if (bad)
        die("tag \"%s\": expected one word without blanks, quotes, control characters and %s", tag,
            signs + 4);
}

void notes_check_text(const char *text)
{
    size_t bytes = strlen(text);
    if (!bytes || bytes > NOTES_TEXT_BYTES)
        die("expected a note of 1 to %d bytes, got %zu", NOTES_TEXT_BYTES, bytes);
    if (utf8_check(text, bytes) >= 0) die("the note is not UTF-8; expected UTF-8");
}

void notes_add(const char *folder, const char *key, const char *text)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = arena_print(&arena, "%s/" NOTES_FILE, folder);
    json_t *json = json_pack("{s:I, s:s}", "time", (json_int_t)time(NULL), key, text);
    CHECK(json, "a note that JSON cannot hold");
    char *line = json_dumps(json, JSON_COMPACT), last = '\n';
    int file = file_open(path, O_RDWR | O_APPEND | O_CREAT);
    if (file < 0) die("%s: cannot be written: %s", path, file_why(errno));
    while (flock(file, LOCK_EX) != 0 && errno == EINTR) continue;
    off_t end = lseek(file, 0, SEEK_END);
    if (end > 0 && pread(file, &last, 1, end - 1) != 1) last = '\n';
    /* If the last line has no newline, because its writer was killed, adds the newline first. */
    const char *whole = arena_print(&arena, "%s%s\n", last == '\n' ? "" : "\n", line);
    if (!file_put(file, whole, strlen(whole)) || fsync(file) != 0)
        die("%s: cannot be written: %s", path, strerror(errno));
    close(file);
    int here = path_open(folder, O_RDONLY | O_DIRECTORY);
    if (here >= 0) futimens(here, NULL); /* changes the folder's time, which the collector checks */
    if (here >= 0) close(here);
    free(line);
    json_decref(json);
}

bool notes_take(struct ingest *ingest, int64_t stage, json_t *line)
{
    const char *tag = json_string_value(json_object_get(line, "tag"));
    const char *untag = json_string_value(json_object_get(line, "untag"));
    const char *note = json_string_value(json_object_get(line, "note"));
    const json_t *when = json_object_get(line, "time");
    if (!json_is_number(when) || (tag != NULL) + (untag != NULL) + (note != NULL) != 1)
        return false;
    if (tag) store_insert(ingest->store, "tag", "is", stage, tag);
    if (untag)
        store_run(ingest->store, "DELETE FROM tag WHERE stage = ? AND tag = ?", "is", stage, untag);
    if (note) store_insert(ingest->store, "note", "ids", stage, json_number_value(when), note);
    return true;
}
