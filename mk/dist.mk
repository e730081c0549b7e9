# Releases: archives for other machines, a test installation, and trainings for published results.
.PHONY: stage old-system dist wheel dist-gpu test-install evidence evidence-stop evidence-state

# Run op cases and golden files on a device.
DEVICE_TESTS := $(addprefix $(BUILD)/portable/sanlab-,ops golden)
$(DEVICE_TESTS): LINKER := $(SMALL)
$(BUILD)/portable/sanlab-%: $(BUILD)/o/tests/device/%.o $(BUILD)/libsupport.a $(BUILD)/libsanlab.a $(BUILD)/gen/flags.link
	@mkdir -p $(@D)
	$(LINK) -lcmocka $(LIBS)

DIST = sanlab-$(firstword $(shell scripts/commit))-linux-$(MACHINE)
stage: packages $(if $(wildcard $(PROGRAM)-cuda.so),cuda) ## other: build/dist/NAME, to try a GPU of this machine
	+@$(AGAIN) dev $(DEVICE_TESTS)
	@scripts/release/dist gpu $(PROGRAM) $(BUILD) $(BUILD)/dist/$(DIST)
# Programs for old systems are built in a chroot, to the folder OLD. CC=aarch64-linux-gnu-gcc builds for ARM.
OLD = $(BUILD)/old$(if $(filter-out $(HOST),$(MACHINE)),-$(MACHINE))
dist: old-system ## release: build/dist/NAME.tar.gz, an archive for any Linux since 2018; needs root, debootstrap
	@scripts/release/dist archive $(BUILD)/dist/$(DIST)
wheel: old-system ## release: build/dist/sanlab-VERSION-*.whl, the same files for pip
	@scripts/release/wheel $(BUILD)/dist/$(DIST)
old-system:
	@scripts/release/old_system $(MACHINE) $(OLD) $(OLD)/sanlab $(OLD)/sanlab-emu.so
	@scripts/release/dist user $(OLD)/sanlab $(OLD) $(BUILD)/dist/$(DIST)
dist-gpu: ## other: build/dist/NAME-gpu.tar.gz, also with what tries and measures a GPU
	@scripts/release/old_system $(MACHINE) $(OLD) $(OLD)/sanlab $(OLD)/sanlab-emu.so $(OLD)/sanlab-dev \
	    $(DEVICE_TESTS:$(BUILD)/%=$(OLD)/%)
	@scripts/release/dist gpu $(OLD)/sanlab $(OLD) $(BUILD)/dist/$(DIST)-gpu
	@scripts/release/dist archive $(BUILD)/dist/$(DIST)-gpu

test-install: packages ## release: archive and wheel on bare Debian 11 to 13, first steps on 12 and 13; needs root, debootstrap
	+@$(AGAIN) program
	@scripts/check/archive
	@scripts/check/install

evidence: packages ## other: trains the grids of experiments/evidence in the background
	@scripts/evidence start
evidence-stop: ## other: the running stage saves its state and ends
evidence-state: ## other: prints the stages that are done, running and left, by grid
evidence-stop evidence-state:
	@scripts/evidence $(@:evidence-%=%)
