/* Makes the tasks Tense (of the main verb), SubjNumber and ObjNumber. Labels are features of words
 * in a dependency tree. Sentences whose labeled words have the same lower-case form are in the same
 * split. */
#include <string.h>

#include "probes/task_makers.h"

/* The label for each value of a feature. Words with another value, or without the feature, have no
 * label. */
struct inflection {
    const char *feature, *value[2], *label[2];
};

static const char *label_of(const struct task_node *node, const struct inflection *inflection)
{
    for (int i = 0; i < 2; i++)
        if (task_node_has(node, inflection->feature, inflection->value[i]))
            return inflection->label[i];
    return NULL;
}

static bool is_finite(const struct task_node *node)
{
    const bool verb = !strcmp(node->tag, "VERB") || !strcmp(node->tag, "AUX");
    return verb && (task_node_has(node, "VerbForm", "Fin") || task_node_has(node, "VerbForm", ""));
}

/* Returns the finite verb of the main clause: the root, or else its first finite auxiliary or
 * copula; NULL if none. */
static const struct task_node *finite_verb(const struct task_tree *tree)
{
    if (is_finite(&tree->node[tree->root])) return &tree->node[tree->root];
    for (int w = 0; w < tree->words; w++) {
        const struct task_node *node = &tree->node[w];
        const bool helps = task_node_is(node, "aux") || task_node_is(node, "cop");
        if (node->head == tree->root && helps && is_finite(node)) return node;
    }
    return NULL;
}

/* Returns the only word with this relation to the root. Returns NULL if there is not exactly one
 * such word, or if it is not a noun. */
static const struct task_node *only_noun(const struct task_tree *tree, const char *relation)
{
    const struct task_node *found = NULL;
    int words = 0;
    for (int w = 0; w < tree->words; w++) {
        const struct task_node *node = &tree->node[w];
        if (node->head != tree->root || !task_node_is(node, relation)) continue;
        words++;
        found = node;
    }
    return words == 1 && !strcmp(found->tag, "NOUN") ? found : NULL;
}

/* Adds the candidates of a task. `relation` is the relation of the labeled noun to the root; NULL:
 * the finite verb is labeled. */
static void add_candidates(struct task_draft *draft, const struct task_material *from,
                           const char *relation, const struct inflection *inflection)
{
    int none = 0, other = 0;
    for (int i = 0; i < from->lines->sentences; i++) {
        const struct task_sentence *sentence = &from->lines->sentence[i];
        const struct task_tree *tree = task_material_tree(from, sentence);
        const struct task_node *node = relation ? only_noun(tree, relation) : finite_verb(tree);
        const char *label = node ? label_of(node, inflection) : NULL;
        none += !node;
        other += node && !label;
        if (label)
            task_draft_add(draft, label, task_lines_lower(draft->arena, node->form),
                           sentence->text);
    }
    task_draft_leave(draft, none, "without %s%s",
                     relation ? "exactly one noun as " : "a finite main verb",
                     relation ? relation : "");
    task_draft_leave(draft, other, "without %s=%s or %s", inflection->feature, inflection->value[0],
                     inflection->value[1]);
}

static const struct inflection tense = {"Tense", {"Pres", "Past"}, {"PRES", "PAST"}},
                               number = {"Number", {"Sing", "Plur"}, {"NN", "NNS"}};

void make_tense(struct task_draft *draft, const struct task_material *from)
{
    add_candidates(draft, from, NULL, &tense);
}

void make_subject(struct task_draft *draft, const struct task_material *from)
{
    add_candidates(draft, from, "nsubj", &number);
}

void make_object(struct task_draft *draft, const struct task_material *from)
{
    add_candidates(draft, from, "obj", &number);
}
