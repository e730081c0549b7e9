/* Binds functions of libm to their oldest versions. glibc 2.29 gave them new versions, which only
 * leave errno alone. The numbers are the same. `make dist` includes this file in every source. */
__asm__(".symver exp,exp@GLIBC_2.2.5");
__asm__(".symver exp2,exp2@GLIBC_2.2.5");
__asm__(".symver log,log@GLIBC_2.2.5");
__asm__(".symver log2,log2@GLIBC_2.2.5");
__asm__(".symver pow,pow@GLIBC_2.2.5");
