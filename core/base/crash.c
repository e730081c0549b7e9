/* Implements crash points: the process sends the signal to itself. Each variable is read once, at
 * the first point. */
#include "core/base/crash.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An environment variable NAME=label:n and its signal. */
struct signal_point {
    const char *variable;
    int number;
    bool asked;
    const char *wanted;
    long countdown;
};

static void pass_point(struct signal_point *point, const char *label)
{
    if (!point->asked) {
        point->asked = true;
        point->wanted = getenv(point->variable);
        const char *colon = point->wanted ? strchr(point->wanted, ':') : NULL;
        point->countdown = colon ? atol(colon + 1) : 1;
    }
    if (!point->wanted) return;
    size_t length = strcspn(point->wanted, ":");
    if (strncmp(point->wanted, label, length) != 0 || label[length]) return;
    if (--point->countdown == 0) raise(point->number);
}

void crash_point(const char *label)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct signal_point crash = {"SANLAB_CRASH_AT", .number = SIGKILL};
    static struct signal_point freeze = {"SANLAB_FREEZE_AT", .number = SIGSTOP};
    pthread_mutex_lock(&mutex);
    pass_point(&crash, label);
    pass_point(&freeze, label);
    pthread_mutex_unlock(&mutex);
}
