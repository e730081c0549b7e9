# sanlab. The two commands of a newcomer: make demo, make test. `make help` lists the rest.
CC      := gcc
MACHINE := $(shell uname -m)$(shell grep -qs -m1 -w avx2 /proc/cpuinfo || echo ' without AVX2')
ifneq ($(MACHINE),x86_64)
$(error sanlab is for x86-64 processors with AVX2; this one is $(MACHINE))
endif
BUILD   := build
ROOMS   := $(filter-out core/simt core/cuda core/emu dev/double dev,$(shell sed 's/\#.*//' scripts/rooms))
PACKAGES := yaml-0.1 sqlite3 jansson libcrypto libutf8proc libxml-2.0
# Folder of OpenBLAS's OpenMP build, which core/cpu/blas.c opens with dlopen.
BLAS    := /usr/lib/x86_64-linux-gnu/openblas-openmp

# Without -Wdouble-promotion, because real is double in the double build.
WARN := -Wall -Wextra -Wno-unused-parameter -Wshadow -Wundef -Wvla -Wstrict-prototypes -Wmissing-prototypes \
        -Wwrite-strings -Wpointer-arith -Wcast-align -Wno-psabi
OPENMP  := -fopenmp
# -g1: line numbers for a debugger and valgrind. EXTRA=-g adds variables; compiling then takes a quarter longer.
CFLAGS  := -std=c11 -O2 -g1 -march=x86-64-v3 -ffp-contract=off -fno-math-errno $(OPENMP) -D_GNU_SOURCE -I. \
           -I$(BUILD)/gen -MMD -MP $(WARN) $(EXTRA)
# Expanded where they are used, so that `make packages` runs on a bare machine.
CFLAGS  += $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
# libxml2 is not linked: core/corpus/help_page.c opens it with dlopen.
LIBS    := $(shell pkg-config --libs $(filter-out libxml-2.0,$(PACKAGES)) 2>/dev/null) -Wl,-rpath,$(BLAS) -lm

SOURCES := $(wildcard $(ROOMS:=/*.c))
MAIN    := experiments/cli/main.c
PROGRAM := sanlab
# core/cpu is compiled once per instruction set, with the same order of operations. The excluded files choose
# between the instruction sets or call OpenBLAS.
CPU     := $(filter-out $(addprefix core/cpu/,cpu.c blas.c gemm_each.c products.c),$(wildcard core/cpu/*.c))
FAST    := -O3
# gcc keeps sixteen floats in AVX2 registers only if these flags allow moves of 32 bytes.
WHOLE   := $(shell $(CC) -mmove-max=256 -mstore-max=256 -E -x c /dev/null >/dev/null 2>&1 && \
             echo -mmove-max=256 -mstore-max=256)
V3      := $(CPU:%.c=$(BUILD)/v3/%.o)
V4      := $(CPU:%.c=$(BUILD)/v4/%.o)
OBJECTS := $(filter-out $(CPU:%.c=$(BUILD)/o/%.o) $(MAIN:%.c=$(BUILD)/o/%.o),$(SOURCES:%.c=$(BUILD)/o/%.o)) $(V3) $(V4)
# The model with real = double, for golden dumps and finite differences (dev/double).
ROOMS64 := base config tensor layer cpu model decode train check
F64     := $(patsubst %.c,$(BUILD)/f64/%.o,$(filter $(ROOMS64:%=core/%/%) attention/%,$(SOURCES)) \
              $(wildcard dev/double/*.c))
# sanlab-dev, linked with the library.
DEV     := $(patsubst %.c,$(BUILD)/o/%.o,$(wildcard dev/*.c)) $(BUILD)/check_double.o
UNIT    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*_test.c))
# The emulator compiles the kernels of core/cuda as C and runs them on fibers (core/simt).
KERNELS := $(wildcard core/cuda/*.cu)
WATCH   := $(wildcard tests/watch/*.c)
# Files that are compiled for each type of activations: flavors emu and emu16.
TABLES  := $(addprefix core/emu/,memory.c products.c table.c)
EMULATOR := $(patsubst %.c,$(BUILD)/emu/%.o,$(wildcard core/simt/*.c core/emu/*.c) core/cuda/off.c) \
            $(TABLES:%.c=$(BUILD)/emu16/%.o)
EMU     := $(EMULATOR) $(foreach flavor,emu emu16,$(KERNELS:%.cu=$(BUILD)/$(flavor)/%.o))
# Kernels and host code for a GPU (make cuda), for each type of activations. TOOLKIT is expanded when it is
# used, because nvcc may be absent.
CUDATABLES := $(addprefix core/cuda/,memory.c products.c table.c)
CUDAHOST := $(patsubst %.c,$(BUILD)/cuda/%.o,$(wildcard core/cuda/*.c)) \
            $(CUDATABLES:%.c=$(BUILD)/cuda16/%.o)
# nvcc compiles two files per flavor, attention and the other kernels: CUDA's headers take a second each time.
ATTENTION := $(filter core/cuda/attention%,$(KERNELS))
NVCCED  := $(addprefix $(BUILD)/gen/kernels_,attention.cu others.cu)
CUDA    := $(foreach flavor,cuda16 cuda,$(NVCCED:%.cu=$(BUILD)/$(flavor)/%.o)) $(CUDAHOST)
NVCC    := nvcc
TOOLKIT  = $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v $(NVCC))))
# A stand-in for the GPU plug-in on machines without a GPU: the same host code, the emulator's kernels, and
# CUDA's runtime and cuBLASLt from tests/cuda.
STANDIN := $(BUILD)/tests/cuda/sanlab-cuda.so $(BUILD)/tests/cuda/libcublasLt.so.13
UNITEMU := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/emu/*_test.c))
# Kernels with every memory access recorded, and small kernels that test the recording.
RACED   := $(EMULATOR) $(WATCH:%.c=$(BUILD)/emu/%.o) \
           $(foreach flavor,race race16,$(KERNELS:%.cu=$(BUILD)/$(flavor)/%.o)) \
           $(BUILD)/race/tests/emu/small.o
RACES   := $(addprefix $(BUILD)/tests/emu/,watch_test race_test bytes_test)
UNIT64  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/f64/*_test.c))
SUPPORT := $(patsubst %.c,$(BUILD)/o/%.o,$(filter-out %/gradient.c,$(wildcard tests/support/*.c)))
SHIM    := $(BUILD)/tests/faults/shim.so
# Programs for machines where nothing can be installed (scripts/release/dist). sanlab-ops and sanlab-golden run op cases
# and golden files on a device.
PORTABLE := $(addprefix $(BUILD)/portable/,sanlab sanlab-dev sanlab-ops sanlab-golden)
# Tools that tests and comparisons start.
TOOLS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/tool/*.c))
SUPPORT64 := $(patsubst %,$(BUILD)/f64/tests/support/%.o,block fence golden gradient main model test variant \
               $(basename $(notdir $(wildcard tests/support/op_*.c))))

# Prints one line per file; V=1: whole commands, -s: nothing.
Q   := $(if $(filter 1,$(V)),,@)
say  = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $()  $(1)  $(2)))

.DEFAULT_GOAL := program
.PHONY: always program dev all test test-all test-long test-faults test-cluster test-install test-docs smoke-grids demo tour \
        lint bench bench-products bench-peers emu-table clean help packages debug test-debug test-valgrind \
        test-clang test-level new-attention fuzz cuda cuda-stand-in stage dist gpu-smoke test-gpu \
        bench-gpu install fuzz-programs cuda-tested witness evidence evidence-stop evidence-state
.SECONDARY:

# `make` without a target prints the next steps for a user after it has linked the program.
define NEXT
next: ./sanlab init FOLDER   a folder for your grids, text and results
      make demo              a first grid on real text
      ./sanlab --help        all verbs
endef
program: $(PROGRAM)
	@:$(if $(LINKED),$(if $(MAKECMDGOALS)$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $(NEXT))))
# Adds the programs of developers and tests: sanlab-dev, and the emulator of a GPU.
dev: program $(PROGRAM)-dev $(PROGRAM)-emu.so
all: dev $(UNIT) $(UNIT64) $(UNITEMU) $(SHIM) $(PORTABLE) $(TOOLS)

$(PROGRAM): $(BUILD)/o/experiments/cli/main.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	$(call say,LD,$@)
	$(LINK) $(LIBS)
	$(eval LINKED := yes)
$(PROGRAM)-dev: $(DEV) $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	$(call say,LD,$@)
	$(LINK) $(LIBS)

# The emulator as a device that the program loads (core/model/device.h).
$(PROGRAM)-emu.so: $(EMU) $(BUILD)/emu/core/cuda/plugin.o $(BUILD)/gen/flags.link
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) $(filter-out $(GOLD),$(LDFLAGS)) -Wl,-z,defs -lm

# The plug-in for a GPU. CUDA's runtime is linked statically; cuBLASLt is opened when it is used.
$(PROGRAM)-cuda.so: $(CUDA) $(BUILD)/gen/flags.link
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) -L$(TOOLKIT)/lib64 -lcudart_static -ldl -lrt -lpthread -lm \
	    -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,defs $(LDFLAGS)

$(BUILD)/tests/cuda/sanlab-cuda.so: $(CUDAHOST) $(addprefix $(BUILD)/cuda/tests/cuda/,runtime.o stream.o) \
        $(filter $(BUILD)/emu/core/simt/%,$(EMULATOR)) \
        $(foreach flavor,emu emu16,$(KERNELS:%.cu=$(BUILD)/$(flavor)/%.o)) $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) $(filter-out $(GOLD),$(LDFLAGS)) -Wl,-z,defs -ldl -lm
$(BUILD)/tests/cuda/libcublasLt.so.13: $(BUILD)/cuda/tests/cuda/cublaslt.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $^ -Wl,-z,defs -lm

# flags.archive changes when a file is added or removed, so that the archive is rebuilt.
$(BUILD)/libsanlab.a: $(OBJECTS)
$(BUILD)/libsanlab64.a: $(F64)
$(BUILD)/libsupport.a: $(SUPPORT)
$(BUILD)/libsupport64.a: $(SUPPORT64)
$(addprefix $(BUILD)/,libsanlab.a libsanlab64.a libsupport.a libsupport64.a): $(BUILD)/gen/flags.archive
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar qcs $@ $(filter %.o,$^)

# Several kernel files define these constants. Each file gets its own copy under another name.
CONSTANTS := THREADS WARPS ARRAYS CHUNK CHUNKS IN_FLIGHT ROWS TILE
$(BUILD)/gen/kernels_attention.cu: TOGETHER := $(ATTENTION)
$(BUILD)/gen/kernels_others.cu: TOGETHER := $(filter-out $(ATTENTION),$(KERNELS))
$(NVCCED): always
	@mkdir -p $(@D)
	@for file in $(TOGETHER); do \
	    printf '#undef %s\n' $(CONSTANTS); \
	    name=$${file##*/}; \
	    for word in $(CONSTANTS); do echo "#define $$word $${word}_$${name%.cu}"; done; \
	    echo "#include \"$$file\""; \
	done > $@.new
	@$(SETTLE)

KINDS := kind evaluation offer
# Lists of terms and fusions, made from the files in their folders: to add a term, add its file. A list is written
# only if it has changed.
SETTLE = cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/gen/term.def: always
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst attention/term/%.c,'TERM(%)',$(sort $(wildcard attention/term/*.c))) > $@.new
	@$(SETTLE)
$(BUILD)/gen/term_tile.def: always
	@mkdir -p $(@D)
	@{ echo '#define TERM_TILES(DO, ...)' \
	    $(patsubst attention/term/%.c,'DO(%, __VA_ARGS__)',$(sort $(wildcard attention/term/*.c))); \
	    printf '#include "%s"\n' $(sort $(wildcard attention/term/*.c)); } > $@.new
	@$(SETTLE)
$(BUILD)/gen/fusion.def: always
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst attention/fusion/%.c,'FUSION(%)',$(sort $(wildcard attention/fusion/*.c))) > $@.new
	@$(SETTLE)
# Lists of the kinds of stages, of kinds with options, and of kinds that offer values.
$(KINDS:%=$(BUILD)/gen/%.def): always
	@mkdir -p $(@D)
	@scripts/generate/kinds $(@F:.def=) > $@.new
	@$(SETTLE)
# The version, the commit and its date, for --version and environment.json.
$(BUILD)/gen/commit.h: always
	@mkdir -p $(@D)
	@set -- $$(scripts/commit) && \
	    printf '#define SANLAB_%s "%s"\n' VERSION "$$(cat VERSION)" COMMIT "$$1" DATE "$${2-}" > $@.new
	@$(SETTLE)
# Digests of the sources of each kind of stage, for done.json: tables warn if stages were done by different code.
# code.names changes if a source is removed.
SOURCES := $(wildcard core/*/*.[ch] core/*/*.cu core/tensor/ops.def attention/*.[ch] attention/*/*.[ch] \
                      probes/*.[ch] logic/*.[ch] results/store/*.[ch] experiments/stage/*.[ch])
TEMPLATES := $(wildcard plots/*.gp)
TEXTS     := $(wildcard experiments/cli/*.txt dev/*.txt)
NAMES.code      = $(SOURCES)
NAMES.template  = $(TEMPLATES)
NAMES.verb_text = $(TEXTS)
$(addprefix $(BUILD)/gen/,code.names template.names verb_text.names): always
	@mkdir -p $(@D)
	@printf '%s\n' $(NAMES.$(basename $(@F))) > $@.new
	@$(SETTLE)
$(BUILD)/gen/code.h: scripts/generate/code_digest scripts/rooms $(SOURCES) $(BUILD)/gen/code.names
	@mkdir -p $(@D)
	@scripts/generate/code_digest > $@.new
	@$(SETTLE)
# Files that must be equal in a plug-in and the program (core/tensor/plugin.h).
AGREED := $(addprefix core/tensor/,ops.def ops.h attend.h recurrent.h plugin.h)
$(BUILD)/gen/device_hash.h: $(AGREED) \
                            attention/term.h $(wildcard attention/term/*.c) $(BUILD)/gen/term.def
	@mkdir -p $(@D)
	@{ echo '#define DEVICE_HASH \'; \
	    cat $(AGREED) | sha256sum | \
	        sed 's/^\(.\{16\}\).*/    "ops \1, terms " \\/'; \
	    for file in $(sort $(wildcard attention/term/*.c)); do echo $$file; cat $$file; done | \
	        cat - attention/term.h | sha256sum | sed 's/^\(.\{16\}\).*/    "\1"/'; } > $@.new
	@$(SETTLE)
# Templates of figures and texts of --help: TEMPLATE(window, ".."), TEXT(run, "..").
$(BUILD)/gen/template.def: $(TEMPLATES) $(BUILD)/gen/template.names
$(BUILD)/gen/verb_text.def: $(TEXTS) $(BUILD)/gen/verb_text.names
$(addprefix $(BUILD)/gen/,template.def verb_text.def):
	@for file in $(sort $(filter-out %.names,$^)); do \
	    name=$${file##*/}; \
	    echo "$(if $(filter %template.def,$@),TEMPLATE,TEXT)($${name%.*},"; \
	    sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$file; \
	    echo ")"; \
	done > $@
$(BUILD)/o/plots/canvas.o $(BUILD)/f64/plots/canvas.o: $(BUILD)/gen/template.def
$(BUILD)/o/experiments/cli/verb_page.o: $(BUILD)/gen/verb_text.def
# The style of pages as text: a line that begins with a blank belongs to the one before it.
$(BUILD)/gen/page_style.def: results/sheet/page.css
	@mkdir -p $(@D)
	@awk '/^\/\*/ { next } !/^ / && n++ { print "" } { sub(/^ +/, ""); printf "%s", $$0 } \
	    END { print "" }' $< | sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' > $@
$(BUILD)/o/results/sheet/page.o $(BUILD)/f64/results/sheet/page.o: $(BUILD)/gen/page_style.def
GENERATED := $(addprefix $(BUILD)/gen/,$(KINDS:=.def) fusion.def term.def term_tile.def commit.h code.h \
                                         device_hash.h template.def verb_text.def page_style.def)

# Rebuilds everything that was compiled or linked with other flags. KEEP_FLAGS names flags files that stay (%: all),
# for tests that call make in a built tree.
$(BUILD)/gen/flags.%: always
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(CC) $(CFLAGS) $(FLAGS.$*))' > $@.new
	@$(if $(filter $(KEEP_FLAGS),$*),[ ! -e $@ ] || cp -p $@ $@.new;) $(SETTLE)
FLAGS.archive = $(OBJECTS) $(F64) $(SUPPORT) $(SUPPORT64)
FLAGS.link = $(GOLD) $(LDFLAGS) $(LIBS) $(SYMBOLS)

# Objects, one folder per flavor.
FLAGS.o   :=
FLAGS.v3   = $(FAST) $(WHOLE) -DCPU_TABLE=v3
FLAGS.v4   = $(FAST) -march=x86-64-v4 -mprefer-vector-width=512 -DCPU_TABLE=v4
# -fno-gcse -fno-var-tracking: otherwise gcc takes eight seconds for each of two files of core/cpu.
FLAGS.f64 := $(WHOLE) $(if $(WHOLE),-fno-gcse -fno-var-tracking) -DSANLAB_DOUBLE -DCPU_TABLE=f64
FLAGS.cuda = $(FLAGS.emu) -isystem $(TOOLKIT)/include
FLAGS.cuda16 = $(FLAGS.emu16) -isystem $(TOOLKIT)/include
# Code for A100 and H100, and PTX for later devices. ptxas prints spilled registers. Tests compile for one device.
CUDA_FOR   := 80 90
GENCODE.80 := arch=compute_80,code=sm_80
GENCODE.90 := arch=compute_90,code=[sm_90,compute_90]
FLAGS.nvcc := -std=c++14 -O3 $(foreach number,$(CUDA_FOR),-gencode $(GENCODE.$(number))) \
              -Werror all-warnings -Xptxas -v \
              -Xcompiler=-fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics \
              -I. -I$(BUILD)/gen
FLAGS.emu := -fPIC -fvisibility=hidden -DDEVICE_TABLE=fp32
FLAGS.emu16 := -fPIC -fvisibility=hidden -DDEVICE_TABLE=bf16 -DDEVICE_BF16
# Calls a function before each memory access (tests/watch/watch.h). The flags keep every access of the source,
# also of 16 bytes, and make no memset.
SEEN := -O2 -fno-sanitize=all -fsanitize=thread -fno-tree-vectorize -fno-tree-sra \
        -fno-tree-loop-distribute-patterns --param=tsan-instrument-func-entry-exit=0
FLAGS.race := $(FLAGS.emu) $(SEEN)
FLAGS.race16 := $(FLAGS.emu16) $(SEEN)
define objects
$(BUILD)/$(1)/%.o: %.c $(BUILD)/gen/flags.$(1) | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,CC,$$<$(if $(filter-out o,$(1)), ($(1))))
	$$(Q)$$(CC) $$(CFLAGS) $$(FLAGS.$(1)) $$(call level,$$<) -c -o $$@ $$<
endef
# Tests that compute little are compiled without optimization, in half the time.
COMPUTE := $(patsubst %,tests/unit/%_test.c,elementary formula gemm level level_family logic_generate)
CALLERS := tests/unit/% tests/f64/% tests/emu/% tests/support/%
level    = $(if $(filter $(CALLERS),$(1)),$(if $(filter-out $(COMPUTE),$(filter tests/unit/%,$(1))),-O0,-O1))
$(foreach name,o v3 v4 f64 emu emu16 cuda cuda16,$(eval $(call objects,$(name))))
# Kernels are compiled as C (core/cuda/kernel.h).
define kernels
$(BUILD)/$(1)/%.o: %.cu $(BUILD)/gen/flags.$(1) | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,CC,$$< ($(1)))
	$$(Q)$$(CC) $$(CFLAGS) $$(FLAGS.$(1)) -c -o $$@ -x c $$<
endef
$(foreach name,emu emu16 race race16,$(eval $(call kernels,$(name))))
# Fails if a kernel has a stack frame or spilled registers.
define nvcc
$(BUILD)/$(1)/%.o: %.cu $(BUILD)/gen/flags.nvcc | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,CC,$$< ($(1)))
	$$(Q)$$(NVCC) $$(FLAGS.nvcc) $(2) -MMD -MP -MF $$(@:.o=.d) -c -o $$@ $$< > $$(@:.o=.txt) 2>&1 || \
	    { cat $$(@:.o=.txt) >&2; exit 1; }
	$$(Q)awk '/Function properties for/ { kernel = $$$$NF } \
	    /bytes stack frame/ && !/ 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads/ { \
	        print "$$<: " kernel ":" $$$$0; wrong = 1 } \
	    END { exit wrong }' $$(@:.o=.txt) >&2 || { rm -f $$@; exit 1; }
endef
$(eval $(call nvcc,cuda,-DDEVICE_TABLE=fp32))
$(eval $(call nvcc,cuda16,-DDEVICE_TABLE=bf16 -DDEVICE_BF16))

COMMA := ,
# Tests are linked with gold if it is installed, in half the time. Without debug information, linking takes a fifth
# of the time and the tests a sixth of the disk; SYMBOLS=1 keeps the information.
GOLD := $(shell ld.gold --version > /dev/null 2>&1 && echo -fuse-ld=gold)
LINK  = $(Q)$(CC) $(OPENMP) $(LINKER) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDFLAGS)
COMPRESSED := -Wl,--compress-debug-sections=zlib
$(PROGRAM) $(PROGRAM)-dev: LINKER := $(COMPRESSED)
$(UNIT) $(UNIT64) $(UNITEMU) $(PORTABLE) $(TOOLS): LINKER := $(GOLD) $(if $(SYMBOLS),$(COMPRESSED),-Wl$(COMMA)-S)
$(BUILD)/tests/unit/%: $(BUILD)/o/tests/unit/%.o $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) -lcmocka $(LIBS)
$(RACES): $(BUILD)/tests/emu/%: $(BUILD)/o/tests/emu/%.o $(RACED) $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) -lcmocka $(LIBS)
$(BUILD)/tests/emu/%: $(BUILD)/o/tests/emu/%.o $(EMU) $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) -lcmocka $(LIBS)
$(BUILD)/tests/f64/%: $(BUILD)/f64/tests/f64/%.o $(BUILD)/libsupport64.a $(BUILD)/libsanlab64.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) -lcmocka $(LIBS)

$(BUILD)/tests/tool/%: $(BUILD)/o/tests/tool/%.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) $(LIBS)

# Portable programs find their libraries in lib/ next to them.
CARRIED = $(filter-out -Wl$(COMMA)-rpath%,$(LIBS)) -Wl,-S '-Wl,-rpath,$$ORIGIN/lib' -Wl,--disable-new-dtags
$(BUILD)/portable/sanlab: $(BUILD)/o/experiments/cli/main.o
$(BUILD)/portable/sanlab-dev: $(DEV)
$(addprefix $(BUILD)/portable/,sanlab sanlab-dev): $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) $(CARRIED)
$(BUILD)/portable/sanlab-%: $(BUILD)/o/tests/device/%.o $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(LINK) -lcmocka $(CARRIED)

# A library that makes one system call fail (tests/faults).
$(SHIM): tests/faults/shim.c $(BUILD)/gen/flags.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -std=c11 -O1 -g -D_GNU_SOURCE $(WARN) -shared -fPIC -o $@ $<

# The double build for `sanlab-dev check`: one object that exports one name, so that its functions do not collide
# with those of the program (dev/double/check_double.h).
CHECKED := $(filter $(foreach room,base config tensor layer cpu model check,$(BUILD)/f64/core/$(room)/%) \
             $(BUILD)/f64/attention/% $(BUILD)/f64/dev/%,$(F64))
$(BUILD)/check_double.o: $(CHECKED)
	$(call say,LD,$@)
	$(Q)rm -f $@.a && ar qcs $@.a $^
	$(Q)$(LD) -r -u check_double -o $@ $@.a
	$(Q)objcopy --keep-global-symbol=check_double $@ && rm $@.a

# Targets that first install packages call make again, so that pkg-config finds them. The second make uses all
# cores; with -j the + before the recipe shares the jobs.
packages:
	@scripts/packages
AGAIN = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
test: packages
	+@$(AGAIN) test-all
test-all: all
	+@! $(NVCC) --version 2> /dev/null | grep -q 'release 13\.' || \
	    $(MAKE) --no-print-directory $(if $(wildcard $(PROGRAM)-cuda.so),,CUDA_FOR=90) cuda-tested
	@tests/run
# Files for tests of the GPU plug-in, if nvcc is installed. The kernels take minutes to compile, so all jobs share
# them here. Unless the plug-in exists, they are compiled for one architecture.
cuda-tested: $(CUDA) $(STANDIN)
# Tests that take minutes: 10,000 stages and 10 million rows, with times; more kills; trainings with every
# instruction set and number of threads; more trials of every op; more figures; terms for the other GPU; estimated
# against measured times.
LARGE = $(addprefix $(BUILD)/tests/unit/,plan_scale_test table_scale_test scale_test)
SHRUNK = $(patsubst %,$(BUILD)/tests/%/ops_test,unit f64 emu) $(BUILD)/tests/unit/figure_boxes_test
test-long: packages
	+@$(AGAIN) dev $(LARGE) $(SHRUNK)
	@for test in $(LARGE); do SCALE=10000,10000000 $$test || exit 1; done
	@KILLS=20 EPOCHS=60 TEST_LIMIT=600 tests/run tests/cli/chaos.sh
	@COSTS=all TEST_LIMIT=3000 tests/run tests/cli/plan_cost.sh
	@WAYS=all TRIALS=40 FIGURES=all tests/run tests/cli/bits.sh $(SHRUNK)
	@ARCHITECTURES=all CALLS=200 tests/run tests/cli/device_terms.sh tests/cli/analyze.sh
# Makes every file operation of a small grid fail once (FAULTS=100: only 100 of them).
test-faults: packages
	+@$(AGAIN) program $(SHIM)
	@bad=0; for test in tests/faults/*.sh tests/cli/hostile.sh; do VERBS=all sh $$test || bad=1; done; exit $$bad
# Runs a grid on a real Slurm, which the test starts and stops. Tasks are killed and requeued.
test-cluster: packages
	+@$(AGAIN) program
	@tests/run tests/cluster/slurm.sh
# Builds, runs the demo and tests in a bare Debian 12.
test-install:
	@scripts/check/install
# Simulates how often a claim gets a verdict although there is no difference.
LEVEL = $(addprefix $(BUILD)/tests/unit/,level_test level_family_test)
test-level: packages
	+@$(AGAIN) $(LEVEL)
	@for test in $(LEVEL); do LEVEL_CASES=$(or $(CASES),10000) $$test || exit 1; done
# Writes the tables of tests/emu: the effect of each missing barrier, the bytes that each kernel moves.
emu-table: packages
	+@$(AGAIN) $(BUILD)/tests/emu/race_test $(BUILD)/tests/emu/bytes_test
	@for test in race bytes; do EMU_TABLE=write $(BUILD)/tests/emu/$${test}_test || exit 1; done
# Runs the commands on the pages and compares their output with the pages. WRITE=1 writes the output into them.
test-docs: packages
	+@$(AGAIN) program
	@scripts/check/docs
demo: packages
	+@$(AGAIN) program
	@scripts/demo
# Installs the program with its grids and presets.
PREFIX ?= /usr/local
install: packages
	+@$(AGAIN) dev
	@scripts/release/install "$(DESTDIR)$(PREFIX)"
# Trains the grids of experiments/evidence in the background, one after the other (docs/evidence.md).
evidence: packages
	@scripts/evidence start
evidence-stop evidence-state:
	@scripts/evidence $(@:evidence-%=%)
# Runs the whole program on a generated language: grids/tour.yaml.
tour: packages
	+@$(AGAIN) program
	@scripts/tour
# Runs every shipped grid with 20 steps per row and 200 pairs.
smoke-grids: packages
	+@$(AGAIN) program
	@scripts/check/smoke_grids
# Compares the output of the program with the output at an older commit: scripts/witness.
witness: packages
	+@$(AGAIN) program
	@scripts/witness $(WITNESSES)
lint:
	@scripts/lint
	@if command -v shellcheck > /dev/null; then \
	    git grep --untracked -l '^#!/bin/sh' | xargs shellcheck -s sh tests/support/tap.sh; \
	else echo "scripts were not looked at: there is no shellcheck (apt-get install shellcheck)"; fi
# Writes the file of a new attention term (or KIND=fusion) that builds and passes the tests.
new-attention:
	@scripts/generate/new_attention "$$NAME" "$$KIND"
# Measures speeds. scripts/compare/bench_peers lists the options for PEERS="--python P --threads N".
bench: packages
	+@$(AGAIN) dev
	@./sanlab-dev bench step small
	@./sanlab-dev bench step small6
# Compares the project's matrix products with OpenBLAS: alone, with the best kernels and with AVX2, and in
# training.
bench-products: packages
	+@$(AGAIN) dev
	@for threads in 1 2; do \
	    ./sanlab-dev bench products --threads $$threads && echo && \
	    SANLAB_ISA=v3 OPENBLAS_CORETYPE=Haswell ./sanlab-dev bench products --threads $$threads && \
	    echo || exit 1; \
	done
	@scripts/compare/bench_products
bench-peers: packages
	+@$(AGAIN) dev
	@scripts/compare/bench_peers $(PEERS)

# The tests with sanitizers. STRESS fills buffers with NaN and uses odd sizes. The sanitizer calls dlopen for the
# program, so the rpath must hold for all callers.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
cuda:
	+@case "$$($(NVCC) --version 2>&1)" in \
	*"release 13."*) $(AGAIN) $(PROGRAM)-cuda.so ;; \
	*) echo "skipped: make cuda needs nvcc of CUDA 13: $$($(NVCC) --version 2>&1 | tail -n 1)" ;; \
	esac
cuda-stand-in: $(STANDIN)
# build/dist/NAME runs on machines where nothing can be installed; NAME.tar.gz is its archive.
DIST = sanlab-$(firstword $(shell scripts/commit))-linux-x86_64
stage: packages $(if $(wildcard $(PROGRAM)-cuda.so),cuda)
	+@$(AGAIN) dev $(PORTABLE)
	@rm -rf $(BUILD)/dist
	@BLAS=$(BLAS) scripts/release/dist $(BUILD) $(BUILD)/dist/$(DIST)
dist: stage
	@scripts/release/dist archive $(BUILD)/dist/$(DIST)
# Checks of a device, which write records to OUT: gpu-smoke (all ops and a short training, one minute), test-gpu
# (correctness, nine minutes), bench-gpu (speed, nine minutes).
DEVICE ?= cuda
OUT     = $(BUILD)/$@
gpu-smoke test-gpu bench-gpu: stage
	@$(BUILD)/dist/$(DIST)/scripts/gpu/$(GPU.$@) $(DEVICE) $(OUT)
GPU.gpu-smoke := smoke
GPU.test-gpu  := test
GPU.bench-gpu := bench
debug: packages
	+@$(AGAIN) BUILD=$(BUILD)/debug PROGRAM=sanlab-debug SYMBOLS=1 EXTRA="-g -O1 -DSTRESS $(SANITIZE)" FAST=-O1 \
	    LDFLAGS="$(SANITIZE) -Wl,--disable-new-dtags" all
test-debug: debug
	@BUILD=$(BUILD)/debug TEST_LIMIT=900 UBSAN_OPTIONS=print_stacktrace=1 \
	    tests/run $(patsubst $(BUILD)/%,$(BUILD)/debug/%,$(UNIT) $(UNIT64) $(filter-out $(RACES),$(UNITEMU)))
# valgrind does not support AVX-512. The sanitizer finds leaks, because it knows which memory die() may leave.
# blas_test is excluded: it starts itself again, which under valgrind would start valgrind.
WATCHED = $(filter-out %/blas_test,$(UNIT))
test-valgrind: packages
	+@$(AGAIN) SYMBOLS=1 $(WATCHED)
	@SANLAB_ISA=v3 TEST_LIMIT=1800 \
	    TEST_WITH="valgrind -q --error-exitcode=99" tests/run $(WATCHED)

# clang must compile without warnings and must not change a bit of the products, the ops and the digests of
# small trainings.
CLANG   := $(BUILD)/clang
CLANGED := $(addprefix $(CLANG)/tests/unit/,gemm_test isa_test alone_test ops_test)
test-clang: packages
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

# libFuzzer's targets, tests/fuzz/NAME.c, with AddressSanitizer and UBSan; SECONDS for each target. clang builds
# them in a separate folder, without OpenMP. The kernels of core/cpu read no files and are not instrumented.
SECONDS := 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/*.c))
FUZZED  := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer -Wno-unused-function
fuzz: packages
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
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(BUILD)/o/tests/fuzz/support/fuzz.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(WRAPPED:%=-Wl,--wrap=%) -o $@ $< \
	    $(BUILD)/o/tests/fuzz/support/fuzz.o $(BUILD)/libsanlab.a $(LDFLAGS) $(LIBS) -lgomp

help:
	@echo "make              ./sanlab; V=1 shows the commands"
	@echo "make dev          also ./sanlab-dev (gradients, speeds of parts) and ./sanlab-emu.so (--device emu)"
	@echo "make demo         packages, program, real text, a first grid, its table, claims, figures and report"
	@echo "make test         packages, program, every test; N passed, N failed, N skipped"
	@echo "make install      the program, its grids and presets under PREFIX (default /usr/local)"
	@echo "make tour         the whole program on a generated language: windows, fusion, stacks, probes, logic, gates"
	@echo "make smoke-grids  every shipped grid with small models and texts, in minutes"
	@echo "make packages     installs missing Debian packages"
	@echo "make emu-table    tests/emu/*.tsv: the effect of each missing barrier, the bytes that each kernel moves"
	@echo "make new-attention NAME=x   writes attention/term/x.c, a working skeleton (KIND=fusion: a fusion)"
	@echo "make lint         direction of includes, lengths, unfinished work; clang-format 14, shellcheck"
	@echo "make bench        presets small and small6, node by node, against sgemm and copying"
	@echo "make bench-products  the project's matrix products against OpenBLAS, by shape and in training"
	@echo "make bench-peers  training, search and BPE against PyTorch, CTranslate2 and subword-nmt"
	@echo "make debug        ./sanlab-debug and tests with AddressSanitizer, UBSan and stress sizes"
	@echo "make test-debug   unit and op tests in the debug build"
	@echo "make test-long    10,000 stages and 10 million metric rows; twenty kill -9; bits, ops and figures in more ways"
	@echo "make test-cluster  runs a grid on a real Slurm of four slots, which it starts and stops; needs root"
	@echo "make test-install  make demo and make test in a chroot of a bare Debian 12; needs root, debootstrap"
	@echo "make test-docs    compares the output of the commands on pages with the pages (WRITE=1: writes it into them)"
	@echo "make test-level   simulates verdicts without a difference, with the noise of trainings (CASES=1000)"
	@echo "make evidence     trains the grids of experiments/evidence in the background; evidence-state, evidence-stop"
	@echo "make witness      compares the output for published and recorded runs with an older commit (WITNESSES=tour: one)"
	@echo "make test-faults  makes every file operation of a small grid fail once (FAULTS=100: only 100)"
	@echo "make fuzz SECONDS=60  runs libFuzzer on every reader of files, 60 seconds each"
	@echo "make test-valgrind  unit and op tests under valgrind"
	@echo "make cuda         ./sanlab-cuda.so: --device cuda; needs nvcc 13"
	@echo "make dist         build/dist/*.tar.gz: an archive that runs where nothing can be installed"
	@echo "make gpu-smoke OUT=DIR  every op and a short training on a GPU, one minute (DEVICE=emu: rehearsal)"
	@echo "make test-gpu OUT=DIR   checks the results of a GPU, nine minutes"
	@echo "make bench-gpu OUT=DIR  measures the speed of a GPU, nine minutes"
	@echo "make test-clang   builds with clang without warnings; ops and digests of small trainings equal gcc's"
	@echo "make clean        removes what was built; keeps runs/ and data/"
	@echo "tests/run FILE... one test program or script (build/tests/unit/bleu_test)"

clean:
	rm -rf $(BUILD) sanlab sanlab-dev sanlab-debug sanlab-debug-dev sanlab-*.so

-include $(shell find $(addprefix $(BUILD)/,o v3 v4 f64 emu emu16 cuda cuda16 race race16) -name '*.d' 2>/dev/null)
