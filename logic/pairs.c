/* Reads files of statement pairs. Each file is read as a whole, and the texts of statements point
 * into its memory. A table maps texts to statements, so that a repeated text is evaluated once. */
#include "logic/pairs.h"

#include <limits.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/hash_table.h"
#include "core/text/utf8.h"

const char *const logic_split_names[] = {"train", "valid", "test", NULL};

enum { UNKNOWN = HASH_TABLE_ABSENT - 1 }; /* index of a text that is not a statement */

struct logic_line {
    struct logic_pairs *pairs;
    const struct logic_file *file;
    int number; /* from 1 */
    const char *text, *end;
};

/* A column of the line and its name in messages. */
struct logic_column {
    const char *name, *text;
    size_t bytes;
};

/* ---- names of files ---- */

/* Reads a bin and advances *text. Returns false if the text does not begin with a number, or if the
 * number has leading zeros. */
static bool read_bin(const char **text, int *bin)
{
    const char *const from = *text;
    for (*bin = 0; **text >= '0' && **text <= '9' && *bin < LOGIC_BINS; ++*text)
        *bin = 10 * *bin + **text - '0';
    return *text > from && (*from != '0' || *text == from + 1);
}

static struct logic_file name_read(const char *path)
{
    const struct location location = {.file = path};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *digits = name + strcspn(name, "0123456789");
    struct logic_file file = {.path = path};
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)(digits - name), name);
    while (file.split < LOGIC_SPLITS && strcmp(word, logic_split_names[file.split]) != 0)
        file.split++;
    if (!*digits)
        die_at(location, "expected the name of a split and a bin of 0 to %d, as in train6",
               LOGIC_BINS - 1);
    if (file.split == LOGIC_SPLITS)
        word_refuse(location, "name of the file", "unknown split", word, logic_split_names);
    if (!read_bin(&digits, &file.bin) || *digits || file.bin >= LOGIC_BINS)
        die_at(location, "expected a bin of 0 to %d after \"%s\"", LOGIC_BINS - 1, word);
    return file;
}

struct logic_bins logic_bins_read(struct location location, const char *text)
{
    struct logic_bins bins;
    const char *at = text;
    bool right = read_bin(&at, &bins.first);
    bins.last = bins.first;
    if (right && *at == '-') at++, right = read_bin(&at, &bins.last);
    if (!right || *at || bins.last >= LOGIC_BINS || bins.first > bins.last)
        die_at(location, "\"%s\": expected bins of 0 to %d, as in 0-6", text, LOGIC_BINS - 1);
    return bins;
}

/* ---- a line ---- */

static void PRINTF(3, 4)
    refuse(const struct logic_line *line, const char *at, const char *format, ...)
{
    const struct location location = {line->file->path, line->number, (int)(at - line->text) + 1};
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    if (!line->pairs->fault) die_at(location, "%s", message);
    line->pairs->fault(line->pairs->context, location, message);
}

/* Adds a new text as a statement. Refuses the line and returns false if the text is not a
 * statement, or is always or never true. */
static bool add_statement(const struct logic_line *line, const struct logic_column *column)
{
    struct logic_pairs *pairs = line->pairs;
    struct logic_statement statement = {.text = column->text, .bytes = column->bytes};
    struct formula_fault fault;
    if (!column->bytes) {
        refuse(line, column->text, "the %s is empty; expected a statement", column->name);
        return false;
    }
    if (!formula_read(&statement.formula, pairs->names, column->text, column->bytes, &fault)) {
        refuse(line, column->text + fault.at, "%s", fault.text);
        return false;
    }
    if (relation_of(statement.formula.set, statement.formula.set) == RELATION_NONE) {
        refuse(line, column->text,
               "the %s is %s true; expected a statement that is true for some values of its "
               "variables and false for others",
               column->name, statement.formula.set ? "always" : "never");
        return false;
    }
    ARENA_ADD(pairs->arena, pairs->statement, pairs->statements, statement);
    return true;
}

/* Returns the index of the statement of a side; UNKNOWN if the text is invalid. */
static int read_side(const struct logic_line *line, const struct logic_column *column)
{
    struct logic_pairs *pairs = line->pairs;
    int64_t *number = hash_table_at(pairs->known, column->text, column->bytes, UNKNOWN);
    if (*number == UNKNOWN && add_statement(line, column)) *number = pairs->statements - 1;
    return (int)*number;
}

static enum logic_relation read_relation(const struct logic_line *line,
                                         const struct logic_column *column)
{
    char word[88], message[WORD_TEXT];
    for (int relation = 0; column->bytes == 1 && relation < RELATIONS; relation++)
        if (*relation_symbols[relation] == *column->text) return (enum logic_relation)relation;
    snprintf(word, sizeof word, "%.*s", (int)column->bytes, column->text);
    word_describe(message, column->name, "unknown word", word, relation_symbols);
    refuse(line, column->text, "%s", message);
    return RELATION_NONE;
}

/* True if the relation of the line and the bin of the file agree with the statements. */
static bool agrees(const struct logic_line *line, const struct logic_pair *pair,
                   const struct logic_column *column)
{
    const struct formula *premise = &line->pairs->statement[pair->premise].formula,
                         *hypothesis = &line->pairs->statement[pair->hypothesis].formula;
    const enum logic_relation relation = relation_of(premise->set, hypothesis->set);
    const int bin = logic_bin(premise->operators, hypothesis->operators);
    if (relation != pair->relation)
        refuse(line, column->text, "wrong relation \"%s\"; expected \"%s\" (%s)",
               relation_symbols[pair->relation], relation_symbols[relation],
               relation_names[relation]);
    else if (bin != line->file->bin && !line->pairs->any_name)
        refuse(line, column[premise->operators < hypothesis->operators ? 2 : 1].text,
               "wrong bin: %d operators belong to bin %d; the file has bin %d",
               premise->operators < hypothesis->operators ? hypothesis->operators
                                                          : premise->operators,
               bin, line->file->bin);
    return relation == pair->relation && (line->pairs->any_name || bin == line->file->bin);
}

static void read_line(const struct logic_line *line)
{
    struct logic_column column[] = {
        {.name = "relation"}, {.name = "premise"}, {.name = "hypothesis"}};
    struct logic_pairs *pairs = line->pairs;
    size_t columns = 0;
    for (const char *at = line->text; at; columns++) {
        const char *tab = memchr(at, '\t', (size_t)(line->end - at));
        if (columns < COUNT_OF(column)) {
            column[columns].text = at;
            column[columns].bytes = (size_t)((tab ? tab : line->end) - at);
        }
        at = tab ? tab + 1 : NULL;
    }
    if (columns != COUNT_OF(column)) {
        refuse(line, line->text,
               "%zu column%s; expected relation, premise and hypothesis, separated by tabs",
               columns, columns == 1 ? "" : "s");
        return;
    }
    struct logic_pair pair = {.relation = read_relation(line, &column[0])};
    if (pair.relation == RELATION_NONE) return;
    if ((pair.premise = read_side(line, &column[1])) == UNKNOWN) return;
    if ((pair.hypothesis = read_side(line, &column[2])) == UNKNOWN) return;
    if (!agrees(line, &pair, column)) return;
    ARENA_ADD(pairs->arena, pairs->pair, pairs->pairs, pair);
}

/* ---- a file ---- */

void logic_pairs_read(struct logic_pairs *pairs, const char *path)
{
    size_t bytes;
    if (!pairs->any_name) name_read(path); /* refuse a wrong file name before the file is read */
    const char *text = file_read(pairs->arena, path, INT_MAX, &bytes);
    logic_pairs_take(pairs, path, text, bytes);
}

void logic_pairs_take(struct logic_pairs *pairs, const char *path, const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    utf8_require(path, 1, text, bytes);
    const size_t mark = utf8_mark(text, bytes);
    if (mark && mark == bytes)
        die("%s: the file has only a byte order mark; expected pairs, or no bytes for an empty bin",
            path);
    text += mark;
    const char *name = arena_text(pairs->arena, path);
    struct logic_file file = {.path = name, .split = LOGIC_TEST};
    if (!pairs->any_name) file = name_read(name);
    for (int i = 0; i < pairs->files && !pairs->any_name; i++)
        if (pairs->file[i].split == file.split && pairs->file[i].bin == file.bin)
            die("%s: is a second file of %s%d, after %s; expected one file for each split and bin",
                path, logic_split_names[file.split], file.bin, pairs->file[i].path);
    if (!pairs->known) pairs->known = hash_table_new(pairs->arena, 0);
    file.first = pairs->pairs;
    struct logic_line line = {.pairs = pairs, .file = &file};
    for (const char *next; text < end; text = next + 1) {
        next = memchr(text, '\n', (size_t)(end - text));
        if (!next) next = end;
        line.text = text;
        line.end = next > text && next[-1] == '\r' ? next - 1 : next;
        line.number++;
        read_line(&line);
    }
    file.count = pairs->pairs - file.first;
    ARENA_ADD(pairs->arena, pairs->file, pairs->files, file);
}
