# The emulator of a GPU, the plug-in for a GPU (nvcc of CUDA 13), and the checks of a device.
.PHONY: cuda cuda-stand-in cuda-tested gpu-smoke test-gpu bench-gpu

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
# Kernels with every memory access recorded, and small kernels that test the recording.
RACED   := $(EMULATOR) $(WATCH:%.c=$(BUILD)/emu/%.o) \
           $(foreach flavor,race race16,$(KERNELS:%.cu=$(BUILD)/$(flavor)/%.o)) \
           $(BUILD)/race/tests/emu/small.o

# The emulator as a device that the program loads (core/model/device_choice.h).
$(PROGRAM)-emu.so: $(EMU) $(BUILD)/emu/core/cuda/plugin.o $(BUILD)/gen/flags.link
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) $(filter-out $(GOLD),$(LDFLAGS)) -Wl,-z,defs -lm -lpthread

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
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) $(filter-out $(GOLD),$(LDFLAGS)) -Wl,-z,defs -ldl -lm -lpthread
$(BUILD)/tests/cuda/libcublasLt.so.13: $(BUILD)/cuda/tests/cuda/cublaslt_stand_in.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $^ -Wl,-z,defs -lm -lpthread

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

# One folder of objects per flavor.
FLAGS.emu := -fPIC -fvisibility=hidden -DDEVICE_TABLE=fp32
FLAGS.emu16 := -fPIC -fvisibility=hidden -DDEVICE_TABLE=bf16 -DDEVICE_BF16
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
# Calls a function before each memory access (tests/watch/memory_watch.h). The flags keep every access of the source,
# also of 16 bytes, and make no memset.
SEEN := -O2 -fno-sanitize=all -fsanitize=thread -fno-tree-vectorize -fno-tree-sra \
        -fno-tree-loop-distribute-patterns --param=tsan-instrument-func-entry-exit=0
FLAGS.race := $(FLAGS.emu) $(SEEN)
FLAGS.race16 := $(FLAGS.emu16) $(SEEN)
$(foreach name,emu emu16 cuda cuda16,$(eval $(call objects,$(name))))
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

cuda: ## user: ./sanlab-cuda.so, for --device cuda; needs nvcc 13
	+@case "$$($(NVCC) --version 2>&1)" in \
	*"release 13."*) $(AGAIN) $(PROGRAM)-cuda.so ;; \
	*) echo "skipped: make cuda needs nvcc of CUDA 13: $$($(NVCC) --version 2>&1 | tail -n 1)" ;; \
	esac
cuda-stand-in: $(STANDIN) ## other: the GPU plug-in's host code on the emulator's kernels, for tests
# Files for tests of the GPU plug-in, if nvcc is installed. The kernels take minutes to compile, so all jobs share
# them here. Unless the plug-in exists, they are compiled for one architecture.
cuda-tested: $(CUDA) $(STANDIN)
# Checks of a device, which write records to OUT. DEVICE=emu is a rehearsal without a GPU.
DEVICE ?= cuda
OUT     = $(BUILD)/$@
gpu-smoke: ## other: every op and a short training on a GPU, one minute (OUT=DIR: records; DEVICE=emu: rehearsal)
test-gpu: ## other: checks the results of a GPU, nine minutes (OUT=DIR: records)
bench-gpu: ## other: measures the speed of a GPU, nine minutes (OUT=DIR: records)
gpu-smoke test-gpu bench-gpu: stage
	@$(BUILD)/dist/$(DIST)/scripts/gpu/$(filter-out gpu,$(subst -, ,$@)) $(DEVICE) $(OUT)
	$(if $(filter test-gpu-emu,$@-$(DEVICE)),@tests/run -j 2 tests/cli/cuda_order.sh tests/cli/cuda_gpus.sh)
