/* SPDX-License-Identifier: MIT */
/* The table of pairs of flags in the result XML: what the spec says of each, and what was tried. */
#include "results.h"

static void put_pair(struct wcts_report_xml *xml, const struct wcts_report_matrix *matrix, int i,
                     int j)
{
    const struct wcts_report_pair *pair = &matrix->pairs[i][j];
    uint64_t both = UINT64_C(1) << i | UINT64_C(1) << j;
    const char *says = (matrix->open & both) != 0                 ? "open"
                       : (matrix->says.valid[i] >> j & 1) != 0    ? "allowed"
                       : (matrix->says.bearable[i] >> j & 1) != 0 ? "either"
                                                                  : "refused";
    wcts_report_xml_start(xml, "pair");
    wcts_report_xml_number(xml, "a", i);
    wcts_report_xml_number(xml, "b", j);
    wcts_report_xml_attribute(xml, "spec", says);
    wcts_report_xml_number(xml, "allowed", pair->tried[WCTS_ACCEPTS]);
    wcts_report_xml_number(xml, "refused", pair->tried[WCTS_REFUSES]);
    wcts_report_xml_number(xml, "either", pair->tried[WCTS_EITHER]);
    wcts_report_xml_number(xml, "wrong", pair->wrong);
    wcts_report_xml_end(xml);
}

void wcts_report_results_pairs(struct wcts_report_xml *xml, const struct wcts_spec *spec, int index,
                               const struct wcts_report_matrix *matrix)
{
    const struct wcts_word *word = &spec->words[index];
    if (matrix->version < 0)
        return;
    wcts_report_xml_start(xml, "pairs");
    wcts_report_xml_attribute(xml, "word", word->name);
    wcts_report_xml_attribute(xml, "version", spec->versions[matrix->version].name);
    for (int i = 0; i < word->bits; i++)
        for (int j = i; j < word->bits; j++)
            if ((matrix->defined >> i & 1) != 0 && (matrix->defined >> j & 1) != 0)
                put_pair(xml, matrix, i, j);
    wcts_report_xml_end(xml);
}
