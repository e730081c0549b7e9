/* The items of a stage: the numbers of which its value is the mean, or with weights the ratio of
 * the sums of both (core/decode/statistic.h), in its folder, so that the value can be tested
 * against another stage's item by item (observations.h).
 *
 * items.tsv, or of several checkpoints items.1.tsv, items.2.tsv and so on, has a line per item,
 * with three columns between tabs, or four, which the first line names (start.tsv is the same of a
 * measure that is a control: offer.h):
 *   number     in the unit of the value; with a weight in that times the weight's: the nats of a
 *              sentence; the shortest decimals that read back
 *   class      of which the stage has a value, too (a tag, a bin), in the metric row of that name
 *              and class; may be empty
 *   stratum    of which every resample has as many items (a task); may be empty
 *   weight     above 0, where items have one: the tokens of a sentence
 *
 * The stage has the files among its outputs, and in its summary the value, a signature (offer.h:
 * measure.signature), and in `items` how many items each file has. A line is of the same thing in
 * all sets and in all stages of that signature. */
#pragma once

#include "core/base/arena.h"

struct item {
    double number;               /* finite */
    const char *class, *stratum; /* "": none; without tabs and line breaks */
    double weight;               /* finite and above 0; 0 of all items of a file: none */
};

/* The name of the file of set `set` of `sets`, from 0. */
const char *items_file(int set, int sets, struct arena *arena);
/* Writes it to a stage's folder: all of it or nothing. */
void items_write(const char *folder, const char *file, const struct item *item, int count);

/* The items of such a file's text, which is changed and which they use; *count of them. NULL when
 * it is none, and *problem says why, with the line: "PATH:3: ..". */
const struct item *items_read(struct arena *arena, const char *path, char *text, size_t bytes,
                              int *count, const char **problem);
