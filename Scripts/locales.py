#!/usr/bin/env python3
"""locales.py [--check]: writes the tables of Sources/OstiaryExperiences/Locales from CLDR, or compares them with it.

Its sources: PyPI's Babel 2.18.0, which carries CLDR 47 (likely subtags, aliases, parent locales, signs of numbers), and the script
metadata and numbering systems of CLDR 41 in Debian's unicode-cldr-core. Where a source is not installed or has another version,
--check says so and succeeds. BABEL names a folder to import Babel from, CLDR one that holds CLDR's `common`.
"""
import os
import re
import sys
import xml.etree.ElementTree as xml

from swift_tables import blob

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sources", "OstiaryExperiences", "Locales")
CLDR = os.environ.get("CLDR", "/usr/share/unicode/cldr/common")
if "BABEL" in os.environ:
    sys.path.insert(0, os.environ["BABEL"])
WANTED = ("2.18.0", "47")


def sources():
    """What is missing, or nothing."""
    try:
        import babel
        from babel.core import get_cldr_version
    except ImportError:
        return "Babel is not installed (pip install babel==2.18.0)"
    if (babel.__version__, str(get_cldr_version())) != WANTED:
        return "Babel %s with CLDR %s is needed, not %s with %s" % (
            *WANTED, babel.__version__, get_cldr_version())
    for name in ("properties/scriptMetadata.txt", "supplemental/numberingSystems.xml"):
        if not os.path.exists(os.path.join(CLDR, name)):
            return "CLDR's %s is not installed (apt-get install unicode-cldr-core)" % name
    return None


def dictionary(name, comment, table):
    return blob(name, comment, ["%s:%s" % pair for pair in table.items()])


def set_of(name, comment, words):
    lines, line = [], "   "
    for word in sorted(words):
        if len(line) + len(word) > 108:
            lines.append(line)
            line = "   "
        line += ' "%s",' % word
    lines.append(line)
    return "  /// %s\n  static let %s: Set<String> = [\n%s\n  ]\n" % (comment, name, "\n".join(lines))


def tag(text):
    return text.replace("_", "-")


def likely():
    """Languages in Latin by their first two letters, other tags of languages, and tags without one."""
    from babel.core import get_global
    latin, known, unknown = {}, [], []
    for key, value in get_global("likely_subtags").items():
        subtags = key.split("_")
        language, script, region = (value.split("_") + ["", "", ""])[:3]
        if subtags[0] not in ("und", language) or any(one not in (script, region) for one in subtags[1:]):
            raise SystemExit("the likely subtags of %s change what it names" % key)
        # What the tag names is not said again.
        rest = "%s:%s" % ("" if script in ["Latn"] + subtags else script, "" if region in subtags else region)
        if subtags[0] == "und":
            unknown.append("%s:%s:%s" % (tag(key.removeprefix("und_")), language, rest))
        elif len(key) == 3 and script == "Latn" and len(region) == 2:
            latin.setdefault(key[:2], []).append(key[2] + region)
        else:
            known.append("%s:%s" % (tag(key), rest))
    return ["%s:%s" % (key, "".join(sorted(value))) for key, value in latin.items()], known, unknown


def aliases():
    from babel.core import get_global
    table = {key: tag(value) for key, value in get_global("language_aliases").items() if "_" not in key}
    regions = {key: " ".join(value) for key, value in get_global("territory_aliases").items()
               if re.fullmatch(r"[A-Z]{2}|[0-9]{3}", key) and all(re.fullmatch(r"[A-Z]{2}", one) for one in value)}
    return table, regions


def parents():
    from babel.core import get_global
    table = {tag(key): tag(value) for key, value in get_global("parent_exceptions").items()}
    table.pop("no-NO", None)
    return table


def right_to_left():
    """The scripts that CLDR's metadata writes from right to left."""
    scripts, columns = set(), None
    for line in open(os.path.join(CLDR, "properties/scriptMetadata.txt"), encoding="utf-8"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        cells = [cell.strip() for cell in line.split(";")]
        # Script; rank; sample; country; density; id usage; right to left?
        if cells[6] == "YES":
            scripts.add(cells[0])
    # Variants of scripts, which have no row of their own.
    return scripts | {"Aran", "Syre", "Syrj", "Syrn"}


def numbers():
    from babel import Locale, localedata
    zeros = {}
    for system in xml.parse(os.path.join(CLDR, "supplemental/numberingSystems.xml")).iter("numberingSystem"):
        digits = system.get("digits")
        if digits and all(ord(digit) == ord(digits[0]) + place for place, digit in enumerate(digits)):
            zeros[system.get("id")] = digits[0]
    found = {}
    for name in localedata.locale_identifiers():
        locale = Locale.parse(name)
        symbols = locale.number_symbols
        plain = symbols["latn"]
        value = plain["decimal"] + plain["group"]
        system = locale.default_numbering_system
        if system != "latn" and system in zeros:
            own = symbols.get(system, {})
            value += own.get("decimal", plain["decimal"]) + own.get("group", plain["group"]) + zeros[system]
        if len(value) in (2, 5):
            found[tag(name)] = value
    exceptions = parents()

    def inherited(name):
        while name:
            # A script that is taken away leads to the root.
            name = exceptions.get(name) or ("" if len(name.rpartition("-")[2]) == 4 else name.rpartition("-")[0])
            if name in found:
                return found[name]
        return ".,"

    return {name: value for name, value in found.items() if value != inherited(name)}


def files():
    latin, known, unknown = likely()
    languages, regions = aliases()
    head = "// Made by Scripts/locales.py from CLDR 47 (PyPI's Babel 2.18.0)%s. Do not edit.\n\n"
    yield "LikelySubtags.swift", (
        head % ""
        + "/// CLDR's likely subtags. Sorted by their bytes, with one space between two.\n"
        + "enum LikelySubtags {\n"
        + blob("latinLanguages", "Languages in Latin, by two of three letters: of each the third and the region.", latin)
        + "}\n")
    yield "LikelySubtags+Rest.swift", (
        head % ""
        + "extension LikelySubtags {\n"
        + blob("knownLanguages", "`tag:script:region` of other languages; nothing is `Latn`, or what the tag names.", known)
        + "\n"
        + blob("unknownLanguage", "`tag:language:script:region` of tags without one, so, too.", unknown)
        + "}\n")
    yield "LocaleTables.swift", (
        head % " and CLDR 41 (Debian's unicode-cldr-core)"
        + "/// What CLDR says of locales.\nenum LocaleTables {\n"
        + set_of("rightToLeft", "The scripts that are written from right to left.", right_to_left())
        + "\n"
        + dictionary("parents", "`tag:parent`, where that is not found by taking the last subtag away.", parents())
        + "\n"
        + dictionary(
            "numbers",
            "`tag:signs`: those of decimals and of groups with European digits; then the same and the zero of its own.",
            numbers())
        + "}\n")
    yield "LocaleAliases.swift", (
        head % ""
        + "/// What CLDR writes for languages, scripts and regions that have another name.\nenum LocaleAliases {\n"
        + blob("languages", "`from:to`.", ["%s:%s" % pair for pair in languages.items()]) + "\n"
        + blob("regions", "`from:to,to`.",
               ["%s:%s" % (key, value.replace(" ", ",")) for key, value in regions.items()]) + "}\n")


def main():
    missing = sources()
    if missing:
        print("locales: not compared: " + missing)
        return 0 if "--check" in sys.argv else 1
    status = 0
    for name, text in files():
        path = os.path.join(ROOT, name)
        if "--check" in sys.argv:
            if open(path, encoding="utf-8").read() != text:
                print("locales: %s is not what the script makes" % name)
                status = 1
        else:
            open(path, "w", encoding="utf-8").write(text)
    return status


sys.exit(main())
