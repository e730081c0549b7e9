/* Tags and notes of users on a stage: FOLDER/notes.jsonl. The file is append-only, so that the
 * database can be rebuilt with them. Each line is one of:
 *
 *   {"time":1700000000,"tag":"main"}   {"time":..,"untag":"main"}   {"time":..,"note":"any text"}
 *
 * The last line of a tag decides if the stage has the tag. Grids also give tags and notes
 * (experiments/grid/grid.h). */
#pragma once

#include "results/store/ingest.h"

#define NOTES_FILE "notes.jsonl"

enum { NOTES_TAG_BYTES = 64, NOTES_TEXT_BYTES = 1 << 16 };

/* Exits with an error if the tag is invalid. A tag is 1 to 64 bytes of UTF-8 without blanks,
 * quotes, commas, control characters and signs of a filter. */
void notes_check_tag(const char *tag);
/* Exits with an error if the text is empty, too long or not UTF-8. */
void notes_check_text(const char *text);

/* Appends a line and syncs it; `key` is tag, untag or note. Safe for several processes at the same
 * time. */
void notes_add(const char *folder, const char *key, const char *text);

/* Reads a line of notes.jsonl into the database. Returns false if the line is invalid. */
bool notes_take(struct ingest *ingest, int64_t stage, json_t *line);
