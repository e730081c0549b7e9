/* Shares the number of threads between a runner and its worker. Each side writes its own number and
 * then reads the other one, in sequentially consistent order. So team_holds never returns fewer
 * threads than the worker uses. */
#include "experiments/stage/team.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST_FILE = 16, THREADS_MOST = 4096 };

static struct team *map(int file)
{
    void *memory = mmap(NULL, sizeof(struct team), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct team *team_new(int threads, int *file)
{
    const int made = memfd_create("sanlab-team", MFD_CLOEXEC);
    if (made < 0) return NULL;
    *file = fcntl(made, F_DUPFD_CLOEXEC, LEAST_FILE);
    close(made);
    struct team *team = *file < 0 || ftruncate(*file, sizeof *team) != 0 ? NULL : map(*file);
    if (!team && *file >= 0) close(*file);
    if (!team) return NULL;
    team->allowed = threads;
    team->used = threads;
    return team;
}

struct team *team_open(int file)
{
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0 || info.st_size != sizeof(struct team)) return NULL;
    return map(file);
}

void team_close(struct team *team)
{
    if (team) munmap(team, sizeof *team);
}

int team_follow(struct team *team)
{
    int threads;
    do {
        threads = team->allowed;
        team->used = threads;
    } while (team->allowed != threads);
    return threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
}

int team_holds(struct team *team)
{
    /* `allowed` must be read before `used`. A worker that takes more threads writes `used`, then
     * reads `allowed` again before it continues. */
    const int allowed = team->allowed, used = team->used;
    return allowed > used ? allowed : used;
}
