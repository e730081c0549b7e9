# Builds sanlab: the program, its library, sanlab-dev, packages and the installation. `make help` lists the targets.
# mk/gpu.mk: the emulator and a GPU. mk/dist.mk: archives and results. mk/test.mk: tests and measurements.
# CC=aarch64-linux-gnu-gcc builds for another processor than this machine's.
CC      := gcc
HOST    := $(shell uname -m)
TRIPLET := $(or $(shell $(CC) -dumpmachine 2> /dev/null),$(patsubst %-gcc,%,$(filter %-linux-gnu-gcc,$(CC))),$(HOST)-linux-gnu)
MACHINE := $(firstword $(subst -, ,$(TRIPLET)))
MACHINE := $(MACHINE)$(if $(filter x86_64x86_64,$(MACHINE)$(HOST)),$(shell \
             grep -qs -m1 -w avx2 /proc/cpuinfo || echo ' without AVX2'))
# Instruction sets for which core/cpu is compiled.
SETS.x86_64  := v3 v4
SETS.aarch64 := neon
SETS    := $(SETS.$(MACHINE))
ifeq ($(SETS),)
$(error sanlab is for aarch64, and for x86-64 processors with AVX2; this one is $(MACHINE))
endif
.DEFAULT_GOAL := program
# Prints the lines "TARGET: .. ## READER: TEXT" of this file and its parts, at most 20 lines; help-all prints all.
READERS := user developer release
help-all: READERS += other
help help-all:
	@for reader in $(READERS); do \
	    echo "$$reader:"; \
	    sed -n "s/^program:/:/; s/^\([a-z-]*\):.* ## $$reader: /  make \1\t/p" Makefile mk/*.mk | expand -t 24; \
	done
	@$(if $(filter help,$@),echo "make help-all lists the other targets; docs/testing.md describes the tests")
.PHONY: always help help-all program dev packages new-attention demo tour install clean
.SECONDARY:

BUILD   := build
ROOMS   := $(filter-out core/simt core/cuda core/emu dev,$(shell sed 's/\#.*//' scripts/rooms))
PACKAGES := yaml-0.1 sqlite3 jansson libcrypto libutf8proc
PKG      = $(if $(filter-out $(HOST),$(MACHINE)),PKG_CONFIG_LIBDIR=$(or \
             $(PKG_CONFIG_LIBDIR),/usr/lib/$(TRIPLET)/pkgconfig)) pkg-config
# Folder of OpenBLAS's OpenMP build, which core/cpu/blas.c opens with dlopen.
BLAS    := /usr/lib/$(MACHINE)-linux-gnu/openblas-openmp

# gcc keeps sixteen floats in AVX2 registers only if these flags allow moves of 32 bytes. gcc before 12 does not know them.
WHOLE   := $(shell $(CC) -mmove-max=256 -mstore-max=256 -E -x c /dev/null >/dev/null 2>&1 && \
             echo -mmove-max=256 -mstore-max=256)
# gcc before 12 warns of fields that macros leave out.
# Without -Wdouble-promotion, because real is double in the double build.
WARN := -Wall -Wextra -Wno-unused-parameter -Wshadow -Wundef -Wvla -Wstrict-prototypes -Wmissing-prototypes \
        -Wwrite-strings -Wpointer-arith -Wcast-align -Wno-psabi $(if $(WHOLE),,-Wno-missing-field-initializers)
OPENMP  := -fopenmp
# -g1: line numbers for a debugger and valgrind. EXTRA=-g adds variables; compiling then takes a quarter longer.
# LEVEL3 and LEVEL4 name the instructions of x86-64-v3 and -v4 to compilers that do not know these words.
# On aarch64, char is unsigned by default.
LEVEL3  := -march=x86-64-v3
LEVEL4  := -march=x86-64-v4
LEVEL.x86_64  = $(LEVEL3)
LEVEL.aarch64 = -fsigned-char
CFLAGS  := -std=c11 -O2 -g1 $(LEVEL.$(MACHINE)) -ffp-contract=off -fno-math-errno $(OPENMP) -D_GNU_SOURCE -I. \
           -I$(BUILD)/gen -MMD -MP $(WARN) $(EXTRA)
# Expanded where they are used, so that `make packages` runs on a bare machine.
CFLAGS  += $(shell $(PKG) --cflags $(PACKAGES) 2>/dev/null)
# Libraries are linked as archives where there are any: loading shared ones takes half of a start. An archive of OpenSSL
# with zstd, as on Debian 13, would need further libraries.
SHARED  := $(if $(findstring -lzstd,$(shell $(PKG) --static --libs libcrypto 2>/dev/null)),crypto)
ARCHIVE  = $(if $(and $(filter-out $(SHARED),$1),$(wildcard $(shell $(CC) -print-file-name=lib$1.a))),-l:lib$1.a,-l$1)
LIBS    := $(foreach word,$(shell $(PKG) --libs $(PACKAGES) 2>/dev/null), \
             $(if $(filter -l%,$(word)),$(call ARCHIVE,$(word:-l%=%)),$(word))) \
             -Wl,-rpath,$(BLAS) -lm -lpthread -ldl

SOURCES := $(wildcard $(ROOMS:=/*.c))
MAIN    := experiments/cli/main.c
PROGRAM := sanlab
# core/cpu is compiled once per instruction set, with the same order of operations. The excluded files choose
# between the instruction sets or call OpenBLAS.
CPU     := $(filter-out $(addprefix core/cpu/,cpu.c blas.c gemm_each.c product_choice.c),$(wildcard core/cpu/*.c))
FAST    := -O3
OBJECTS := $(filter-out $(CPU:%.c=$(BUILD)/o/%.o) $(MAIN:%.c=$(BUILD)/o/%.o),$(SOURCES:%.c=$(BUILD)/o/%.o)) \
           $(foreach set,$(SETS),$(CPU:%.c=$(BUILD)/$(set)/%.o))
# The model with real = double, for golden dumps and finite differences (tests/f64).
ROOMS64 := base config tensor layer cpu model decode train check
F64     := $(patsubst %.c,$(BUILD)/f64/%.o,$(filter $(ROOMS64:%=core/%/%) attention/%,$(SOURCES)))
# sanlab-dev, linked with the library.
DEV     := $(patsubst %.c,$(BUILD)/o/%.o,$(wildcard dev/*.c))

# Prints one line per file; V=1: whole commands, -s: nothing.
Q   := $(if $(filter 1,$(V)),,@)
say  = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $()  $(1)  $(2)))

# `make` without a target prints the next steps for a user after it has linked the program.
define NEXT
next: ./sanlab init FOLDER   a folder for your grids, text and results
      make demo              a first grid on real text
      ./sanlab --help        all verbs
endef
program: $(PROGRAM) ## user: ./sanlab; V=1 shows the commands
	@:$(if $(LINKED),$(if $(MAKECMDGOALS)$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $(NEXT))))
dev: program $(PROGRAM)-dev $(PROGRAM)-emu.so $(BUILD)/libsanlab64.a ## developer: also ./sanlab-dev, ./sanlab-emu.so, the double build

$(PROGRAM): $(BUILD)/o/experiments/cli/main.o $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	$(LINK) $(LIBS)
	$(eval LINKED := yes)
$(PROGRAM)-dev: $(DEV) $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	$(LINK) $(LIBS)
define LINK
$(call say,LD,$@)
$(Q)$(CC) $(OPENMP) $(LINKER) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDFLAGS)
endef
COMMA := ,
COMPRESSED := -Wl,--compress-debug-sections=zlib
# Tests are linked with gold if it is installed, in half the time. Without debug information, linking takes a fifth
# of the time and the tests a sixth of the disk; SYMBOLS=1 keeps the information.
GOLD  := $(shell $$($(CC) -print-prog-name=ld.gold 2> /dev/null) --version > /dev/null 2>&1 && echo -fuse-ld=gold)
SMALL := $(GOLD) $(if $(SYMBOLS),$(COMPRESSED),-Wl$(COMMA)-S)
$(PROGRAM) $(PROGRAM)-dev: LINKER := $(COMPRESSED)

AR     = $(shell $(CC) -print-prog-name=ar)
# flags.archive changes when a file is added or removed, so that the archive is rebuilt.
$(BUILD)/libsanlab.a: $(OBJECTS)
$(BUILD)/libsanlab64.a: $(F64)
$(addprefix $(BUILD)/,libsanlab.a libsanlab64.a libsupport.a libsupport64.a): $(BUILD)/gen/flags.archive
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter %.o,$^)

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
DIGESTED := $(wildcard core/*/*.[ch] core/*/*.cu core/tensor/ops.def attention/*.[ch] attention/*/*.[ch] \
                      probes/*.[ch] logic/*.[ch] results/store/*.[ch] experiments/stage/*.[ch])
TEMPLATES := $(wildcard plots/*.gp)
TEXTS     := $(wildcard experiments/cli/*.txt dev/*.txt)
NAMES.code      = $(DIGESTED)
NAMES.template  = $(TEMPLATES)
NAMES.verb_text = $(TEXTS)
$(addprefix $(BUILD)/gen/,code.names template.names verb_text.names): always
	@mkdir -p $(@D)
	@printf '%s\n' $(NAMES.$(basename $(@F))) > $@.new
	@$(SETTLE)
$(BUILD)/gen/code.h: scripts/generate/code_digest scripts/rooms $(DIGESTED) $(BUILD)/gen/code.names
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
# Names the package of a missing header before anything is compiled. gcc and clang name the option for one line differently.
CARET    = $(if $(findstring clang,$(shell $(CC) --version 2>&1)),-fno-caret-diagnostics,-fno-diagnostics-show-caret)
$(BUILD)/gen/headers: scripts/check/headers.c $(BUILD)/gen/flags.o
	@pkg-config --version > /dev/null 2>&1 || \
	    { echo "make: there is no pkg-config; install pkg-config (Fedora: pkgconf-pkg-config)" >&2; exit 1; }
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) $(CARET) -fsyntax-only $<
	@touch $@
GENERATED := $(addprefix $(BUILD)/gen/,headers $(KINDS:=.def) fusion.def term.def term_tile.def commit.h code.h \
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
FLAGS.v4   = $(FAST) $(LEVEL4) -mprefer-vector-width=512 -DCPU_TABLE=v4
FLAGS.neon = $(FAST) -DCPU_TABLE=neon
# -fno-gcse -fno-var-tracking: otherwise gcc takes eight seconds for each of two files of core/cpu.
FLAGS.f64 := $(WHOLE) $(if $(WHOLE),-fno-gcse -fno-var-tracking) -DSANLAB_DOUBLE -DCPU_TABLE=f64
define objects
$(BUILD)/$(1)/%.o: %.c $(BUILD)/gen/flags.$(1) | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,CC,$$<$(if $(filter-out o,$(1)), ($(1))))
	$$(Q)$$(CC) $$(CFLAGS) $$(FLAGS.$(1)) $$(call level,$$<) -c -o $$@ $$<
endef
$(foreach name,o $(SETS) f64,$(eval $(call objects,$(name))))
# Runs before all others and checks the processor, so it is compiled for every x86-64 processor.
$(BUILD)/o/core/base/program.o: private CFLAGS := $(filter-out $(LEVEL3),$(CFLAGS))

# Targets that first install packages call make again, so that pkg-config finds them. The second make uses all
# cores; with -j the + before the recipe shares the jobs.
AGAIN = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
packages: ## user: installs missing Debian packages
	@scripts/packages
demo: packages ## user: packages, program, real text, a first grid, its table, claims, figures and report
	+@$(AGAIN) program
	@scripts/demo
tour: packages ## user: the whole program on a generated language: windows, fusion, stacks, probes, logic, gates
	+@$(AGAIN) program
	@scripts/tour
PREFIX ?= /usr/local
install: packages ## user: the program, its grids and presets, to PREFIX=/usr/local
	+@$(AGAIN) dev
	@scripts/release/install "$(DESTDIR)$(PREFIX)"
new-attention: ## developer: NAME=x writes attention/term/x.c, a working skeleton (KIND=fusion: a fusion)
	@scripts/generate/new_attention "$$NAME" "$$KIND"
clean: ## user: removes what was built; keeps runs/ and data/
	rm -rf $(BUILD) sanlab sanlab-dev sanlab-debug sanlab-debug-dev sanlab-*.so

# After the definitions that the parts use.
include mk/gpu.mk mk/dist.mk mk/test.mk
-include $(shell find $(addprefix $(BUILD)/,o $(SETS) f64 emu emu16 cuda cuda16 race race16) -name '*.d' 2>/dev/null)
