/* The jail has two layers: Landlock checks paths, and a seccomp filter checks system calls. The
 * filter cannot read the memory to which pointers point. So it recognizes the allowed execve by the
 * address of its path, which no text that gnuplot reads can forge. */
#include "core/base/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Confines writing to the current folder, if the kernel supports it. Reading stays unrestricted:
 * fonts may be anywhere. */
static void confine_writing(void)
{
    const struct landlock_ruleset_attr rules = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                             LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                             LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                             LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM};
    const int set = (int)syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0);
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct landlock_path_beneath_attr below = {.allowed_access = rules.handled_access_fs,
                                                     .parent_fd = here};
    if (set >= 0 && here >= 0 &&
        syscall(__NR_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0)
        syscall(__NR_landlock_restrict_self, set, 0);
    close(here);
    close(set);
}

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
/* Arguments have 64 bits, low half first. */
#define ARGUMENT_LOW(i) (FIELD(args) + 8 * (i))
#define ARGUMENT_HIGH(i) (FIELD(args) + 8 * (i) + 4)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
/* IF_IS runs the next instruction only if the loaded word is `value`, IF_NOT only if it is not.
 * Otherwise the next instruction is skipped. */
#define IF_IS(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, 1)
#define IF_NOT(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 1, 0)
#define DENY(call) IF_IS(call), ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* Because of ENOSYS, libraries fall back to an older system call. */
#define ABSENT(call) IF_IS(call), ANSWER(SECCOMP_RET_ERRNO | ENOSYS)

/* System calls of x32 have the bit X32_CALLS in their number. aarch64 has neither x32 nor fork. */
#ifdef __x86_64__
enum { X32_CALLS = 0x40000000, ARCHITECTURE = AUDIT_ARCH_X86_64 };
#else
enum { X32_CALLS = INT32_MAX, ARCHITECTURE = (int)AUDIT_ARCH_AARCH64 };
#endif

bool jail_enter(const char *program)
{
    const uint64_t pointer = (uint64_t)(uintptr_t)program;
    struct sock_filter filter[] = {
        LOAD(FIELD(arch)),
        IF_NOT(ARCHITECTURE),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
#ifdef __NR_fork
        DENY(__NR_fork),
        DENY(__NR_vfork),
#endif
        DENY(__NR_socket),
        DENY(__NR_socketpair),
        DENY(__NR_ptrace),
        DENY(__NR_process_vm_readv),
        DENY(__NR_process_vm_writev),
        DENY(__NR_execveat),
        ABSENT(__NR_io_uring_setup),
        ABSENT(__NR_clone3),
        /* clone is allowed for threads only */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
        LOAD(ARGUMENT_LOW(0)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
        /* execve is allowed for one address only, and no other code has this address */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 0, 6),
        LOAD(ARGUMENT_LOW(0)),
        IF_NOT((uint32_t)pointer),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        LOAD(ARGUMENT_HIGH(0)),
        IF_NOT((uint32_t)(pointer >> 32)),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog list = {.len = COUNT_OF(filter), .filter = filter};
    /* This call must come first, because otherwise an unprivileged process may install neither
     * layer. It also disables set-uid programs. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    confine_writing();
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &list, 0, 0) == 0;
}

bool jail_available(void)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(jail_enter("") ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}
