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
HEADERS  := $(wildcard include/*.h runner/*/*.h reports/*.h emulator/*.h agent/*.h tests/plugins/*.h tests/unit/*.h tests/sweep/*.h tests/bench/*.h)
EMULATOR := $(patsubst %.c,$(B)/%.o,$(filter emulator/%,$(SOURCES)))
OBJECTS  := $(patsubst %.c,$(B)/%.o,$(SOURCES))
# The agent needs the C library alone: no folder but its own and what it shares with the runner.
AGENT    := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard agent/*.c)) \
	$(addprefix runner/,wire/stream.c wire/files.c wire/talk.c wire/peer.c machine/room.c base/exit.c))
# SKIP_UNITS="pool plan": unit tests that are neither built nor run.
UNITS    := $(filter-out $(SKIP_UNITS:%=$(B)/tests/test_%), \
	$(patsubst tests/unit/%.c,$(B)/tests/%,$(sort $(wildcard tests/unit/test_*.c))))
# It waits for what hangs: the first to begin.
WAITING  := $(B)/tests/test_pool
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
WALK     := $(patsubst tests/walk/%.c,$(B)/tests/walk-%,$(sort $(wildcard tests/walk/*.c)))
FORMATTED := $(sort $(SOURCES) $(HEADERS) $(SWEEP) $(wildcard agent/*.c tests/unit/*.c tests/plugins/*.c tests/emulator/*.c \
	tests/walk/*.c tests/bench/*.c \
	tests/check/*.c contrib/*/*.c contrib/*/*.h examples/*/*.c))

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
# What the tests themselves have to do is quick: with sanitizers, compiling it costs more.
TEST_FLAGS = $(FLAGS) $(if $(SANITIZE),-O0)
# The same holds for what a run does not wait for.
COLD    := $(addprefix runner/,baseline cli cover faults load store) reports
COLD_FLAGS = $(FLAGS) $(if $(SANITIZE),$(if $(filter $(COLD:%=%/%),$<),-O0))
DEFINES = -DWCTS_VERSION='"$(VERSION)"' -DWCTS_DATADIR='"$(PREFIX)/share/$(TOOL)"'

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help run test test-quick tests test-asan test-fresh mutation mutation-spec mutation-source same bench coverage picture lint analyze format \
	format-check install clean deps deps-ci deps-mutation

all: $(B)/$(TOOL) $(B)/$(TOOL)-agent $(B)/$(TOOL).json $(B)/emulator.so $(B)/plan.txt links ## build the tool and the emulator (default)

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
built: all $(UNITS) $(PLUGINS) $(SELFTESTS) $(WALK) $(B)/tests/sweep

# Twice as many at a time as there are processors: what hangs, or asks a browser, waits more than it works.
TESTS_AT_ONCE := $(shell echo $$(($(JOBS) * 2)))

tests: built
	@echo "running $(words $(UNITS) $(SCRIPTS)) tests, $(TESTS_AT_ONCE) at a time: under ten minutes on two processors"
	$(Q)$(LARGE_PAGES) JOBS=$(TESTS_AT_ONCE) WCTS_BUILD=$(abspath $(B)) WCTS_PART=$(WCTS_PART) sh tests/run.sh \
	    $(filter $(WAITING),$(UNITS)) $(SCRIPTS) $(filter-out $(WAITING),$(UNITS))

# The unit tests and what says most about the tool as a whole.
QUICK := $(UNITS) tests/house/test-house.sh tests/cli/test-cli.sh tests/trouble/test-trouble.sh

test-quick: ## build, run the unit tests and the most telling scripts (under a minute when nothing else runs)
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) built
	@echo "running $(words $(QUICK)) tests, $(JOBS) at a time: under a minute on two processors"
	$(Q)JOBS=$(JOBS) WCTS_BUILD=$(abspath $(B)) sh tests/run.sh $(QUICK)

test-asan: ## run all tests with the address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory test SANITIZE=address,undefined

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

$(B)/mutate_spec: tests/mutation/mutate_spec.c Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) $(MODULE_CFLAGS) -o $@ $< $(MODULE_LIBS)

same: all ## compare plan, words, verdicts and lint with those of another commit: REF=COMMIT
	$(Q)sh tests/same/same.sh $(REF)

BENCH_WIRE = $(B)/tests/bench-wire "exec:$(B)/$(TOOL)-agent $(B)/emulator.so"

# BENCH=suite, BENCH=plan, BENCH=sweep, BENCH=wire: that alone.
bench: all $(B)/tests/walk-bench $(B)/tests/walk-calibrate $(B)/tests/bench-arrays $(B)/tests/bench-sweep $(B)/tests/bench-wire ## print how long start-up, the suite, sequences, sweeps and the wire take, and how the plan grows (fails when it is far too slow)
	$(Q)case "$${BENCH:-}" in suite|sweep|wire) ;; *) sh tests/deps.sh valgrind:valgrind;; esac
	$(Q)case "$${BENCH:-}" in sweep|wire) ;; *) bash tests/bench.sh $(B)/$(TOOL) $(B)/tests/walk-calibrate;; esac
	$(Q)[ -n "$${BENCH:-}" ] || { $(B)/tests/walk-bench && $(B)/tests/bench-arrays && \
		$(B)/tests/bench-sweep && $(BENCH_WIRE); }
	$(Q)[ "$${BENCH:-}" != sweep ] || $(B)/tests/bench-sweep
	$(Q)[ "$${BENCH:-}" != wire ] || $(BENCH_WIRE)

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
	    sh tests/analyze/analyze.sh $(SOURCES)

format: ## format all C files
	clang-format -i $(FORMATTED)

format-check: ## fail when a C file is not formatted
	clang-format --dry-run --Werror $(FORMATTED)

clean: ## remove build/ (runs in out/ are kept)
	rm -rf build

# ---- building ----

.PHONY: links
links: $(B)/$(TOOL) $(B)/$(TOOL)-agent $(B)/$(TOOL).json $(B)/emulator.so
ifeq ($(VARIANT),default)
	$(Q)ln -sfn default/$(TOOL) build/$(TOOL)
	$(Q)ln -sfn default/$(TOOL)-agent build/$(TOOL)-agent
	$(Q)ln -sfn default/$(TOOL).json build/$(TOOL).json
	$(Q)ln -sfn default/emulator.so build/emulator.so
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
	$(Q)$(CC) $(SANITIZERS) -Wl,--build-id $(LDFLAGS) -o $@ $^ $(MODULE_LIBS) -ldl -lm

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

# Everything but main, for the unit tests.
$(B)/libwcts.a: $(filter-out $(B)/runner/main.o,$(OBJECTS))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# The pool is tested with sessions that misbehave on demand.
WRAP_test_pool := wcts_machine_session_open wcts_run_case wcts_machine_session_close wcts_judge_death
WRAP_test_again := wcts_run_judge_recording wcts_judge_not_claimed

$(B)/tests/%: tests/unit/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(TEST_FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< \
		$(addprefix -Wl$(comma)--wrap=,$(WRAP_$*)) $(B)/libwcts.a $(LDFLAGS) $(CHECK_FLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/bench-%: tests/bench/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< $(B)/libwcts.a $(LDFLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/walk-%: tests/walk/%.c $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(FLAGS) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $< $(B)/libwcts.a $(LDFLAGS) \
		$(MODULE_LIBS) -ldl -lm

$(B)/tests/sweep: $(SWEEP) $(HEADERS) $(B)/libwcts.a | build/binding.inc
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $@")
	$(Q)$(CC) $(filter-out -MMD -MP,$(FLAGS)) -I. $(DEFINES) $(MODULE_CFLAGS) -o $@ $(SWEEP) \
		$(B)/libwcts.a $(LDFLAGS) $(MODULE_LIBS) -ldl -lm

# The emulator alone: against machines and counterparts of its tests' own.
$(B)/tests/emulator-%: tests/emulator/%.c $(EMULATOR) Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(filter-out -MMD -MP,$(FLAGS)) -Iemulator -o $@ $< $(EMULATOR) $(LDFLAGS)

# They do what is undefined on purpose: that is not to end them.
$(B)/plugins/%.so: tests/plugins/%.c Makefile
	$(Q)mkdir -p $(@D)
	$(if $(Q),@echo "  CC $<")
	$(Q)$(CC) $(TEST_FLAGS) $(if $(SANITIZE),-fsanitize-recover=undefined) -fPIC -shared -o $@ $< -pthread

-include $(OBJECTS:.o=.d) $(AGENT:.o=.d) $(UNITS:=.d) $(WALK:=.d) $(PLUGINS:.so=.d)

# ---- installing ----

bindir := $(DESTDIR)$(PREFIX)/bin
datadir := $(DESTDIR)$(PREFIX)/share/$(TOOL)
docdir := $(DESTDIR)$(PREFIX)/share/doc/$(TOOL)

install: all ## install under DESTDIR/PREFIX
	install -d $(bindir) $(datadir)/spec $(datadir)/cases $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(docdir)
	install -m 755 $(B)/$(TOOL) $(bindir)/$(TOOL)
	install -m 755 $(B)/$(TOOL)-agent $(bindir)/$(TOOL)-agent
	install -m 644 $(wildcard spec/*) $(datadir)/spec/
	install -m 644 $(wildcard cases/*) $(datadir)/cases/
	install -m 644 $(B)/spec.image $(B)/combinations.txt $(B)/plan.txt $(datadir)
	install -m 644 $(B)/$(TOOL).json $(datadir)/$(TOOL).json
	install -m 644 include/wddm-cts.h $(DESTDIR)$(PREFIX)/include/wddm-cts.h
	install -d $(datadir)/contrib/recorder
	install -m 644 $(wildcard contrib/recorder/*.[ch] contrib/recorder/*.py) $(datadir)/contrib/recorder
	install -m 644 $(wildcard docs/*.md docs/*.svg) $(docdir)/
	install -m 644 docs/wddm-cts.1 $(DESTDIR)$(PREFIX)/share/man/man1/wddm-cts.1
	install -m 644 docs/wddm-cts.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$(TOOL)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' docs/wddm-cts.pc.in \
		> $(DESTDIR)$(PREFIX)/lib/pkgconfig/wddm-cts.pc

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

deps-ci: ## the same, and what CI needs
	$(Q)sh tests/deps.sh $(PROGRAMS) g++:g++ clang:clang clang-format:clang-format \
		clang-tidy:clang-tidy cppcheck:cppcheck gdb:gdb \
		/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.asan-x86_64.a:libclang-rt-14-dev prove:perl yamllint:yamllint \
		chromium:chromium chromedriver:chromium-driver $(MUTATION) $(LIBRARIES)
