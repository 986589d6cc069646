#!/usr/bin/env python3
"""unicode.py [--check]: writes the tables that the rules for user names need, or compares them with their source.

Its source is the Unicode Character Database 15.0 in Debian's unicode-data: classes of direction (RFC 5893) and of joining (RFC 5892).
Where it is not installed or has another version, --check says so and succeeds. UCD names another folder.
"""
import os
import re
import sys

UCD = os.environ.get("UCD", "/usr/share/unicode")
PATH = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "Server", "Sources", "OstiaryServer", "Identity", "UnicodeTables.swift")


def ranges(name, wanted):
    """The ranges of each wanted class, in order, with neighbours joined."""
    found = {}
    for line in open(os.path.join(UCD, "extracted", name), encoding="utf-8"):
        match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if match and match[3] in wanted:
            found.setdefault(match[3], []).append((int(match[1], 16), int(match[2] or match[1], 16)))
    for key, pairs in found.items():
        joined = []
        for first, last in sorted(pairs):
            if joined and joined[-1][1] + 1 == first:
                joined[-1] = (joined[-1][0], last)
            else:
                joined.append((first, last))
        found[key] = joined
    return found


def table(name, comment, found):
    words = []
    for key, pairs in found.items():
        words += ["%s:%X-%X" % (key, first, last) if first != last else "%s:%X" % (key, first) for first, last in pairs]
    words.sort(key=lambda word: int(re.split("[:-]", word)[1], 16))
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 112:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    body = "".join("    %s\\\n" % text for text in lines[:-1]) + "    %s\n" % lines[-1]
    return '  /// %s\n  static let %s: StaticString = """\n%s    """\n' % (comment, name, body)


def main():
    try:
        version = re.search(r"-(\d+\.\d+)\.", open(os.path.join(UCD, "extracted", "DerivedBidiClass.txt")).readline())[1]
    except OSError:
        version = None
    if version != "15.0":
        print("unicode: not compared: the data of Unicode 15.0 is not installed (apt-get install unicode-data)")
        return 0 if "--check" in sys.argv else 1
    text = (
        "// Made by Scripts/unicode.py from the Unicode Character Database 15.0 (Debian's unicode-data). Do not edit.\n\n"
        + "/// What Unicode says of characters, as `class:first-last`, in order.\nenum UnicodeTables {\n"
        + table("directions", "The classes of direction that are not `L`.", ranges(
            "DerivedBidiClass.txt", "R AL AN EN ES CS ET ON BN NSM B S WS".split()))
        + "\n"
        + table("joining", "The classes of joining that are not `U`.", ranges(
            "DerivedJoiningType.txt", "R L D C T".split()))
        + "}\n")
    if "--check" not in sys.argv:
        open(PATH, "w", encoding="utf-8").write(text)
    elif open(PATH, encoding="utf-8").read() != text:
        print("unicode: UnicodeTables.swift is not what the script makes")
        return 1
    return 0


sys.exit(main())
