# SPDX-License-Identifier: MIT
"""What a consumer makes of a JUnit report, against the report itself.

consumers.py junitparser REPORT          as Debian's python3-junitparser reads it
consumers.py junit2json REPORT JSON      as the npm package of that name wrote it
consumers.py junit-to-ctrf REPORT JSON   the same
"""
import json
import sys
import xml.etree.ElementTree as ElementTree

KINDS = ("failure", "error", "skipped")


def of_report(path):
    """(name, kind or None, message) of each testcase."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        child = next((one for one in case if one.tag in KINDS), None)
        yield (case.get("name"), None if child is None else child.tag,
               "" if child is None else child.get("message"))


def of_junitparser(path):
    import junitparser
    for suite in junitparser.JUnitXml.fromfile(path):
        for case in suite:
            result = [one for one in case.result if one._tag in KINDS]
            assert len(result) < 2, case.name
            if result:
                assert result[0].text.startswith(result[0].message), case.name
            yield (case.name, result[0]._tag if result else None, result[0].message if result else "")


def of_junit2json(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for suite in report["testsuite"]:
        for case in suite["testcase"]:
            kind = next((one for one in KINDS if one in case), None)
            yield (case["name"], kind, case[kind][0]["message"] if kind else "")


def of_ctrf(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)["results"]
    kinds = {"passed": None, "failed": "failed", "skipped": "skipped"}
    for case in report["tests"]:
        yield (case["name"].split(": ", 1)[1], kinds[case["status"]], case.get("message", ""))


def main():
    consumer, report = sys.argv[1:3]
    expected = list(of_report(report))
    if consumer == "junitparser":
        got = list(of_junitparser(report))
    elif consumer == "junit2json":
        got = list(of_junit2json(sys.argv[3]))
    else:
        # It has one word for failures and errors, and no reason of what was skipped.
        expected = [(name, "failed" if kind in KINDS[:2] else kind, message if kind in KINDS[:2] else "")
                    for name, kind, message in expected]
        got = [(name, kind, message if kind == "failed" else "") for name, kind, message in of_ctrf(sys.argv[3])]
    if not expected or got != expected:
        wrong = [pair for pair in zip(expected, got) if pair[0] != pair[1]][:3]
        sys.exit(f"{consumer}: {len(got)} of {len(expected)} testcases, differences: {wrong}")


main()
