/* sbatch is started from its words, without a shell; what it says comes back as text. */
#include <string.h>

#include "core/base/child.h"
#include "experiments/run/cluster.h"

/* Its lines as one. */
static const char *one_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';
    return *text ? text : "it gave no reason";
}

const char *cluster_submit(const char *script, struct arena *arena)
{
    const char *const word[] = {"sbatch", script, NULL};
    const struct child_said said = child_try("run: --slurm", word, CHILD_OUTPUT, arena);
    size_t bytes = strlen(said.text);
    while (bytes && strchr(" \n", said.text[bytes - 1])) bytes--;
    said.text[bytes] = 0;
    if (said.end)
        die("run: --slurm: sbatch refused %s (%s): %s", script, said.end, one_line(said.text));
    return said.text;
}
