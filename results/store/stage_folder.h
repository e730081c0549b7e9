/* Where a stage stands: RUNS/stages/KIND-<first 12 digits of its id>. */
#ifndef RESULTS_STORE_STAGE_FOLDER_H
#define RESULTS_STORE_STAGE_FOLDER_H

#define STAGE_DIGITS "12"
#define STAGE_FOLDER "%s-%." STAGE_DIGITS "s" /* a format of the kind and the id */

#endif
