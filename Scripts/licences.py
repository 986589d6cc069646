"""Prints the licences of what a build of `ostiary` contains.

licences.py NOTICE CHECKOUTS: this project's notice, and the folder with the packages that SwiftPM has fetched for the build.
"""

import pathlib
import sys

APACHE = ("Apache License", "Version 2.0, January 2004")
EXCEPTION = "## Runtime Library Exception"
SWIFT = """\
The runtime and Foundation of Swift, https://swift.org

Apache License 2.0 with the Runtime Library Exception: portions that are embedded into a compiled program may be redistributed without
attribution. FoundationICU in it is under the Unicode License v3, Copyright © 2016-2025 Unicode, Inc.:

""" + """\
Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated documentation (the "Data
Files") or software and any associated documentation (the "Software") to deal in the Data Files or Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to
permit persons to whom the Data Files or Software are furnished to do so, provided that either (a) this copyright and permission notice
appear with all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT
HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT
OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to promote the sale, use
or other dealings in these Data Files or Software without prior written authorization of the copyright holder.
"""


def licence(text):
    """What has to be said of a licence: Debian has the Apache License's text."""
    if not all(part in text for part in APACHE):
        return text.strip()
    exception = " with the Runtime Library Exception" if EXCEPTION in text else ""
    return f"Apache License 2.0{exception}"


def main(notice, checkouts):
    sections = [("NOTICE", pathlib.Path(notice).read_text())]
    for folder in sorted(pathlib.Path(checkouts).iterdir(), key=lambda path: path.name.lower()):
        texts = sorted(folder.glob("LICENSE*")) + sorted(folder.glob("NOTICE*"))
        if not folder.is_dir():
            continue
        if not any(path.name.startswith("LICENSE") for path in texts):
            sys.exit(f"{folder.name} has no licence")
        said = [licence(path.read_text()) if path.name.startswith("LICENSE") else path.read_text().strip() for path in texts]
        sections.append((folder.name, "\n\n".join(said)))
    sections.append(("Swift", SWIFT.strip()))
    for name, text in sections:
        print(f"{'=' * 20} {name}\n\n{text.strip()}\n")


main(*sys.argv[1:])
