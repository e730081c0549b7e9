/* What a probe that is not done has learned already: a file in its folder for each setting that is
 * trained, so that a probe that was killed goes on behind it. */
#pragma once

#include "probes/classifier.h"

struct probe_partial {
    const char *folder;            /* of the stage */
    const char *stamp;             /* of code, numerics and vectors: other ones begin anew */
    int training;                  /* the one at work (probing.h), */
    const struct probe_data *data; /* and its data */
};

/* For struct probe_calls: fills a setting that is there; keeps those of a group. */
bool probe_partial_known(const struct probe_partial *partial, int setting,
                         struct probe_trained *trained);
void probe_partial_keep(const struct probe_partial *partial, int setting,
                        const struct probe_trained *trained);
/* Removes all of them: the probe is done. */
void probe_partial_forget(const struct probe_partial *partial);
