# Tests, checks of the sources, and measurements.
.PHONY: all test test-all test-long test-faults test-cluster test-level test-docs test-pages smoke-grids \
        check-published witness lint emu-table bench bench-products bench-cpu debug test-debug test-valgrind \
        test-clang fuzz fuzz-programs

UNIT    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*_test.c))
UNITEMU := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/emu/*_test.c))
RACES   := $(addprefix $(BUILD)/tests/emu/,watch_test race_test bytes_test)
UNIT64  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/f64/*_test.c))
SUPPORT := $(patsubst %.c,$(BUILD)/o/%.o,$(filter-out %/gradient.c tests/support/double_%,$(wildcard tests/support/*.c)))
SHIM    := $(BUILD)/tests/faults/shim.so
# Tools that tests and comparisons start.
TOOLS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/tool/*.c))
SUPPORT64 := $(patsubst %,$(BUILD)/f64/tests/support/%.o,tested_block fence golden_model gradient main test_model test variant \
               dense_block $(basename $(notdir $(wildcard tests/support/op_*.c tests/support/double_*.c))))
all: dev $(UNIT) $(UNIT64) $(UNITEMU) $(SHIM) $(TOOLS) ## other: everything that `make test` needs, without nvcc

$(BUILD)/libsupport.a: $(SUPPORT)
$(BUILD)/libsupport64.a: $(SUPPORT64)

# Tests that compute little are compiled without optimization, in half the time.
COMPUTE := $(patsubst %,tests/unit/%_test.c,elementary formula gemm level level_family logic_generate)
CALLERS := tests/unit/% tests/f64/% tests/emu/% tests/support/%
level    = $(if $(filter $(CALLERS),$(1)),$(if $(filter-out $(COMPUTE),$(filter tests/unit/%,$(1))),-O0,-O1))

$(UNIT) $(UNIT64) $(UNITEMU) $(TOOLS): LINKER := $(SMALL)
$(BUILD)/tests/unit/%: $(BUILD)/o/tests/unit/%.o $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(LIBS)
$(RACES): $(BUILD)/tests/emu/%: $(BUILD)/o/tests/emu/%.o $(RACED) $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(LIBS)
$(BUILD)/tests/emu/%: $(BUILD)/o/tests/emu/%.o $(EMU) $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(LIBS)
$(BUILD)/tests/f64/%: $(BUILD)/f64/tests/f64/%.o $(BUILD)/libsupport64.a $(BUILD)/libsanlab64.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(LIBS)

$(BUILD)/tests/tool/%: $(BUILD)/o/tests/tool/%.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) $(LIBS)

# A library that makes one system call fail (tests/faults).
$(SHIM): tests/faults/shim.c $(BUILD)/gen/flags.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -std=c11 -O1 -g -D_GNU_SOURCE $(WARN) -shared -fPIC -o $@ $<

test: packages ## developer: packages, program, every test; N passed, N failed, N skipped
	+@$(AGAIN) test-all
test-all: all
	+@! $(NVCC) --version 2> /dev/null | grep -q 'release 13\.' || \
	    $(MAKE) --no-print-directory $(if $(wildcard $(PROGRAM)-cuda.so),,CUDA_FOR=90) cuda-tested
	@tests/run
# Also trainings with every instruction set and number of threads, terms for the other GPU, and estimated against
# measured times.
LARGE = $(addprefix $(BUILD)/tests/unit/,plan_scale_test table_scale_test scale_test)
SHRUNK = $(patsubst %,$(BUILD)/tests/%/ops_test,unit f64 emu) $(BUILD)/tests/unit/figure_boxes_test
test-long: packages ## release: 10,000 stages and 10 million metric rows; twenty kill -9; builds in copies of the tree
	+@$(AGAIN) all $(DEVICE_TESTS) $(LARGE) $(SHRUNK)
	@tests/run tests/slow/*.sh
	@for test in $(LARGE); do SCALE=10000,10000000 $$test || exit 1; done
	@KILLS=20 EPOCHS=60 TEST_LIMIT=600 tests/run tests/cli/chaos.sh
	@COSTS=all TEST_LIMIT=3000 tests/run tests/cli/plan_cost.sh
	@WAYS=all TRIALS=40 FIGURES=all tests/run tests/cli/bits.sh tests/cli/watch.sh $(SHRUNK)
	@ARCHITECTURES=all CALLS=200 tests/run tests/cli/device_terms.sh tests/cli/analyze.sh
test-faults: packages ## other: makes every file operation of a small grid fail once (FAULTS=100: only 100)
	+@$(AGAIN) program $(SHIM)
	@bad=0; for test in tests/faults/*.sh tests/cli/hostile.sh; do VERBS=all sh $$test || bad=1; done; exit $$bad
test-cluster: packages ## other: runs a grid on a real Slurm of four slots, which it starts and stops; needs root
	+@$(AGAIN) program
	@tests/run tests/cluster/slurm.sh
LEVEL = $(addprefix $(BUILD)/tests/unit/,level_test level_family_test best_of_test)
test-level: packages ## other: simulates verdicts without a difference, with the noise of trainings (CASES=1000)
	+@$(AGAIN) $(LEVEL)
	@for test in $(LEVEL); do LEVEL_CASES=$(or $(CASES),10000) $$test || exit 1; done
emu-table: packages ## other: tests/emu/*.tsv: the effect of each missing barrier, the bytes that each kernel moves
	+@$(AGAIN) $(BUILD)/tests/emu/race_test $(BUILD)/tests/emu/bytes_test
	@for test in race bytes; do EMU_TABLE=write $(BUILD)/tests/emu/$${test}_test || exit 1; done
test-docs: packages ## other: compares the output of the commands on pages with the pages (WRITE=1: writes it into them)
	+@$(AGAIN) program
	@scripts/check/docs
test-pages: packages ## other: looks at reports in Chromium, at two widths and printed (PICTURES=FOLDER: keeps the pictures)
	+@$(AGAIN) program
	@scripts/check/pages $(PICTURES)
smoke-grids: packages ## other: every shipped grid with 20 steps per row and 200 pairs, in minutes
	+@$(AGAIN) program
	@scripts/check/smoke_grids
check-published: packages ## other: prints tables and claims of published archives again, and compares them
	+@$(AGAIN) program
	@scripts/check/published
witness: packages ## release: compares the output for published and recorded runs with an older commit (WITNESSES=tour: one)
	+@$(AGAIN) program
	@scripts/witness $(WITNESSES)
lint: ## developer: direction of includes, lengths, unfinished work; clang-format 14, shellcheck
	@scripts/lint
	@if command -v shellcheck > /dev/null; then \
	    git grep --untracked -l '^#!/bin/sh' | xargs shellcheck -s sh tests/support/tap.sh; \
	else echo "scripts were not looked at: there is no shellcheck (apt-get install shellcheck)"; fi

bench: packages ## other: speed of presets small and small6, node by node, against sgemm and copying
	+@$(AGAIN) dev
	@./sanlab-dev bench step small
	@./sanlab-dev bench step small6
bench-products: packages ## other: training with the project's matrix products and with OpenBLAS's
	+@$(AGAIN) dev
	@scripts/compare/bench_products
# scripts/compare/bench_cpu --help lists the options for PEERS="--python PYTHON --rounds N --out FILE".
bench-cpu: packages ## other: training, searches, encoding, BPE and BLEU against other programs, in 12 minutes
	+@$(AGAIN) dev
	@scripts/compare/bench_cpu $(PEERS)

# STRESS fills buffers with NaN and uses odd sizes. The sanitizer calls dlopen for the
# program, so the rpath must hold for all callers.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
debug: packages ## other: ./sanlab-debug and tests with AddressSanitizer, UBSan and stress sizes
	+@$(AGAIN) BUILD=$(BUILD)/debug PROGRAM=sanlab-debug SYMBOLS=1 EXTRA="-g -O1 -DSTRESS $(SANITIZE)" FAST=-O1 \
	    LDFLAGS="$(SANITIZE) -Wl,--disable-new-dtags" all
test-debug: debug ## other: unit and op tests in the debug build
	@BUILD=$(BUILD)/debug TEST_LIMIT=900 UBSAN_OPTIONS=print_stacktrace=1 \
	    tests/run $(patsubst $(BUILD)/%,$(BUILD)/debug/%,$(UNIT) $(UNIT64) $(filter-out $(RACES),$(UNITEMU)))
# valgrind does not support AVX-512. The sanitizer finds leaks, because it knows which memory die() may leave.
# blas_test is excluded: it starts itself again, which under valgrind would start valgrind.
WATCHED = $(filter-out %/blas_test,$(UNIT))
test-valgrind: packages ## other: unit and op tests under valgrind
	+@$(AGAIN) SYMBOLS=1 $(WATCHED)
	@SANLAB_ISA=v3 TEST_LIMIT=1800 \
	    TEST_WITH="valgrind -q --error-exitcode=99" tests/run $(WATCHED)

CLANG   := $(BUILD)/clang
CLANGED := $(addprefix $(CLANG)/tests/unit/,gemm_test isa_test alone_test ops_test)
test-clang: packages ## other: builds with clang without warnings; products, ops and digests of small trainings equal gcc's
	@if ! command -v clang > /dev/null; then \
	    echo "skipped: there is no clang (apt-get install clang libomp-dev)"; \
	elif ! printf '%s\n' '#include <omp.h>' 'int main(void) { return omp_get_max_threads() == 0; }' | \
	    clang -fopenmp -x c -o /dev/null - 2> /dev/null; then \
	    echo "skipped: clang finds no OpenMP (apt-get install libomp-dev)"; \
	else \
	    $(AGAIN) $(BUILD)/tests/unit/ops_test && \
	    $(AGAIN) CC=clang BUILD=$(CLANG) PROGRAM=$(CLANG)/sanlab EXTRA="-Werror $(EXTRA)" \
	        $(CLANG)/sanlab $(CLANGED) && \
	    WAYS=all TRIALS=40 SANLAB=$(CLANG)/sanlab tests/run $(CLANGED) tests/clang/ops.sh tests/cli/bits.sh; \
	fi

# Targets are tests/fuzz/NAME_fuzz.c, with AddressSanitizer and UBSan, without OpenMP. The kernels of core/cpu read no files and are not instrumented.
SECONDS := 60
FUZZERS := $(patsubst tests/fuzz/%_fuzz.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/*.c))
FUZZED  := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer -Wno-unused-function
fuzz: packages ## other: runs libFuzzer on every reader of files, SECONDS=60 each (TARGETS=state: one)
	+@$(AGAIN) program
	@scripts/check/fuzz $(SECONDS) $(TARGETS)
fuzz-programs:
	@mkdir -p $(BUILD)/fuzz/include
	@ln -sf $(shell gcc -print-file-name=include/omp.h) $(BUILD)/fuzz/include/omp.h
	@$(MAKE) --no-print-directory CC=clang BUILD=$(BUILD)/fuzz EXTRA="$(FUZZED)" \
	    FAST="-O1 -fno-sanitize=all" \
	    OPENMP="-idirafter $(BUILD)/fuzz/include -Wno-source-uses-openmp" \
	    $(FUZZERS:$(BUILD)/%=$(BUILD)/fuzz/%)
WRAPPED := fopen fdopen fclose open_memstream
$(BUILD)/tests/fuzz/%: tests/fuzz/%_fuzz.c $(BUILD)/o/tests/fuzz/support/fuzz.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(WRAPPED:%=-Wl,--wrap=%) -o $@ $< \
	    $(BUILD)/o/tests/fuzz/support/fuzz.o $(BUILD)/libsanlab.a $(LDFLAGS) $(LIBS) -lgomp
