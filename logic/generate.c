/* Generates random pairs of statements. One recursion writes and evaluates a statement. The random
 * words of a pair depend only on the index of the pair. So the hypothesis need not be drawn if the
 * premise is rejected. */
#include "logic/generate.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/hash_table.h"

const char *const logic_protocol_names[] = {"bowman", "tran", NULL};

/* End of each split, in per cent of the pairs of a bin. */
static const int64_t protocol_ends[][LOGIC_SPLITS] = {{85, 85, 100}, {80, 90, 100}};

struct logic_generator {
    const struct logic_options *options;
    struct arena *arena; /* memory of `known` and `made` */
    struct random_key key;
    /* Index of the drawn pair; number of random words that the pair has used; their last block. */
    uint32_t attempt, words, word[4];
    int variable[FORMULA_VARIABLES];
    int variables;
    struct buffer text;       /* text of the current pair */
    struct hash_table *known; /* maps the text of a pair to its index in the bin */
    struct logic_made made;
};

/* ---- a pair ---- */

static int draw(struct logic_generator *g, int bound)
{
    if (g->words % 4 == 0) random_block(g->key, g->words / 4, g->attempt, 0, g->word);
    return (int)((uint64_t)g->word[g->words++ % 4] * (uint64_t)bound >> 32);
}

static void put(struct logic_generator *g, const char *text)
{
    buffer_add(&g->text, text, strlen(text));
}

static void choose_variables(struct logic_generator *g)
{
    const int all = g->options->names->symbols - FORMULA_VARIABLE;
    g->variables = all < LOGIC_DRAWN ? all : LOGIC_DRAWN;
    for (int i = 0; i < all; i++) g->variable[i] = i;
    for (int i = 0; i < g->variables; i++) {
        const int other = i + draw(g, all - i), keep = g->variable[i];
        g->variable[i] = g->variable[other];
        g->variable[other] = keep;
    }
}

static uint64_t make_statement(struct logic_generator *g, int depth, int *operators)
{
    enum { AND = 2, OR = 4, KINDS = 9 }; /* kind below 2: and; 2 or 3: or; else a variable */
    const bool negated = draw(g, 3) == 0;
    const int kind = depth < 2 ? OR : draw(g, KINDS);
    uint64_t set;
    if (negated) put(g, "( not ");
    if (kind < OR) {
        put(g, "( ");
        set = make_statement(g, depth / 2, operators);
        put(g, kind < AND ? " ( and " : " ( or ");
        const uint64_t right = make_statement(g, depth / 2, operators);
        put(g, " ) )");
        set = kind < AND ? set & right : set | right;
    } else {
        const int variable = g->variable[draw(g, g->variables)];
        put(g, g->options->names->name[FORMULA_VARIABLE + variable]);
        set = formula_variable(variable);
    }
    if (negated) put(g, " )");
    *operators += negated + (kind < OR);
    return negated ? ~set : set;
}

/* Adds the pair in g->text to its bin, unless it is a duplicate. */
static void keep(struct logic_generator *g, struct logic_row row, int bin)
{
    struct logic_rows *rows = &g->made.bin[bin];
    if (hash_table_get(g->known, g->text.text, g->text.bytes) != HASH_TABLE_ABSENT) return;
    row.text = arena_text_range(g->arena, g->text.text, g->text.bytes);
    row.bytes = (uint32_t)g->text.bytes;
    hash_table_put(g->known, row.text, row.bytes, rows->count);
    ARENA_ADD(g->arena, rows->row, rows->count, row);
}

/* Draws the pair of this attempt. Returns true if the pair is accepted. */
static bool make_pair(struct logic_generator *g)
{
    int operators[2] = {0};
    struct logic_row row = {0};
    g->words = 0;
    buffer_clear(&g->text);
    choose_variables(g);
    const uint64_t premise = make_statement(g, g->options->depth, &operators[0]);
    if (relation_of(premise, premise) == RELATION_NONE) return false;
    row.premise = (uint32_t)g->text.bytes;
    put(g, "\t");
    row.relation = relation_of(premise, make_statement(g, g->options->depth, &operators[1]));
    if (row.relation == RELATION_NONE) return false;
    keep(g, row, logic_bin(operators[0], operators[1]));
    return true;
}

/* ---- splits ---- */

/* Returns the index of a row's mirror in the bin; HASH_TABLE_ABSENT if there is no mirror. */
static int64_t find_mirror(struct logic_generator *g, const struct logic_row *row)
{
    const uint32_t hypothesis = row->premise + 1;
    buffer_clear(&g->text);
    buffer_add(&g->text, row->text + hypothesis, row->bytes - hypothesis);
    put(g, "\t");
    buffer_add(&g->text, row->text, row->premise);
    return hash_table_get(g->known, g->text.text, g->text.bytes);
}

enum logic_split logic_split_of(enum logic_protocol protocol, int rank, int count)
{
    const int64_t *end = protocol_ends[protocol];
    int split = 0;
    while (rank >= count * end[split] / 100) split++;
    return (enum logic_split)split;
}

static void split_bin(struct logic_generator *g, struct logic_rows *rows)
{
    int rank = 0;
    for (int i = 0; i < rows->count; i++) {
        struct logic_row *row = &rows->row[i];
        const int64_t mirror = g->options->disjoint ? find_mirror(g, row) : i;
        if (mirror != HASH_TABLE_ABSENT && mirror < i) { /* assigned together with its mirror */
            row->split = rows->row[mirror].split;
            continue;
        }
        row->split = logic_split_of(g->options->protocol, rank, rows->count);
        rank += mirror == HASH_TABLE_ABSENT || mirror == i ? 1 : 2;
    }
}

/* ---- generation ---- */

struct logic_made logic_make(const struct logic_options *options, struct arena *arena)
{
    struct logic_generator g = {
        .options = options, .arena = arena, .known = hash_table_new(arena, 0)};
    g.made.protocol = options->protocol;
    g.key = (struct random_key){options->seed, random_stream("logic")};
    for (int accepted = 0; accepted < options->pairs; g.made.drawn++) {
        g.attempt = (uint32_t)g.made.drawn;
        accepted += make_pair(&g);
    }
    for (int bin = 0; bin < LOGIC_BINS; bin++) split_bin(&g, &g.made.bin[bin]);
    buffer_free(&g.text);
    return g.made;
}

/* ---- files ---- */

void logic_make_folder(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    int names = 0;
    if (file_is_no_folder(folder)) die("%s: this is a file; expected a folder", folder);
    const char **name = file_folder_names(&arena, folder, &names);
    if (names) die("%s: the folder is not empty (%s); expected a new one", folder, *name);
    file_make_folder(folder);
}

static void write_rows(const struct logic_rows *rows, enum logic_split split, FILE *out)
{
    for (int i = 0; i < rows->count; i++) {
        const struct logic_row *row = &rows->row[i];
        if (row->split != split) continue;
        fputs(relation_symbols[row->relation], out);
        putc('\t', out);
        fwrite(row->text, 1, row->bytes, out);
        putc('\n', out);
    }
}

/* True if the protocol assigns pairs to the split. */
static bool has_split(const struct logic_made *made, int split)
{
    const int64_t *end = protocol_ends[made->protocol];
    return !split || end[split] > end[split - 1];
}

void logic_made_write(const struct logic_made *made, const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    for (int split = 0; split < LOGIC_SPLITS; split++)
        for (int bin = 0; bin < LOGIC_BINS && has_split(made, split); bin++) {
            struct file_writer writer =
                file_create(arena_print(&arena, "%s/%s%d", folder, logic_split_names[split], bin));
            write_rows(&made->bin[bin], (enum logic_split)split, writer.stream);
            file_commit(&writer);
        }
}

void logic_made_pairs(const struct logic_made *made, struct logic_pairs *pairs)
{
    struct arena *arena = pairs->arena;
    for (int split = 0; split < LOGIC_SPLITS; split++)
        for (int bin = 0; bin < LOGIC_BINS && has_split(made, split); bin++) {
            ARENA_STREAM(text);
            write_rows(&made->bin[bin], (enum logic_split)split, text.out);
            const char *lines = arena_stream_close(arena, &text);
            logic_pairs_take(pairs, arena_print(arena, "%s%d", logic_split_names[split], bin),
                             lines, text.bytes);
        }
}
