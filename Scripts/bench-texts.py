"""Measures what the built-in texts and the tables of languages add to a program: the sections of their objects that a stripped program keeps.

`bench-texts.py FOLDER…`: folders of release builds; of the server's, which may be there, the texts of its pages and mail count, too.
"""

import glob
import os
import re
import subprocess
import sys

BAR = 300_000
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# Objects by name, with what reads the texts; what is the server's may not be built.
OBJECTS = {
    "texts": r"(BuiltInTexts(\+\w+)?|Experience\+TextLines)\.swift\.o$",
    "scripts from right to left": r"LocaleTables\.swift\.o$",
    "texts of account pages and mail": r"(AccountTables(\+\w+)?|LanguageTables)\.swift\.o$",
    "texts of other pages": r"PageTables(\+\w+)?\.swift\.o$",
}
SERVER = ["texts of account pages and mail", "texts of other pages"]
# Tables that are one literal each. An optimized build has it in the object of its reader, so that its length is what counts.
LITERALS = [
    "Sources/OstiaryExperiences/Locales/LikelySubtags.swift", "Sources/OstiaryExperiences/Locales/LikelySubtags+Rest.swift",
    "Sources/OstiaryExperiences/Locales/LocaleAliases.swift", "Sources/OstiaryExperiences/Locales/LocaleTables.swift",
    "Sources/OstiaryExperiences/Rendering/Terminal/TerminalWidths.swift",
    "Server/Sources/OstiaryServer/Identity/UnicodeTables.swift",
]


def kept(path):
    """The bytes of an object's sections that are loaded, without those that describe them to a debugger or a linker."""
    output = subprocess.run(["size", path], capture_output=True, text=True, check=True).stdout
    return sum(int(number) for number in output.splitlines()[1].split()[:2])


def literal_bytes(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        literals = re.findall(r'StaticString = """\n(.*?)\n    """', file.read(), re.DOTALL)
    if not literals:
        sys.exit(f"{path} has no literal")
    return sum(len(characters(text).encode()) for text in literals)


def characters(literal):
    """What the lines of a literal stand for."""
    text = re.sub(r"\\\n", "", re.sub(r"^    ", "", literal, flags=re.MULTILINE))
    return re.sub(r"\\u\{(\w+)\}", lambda match: chr(int(match[1], 16)), text)


def main(folders):
    total = 0
    for name, pattern in OBJECTS.items():
        # The SDK's objects are in both builds; one counts.
        found = {}
        for folder in folders:
            for path in glob.glob(os.path.join(folder, "Ostiary*.build", "**", "*.o"), recursive=True):
                if re.match(pattern, os.path.basename(path)):
                    found.setdefault(os.path.basename(path), path)
        size = sum(kept(path) for path in found.values())
        total += size
        print(f"{name}: {size / 1e3:.1f} kB in {len(found)} objects" if found else f"{name}: not built here")
        if not found and name not in SERVER:
            sys.exit(f"there are no objects of the {name} in {' '.join(folders)}")
    size = sum(literal_bytes(path) for path in LITERALS)
    total += size
    print(f"tables that are literals: {size / 1e3:.1f} kB")
    print(f"Texts and tables, stripped: {total / 1e3:.1f} kB, bar ≤ {BAR / 1e3:.0f} kB: {'met' if total <= BAR else 'MISSED'}")
    return 0 if total <= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
