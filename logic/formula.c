/* Parses statements by recursive descent. After the first fault, the next symbol is always
 * FORMULA_END, so that the descent returns without further faults. */
#include "logic/formula.h"

#include <string.h>

enum { FORMULA_UNKNOWN = FORMULA_SYMBOLS, FORMULA_END };

/* A symbol and its bytes in the text. Unknown words have bytes, too. */
struct formula_token {
    int symbol;
    const char *text;
    size_t bytes;
};

struct formula_reader {
    const struct formula_names *names;
    const char *text, *end;
    struct formula_token next;
    int nested;
    struct formula *formula;
    struct formula_fault *fault;
    bool wrong;
};

uint64_t formula_variable(int variable)
{
    static const uint64_t set[FORMULA_VARIABLES] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC,
                                                    0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
                                                    0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    return set[variable];
}

/* ---- names ---- */

struct formula_names formula_names_read(struct location location, const char *const *variables)
{
    struct formula_names names = {FORMULA_VARIABLE, {"(", ")", "not", "and", "or"}};
    for (; *variables; variables++) {
        const char *name = *variables;
        if (names.symbols == FORMULA_SYMBOLS)
            die_at(location, "more than %d variables; expected 1 to %d", FORMULA_VARIABLES,
                   FORMULA_VARIABLES);
        if (!*name || name[strcspn(name, " \t\r\n")])
            die_at(location, "variable \"%s\": expected a word without blanks", name);
        if (word_known(name, names.name))
            die_at(location, "variable \"%s\": is already a symbol; expected another word", name);
        names.name[names.symbols++] = name;
    }
    if (names.symbols == FORMULA_VARIABLE)
        die_at(location, "no variable; expected 1 to %d", FORMULA_VARIABLES);
    return names;
}

static int find_symbol(const struct formula_names *names, const char *text, size_t bytes)
{
    for (int symbol = 0; symbol < names->symbols; symbol++)
        if (strlen(names->name[symbol]) == bytes && !memcmp(names->name[symbol], text, bytes))
            return symbol;
    return FORMULA_UNKNOWN;
}

/* ---- symbols ---- */

/* Returns the symbol that begins at `at`: the beginning of the text, or the byte after a blank.
 * FORMULA_END if `at` is after the end. */
static struct formula_token token_at(const struct formula_reader *reader, const char *at)
{
    if (at > reader->end) return (struct formula_token){FORMULA_END, at - 1, 0};
    const char *blank = memchr(at, ' ', (size_t)(reader->end - at));
    const size_t bytes = (size_t)((blank ? blank : reader->end) - at);
    return (struct formula_token){find_symbol(reader->names, at, bytes), at, bytes};
}

/* Records a fault at the next symbol, unless a fault was already recorded. The next symbol becomes
 * FORMULA_END. */
static void refuse(struct formula_reader *reader, const char *expected)
{
    struct formula_token *next = &reader->next;
    struct formula_fault *fault = reader->fault;
    if (reader->wrong) return;
    reader->wrong = true;
    fault->at = (size_t)(next->text - reader->text);
    if (next->symbol == FORMULA_END) {
        snprintf(fault->text, WORD_TEXT, "the statement ends; expected %s", expected);
    } else if (next->symbol == FORMULA_UNKNOWN && !next->bytes) {
        snprintf(fault->text, WORD_TEXT, "a blank too many; expected one between two symbols");
    } else if (next->symbol == FORMULA_UNKNOWN) {
        char word[88]; /* longer than the part that a message shows */
        snprintf(word, sizeof word, "%.*s", (int)next->bytes, next->text);
        word_describe(fault->text, "symbol", "unknown word", word, reader->names->name);
    } else {
        snprintf(fault->text, WORD_TEXT, "\"%.*s\"; expected %s", (int)next->bytes, next->text,
                 expected);
    }
    next->symbol = FORMULA_END;
}

static int take(struct formula_reader *reader)
{
    const int symbol = reader->next.symbol;
    if (symbol == FORMULA_END) return symbol;
    reader->formula->tokens++;
    reader->formula->operators += symbol >= FORMULA_NOT && symbol <= FORMULA_OR;
    reader->next = token_at(reader, reader->next.text + reader->next.bytes + 1);
    return symbol;
}

static void take_bracket(struct formula_reader *reader, int symbol)
{
    if (reader->next.symbol != symbol) refuse(reader, symbol == FORMULA_OPEN ? "\"(\"" : "\")\"");
    take(reader);
}

/* ---- statements ---- */

static uint64_t read_statement(struct formula_reader *reader);

/* Reads X ( and Y ) or X ( or Y ). The opening bracket was read before. */
static uint64_t read_pair(struct formula_reader *reader)
{
    const uint64_t left = read_statement(reader);
    take_bracket(reader, FORMULA_OPEN);
    if (reader->next.symbol != FORMULA_AND && reader->next.symbol != FORMULA_OR)
        refuse(reader, "\"and\" or \"or\"");
    const bool both = take(reader) == FORMULA_AND;
    const uint64_t right = read_statement(reader);
    take_bracket(reader, FORMULA_CLOSE);
    return both ? left & right : left | right;
}

static uint64_t read_statement(struct formula_reader *reader)
{
    uint64_t set = 0;
    if (reader->next.symbol >= FORMULA_VARIABLE && reader->next.symbol < FORMULA_SYMBOLS)
        return formula_variable(take(reader) - FORMULA_VARIABLE);
    if (reader->next.symbol != FORMULA_OPEN) refuse(reader, "\"(\" or a variable");
    if (reader->nested == FORMULA_NESTED) refuse(reader, "at most 256 open brackets");
    if (take(reader) == FORMULA_END) return set;
    reader->nested++;
    if (reader->next.symbol == FORMULA_NOT) {
        take(reader);
        set = ~read_statement(reader);
    } else {
        set = read_pair(reader);
    }
    take_bracket(reader, FORMULA_CLOSE);
    reader->nested--;
    return set;
}

bool formula_read(struct formula *formula, const struct formula_names *names, const char *text,
                  size_t bytes, struct formula_fault *fault)
{
    struct formula_reader reader = {.names = names, .text = text, .end = text + bytes};
    *formula = (struct formula){0};
    reader.formula = formula;
    reader.fault = fault;
    reader.next = bytes ? token_at(&reader, text) : (struct formula_token){FORMULA_END, text, 0};
    formula->set = read_statement(&reader);
    if (reader.next.symbol != FORMULA_END) refuse(&reader, "the end of the statement");
    return !reader.wrong;
}

void formula_symbols(const struct formula_names *names, const char *text, size_t bytes,
                     int32_t *symbol)
{
    const struct formula_reader reader = {.names = names, .text = text, .end = text + bytes};
    struct formula_token next = token_at(&reader, text);
    for (; next.symbol < FORMULA_UNKNOWN; next = token_at(&reader, next.text + next.bytes + 1))
        *symbol++ = next.symbol;
}
