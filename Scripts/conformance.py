#!/usr/bin/env python3
"""conformance.py [--check]: writes docs/conformance.md, which tells of each case of the public conformance suites which tests show it, or
compares it with what it would write.

The cases stand in docs/conformance-cases.txt. A test shows a case that its name in the sources has: the name of a `@Test`, or of one of the
cases that it goes through. A case without a test and without a reason is named as missing.
"""
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CASES = os.path.join(ROOT, "docs", "conformance-cases.txt")
TABLE = os.path.join(ROOT, "docs", "conformance.md")
NAME = re.compile(r"(?<![A-Za-z0-9_-])((?:oidcc-client-test|fapi2-)[A-Za-z0-9_-]*)")
SUITE = re.compile(r"^(?:@[^\n]*\n)*\s*(?:final )?(?:struct|class|enum|extension) (\w+)", re.M)
FUNCTION = re.compile(r"\bfunc (\w+)")


def tests():
    """The cases that tests name, each with where."""
    found = {}
    for folder, folders, files in os.walk(os.path.join(ROOT, "Tests")):
        folders.sort()
        for name in sorted(file for file in files if file.endswith("Tests.swift")):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            suite = name[: -len(".swift")]
            # Names in comments are no tests.
            code = re.sub(r"//[^\n]*", lambda match: " " * len(match.group()), text)
            for match in NAME.finditer(code):
                case = match.group(1).rstrip("-")
                found.setdefault(case, set()).add((where(code, match.start(), suite), os.path.relpath(path, ROOT)))
    return found


def where(code, place, suite):
    """The suite, and the test whose name has the place in it."""
    attribute = code.rfind("@Test", 0, place)
    function = FUNCTION.search(code, attribute) if attribute >= 0 else None
    # The name of one of several cases stands outside of the test's attribute.
    if function is None or function.start() < place:
        return suite
    return "%s/%s" % (suite, function.group(1))


def table():
    found = tests()
    used = set()
    missing = 0
    lines = [
        "# The cases of the public conformance suites",
        "",
        "Made by `Scripts/conformance.py` of the names of the tests; the documentation's check holds it to them. The cases are those of a relying",
        "party in the OpenID Foundation's suites. `fapi2-` stands for `fapi2-security-profile-final-client-test-`. The suites themselves were not run:",
        "each case is a test of this repository.",
    ]
    with open(CASES, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("## "):
                lines += ["", line, "", "| Case | Tests |", "|---|---|"]
            elif line and not line.startswith("#"):
                case, _, reason = line.partition("  ")
                used.add(case)
                shown = ", ".join(
                    "[`%s`](../%s)" % (test, path) for test, path in sorted(found.get(case, ())))
                if not shown and reason:
                    shown = "not here: " + reason
                if not shown:
                    shown = "**missing**"
                    missing += 1
                lines.append("| `%s` | %s |" % (case, shown))
    unknown = sorted(set(found) - used)
    lines += ["", "%d cases have no test yet." % missing if missing else "No case is without a test.", ""]
    return "\n".join(lines), unknown


def main():
    text, unknown = table()
    if unknown:
        print("conformance: tests name cases that docs/conformance-cases.txt lacks: " + ", ".join(unknown))
        return 1
    if "--check" not in sys.argv[1:]:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    try:
        with open(TABLE, encoding="utf-8") as file:
            if file.read() == text:
                return 0
    except FileNotFoundError:
        pass
    print("conformance: docs/conformance.md is not what the tests' names make; run Scripts/conformance.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
