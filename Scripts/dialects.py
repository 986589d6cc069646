#!/usr/bin/env python3
"""dialects.py [--check]: writes docs/dialects.md, which tells of each dialect that ships what it covers, which pages it was written from and
whether it has met the product, or compares the file with what it would write.

All of it is read from the Swift files in Sources/OstiaryDialect/Shipped, and the number of examples from Tests/OstiaryDialectTests.
"""
import json
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
SHIPPED = os.path.join(ROOT, "Sources", "OstiaryDialect", "Shipped")
EXAMPLES = os.path.join(ROOT, "Tests", "OstiaryDialectTests", "PublishedExamples")
TABLE = os.path.join(ROOT, "docs", "dialects.md")
DECLARATION = re.compile(
    r'static let \w+ = ShippedDialect\(\s*name: "([^"]*)", title: "([^"]*)",\s*tried: "([^"]*)",\s*json: #"""\n(.*?)"""#\)',
    re.S)
PARTS = (("Backends", "Backends"), ("Frameworks", "Frameworks"), ("Products", "Products"))
PROOFS = {"headers": "field", "basic": "Basic", "cookie": "cookie", "cookies": "the server's cookies",
          "insecureQuery": "query", "body": "body"}
RENEWALS = {"renewalToken": "by a renewal token", "token": "by the token", "cookies": "by use", "credential": "by a new sign-in", "none": "none"}
ROTATIONS = {"always": ", which changes each time", "sometimes": ", which may change", "never": ", which stays"}


def dialects(part):
    """The dialects of a folder: name, title, tried, document."""
    found = []
    folder = os.path.join(SHIPPED, part)
    for name in sorted(file for file in os.listdir(folder) if file.endswith(".swift")):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            matches = DECLARATION.findall(file.read())
        if len(matches) != 1:
            sys.exit("Scripts/dialects.py: %s/%s has %d dialects that can be read, not one." % (part, name, len(matches)))
        found.append((*matches[0][:3], json.loads(matches[0][3])))
    return sorted(found)


def proof(document):
    # Fixed fields can stand beside another way.
    ways = [key for key in PROOFS if key in document["proof"]]
    way = ways[-1]
    if way == "headers":
        names = [name for name, value in document["proof"]["headers"].items() if "{token}" in value]
        return "`%s`" % "`, `".join("%s: %s" % (name, document["proof"]["headers"][name]) for name in names)
    return PROOFS[way]


def renewal(document):
    by = document["renewal"]["by"]
    return RENEWALS[by] + (ROTATIONS[document["renewal"]["rotation"]] if by == "renewalToken" else "")


def examples(name):
    with open(os.path.join(EXAMPLES, name + ".json"), encoding="utf-8") as file:
        return len(json.load(file)["examples"])


def link(number, address):
    return "[%d](%s)" % (number, address)


def table():
    lines = [
        "# The dialects that ship",
        "",
        "Made by `Scripts/dialects.py` of the sources; the documentation's check holds it to them. Each is a page of JSON that says what the vendor's",
        "pages say. It is tested with answers in the form that they publish, and where they show none, in the form that the product's source code has:",
        "names, types and words are the product's, other values are not. Each example names where it is from. *Tried* is the product and the version that",
        "the dialect has really signed in to; *never* where it has met none.",
    ]
    for part, title in PARTS:
        lines += ["", "## " + title, "",
                  "| Dialect | API | Proof | Second step | Renewal | Who | Sign-out at the server | Examples | Pages | Tried |",
                  "|---|---|---|---|---|---|---|---|---|---|"]
        for name, shown, tried, document in dialects(part):
            steps = ", ".join("`%s`" % kind for kind in document.get("continue", {})) or "no"
            who = "asked" if "who" in document else "from the sign-in"
            pages = " ".join(link(number, address) for number, address in enumerate(document["sources"], 1))
            lines.append("| `%s` | %s | %s | %s | %s | %s | %s | %d | %s | %s |" % (
                name, shown, proof(document), steps, renewal(document), who, "yes" if "end" in document else "no",
                examples(name), pages, tried))
    return "\n".join(lines + [""])


def main():
    text = table()
    if sys.argv[1:] == ["--check"]:
        with open(TABLE, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit("dialects: docs/dialects.md is not what the sources say; run Scripts/dialects.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
