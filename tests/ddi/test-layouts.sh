#!/bin/sh
# SPDX-License-Identifier: MIT
# The structures of the adapter have the layouts of layouts.txt at every version, its headers compile
# alone, and library, example and drivers compile without a warning, with gcc and, where it is
# installed, clang. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh
warnings="-Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Werror"
include="-Iinclude -Iadapters/ddi/include"
versions="1.0=0x1053 1.1=0x2005 1.2=0x300E 1.3=0x4002 2.0=0x5023 2.1=0x6003 2.2=0x700A 2.3=0x8001 2.4=0x9006
2.5=0xA00B 2.6=0xB004 2.7=0xC004 2.8=0xD001 2.9=0xE003 3.0=0xF003 3.1=0x10004 3.2=0x11007"

# program VERSION TABLE: C that compiles when the layouts are those of the version, and whose run prints
# the bits that are wrong.
program() {
    awk -v version="$1" '
        /^#/ || $4 > version {next}
        $2 == "sizeof" {size[$1] = $3; next}
        $3 ~ /^bit/ {
            sub(/^bit/, "", $3)
            bits = bits "    {" $1 " word; memset(&word, 0, sizeof word); word." $2 " = 1; bad += word.Value != 1u << " $3 ";}\n"
            next
        }
        {print "_Static_assert(offsetof(" $1 ", " $2 ") == " $3 ", \"" $1 "." $2 "\");"}
        END {
            for (one in size)
                print "_Static_assert(sizeof(" one ") == " size[one] ", \"size of " one "\");"
            print "int main(void)\n{\n    int bad = 0;\n" bits "    return bad;\n}"
        }' "$2"
}

# laid_out VERSION NUMBER TABLE: at the version all is where the table says.
laid_out() {
    { echo "#define DXGKDDI_INTERFACE_VERSION $2"; echo '#include "dispmprt.h"'; program "$1" "$3"; } >"$work/layout.c"
    # shellcheck disable=SC2086
    gcc -std=c11 $include -o "$work/layout" "$work/layout.c" && "$work/layout"
}

for pair in $versions; do
    ok "layouts of ${pair%=*}" laid_out "${pair%=*}" "${pair#*=}" tests/ddi/layouts.txt
done
ok "the table has rows" [ "$(wc -l <tests/ddi/layouts.txt)" -gt 400 ]
# A wrong row is found, of either sort.
sed 's/^DXGK_SEGMENTDESCRIPTOR4 VprRangeSize 0x48/DXGK_SEGMENTDESCRIPTOR4 VprRangeSize 0x40/' tests/ddi/layouts.txt >"$work/wrong"
status 1 laid_out 2.0 0x5023 "$work/wrong"
sed 's/^DXGK_VIDMMCAPS GpuMmuSupported bit6/DXGK_VIDMMCAPS GpuMmuSupported bit7/' tests/ddi/layouts.txt >"$work/wrong"
status 1 laid_out 2.0 0x5023 "$work/wrong"

# A driver in the words of the kit and its samples, in C and, where it is installed, C++.
cat >"$work/kit.h" <<'END'
#include <ntddk.h>
#include <dispmprt.h>
C_ASSERT(sizeof(DXGK_ALLOCATIONLIST) == 24);
_IRQL_requires_same_ static inline NTSTATUS Patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH args)
{
    UNREFERENCED_PARAMETER(adapter);
    return args->pDmaBuffer ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}
static inline NTSTATUS Create(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION args)
{
    UNREFERENCED_PARAMETER(adapter);
    args->pAllocationInfo[0].hAllocation = ExAllocatePoolZero(NonPagedPoolNx, 8, 1);
    return args->pAllocationInfo[0].hAllocation ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}
static inline NTSTATUS Query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO args)
{
    DXGK_DRIVERCAPS *caps = (DXGK_DRIVERCAPS *)args->pOutputData;
    UNREFERENCED_PARAMETER(adapter);
    caps->PointerCaps.Color = caps->PresentationCaps.SupportKernelModeCommandBuffer = 1;
    caps->FlipCaps.FlipOnVSyncMmIo = caps->SchedulingCaps.MultiEngineAware = 1;
    caps->PreemptionCaps.GraphicsPreemptionGranularity = D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    return STATUS_SUCCESS;
}
static inline void Entry(_Inout_updates_(1) DRIVER_INITIALIZATION_DATA *data)
{
    PAGED_CODE();
    data->DxgkDdiPatch = Patch;
    data->DxgkDdiCreateAllocation = Create;
    data->DxgkDdiQueryAdapterInfo = Query;
    NT_VERIFY(data->DxgkDdiPatch != NULL);
}
END
for version in 0x300E 0x11007; do
    for words in "c -std=c11" "c++ -std=c++17"; do
        case $words in
        c++*) command -v g++ >/dev/null || { echo "# no g++: not compiled as C++"; continue; } ;;
        esac
        # shellcheck disable=SC2086
        ok "the kit's words in ${words%% *} at $version" gcc -Wall -Wextra -Werror -fshort-wchar -DDXGKDDI_INTERFACE_VERSION=$version \
            $include -fsyntax-only -x $words "$work/kit.h"
    done
done

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "# no $compiler: not compiled with it"; continue; }
    for header in adapters/ddi/include/*.h; do
        # shellcheck disable=SC2086
        ok "$compiler: $header compiles alone" "$compiler" -x c -std=c11 $warnings -Wno-unused-function $include \
            -fsyntax-only "$header"
    done
    for file in adapters/ddi/*.c examples/ddi/driver.c tests/drivers/*.c; do
        # shellcheck disable=SC2086
        ok "$compiler: $file" "$compiler" -std=c11 $warnings $include -fsyntax-only "$file"
    done
done
summary
