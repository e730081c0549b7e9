/* Fibers: stacks, and a context switch of twenty instructions. */
#include "core/simt/fiber.h"

#include <pthread.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/* Pushes the callee-saved registers, stores the stack pointer in *save, loads the stack pointer
 * `load` and pops the registers. */
void fiber_jump(void **save, void *load);
__asm__(".text\n"
        ".globl fiber_jump\n"
        ".hidden fiber_jump\n"
        ".type fiber_jump, @function\n"
        "fiber_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size fiber_jump, .-fiber_jump\n");

/* The distance of stacks is a multiple of the page size, so their tops would map to the same few
 * sets of the L1 cache. COLORS different offsets spread them over all sets. */
enum { PAGE = 4096, SAVED = 6, COLORS = 8 };

void fiber_new(struct fiber *fiber, void (*begin)(void))
{
    static unsigned made;
    unsigned char *memory = mmap(NULL, PAGE + FIBER_STACK, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory, PAGE, PROT_NONE) == 0, "no stack for a fiber");
    *fiber = (struct fiber){.stack = memory + PAGE, .bytes = FIBER_STACK};
    /* Stack as after a call of `begin`: no caller, undefined registers. */
    const size_t offset = made++ % COLORS * (PAGE / COLORS);
    void **top = (void **)(void *)(fiber->stack + FIBER_STACK - offset);
    *--top = NULL;
    *--top = (void *)(uintptr_t)begin;
    for (int i = 0; i < SAVED; i++) *--top = NULL;
    fiber->sp = top;
}

void fiber_here(struct fiber *fiber)
{
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t bytes = 0;
    CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0, "this thread has no stack");
    pthread_attr_getstack(&attributes, &stack, &bytes);
    pthread_attr_destroy(&attributes);
    *fiber = (struct fiber){.stack = stack, .bytes = bytes};
}

void fiber_switch(struct fiber *from, const struct fiber *to)
{
#ifdef __SANITIZE_ADDRESS__
    void *fake;
    __sanitizer_start_switch_fiber(&fake, to->stack, to->bytes);
#endif
    fiber_jump(&from->sp, to->sp);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
}

void fiber_begun(void)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}
