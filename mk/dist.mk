# Releases: an archive for other machines, a test installation, and trainings for published results.
.PHONY: stage dist test-install evidence evidence-stop evidence-state

# Programs for machines where nothing can be installed (scripts/release/dist). sanlab-ops and sanlab-golden run op
# cases and golden files on a device.
PORTABLE := $(addprefix $(BUILD)/portable/,sanlab sanlab-dev sanlab-ops sanlab-golden)
$(PORTABLE): LINKER := $(SMALL)
# Portable programs find their libraries in lib/ next to them.
CARRIED = $(filter-out -Wl$(COMMA)-rpath%,$(LIBS)) -Wl,-S '-Wl,-rpath,$$ORIGIN/lib' -Wl,--disable-new-dtags
$(BUILD)/portable/sanlab: $(BUILD)/o/experiments/cli/main.o
$(BUILD)/portable/sanlab-dev: $(DEV)
$(addprefix $(BUILD)/portable/,sanlab sanlab-dev): $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) $(CARRIED)
$(BUILD)/portable/sanlab-%: $(BUILD)/o/tests/device/%.o $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(CARRIED)

DIST = sanlab-$(firstword $(shell scripts/commit))-linux-x86_64
stage: packages $(if $(wildcard $(PROGRAM)-cuda.so),cuda) ## other: build/dist/NAME, which runs where nothing is installed
	+@$(AGAIN) dev $(PORTABLE)
	@rm -rf $(BUILD)/dist
	@BLAS=$(BLAS) scripts/release/dist $(BUILD) $(BUILD)/dist/$(DIST)
dist: stage ## release: build/dist/NAME.tar.gz, an archive that runs where nothing can be installed
	@scripts/release/dist archive $(BUILD)/dist/$(DIST)

test-install: ## release: make demo and make test in a chroot of a bare Debian 12; needs root, debootstrap
	@scripts/check/install

evidence: packages ## other: trains the grids of experiments/evidence in the background
	@scripts/evidence start
evidence-stop: ## other: the running stage saves its state and ends
evidence-state: ## other: prints the stages that are done, running and left, by grid
evidence-stop evidence-state:
	@scripts/evidence $(@:evidence-%=%)
