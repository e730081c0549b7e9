/* `sanlab doctor`: libraries and their flavors, processor and kernels, threads, data, disk; what is
 * wrong with them. `sanlab doctor sgemm` prints nothing but the rate of sgemm (operations per
 * second), which is how one process measures another environment. */
#ifndef EXPERIMENTS_CLI_DOCTOR_H
#define EXPERIMENTS_CLI_DOCTOR_H

/* argv[0] is "doctor". Returns 1 when something is wrong, else 0. */
int doctor_main(int argc, char **argv);

#endif
