/* Formats lists of names. Rows of a sweep have commas in their names. A list with such a name uses
 * semicolons: "Base, beam=1; Base, beam=4". */
#include "results/table/name_list.h"

#include <string.h>

#include "results/sheet/cell.h"

enum { SAID = NAME_LIST_SAID };

void name_list_add(struct name_list *list, const char *name)
{
    if (list->count < SAID) {
        list->commas |= strchr(name, ',') != NULL;
        list->name[list->count] = name;
    }
    list->count++;
}

const char *name_list_text(const struct name_list *list)
{
    if (!list->count) return NULL;
    const int said = list->count < SAID ? list->count : SAID;
    const char *text = arena_join(list->arena, list->name, said, list->commas ? "; " : ", ");
    if (list->count == said) return text;
    return arena_print(list->arena, "%s and %d more", text, list->count - said);
}

int name_groups_add(struct name_groups *groups, const char *text, const char *name)
{
    int i = 0;
    while (i < groups->count && strcmp(groups->group[i].text, text) != 0) i++;
    if (i == groups->count) {
        ARENA_MORE(groups->arena, groups->group, i);
        groups->group[groups->count++] =
            (struct name_group){.text = text, .names = {.arena = groups->arena}};
    }
    struct name_group *group = &groups->group[i];
    bool known = group->last && !strcmp(group->last, name);
    for (int k = 0; k < group->names.count && k < SAID; k++)
        known |= !strcmp(group->names.name[k], name);
    if (!known) name_list_add(&group->names, name);
    group->last = name;
    return i;
}

const char *name_groups_about(const struct name_groups *groups, int index, const char *what)
{
    const struct name_group *group = &groups->group[index];
    if (groups->count == 1) return arena_print(groups->arena, "%s: %s", what, group->text);
    return arena_print(groups->arena, "%s of %s: %s", what, name_list_text(&group->names),
                       group->text);
}

const char *name_groups_said(const struct name_groups *groups)
{
    const char *list = NULL;
    for (int i = 0; i < groups->count; i++)
        list = arena_append(groups->arena, list, "; ",
                            arena_print(groups->arena, "%s: %s",
                                        name_list_text(&groups->group[i].names),
                                        groups->group[i].text));
    return list;
}

const char *name_groups_text(const struct name_groups *groups)
{
    struct name_list list = {.arena = groups->arena};
    for (int i = 0; i < groups->count; i++)
        name_list_add(&list, arena_print(groups->arena, "%s (%s)", groups->group[i].text,
                                         name_list_text(&groups->group[i].names)));
    return name_list_text(&list);
}
