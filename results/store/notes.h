/* Tags and notes that users give a stage, in FOLDER/notes.jsonl. The database has a copy, which can
 * be rebuilt from the file. Lines are only appended. A line has one of these forms:
 *
 *   {"time":1700000000,"tag":"main"}   {"time":..,"untag":"main"}   {"time":..,"note":"any text"}
 *
 * The last line about a tag decides if the stage has the tag. The file of a grid may also have tags
 * and a note (experiments/grid/grid.h). */
#pragma once

#include "results/store/ingest.h"

#define NOTES_FILE "notes.jsonl"

enum { NOTES_TAG_BYTES = 64, NOTES_TEXT_BYTES = 1 << 16 };

/* Exits with an error if the tag is invalid. A tag is 1 to 64 bytes of UTF-8 without blanks,
 * quotes, commas, control characters and the operators of filters. It does not begin with -. */
void notes_check_tag(const char *tag);
/* Exits with an error if the text is empty, too long or not UTF-8. */
void notes_check_text(const char *text);

/* Appends a line to the file and syncs the file; `key` is tag, untag or note. Several processes can
 * append at the same time. */
void notes_add(const char *folder, const char *key, const char *text);

/* Reads a line of notes.jsonl into the database. Returns false if the line is invalid. */
bool notes_take(struct ingest *ingest, int64_t stage, json_t *line);
