/* What people write about a stage: FOLDER/notes.jsonl, appended to and never rewritten, so that the
 * database can be built anew with it. One line each:
 *
 *   {"time":1700000000,"tag":"main"}   {"time":..,"untag":"main"}   {"time":..,"note":"any text"}
 *
 * A tag is there when its last line says so. Grids give tags and notes,
 * too (experiments/grid/grid.h). */
#pragma once

#include "results/store/ingest.h"

#define NOTES_FILE "notes.jsonl"

enum { NOTES_TAG_BYTES = 64, NOTES_TEXT_BYTES = 1 << 16 };

/* Dies when this cannot be a tag: 1 to 64 bytes of UTF-8 without blanks, quotes, commas, control
 * characters and signs of a filter. */
void notes_check_tag(const char *tag);
/* Dies when the text is empty, too long or not UTF-8. */
void notes_check_text(const char *text);

/* Appends a line, synced; `key` is tag, untag or note. Several processes may do so at once. */
void notes_add(const char *folder, const char *key, const char *text);

/* Takes a line of it; false when it is none of ours. */
bool notes_take(struct ingest *ingest, int64_t stage, json_t *line);
