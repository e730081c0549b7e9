/* Parses the page of a verb (verb.h) and prints its help. */
#include <errno.h>
#include <string.h>

#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "experiments/cli/verb.h"

static const struct {
    const char *name, *text;
} texts[] = {
#define TEXT(name, text) {#name, text},
#include "verb_text.def"
#undef TEXT
};

const char *verb_text(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (!strcmp(texts[i].name, name)) return texts[i].text;
    CHECK(false, "there is no text %s", name);
    return NULL;
}

static char *take_line(const char **text, struct arena *arena)
{
    const size_t bytes = strcspn(*text, "\n");
    char *line = arena_text_range(arena, *text, bytes);
    *text += bytes + ((*text)[bytes] == '\n');
    return line;
}

const struct verb_option *verb_option(const struct verb_page *page, const char *name)
{
    for (int i = 0; i < page->options; i++)
        if (!strcmp(page->option[i].name, name)) return &page->option[i];
    return NULL;
}

static void add_row(struct verb_page *page, struct verb_option option, struct arena *arena)
{
    ARENA_ADD(arena, page->option, page->options, option);
}

/* Parses "  --name VALUE             help". */
static struct verb_option read_row(const char *line, const char *actions, struct arena *arena)
{
    const char *text = strstr(line + 2, "  ");
    const size_t bytes = text ? (size_t)(text - line - 2) : strlen(line + 2);
    struct verb_option option = {.shown = arena_text_range(arena, line + 2, bytes),
                                 .help = text ? text + strspn(text, " ") : NULL,
                                 .actions = actions};
    const size_t name = strcspn(option.shown, " ");
    option.name = arena_text_range(arena, option.shown, name);
    option.value = option.shown[name] ? option.shown + name + 1 : NULL;
    option.optional = option.value && *option.value == '[';
    if (option.optional)
        option.value = arena_text_range(arena, option.value + 1, strlen(option.value) - 2);
    return option;
}

/* Parses the end of an option's help: "; 0 to 256 (default: 1)". */
static void read_end(struct verb_option *option, struct arena *arena)
{
    static const char begin[] = "(default: ";
    const char *fallback = strstr(option->help, begin), *at = option->help;
    if (fallback) {
        fallback += strlen(begin);
        option->fallback = arena_text_range(arena, fallback, strlen(fallback) - 1);
    }
    for (; at && option->value && !strcmp(option->value, "NUMBER"); at = strchr(at + 1, ';'))
        sscanf(at, "%*[; ]%lf to %lf", &option->low, &option->high);
}

/* Parses a page: its options, and the text after them. */
static struct verb_page read_page(const char *name, struct arena *arena)
{
    const char *actions = NULL, *text = verb_text(name);
    struct verb_page page = {0};
    if (*text == '#') page.heading = take_line(&text, arena) + 2;
    page.usage = take_line(&text, arena);
    page.help = take_line(&text, arena);
    take_line(&text, arena); /* blank line */
    while (*text == ' ' || *text == '[') {
        const char *line = take_line(&text, arena);
        if (*line == '[')
            actions = arena_print(arena, " %.*s ", (int)strlen(line) - 2, line + 1);
        else if (line[2] == '-')
            add_row(&page, read_row(line, actions, arena), arena);
        else
            page.option[page.options - 1].help = arena_append(
                arena, page.option[page.options - 1].help, " ", line + strspn(line, " "));
    }
    if (page.options) take_line(&text, arena);
    page.text = text;
    return page;
}

struct verb_page verb_page(const struct verb *verb, struct arena *arena)
{
    static const char *const all[] = {"--runs", "--quiet", "--trace", "--help"};
    const struct verb_page shared = read_page("options", arena);
    struct verb_page page = read_page(verb->page ? verb->page : verb->name, arena);
    for (size_t i = 0; i < COUNT_OF(all); i++)
        add_row(&page, (struct verb_option){.name = all[i]}, arena);
    for (int i = 0; i < page.options; i++) {
        struct verb_option *option = &page.option[i];
        const char *actions = option->actions;
        if (!option->help) *option = *verb_option(&shared, option->name);
        option->actions = actions;
        read_end(option, arena);
    }
    for (int i = 0; verb->section && i < verb->section->count; i++)
        add_row(&page,
                (struct verb_option){.name = option_word(arena, &verb->section->option[i]),
                                     .value = "",
                                     .of_section = true},
                arena);
    return page;
}

void verb_help(const struct verb *verb)
{
    enum { INDENT = 27 };
    SCOPED(arena_free) struct arena arena = {0};
    const struct verb_page page = verb_page(verb, &arena);
    printf("%s %s%s%s\n", program_invocation_short_name, verb->name, *page.usage ? " " : "",
           page.usage);
    printf("  %s\n\n", page.help);
    for (int i = 0; i < page.options && page.option[i].shown; i++)
        fold_line(stdout, mask_columns(stdout), INDENT,
                  arena_print(&arena, "  %-24s %s", page.option[i].shown, page.option[i].help));
    if (verb->section) {
        putchar('\n');
        section_help(verb->section, OPTION_WORDS, stdout);
    }
    if (*page.text || verb->more_help) putchar('\n');
    for (const char *text = page.text; *text;) {
        const char *line = take_line(&text, &arena);
        if (!strncmp(line, "{{", 2))
            fputs(verb_text(arena_text_range(&arena, line + 2, strlen(line) - 4)), stdout);
        else
            puts(line);
    }
    if (verb->more_help) verb->more_help(stdout);
}
