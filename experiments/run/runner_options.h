/* How a plan is run (runner.h). */
#pragma once

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"

struct runner_options {
    int workers;       /* at a time; 0: as many as cores or ready stages */
    int failures_most; /* so many end the run; 0: none do */
    unsigned retry;    /* enum plan_retry: repeat, once, stages that ended so earlier */
    double budget;     /* seconds, then workers save and stop; 0: no end */
    double memory;     /* bytes that all workers may use; 0: what is available */
    enum display_form form;
    bool quiet;          /* failures only */
    bool all;            /* missing files are said for each stage (plan_missing.h) */
    bool no_wait;        /* ends when others who live do the rest hardly later alone */
    const char *goes_on; /* what goes on where it was stopped; NULL: the same command */
};

enum { RUNNER_FAILED_EXIT = 1 };
