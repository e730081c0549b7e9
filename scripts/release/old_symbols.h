/* Binds functions of libm to their oldest versions. glibc 2.29 gave them new versions, which only
 * leave errno alone. The numbers are the same. `make dist` includes this file in every source. */
#ifdef __x86_64__
#define FIRST_GLIBC "GLIBC_2.2.5"
#else
#define FIRST_GLIBC "GLIBC_2.17"
#endif
__asm__(".symver exp,exp@" FIRST_GLIBC);
__asm__(".symver exp2,exp2@" FIRST_GLIBC);
__asm__(".symver log,log@" FIRST_GLIBC);
__asm__(".symver log2,log2@" FIRST_GLIBC);
__asm__(".symver pow,pow@" FIRST_GLIBC);
