#!/bin/sh
# SPDX-License-Identifier: MIT
# spec/old-notation.xsl: documents whose rules are elements are those that they were, in the language. A rule of each
# form has its shape, and the cases of a document are the same. Run from the source directory; WCTS_BUILD is the build
# directory.
. tests/common.sh
here=tests/notation

xsltproc spec/old-notation.xsl "$here/900-hints.xml" >"$work/900-hints.xml"
ok "hints are translated" [ $? -eq 0 ]
for document in tests/document/900-hints.xml "$work/900-hints.xml"; do
    "$tool" list -v --spec "$document" >"$work/plan-$(dirname "$document" | tr / -)" 2>&1
    ok "$document is planned" [ $? -eq 0 ]
done
ok "both have one plan" cmp "$work/plan-tests-document" "$work"/plan--*
ok "with cases of theirs" grep -q '^HNT-\|^HIN' "$work/plan-tests-document"

# rules DOCUMENT: its rules, however they are laid out.
rules() {
    xmllint --c14n "$1" | sed 's/<!--.*-->//' | tr -s ' \n' ' ' | sed 's/ *\(<\|\/*>\) */\1/g; s/></>\n</g' | grep '<rule'
}

xsltproc spec/old-notation.xsl "$here/100-forms.xml" >"$work/100-forms.xml"
ok "forms are translated" [ $? -eq 0 ]
rules "$work/100-forms.xml" >"$work/translated"
rules tests/data/forms/spec/100-forms.xml >"$work/written"
ok "each form is the expression that it was" diff "$work/written" "$work/translated"
ok "there are 40 of them" [ "$(grep -c '<rule' "$work/written")" -eq 40 ]
summary
