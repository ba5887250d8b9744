# SPDX-License-Identifier: MIT
# One Makefile, out-of-tree in build/. "make help" lists the targets.

PREFIX   ?= /usr/local
DESTDIR  ?=
SANITIZE ?=
WERROR   ?=
V        ?=

VERSION := 0.1.0
TOOL    := wddm-cts
comma   := ,
# Debian's, which has the binding of libclang.
PYTHON  := /usr/bin/python3
JOBS    ?= $(shell nproc 2>/dev/null || echo 1)

# What runs the tool a thousand times asks for memory in large pages, which some kernels give to nobody
# else: a tenth less processor time.
LARGE_PAGES := GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=8388608:glibc.malloc.mmap_threshold=67108864:glibc.malloc.trim_threshold=1073741824

VARIANT := $(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),default)
ifneq ($(origin CC),default)
ifneq ($(notdir $(CC)),gcc)
VARIANT := $(VARIANT)-$(notdir $(firstword $(CC)))
endif
else
CC := gcc
endif
B := build/$(VARIANT)
Q := $(if $(V),,@)

SOURCES  := $(sort $(wildcard runner/*/*.c reports/*.c emulator/*.c))
HEADERS  := $(wildcard include/*.h runner/*/*.h reports/*.h emulator/*.h agent/*.h tests/fuzz/*.h tests/mutation/*.h tests/emulator/*.h tests/plugins/*.h tests/unit/*.h tests/sweep/*.h tests/bench/*.h)
# The adapter for native drivers, and drivers in that form.
ADAPTER_SOURCES := $(sort $(wildcard adapters/ddi/*.c))
ADAPTER  := $(B)/libwddm-cts-ddi.a
ADAPTER_HEADERS := $(wildcard adapters/ddi/*.h adapters/ddi/include/*.h)
NATIVE   := $(patsubst tests/drivers/%.c,$(B)/drivers/%.so,$(sort $(wildcard tests/drivers/*.c))) \
	$(B)/drivers/front.so $(B)/drivers/breaches.so $(B)/drivers/example.so
EMULATOR := $(patsubst %.c,$(B)/%.o,$(filter emulator/%,$(SOURCES)))
OBJECTS  := $(patsubst %.c,$(B)/%.o,$(SOURCES))
# The agent needs the C library alone: no folder but its own and what it shares with the runner.
AGENT    := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard agent/*.c)) \
	$(addprefix runner/,wire/stream.c wire/files.c wire/talk.c wire/answers.c wire/peer.c machine/room.c machine/room_pages.c base/exit.c base/host_port.c \
	base/library.c base/regular.c))
# The same for Windows, with what Debian calls mingw-w64: the agent, the emulator, an example.
MINGW    ?= x86_64-w64-mingw32-gcc
WIN      := build/windows
AGENT_WIN := $(patsubst %.c,$(WIN)/%.o,agent/main.c agent/plugin.c $(sort $(wildcard agent/windows/*.c)) \
	$(addprefix runner/,wire/stream.c wire/talk.c wire/answers.c wire/peer.c machine/room.c base/host_port.c))
# SKIP_UNITS="pool plan": unit tests that are neither built nor run.
UNITS    := $(filter-out $(SKIP_UNITS:%=$(B)/tests/test_%), \
	$(patsubst tests/unit/%.c,$(B)/tests/%,$(sort $(wildcard tests/unit/test_*.c))))
# It waits for what hangs: the first to begin.
WAITING  := $(B)/tests/test_pool $(B)/tests/test_pool_again
PLUGINS  := $(patsubst tests/plugins/%.c,$(B)/plugins/%.so,$(sort $(wildcard tests/plugins/*.c)))
# SKIP="faults walk": directories of tests whose scripts are not run. The longest first: none of them
# is to run alone at the end.
LONGEST  := $(wildcard $(patsubst %,tests/%.sh, \
	verdicts/test-verdicts claims/test-claims headline/test-headline mutation/test-source \
	determinism/test-determinism walk/test-walks walk/test-walk options/test-each \
	wire/test-wire disk/test-foreign golden/test-golden cli/test-cli reports/test-deaths sweep/test-sweeps \
	reports/test-junit trials/test-trials sweep/test-sweep faults/test-choices baseline/test-baseline \
	generate/test-generate reports/test-reports faults/test-faults patching/test-patching \
	disk/test-disk coverage/test-coverage levels/test-levels next/test-next \
	recording/test-recording))
ALL      := $(sort $(wildcard tests/*/test-*.sh))
SCRIPTS  := $(filter-out $(foreach one,$(SKIP),$(wildcard tests/$(one)/test-*.sh)), \
	$(LONGEST) $(filter-out $(LONGEST),$(ALL)))
# SCRIPT_PART=3/10: of the scripts, the third of ten parts. Neighbours in LONGEST are in different parts.
ifdef SCRIPT_PART
SCRIPTS  := $(shell printf '%s\n' $(SCRIPTS) | WCTS_PART=$(SCRIPT_PART) sh tests/part.sh)
endif
SELFTESTS := $(patsubst tests/emulator/%.c,$(B)/tests/emulator-%,$(wildcard tests/emulator/*.c))
SWEEP    := $(sort $(wildcard tests/sweep/*.c))
FUZZERS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
WALK     := $(patsubst tests/walk/%.c,$(B)/tests/walk-%,$(sort $(wildcard tests/walk/*.c)))
FORMATTED := $(sort $(SOURCES) $(HEADERS) $(SWEEP) $(wildcard agent/*.c agent/*/*.c agent/*/*.h tests/unit/*.c tests/plugins/*.c tests/emulator/*.c \
	tests/walk/*.c tests/bench/*.c tests/fuzz/*.c tests/extra/*.c \
	tests/check/*.c contrib/*/*.c contrib/*/*.h examples/*/*.[ch] tests/ddi/*.c tests/drivers/*.[ch]) \
	$(ADAPTER_SOURCES) $(ADAPTER_HEADERS))

MODULES := libxml-2.0 libpcre2-8 jansson libxslt libexslt libzstd nettle

# Asked for only when a recipe needs them, and then once: "make deps" may have to install
# pkg-config first.
MODULE_CFLAGS = $(eval MODULE_CFLAGS := $$(shell pkg-config --cflags $(MODULES)))$(MODULE_CFLAGS)
MODULE_LIBS   = $(eval MODULE_LIBS := $$(shell pkg-config --libs $(MODULES)))$(MODULE_LIBS)
CHECK_FLAGS   = $(eval CHECK_FLAGS := $$(shell pkg-config --cflags --libs check))$(CHECK_FLAGS)

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes $(if $(WERROR),-Werror)
# What is undefined ends the process, too: otherwise a test could pass and only print it.
SANITIZERS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# With sanitizers for half the processor time: they name lines, no more.
CFLAGS ?= $(if $(SANITIZE),-O1 -g1,-O2 -g)
FLAGS   = -std=gnu11 $(CFLAGS) $(WARNINGS) $(SANITIZERS) -D_GNU_SOURCE -Iinclude -Ibuild -MMD -MP
# What the tests themselves have to do is quick: compiling it costs more.
TEST_FLAGS = $(FLAGS) $(if $(SANITIZE),-O0,$(if $(filter -O2,$(CFLAGS)),-O1))
# Many programs with the same objects: where there is a linker that takes a third of the time, they have it.
FAST    := $(if $(findstring clang,$(CC)),lld,gold)
TEST_LDFLAGS = $(eval TEST_LDFLAGS := $$(if $$(shell command -v ld.$(FAST)),-fuse-ld=$(FAST)) $(LDFLAGS))$(TEST_LDFLAGS)
# The same holds for what a run does not wait for, and for what is a twentieth of it.
COLD    := $(addprefix runner/,baseline cli cover faults load run store) reports emulator adapters/ddi
COLD_FLAGS = $(FLAGS) $(if $(SANITIZE),$(if $(filter $(COLD:%=%/%),$<),-O0),$(if $(filter $(HOT:%=%/%),$<),$(HOT_FLAGS)))
# Half of a run is spent here: worth the time that it takes to compile it well.
HOT     := $(addprefix runner/,exchange judge lang machine model oracle)
HOT_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O3)
DEFINES = -DWCTS_VERSION='"$(VERSION)"' -DWCTS_DATADIR='"$(PREFIX)/share/$(TOOL)"'

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help run test test-quick tests windows test-asan test-extra test-fresh fuzz deb mutation mutation-spec mutation-source same bench coverage picture lint analyze format \
	format-check install uninstall clean deps deps-ci deps-fuzz deps-mutation

all: $(B)/$(TOOL) $(B)/$(TOOL)-agent $(B)/$(TOOL).json $(B)/emulator.so $(B)/plan.txt $(ADAPTER) links ## build the tool and the emulator (default)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  Variables: V=1 (show commands), CC, CFLAGS, SANITIZE=address,undefined, WERROR=1,"
	@echo "             PREFIX, DESTDIR, RUN_FLAGS (for run)"

# With all processors, unless make was told how many.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

run: deps ## install what is missing, build, run the suite against the emulator
	@echo "building with $(JOBS) processor(s): under a minute on two"
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) all
	@echo "running the suite against the emulator: some seconds"
	$(Q)mkdir -p out
	$(Q)$(B)/$(TOOL) run --junit out/junit.xml $(RUN_FLAGS)

test: deps deps-mutation ## install what is missing, build, run all tests
	@echo "building tool and tests with $(JOBS) processor(s): two minutes on two"
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) built
	$(Q)$(MAKE) --no-print-directory tests

# Of what is tried one by one (faults, choices, versions, values), a part, another with each commit.
# WCTS_PART=1/1: all of it.
PARTS    := 60
WCTS_PART ?= $(shell commit=$$(git rev-parse HEAD 2>/dev/null || echo $(VERSION)); \
	echo $$(($$(printf %s "$$commit" | cksum | cut -d ' ' -f 1) % $(PARTS) + 1))/$(PARTS))

.PHONY: built
# What few scripts start is built for those alone: of some scripts, what they name.
named = $(if $(shell grep -lF -e '$(1)' /dev/null $(SCRIPTS)),$(2))
built: all $(UNITS) $(PLUGINS) $(call named,tests/emulator-,$(SELFTESTS)) $(call named,tests/walk,$(WALK)) \
	$(call named,tests/sweep,$(B)/tests/sweep) $(call named,/drivers/,$(NATIVE)) $(call named,mutate_spec,$(B)/mutate_spec) $(call named,tests/fuzz-,$(FUZZERS:%=$(B)/tests/fuzz-%))

# A compiler's warnings about all that is built for few scripts.
.PHONY: warnings
warnings: build/binding.inc
	$(Q)$(CC) -fsyntax-only $(filter-out -MMD -MP,$(FLAGS)) -I. -Iemulator -Iadapters/ddi/include $(DEFINES) $(MODULE_CFLAGS) \
	    $(wildcard tests/emulator/*.c tests/walk/*.c tests/sweep/*.c tests/drivers/*.c tests/ddi/*.c tests/fuzz/*.c tests/mutation/*.c)

# Twice as many at a time as there are processors: what hangs, or asks a browser, waits more than it works.
TESTS_AT_ONCE := $(shell echo $$(($(JOBS) * 2)))

tests: built
	$(if $(filter-out tests/%,$(SCRIPTS)),$(error SCRIPTS has $(filter-out tests/%,$(SCRIPTS)), expected scripts of tests/))
	@echo "running $(words $(UNITS) $(SCRIPTS)) tests, $(TESTS_AT_ONCE) at a time: under ten minutes on two processors"
	$(Q)$(LARGE_PAGES) JOBS=$(TESTS_AT_ONCE) WCTS_BUILD=$(abspath $(B)) WCTS_PART=$(WCTS_PART) sh tests/run.sh \
	    $(filter $(WAITING),$(UNITS)) $(SCRIPTS) $(filter-out $(WAITING),$(UNITS))

# The unit tests and what says most about the tool as a whole.
QUICK := $(UNITS) tests/house/test-house.sh tests/cli/test-cli.sh tests/trouble/test-trouble.sh

test-quick: ## build, run the unit tests and the most telling scripts (under a minute when nothing else runs)
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) built
	@echo "running $(words $(QUICK)) tests, $(JOBS) at a time: under a minute on two processors"
	$(Q)JOBS=$(JOBS) WCTS_BUILD=$(abspath $(B)) sh tests/run.sh $(QUICK)

# FUZZ=NAME: that target alone. FUZZ_FLAGS="-runs=10000 -seed=7": what libFuzzer is given.
FUZZ ?= $(FUZZERS)
FUZZ_FLAGS ?= -max_total_time=60
fuzz: deps deps-fuzz ## feed damaged input to all that reads any (clang's libFuzzer, a minute each)
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) CC=clang SANITIZE=address,undefined fuzz-with-clang

.PHONY: fuzz-with-clang
fuzz-with-clang: $(FUZZ:%=$(B)/fuzz/%)
	$(Q)sh tests/fuzz/fuzz.sh $(B)/fuzz '$(FUZZ_FLAGS)' $(FUZZ)

test-asan: ## run all tests with the address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory test SANITIZE=address,undefined

test-extra: built ## run what needs more programs: valgrind, Debian's packaging, mingw-w64 and Wine, Slurm, Bazel, GNU parallel (skipped, with the reason, without them)
	$(Q)WCTS_BUILD=$(abspath $(B)) sh tests/extra.sh

test-fresh: ## run the README's two commands in a minimal Debian 12 (root, mmdebstrap; else skipped, with the reason)
	$(Q)bash tests/fresh.sh || [ $$? -eq 77 ]

mutation: all ## switch the emulator's faults on, one by one: each is noticed, and blamed on what it breaks
	$(Q)$(LARGE_PAGES) $(B)/$(TOOL) faults --try -j $(JOBS) --record $(B)/mutation.tsv $(MUTATION_FLAGS)
	$(Q)grep -v '^#part' $(B)/mutation.tsv | cmp - cases/mutation.tsv || \
	    { echo "cases/mutation.tsv is not what came: make mutation; cp $(B)/mutation.tsv cases/mutation.tsv"; exit 1; }

# MUTATION_FLAGS="--sample N --seed TEXT": N of them, drawn by the text. A part of a name: those that have it.
mutation-spec: all $(B)/mutate_spec ## mutate the spec: each mutant is refused by lint or turns a run red
	$(Q)rm -rf $(B)/mutants
	$(Q)$(LARGE_PAGES) $(B)/mutate_spec $(B)/$(TOOL) spec cases $(B)/mutants -j $(JOBS) \
	    -c tests/faults/choices -u tests/mutation/unseen.txt $(MUTATION_FLAGS)

# MUTANT=ID: that one alone, and what it is. SOURCE_FLAGS="--count 40 --seed S --sample", "--list", ...
mutation-source: deps-mutation all ## mutate the emulator's source: a survivor is a case to write, or is explained in docs/internal/mutants.md
	$(Q)$(LARGE_PAGES) CC="$(CC)" $(PYTHON) -B tests/mutation/mutate_source.py --tool $(B)/$(TOOL) --build $(B) \
	    -j $(JOBS) $(addprefix --mutant ,$(MUTANT)) $(SOURCE_FLAGS)

# It reads documents once, and puts one that is mutated in the place of another.
$(B)/mutate_spec: $(wildcard tests/mutation/*.c) $(HEADERS) $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $@")
	$(Q)$(CC) $(filter-out -MMD -MP,$(FLAGS)) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $(filter tests/%.c,$^) \
		-Wl,--wrap=wcts_load_xml_read $(B)/libwcts.a $(TEST_LDFLAGS) $(MODULE_LIBS) -ldl -lm

same: all ## compare plan, words, verdicts and lint with those of another commit: REF=COMMIT
	$(Q)sh tests/same/same.sh $(REF)

BENCH_WIRE = $(B)/tests/bench-wire "exec:$(B)/$(TOOL)-agent $(B)/emulator.so"

BENCH_DEATHS = /usr/bin/python3 -B tests/bench/deaths.py $(B)

# BENCH=suite, BENCH=plan, BENCH=traces, BENCH=sweep, BENCH=wire, BENCH=deaths: that alone.
bench: all $(B)/bench-suite $(B)/tests/walk-bench $(B)/tests/walk-calibrate $(B)/tests/bench-arrays $(B)/tests/bench-sweep $(B)/tests/bench-wire $(B)/plugins/hang_some.so ## print how long start-up, the suite, sequences, sweeps, the wire and deaths take, and how the plan grows (fails when it is far too slow)
	$(Q)case "$${BENCH:-}" in sweep|wire|deaths) ;; *) sh tests/deps.sh valgrind:valgrind;; esac
	$(Q)case "$${BENCH:-}" in sweep|wire|deaths) ;; *) bash tests/bench.sh $(B)/$(TOOL) $(B)/tests/walk-calibrate $(B)/bench-suite;; esac
	$(Q)[ -n "$${BENCH:-}" ] || { $(B)/tests/walk-bench && $(B)/tests/bench-arrays && \
		$(B)/tests/bench-sweep && $(BENCH_WIRE) && $(BENCH_DEATHS); }
	$(Q)[ "$${BENCH:-}" != sweep ] || $(B)/tests/bench-sweep
	$(Q)[ "$${BENCH:-}" != wire ] || $(BENCH_WIRE)
	$(Q)[ "$${BENCH:-}" != deaths ] || $(BENCH_DEATHS)

coverage: all ## print how far the suite has come with each statement
	$(Q)$(B)/$(TOOL) coverage $(COVERAGE_FLAGS)

picture: all $(B)/plugins/break_one.so ## render docs/report.png again, the README's picture of a report (chromium, pngquant)
	$(Q)WCTS_BUILD=$(B) sh tests/tools/picture.sh

lint: all ## check spec/ and cases/
	$(Q)$(B)/$(TOOL) lint

# ANALYZE_PART=3/10: of the files, the third of ten parts.
ANALYZE_PART ?= 1/1
analyze: build/binding.inc build/stylesheets.inc ## have gcc -fanalyzer, clang-tidy and cppcheck look for mistakes
	$(Q)WCTS_PART=$(ANALYZE_PART) FLAGS='$(filter-out -M%,$(FLAGS)) -I. $(subst ',,$(DEFINES)) $(MODULE_CFLAGS)' \
	    sh tests/analyze/analyze.sh $(SOURCES) $(if $(filter file,$(origin SOURCES)),$(ADAPTER_SOURCES))

format: ## format all C files
	clang-format -i $(FORMATTED)

format-check: ## fail when a C file is not formatted
	clang-format --dry-run --Werror $(FORMATTED)

clean: ## remove build/ (runs in out/ are kept)
	rm -rf build

# ---- building ----

.PHONY: links
links: $(B)/$(TOOL) $(B)/$(TOOL)-agent $(B)/$(TOOL).json $(B)/emulator.so $(ADAPTER)
ifeq ($(VARIANT),default)
	$(Q)ln -sfn default/$(TOOL) build/$(TOOL)
	$(Q)ln -sfn default/$(TOOL)-agent build/$(TOOL)-agent
	$(Q)ln -sfn default/$(TOOL).json build/$(TOOL).json
	$(Q)ln -sfn default/emulator.so build/emulator.so
	$(Q)ln -sfn default/libwddm-cts-ddi.a build/libwddm-cts-ddi.a
endif

build/binding.inc: spec/interface.xml runner/model/binding.xsl
	$(Q)mkdir -p $(@D)
	$(Q)xsltproc --nonet -o $@ runner/model/binding.xsl spec/interface.xml

# The stylesheets of reports are part of the tool: NAME.SUFFIX becomes wcts_NAME_SUFFIX.
SHEETS := $(addprefix reports/,html.xsl cobertura.xsl markdown.xsl report.css report.js)
build/stylesheets.inc: $(SHEETS) reports/embed.awk
	$(Q)mkdir -p $(@D)
	$(Q)awk -f reports/embed.awk $(SHEETS) > $@

$(B)/reports/transform.o: build/stylesheets.inc

$(B)/%.o: %.c Makefile | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(COLD_FLAGS) $(if $(filter emulator/%,$<),-fPIC,$(DEFINES) $(MODULE_CFLAGS)) -c -o $@ $<

$(B)/$(TOOL): $(OBJECTS)
	$(if $(Q),@echo "  LD $@")
	$(Q)$(CC) $(SANITIZERS) -Wl,--build-id,--compress-debug-sections=zlib $(LDFLAGS) -o $@ $^ $(MODULE_LIBS) -ldl -lm

# What the tool would make at each start: the loaded documents (runner/load/stored.h; where they cannot be
# stored an empty file, which is as none), ...
$(B)/spec.image: $(B)/$(TOOL) $(wildcard spec/* cases/*)
	$(if $(Q),@echo "  GEN $@")
	$(Q)$(B)/$(TOOL) lint --store $@ || { [ $$? -eq 3 ] && : > $@; }

# ... combinations (runner/generate/stored.h), ...
$(B)/combinations.txt: $(B)/spec.image
	$(if $(Q),@echo "  GEN $@")
	$(Q)$(B)/$(TOOL) generate --store $@

# ... and the plan, with those combinations (runner/plan/stored.h).
$(B)/plan.txt: $(B)/combinations.txt
	$(if $(Q),@echo "  GEN $@")
	$(Q)rm -f $@
	$(Q)$(B)/$(TOOL) list --store $@

$(B)/$(TOOL)-agent: $(AGENT)
	$(if $(Q),@echo "  LD $@")
	$(Q)$(CC) $(SANITIZERS) $(LDFLAGS) -o $@ $^ -ldl

# 0x0601: Windows 7 and later.
$(WIN)/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  MINGW $<")
	$(Q)$(MINGW) -std=gnu11 -O2 $(WARNINGS) -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1 -D_GNU_SOURCE -Iinclude -MMD -MP \
		-DWCTS_VERSION='"$(VERSION)"' -c -o $@ $<

$(WIN)/$(TOOL)-agent.exe: $(AGENT_WIN)
	$(if $(Q),@echo "  LD $@")
	$(Q)$(MINGW) -static -o $@ $^ -lws2_32

$(WIN)/emulator.dll: $(patsubst %.c,$(WIN)/%.o,$(sort $(wildcard emulator/*.c)))
	$(if $(Q),@echo "  LD $@")
	$(Q)$(MINGW) -static -shared -o $@ $^

$(WIN)/minimal.dll: examples/minimal/minimal.c include/wddm-cts.h
	$(if $(Q),@echo "  MINGW $@")
	$(Q)$(MINGW) -std=c11 -Wall -Iinclude -static -shared -o $@ $(filter %.c,$^)

windows: $(WIN)/$(TOOL)-agent.exe $(WIN)/emulator.dll $(WIN)/minimal.dll ## build agent, emulator and an example for Windows, with mingw-w64

-include $(shell find $(WIN) -name '*.d' 2>/dev/null)

# The header as a table, for other languages: sizes and offsets are the compiler's.
TABLED := include/wddm-cts.h runner/wire/protocol.h
$(B)/$(TOOL).json: $(TABLED) runner/wire/table.awk runner/wire/table.h
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  GEN $@")
	$(Q)awk -f runner/wire/table.awk $(TABLED) > $(B)/table.c
	$(Q)$(CC) -std=gnu11 -I. -o $(B)/table $(B)/table.c
	$(Q)$(B)/table > $@

$(B)/emulator.so: $(EMULATOR)
	$(if $(Q),@echo "  LD $@")
	$(Q)$(CC) $(SANITIZERS) $(LDFLAGS) -shared -o $@ $^

# The adapter is linked into shared objects. An archive is begun anew: it keeps what is gone.
$(B)/adapters/%.o: adapters/%.c Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(COLD_FLAGS) -fPIC -c -o $@ $<

$(ADAPTER): $(patsubst %.c,$(B)/%.o,$(ADAPTER_SOURCES))
	$(if $(Q),@echo "  AR $@")
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

NATIVE_FLAGS = $(filter-out -MMD -MP,$(TEST_FLAGS)) -Iadapters/ddi/include -fPIC -shared
$(B)/drivers/%.so: tests/drivers/%.c $(ADAPTER) $(ADAPTER_HEADERS) $(wildcard tests/drivers/*.h) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(NATIVE_FLAGS) -o $@ $< $(ADAPTER)

$(B)/drivers/%.so: tests/ddi/%.c $(ADAPTER) $(ADAPTER_HEADERS) $(wildcard tests/drivers/*.h) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(NATIVE_FLAGS) -o $@ $< $(ADAPTER)

$(B)/drivers/example.so: examples/ddi/driver.c examples/ddi/plugin.c examples/ddi/gpu.h $(ADAPTER) $(ADAPTER_HEADERS) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(NATIVE_FLAGS) -o $@ $(filter %.c,$^) $(ADAPTER)

# The emulator's driver behind the adapter, which has the plug-in's entry.
$(B)/drivers/front.so: tests/ddi/front.c $(ADAPTER) $(EMULATOR) $(ADAPTER_HEADERS) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(filter-out -shared,$(NATIVE_FLAGS)) -Iemulator -Dwcts_plugin_entry=emulator_entry -c -o $(B)/drivers/emulator.o \
		emulator/plugin.c
	$(Q)$(CC) $(NATIVE_FLAGS) -Iemulator -o $@ $< $(B)/drivers/emulator.o \
		$(filter-out %/plugin.o,$(EMULATOR)) $(ADAPTER)

# Everything but main, for the unit tests.
$(B)/libwcts.a: $(filter-out $(B)/runner/main.o,$(OBJECTS))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# The pool is tested with sessions that misbehave on demand.
WRAP_test_pool := wcts_machine_session_open wcts_run_case wcts_machine_session_close wcts_judge_death
WRAP_test_pool_again := $(WRAP_test_pool)
WRAP_test_again := wcts_run_judge_recording wcts_judge_not_claimed

$(B)/tests/%: tests/unit/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(TEST_FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< \
		$(addprefix -Wl$(comma)--wrap=,$(WRAP_$*)) $(B)/libwcts.a $(TEST_LDFLAGS) $(CHECK_FLAGS) \
		$(MODULE_LIBS) -ldl -lm

# bench-suite finds the stored plan as the tool does: beside it.
$(B)/bench-suite: tests/bench/suite.c $(B)/libwcts.a | build/binding.inc
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< $(B)/libwcts.a $(TEST_LDFLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/bench-%: tests/bench/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< $(B)/libwcts.a $(TEST_LDFLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/walk-%: tests/walk/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< $(B)/libwcts.a $(TEST_LDFLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/sweep: $(SWEEP) $(HEADERS) $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $@")
	$(Q)$(CC) $(filter-out -MMD -MP,$(FLAGS)) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $(SWEEP) \
		$(B)/libwcts.a $(TEST_LDFLAGS) $(MODULE_LIBS) -ldl -lm

# Fuzz targets with what takes the place of a part of the tool.
WRAP_replies := wcts_machine_plugin_load
WRAP_store := wcts_plan_free
WRAP_wire := wcts_wire_files_bytes $(addprefix wcts_wire_target_,open has_ended wait close)
FUZZ_FLAGS_OF = $(filter-out -MMD -MP,$(FLAGS)) -I. $(DEFINES) $(MODULE_CFLAGS)
FUZZ_LINK = $(addprefix -Wl$(comma)--wrap=,$(WRAP_$*)) $(B)/libwcts.a $(TEST_LDFLAGS) $(MODULE_LIBS) -ldl -lm

# With a main that reads files: the corpus is tried without libFuzzer, ...
$(B)/tests/fuzz-%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c tests/fuzz/main.c tests/fuzz/fuzz.h $(B)/libwcts.a
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FUZZ_FLAGS_OF) -o $@ $(filter %.c,$^) $(FUZZ_LINK)

# ... and with it. It follows the input through these folders, which read it, and nowhere else: all else is
# the ordinary build, and faster.
READS_etw := import
READS_expr := lang
READS_jsonl := import
READS_records := exchange
READS_replies := exchange machine
READS_spec := load lang
READS_store := store
READS_wire := wire
$(B)/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.c tests/fuzz/fuzz.h $(B)/libwcts.a
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $< with runner/$(READS_$*)")
	$(Q)$(CC) $(FUZZ_FLAGS_OF) -fsanitize=fuzzer -o $@ $(filter %.c,$^) \
		$(wildcard $(READS_$*:%=runner/%/*.c)) $(FUZZ_LINK)

# The emulator alone: against machines and counterparts of its tests' own.
$(B)/tests/emulator-%: tests/emulator/%.c $(wildcard tests/emulator/*.h) $(EMULATOR) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(filter-out -MMD -MP,$(TEST_FLAGS)) -Iemulator -o $@ $< $(EMULATOR) $(TEST_LDFLAGS)

# They do what is undefined on purpose: that is not to end them.
$(B)/plugins/%.so: tests/plugins/%.c Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(TEST_FLAGS) $(if $(SANITIZE),-fsanitize-recover=undefined) -fPIC -shared -o $@ $< -pthread

-include $(OBJECTS:.o=.d) $(patsubst %.c,$(B)/%.d,$(ADAPTER_SOURCES)) $(AGENT:.o=.d) $(UNITS:=.d) $(WALK:=.d) $(PLUGINS:.so=.d)

# Manual pages and completions: from the help, and what the pages say besides.
$(B)/share/table: $(B)/$(TOOL) $(B)/$(TOOL)-agent packaging/table.sh
	$(Q)mkdir -p $(@D)
	$(Q)sh packaging/table.sh $(B) > $@

$(B)/share/man/%.1: docs/%.1 $(B)/share/table packaging/man.awk
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  GEN $@")
	$(Q)awk -f packaging/man.awk $(B)/share/table $< > $@

# A shell looks for a file with the name of the command.
COMPLETIONS := $(addprefix $(B)/share/,bash/$(TOOL) bash/$(TOOL)-agent zsh/_$(TOOL) fish/$(TOOL).fish fish/$(TOOL)-agent.fish)
$(COMPLETIONS): $(B)/share/table packaging/complete.awk
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  GEN $@")
	$(Q)awk -v shell=$(notdir $(@D)) -f packaging/complete.awk $< > $@

# The prefix may be another each time.
$(B)/share/%.pc: docs/%.pc.in FORCE
	$(Q)mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' $< > $@
.PHONY: FORCE
FORCE:

.PHONY: pages
pages: $(COMPLETIONS) $(B)/share/man/$(TOOL).1 $(B)/share/man/$(TOOL)-agent.1
built: pages

# ---- installing ----

# INSTALLS/FOLDER: the files that go to PREFIX/FOLDER. "install" puts each there, and "uninstall" takes it away;
# folders that are the tool's own go as well, unless there is something else in them.
DATA := share/$(TOOL)
DOCS := share/doc/$(TOOL)
INSTALLS/bin := $(B)/$(TOOL) $(B)/$(TOOL)-agent
INSTALLS/lib/$(TOOL) := $(B)/emulator.so
INSTALLS/lib := $(ADAPTER)
INSTALLS/share/pkgconfig := $(B)/share/$(TOOL).pc $(B)/share/$(TOOL)-ddi.pc
INSTALLS/include/$(TOOL)-ddi := $(wildcard adapters/ddi/include/*.h)
INSTALLS/include := include/wddm-cts.h
INSTALLS/$(DATA) := $(B)/spec.image $(B)/combinations.txt $(B)/plan.txt $(B)/$(TOOL).json
INSTALLS/$(DATA)/spec := $(wildcard spec/*.*)
INSTALLS/$(DATA)/spec/profiles := $(wildcard spec/profiles/*)
INSTALLS/$(DATA)/spec/traces := $(wildcard spec/traces/*)
INSTALLS/$(DATA)/cases := $(wildcard cases/*)
INSTALLS/$(DATA)/contrib/recorder := $(wildcard contrib/recorder/*.[ch] contrib/recorder/*.py)
$(foreach one,etw slurm bazel parallel k8s,$(eval INSTALLS/$(DATA)/contrib/$(one) := $(wildcard contrib/$(one)/*)))
INSTALLS/$(DOCS) := $(wildcard docs/*.md docs/*.svg)
INSTALLS/share/man/man1 := $(B)/share/man/$(TOOL).1 $(B)/share/man/$(TOOL)-agent.1
INSTALLS/share/bash-completion/completions := $(filter $(B)/share/bash/%,$(COMPLETIONS))
INSTALLS/share/zsh/site-functions := $(filter $(B)/share/zsh/%,$(COMPLETIONS))
INSTALLS/share/fish/vendor_completions.d := $(filter $(B)/share/fish/%,$(COMPLETIONS))
$(foreach one,$(notdir $(patsubst %/,%,$(sort $(dir $(wildcard examples/*/*))))), \
	$(eval INSTALLS/$(DOCS)/examples/$(one) := $(filter-out %.so %.d,$(wildcard examples/$(one)/*))))
FOLDERS := $(sort $(patsubst INSTALLS/%,%,$(filter INSTALLS/%,$(.VARIABLES))))
OWN := $(filter %/$(TOOL) %/$(TOOL)-ddi $(DATA)/% $(DOCS)/%,$(FOLDERS)) $(DATA)/contrib $(DOCS)/examples

define newline


endef

INSTALL_EACH = $(foreach one,$(FOLDERS),$(Q)install -m $(if $(filter bin,$(one)),755,644) $(INSTALLS/$(one)) \
	'$(DESTDIR)$(PREFIX)/$(one)/'$(newline))
# What is started and is no program.
EXECUTABLE := $(foreach one,$(FOLDERS),$(addprefix $(one)/,$(notdir $(filter %.sh %.sbatch,$(INSTALLS/$(one))))))
UNINSTALL_EACH = $(foreach one,$(FOLDERS),$(Q)cd '$(DESTDIR)$(PREFIX)/$(one)' 2>/dev/null && \
	rm -f $(notdir $(INSTALLS/$(one))) || :$(newline))

install: all pages $(B)/share/$(TOOL).pc $(B)/share/$(TOOL)-ddi.pc ## install under DESTDIR/PREFIX
	$(Q)install -d $(FOLDERS:%='$(DESTDIR)$(PREFIX)/%')
	$(INSTALL_EACH)
	$(Q)cd '$(DESTDIR)$(PREFIX)' && chmod 755 $(EXECUTABLE)

uninstall: ## remove what install put there, and nothing else
	$(UNINSTALL_EACH)
	$(Q)for folder in $$(printf '%s\n' $(OWN) | sort -r); do \
		rmdir '$(DESTDIR)$(PREFIX)'/"$$folder" 2>/dev/null || :; done

# ---- packages ----

# Debian's files are at the top of a copy of what git has, or of all but build/ where there is no git.
deb: deps ## make a Debian package of the tree in build/deb (installs debhelper if it is missing)
	$(Q)sh tests/deps.sh dpkg-buildpackage:dpkg-dev dh:debhelper /usr/share/build-essential/list:build-essential
	$(Q)rm -rf build/deb && mkdir -p build/deb/$(TOOL)
	$(Q){ git ls-files 2>/dev/null || find . -path ./build -prune -o -path ./out -prune -o -type f -print; } | \
		tar -cf - -T - | tar -xf - -C build/deb/$(TOOL)
	$(Q)cp -R packaging/debian build/deb/$(TOOL)/debian
	$(Q)cd build/deb/$(TOOL) && unset MAKEFLAGS MFLAGS && dpkg-buildpackage -us -uc -F $(DEB_FLAGS)

# ---- what the build needs ----

# program:package, /file:package and, for pkg-config modules, module=package
PROGRAMS := gcc:gcc pkg-config:pkg-config xsltproc:xsltproc xmllint:libxml2-utils
LIBRARIES := libxml-2.0=libxml2-dev libpcre2-8=libpcre2-dev jansson=libjansson-dev check=check \
	libxslt=libxslt1-dev libexslt=libxslt1-dev libzstd=libzstd-dev nettle=nettle-dev
# Python, and what its scripts import.
MUTATION := $(PYTHON):python3 /usr/lib/python3/dist-packages/clang/cindex.py:python3-clang \
	/usr/lib/python3/dist-packages/junitparser/__init__.py:python3-junitparser

deps: ## install what the build needs and is missing (apt)
	$(Q)sh tests/deps.sh $(PROGRAMS) $(LIBRARIES)

deps-mutation:
	$(Q)sh tests/deps.sh $(MUTATION)

# clang, with its sanitizers and libFuzzer.
CLANG := clang:clang \
	/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.asan-x86_64.a:libclang-rt-14-dev

deps-fuzz:
	$(Q)sh tests/deps.sh $(CLANG)

deps-ci: ## the same, and what CI needs
	$(Q)sh tests/deps.sh $(PROGRAMS) g++:g++ $(CLANG) clang-format:clang-format \
		clang-tidy:clang-tidy cppcheck:cppcheck gdb:gdb prove:perl yamllint:yamllint \
		chromium:chromium chromedriver:chromium-driver $(MUTATION) $(LIBRARIES)
