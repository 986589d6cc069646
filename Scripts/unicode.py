#!/usr/bin/env python3
"""unicode.py [--check]: writes the tables that the rules for user names and terminals need, or compares them with their source.

Its source is the Unicode Character Database 15.0 in Debian's unicode-data: classes of direction (RFC 5893) and of joining (RFC 5892), and
the characters that take two columns (UAX #11).
Where it is not installed or has another version, --check says so and succeeds. UCD names another folder.
"""
import os
import re
import sys

from swift_tables import blob

UCD = os.environ.get("UCD", "/usr/share/unicode")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def ranges(name, wanted):
    """The ranges of each wanted class, in order, with neighbours joined. Classes that are wanted under one name are one."""
    found = {}
    for line in open(os.path.join(UCD, name), encoding="utf-8"):
        match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if match and match[3] in wanted:
            found.setdefault(wanted[match[3]], []).append((int(match[1], 16), int(match[2] or match[1], 16)))
    for key, pairs in found.items():
        joined = []
        for first, last in sorted(pairs):
            if joined and joined[-1][1] + 1 == first:
                joined[-1] = (joined[-1][0], last)
            else:
                joined.append((first, last))
        found[key] = joined
    return found


def written(first, last):
    return "%X-%X" % (first, last) if first != last else "%X" % first


def table(name, comment, source, classes):
    """A table of `class:first-last`."""
    found = ranges(source, {one: one for one in classes.split()})
    words = ["%s:%s" % (key, written(*pair)) for key, pairs in found.items() for pair in pairs]
    return blob(name, comment, words, lambda word: int(re.split("[:-]", word)[1], 16))


def files():
    head = "// Made by Scripts/unicode.py from the Unicode Character Database 15.0 (Debian's unicode-data). Do not edit.\n\n"
    yield "Server/Sources/OstiaryServer/Identity/UnicodeTables.swift", (
        head
        + "/// What Unicode says of characters, as `class:first-last`, in order.\nenum UnicodeTables {\n"
        + table("directions", "The classes of direction that are not `L`.", "extracted/DerivedBidiClass.txt",
                "R AL AN EN ES CS ET ON BN NSM B S WS")
        + "\n"
        + table("joining", "The classes of joining that are not `U`.", "extracted/DerivedJoiningType.txt", "R L D C T")
        + "}\n")
    wide = ranges("EastAsianWidth.txt", {"W": "wide", "F": "wide"})["wide"]
    yield "Sources/OstiaryExperiences/Rendering/Terminal/TerminalWidths.swift", (
        head
        + "/// What Unicode says of the width of characters, as `first-last`, in order.\nenum TerminalWidths {\n"
        + blob("wide", "The characters that are wide (`W`) or of full width (`F`).", [written(*pair) for pair in wide],
               lambda word: int(word.split("-")[0], 16))
        + "}\n")


def main():
    try:
        version = re.search(r"-(\d+\.\d+)\.", open(os.path.join(UCD, "EastAsianWidth.txt")).readline())[1]
    except OSError:
        version = None
    if version != "15.0":
        print("unicode: not compared: the data of Unicode 15.0 is not installed (apt-get install unicode-data)")
        return 0 if "--check" in sys.argv else 1
    status = 0
    for name, text in files():
        path = os.path.join(ROOT, name)
        if "--check" not in sys.argv:
            open(path, "w", encoding="utf-8").write(text)
        elif open(path, encoding="utf-8").read() != text:
            print("unicode: %s is not what the script makes" % name)
            status = 1
    return status


sys.exit(main())
