/* Reads strict YAML: converts libyaml's events to a tree. Checks each event as it arrives, so that
 * hostile input costs no more than valid input. */
#include "core/config/tree_read.h"

#include <stdarg.h>
#include <string.h>

#include <utf8proc.h>
#include <yaml.h>

#include "core/base/file.h"

enum {
    BYTES_LIMIT = 1 << 20,
    DEPTH_LIMIT = 64,
    KEYS_LIMIT = 1000,   /* of one map; few enough for linear search */
    ALIAS_BUDGET = 1000, /* nodes that all aliases of a file may copy together */
    ANCHORS_LIMIT = 100
};

struct anchor {
    const char *name;
    struct location location;
    const struct tree *tree; /* NULL while the node is being read */
};

struct yaml_reader {
    struct arena *arena;
    const char *name;
    bool located; /* false: a text of the command line, without line and column */
    yaml_parser_t parser;
    yaml_event_t event;
    struct anchor anchor[ANCHORS_LIMIT];
    int anchors;
    int aliased; /* nodes that aliases have copied so far */
};

/* Like die_at, but first frees libyaml's memory, because a hook of die may continue. */
NORETURN static void refuse(struct yaml_reader *reader, struct location location,
                            const char *format, ...) PRINTF(3, 4);

static void refuse(struct yaml_reader *reader, struct location location, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    yaml_event_delete(&reader->event);
    yaml_parser_delete(&reader->parser);
    die_at(location, "%s", message);
}

static struct location location_of(const struct yaml_reader *reader, yaml_mark_t mark)
{
    if (!reader->located) return (struct location){.file = reader->name};
    return (struct location){reader->name, (int)mark.line + 1, (int)mark.column + 1};
}

/* Returns a hint of what to write instead, because the messages of libyaml only name rules of the
 * grammar. Returns "" if there is no hint. */
static const char *hint_for(const char *problem)
{
    static const char *const hint[][2] = {
        {"mapping values are not allowed",
         "; text that holds \": \" must be in quotes, and the keys of a map start in one column"},
        {"character that cannot start any token",
         "; indent with spaces, not tabs, and put text that starts with @ or ` in quotes"},
        {"did not find expected key", "; the keys of a map start in one column"},
        {"did not find expected ',' or",
         "; within [ ] and { }, put a text with brackets or braces in quotes, as \"1-${last}\""},
        {"could not find expected ':'", "; expected \": \" after a key"},
    };
    for (size_t i = 0; i < COUNT_OF(hint); i++) {
        if (strstr(problem, hint[i][0])) return hint[i][1];
    }
    return "";
}

static void next_event(struct yaml_reader *reader)
{
    yaml_event_delete(&reader->event);
    yaml_parser_t *parser = &reader->parser;
    if (yaml_parser_parse(parser, &reader->event)) return;
    const char *problem = parser->problem ? parser->problem : "out of memory";
    struct location location = location_of(reader, parser->problem_mark);
    if (parser->context && reader->located)
        refuse(reader, location, "%s %s that starts in line %d%s", problem, parser->context,
               (int)parser->context_mark.line + 1, hint_for(problem));
    refuse(reader, location, "%s%s", problem, hint_for(problem));
}

/* Checks that the bytes are valid text. Otherwise libyaml's decoder could fail, with an error
 * without a line. */
static void check_bytes(const struct yaml_reader *reader, const char *text, size_t bytes)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text, *end = at + bytes;
    struct location location = {reader->name, reader->located, 1};
    if (bytes >= 2 && (memcmp(at, "\xff\xfe", 2) == 0 || memcmp(at, "\xfe\xff", 2) == 0))
        die_at(location, "this is UTF-16; save it as UTF-8");
    while (at < end) {
        utf8proc_int32_t code;
        utf8proc_ssize_t used = utf8proc_iterate(at, end - at, &code);
        if (used < 0) die_at(location, "byte 0x%02x is not valid UTF-8; save it as UTF-8", *at);
        if (code == 0) die_at(location, "a NUL byte; expected text in UTF-8");
        if (code == '\r' && (at + 1 == end || at[1] != '\n'))
            die_at(location, "a carriage return alone; expected lines to end in LF or CRLF");
        bool control = (code < ' ' && !strchr("\t\r\n", code)) || (code >= 0x7f && code < 0xa0) ||
                       code == 0x2028 || code == 0x2029 || code == 0xfffe || code == 0xffff;
        if (control)
            die_at(location, "control character U+%04X; in double quotes it is written \"\\u%04X\"",
                   (unsigned)code, (unsigned)code);
        /* Directives are refused here also because many of them take libyaml quadratic time. */
        if (code == '%' && location.column == 1)
            die_at(location,
                   "directives (%%) are not supported; remove the line, or quote the text");
        location.column++;
        if (code == '\n') location.line += reader->located, location.column = 1;
        at += used;
    }
}

static struct anchor *anchor_find(struct yaml_reader *reader, const yaml_char_t *name)
{
    for (int i = 0; i < reader->anchors; i++) {
        if (strcmp(reader->anchor[i].name, (const char *)name) == 0) return &reader->anchor[i];
    }
    return NULL;
}

/* Returns the anchor of a node; NULL if it has none. */
static struct anchor *anchor_open(struct yaml_reader *reader, const yaml_char_t *name,
                                  struct location location)
{
    if (!name) return NULL;
    const struct anchor *first = anchor_find(reader, name);
    if (first)
        refuse(reader, location,
               "anchor &%s is used twice, first in line %d; expected another name", first->name,
               first->location.line);
    if (reader->anchors == ANCHORS_LIMIT)
        refuse(reader, location, "too many anchors; expected at most %d", ANCHORS_LIMIT);
    struct anchor *anchor = &reader->anchor[reader->anchors++];
    *anchor = (struct anchor){arena_text(reader->arena, (const char *)name), location, NULL};
    return anchor;
}

/* Counts the nodes of a tree that an alias copies. Dies if there are too many, or if the copy would
 * be too deep. */
static void count_aliased(struct yaml_reader *reader, const struct tree *tree,
                          struct location location, int depth)
{
    if (++reader->aliased > ALIAS_BUDGET)
        refuse(reader, location, "aliases expand to more than %d nodes; write the values out",
               ALIAS_BUDGET);
    if (depth > DEPTH_LIMIT) refuse(reader, location, "nested more than %d deep", DEPTH_LIMIT);
    for (int i = 0; i < tree->count; i++) count_aliased(reader, tree->item[i], location, depth + 1);
}

static struct tree *read_alias(struct yaml_reader *reader, struct location location, int depth)
{
    const yaml_char_t *name = reader->event.data.alias.anchor;
    const struct anchor *anchor = anchor_find(reader, name);
    if (!anchor) refuse(reader, location, "alias *%s has no anchor &%s before it", name, name);
    if (!anchor->tree)
        refuse(reader, location,
               "alias *%s is inside the value that it refers to; expected no cycle", name);
    count_aliased(reader, anchor->tree, location, depth);
    return tree_copy(reader->arena, anchor->tree); /* a later change must not change both nodes */
}

static void refuse_tag(struct yaml_reader *reader, const yaml_char_t *tag, struct location location)
{
    if (tag) refuse(reader, location, "tags (%s) are not supported; remove the tag", tag);
}

static struct tree *read_scalar(struct yaml_reader *reader, struct location location)
{
    const yaml_char_t *value = reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;
    refuse_tag(reader, reader->event.data.scalar.tag, location);
    if (strlen((const char *)value) != length)
        refuse(reader, location, "a NUL character inside of a text; expected none");
    struct tree *scalar = tree_new(reader->arena, TREE_SCALAR, location);
    scalar->text = arena_text_range(reader->arena, (const char *)value, length);
    scalar->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    struct anchor *anchor = anchor_open(reader, reader->event.data.scalar.anchor, location);
    if (anchor) anchor->tree = scalar;
    return scalar;
}

static struct tree *read_key(struct yaml_reader *reader, const struct tree *map)
{
    struct location location = location_of(reader, reader->event.start_mark);
    if (reader->event.type == YAML_ALIAS_EVENT)
        refuse(reader, location, "an alias as a key; expected the key itself");
    if (reader->event.type != YAML_SCALAR_EVENT)
        refuse(reader, location, "a list or a map as a key; expected a word");
    struct tree *key = read_scalar(reader, location);
    if (tree_is_nothing(key)) refuse(reader, location, "no key before \":\"; expected a word");
    if (!key->quoted && strcmp(key->text, "<<") == 0)
        refuse(reader, location, "merge keys (<<) are not supported; write the keys out");
    if (map->count == KEYS_LIMIT)
        refuse(reader, location, "too many keys in one map; expected at most %d", KEYS_LIMIT);
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->key[i]->text, key->text) != 0) continue;
        if (reader->located)
            refuse(reader, location,
                   "key \"%s\" is given twice, first in line %d; expected it once", key->text,
                   map->key[i]->location.line);
        refuse(reader, location, "key \"%s\" is given twice; expected it once", key->text);
    }
    return key;
}

/* Reads the node that begins with the current event; stops at its last event. */
static struct tree *read_node(struct yaml_reader *reader, int depth)
{
    yaml_event_t *event = &reader->event;
    struct location location = location_of(reader, event->start_mark);
    if (event->type == YAML_SCALAR_EVENT) return read_scalar(reader, location);
    if (event->type == YAML_ALIAS_EVENT) return read_alias(reader, location, depth);

    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    CHECK(is_map || event->type == YAML_SEQUENCE_START_EVENT, "event %d", (int)event->type);
    refuse_tag(reader, is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag,
               location);
    if (depth > DEPTH_LIMIT) refuse(reader, location, "nested more than %d deep", DEPTH_LIMIT);
    struct anchor *anchor = anchor_open(
        reader, is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
        location);
    struct tree *tree = tree_new(reader->arena, is_map ? TREE_MAP : TREE_LIST, location);
    for (;;) {
        next_event(reader);
        if (event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT) break;
        struct tree *key = NULL;
        if (is_map) {
            key = read_key(reader, tree);
            next_event(reader);
        }
        tree_add(reader->arena, tree, key, read_node(reader, depth + 1));
    }
    if (anchor) anchor->tree = tree;
    return tree;
}

/* Reads the only document of the stream; returns NULL if the stream is empty. */
static struct tree *read_document(struct yaml_reader *reader)
{
    next_event(reader); /* stream start */
    next_event(reader);
    if (reader->event.type == YAML_STREAM_END_EVENT) return NULL;
    next_event(reader); /* after document start */
    struct tree *root = read_node(reader, 1);
    next_event(reader); /* document end */
    next_event(reader);
    if (reader->event.type != YAML_STREAM_END_EVENT)
        refuse(reader, location_of(reader, reader->event.start_mark),
               "a second document starts here; expected one");
    return tree_is_nothing(root) ? NULL : root;
}

static struct tree *parse(struct arena *arena, const char *name, bool located, const char *text,
                          size_t bytes)
{
    struct yaml_reader reader = {
        .arena = arena, .name = arena_text(arena, name), .located = located};
    if (bytes > BYTES_LIMIT)
        die("%s: %zu bytes of YAML; expected at most %d", name, bytes, BYTES_LIMIT);
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, bytes -= 3;
    check_bytes(&reader, text, bytes);
    if (!yaml_parser_initialize(&reader.parser)) die("out of memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, bytes);
    struct tree *root = read_document(&reader);
    yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    return root;
}

struct tree *tree_parse(struct arena *arena, const char *name, const char *text)
{
    struct tree *root = parse(arena, name, true, text, strlen(text));
    return root ? root
                : tree_new(arena, TREE_MAP, (struct location){arena_text(arena, name), 1, 1});
}

struct tree *tree_read(struct arena *arena, const char *path)
{
    size_t bytes;
    const char *text = file_read(arena, path, BYTES_LIMIT, &bytes);
    struct tree *root = parse(arena, path, true, text, bytes);
    if (!root) return tree_new(arena, TREE_MAP, (struct location){arena_text(arena, path), 1, 1});
    if (root->kind != TREE_MAP)
        die_at(root->location, "expected keys and values (a map), such as \"key: value\", got %s",
               tree_kind_name(root));
    return root;
}

void tree_override(struct arena *arena, struct tree *tree, const char *assignment)
{
    struct location location = {.file = arena_print(arena, "command line: %s", assignment)};
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        die_at(location, "expected key=value, as in train.epochs=3");
    const char *path = arena_text_range(arena, assignment, (size_t)(equals - assignment));
    struct tree *value = parse(arena, location.file, false, equals + 1, strlen(equals + 1));
    const bool blank = !equals[1 + strspn(equals + 1, " \t")];
    if (!value && blank)
        die_at(location, "no value after \"=\"; an empty text is written '%s=\"\"'", path);
    if (!value)
        die_at(location, "\"%s\" is not a value; '~%s' removes the key of the file", equals + 1,
               path);
    tree_put(arena, tree, path, value);
}
