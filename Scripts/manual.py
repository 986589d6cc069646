"""Writes the manual page of `ostiary` from its own help, which it reads as JSON: `ostiary --experimental-dump-help | manual.py VERSION`."""

import datetime
import json
import os
import sys


def escaped(text):
    """A text that roff takes as it is."""
    for plain, roff in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        text = text.replace(plain, roff)
    return text


def paragraphs(text):
    """Lines of roff; lines that are indented are examples and stay as they are."""
    lines, examples = [], False
    for line in (text or "").split("\n"):
        is_example = line.startswith("  ") or (examples and not line.strip())
        if is_example != examples:
            lines.append(".nf" if is_example else ".fi")
            examples = is_example
        if not line.strip():
            lines.append(".PP" if not examples else "")
        else:
            body = escaped(line)
            lines.append("\\&" + body if body.startswith((".", "\\(aq")) else body)
    if examples:
        lines.append(".fi")
    return lines


def spelled(argument):
    """How an option or argument is written."""
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names") or []]
    value = argument.get("valueName")
    if not names:
        return f"\\fI{escaped(value or '')}\\fR"
    text = ", ".join(f"\\fB{escaped(name)}\\fR" for name in names)
    return text if argument["kind"] == "flag" or not value else f"{text} \\fI{escaped(value)}\\fR"


def entries(command):
    """The arguments and options of one command."""
    for argument in command.get("arguments") or []:
        if argument.get("shouldDisplay", True) and argument.get("names") != [{"kind": "long", "name": "help"}]:
            yield ".TP"
            yield spelled(argument)
            default = argument.get("defaultValue")
            told = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
            yield escaped(told or "No more is said of it.")
            if default and default not in told:
                yield f"Default: {escaped(default)}."


def shown(command, path):
    """A section for a command, and one for each of its own."""
    if command.get("shouldDisplay") is False or command["commandName"] == "help":
        return
    path = path + [command["commandName"]]
    children = command.get("subcommands") or []
    if len(path) > 1:
        yield f'.SS "{escaped(" ".join(path))}"'
        yield from paragraphs(command.get("abstract"))
        if command.get("discussion"):
            yield ".PP"
            yield from paragraphs(command["discussion"])
        if not [child for child in children if child["commandName"] != "help"]:
            yield from entries(command)
    for child in children:
        yield from shown(child, path)


def main(version):
    version = version.split("+")[0]
    command = json.load(sys.stdin)["command"]
    day = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc).date()
    lines = [f'.TH OSTIARY 1 {day} "ostiary {version}" "User Commands"', ".SH NAME"]
    lines.append("ostiary \\- " + escaped(command["abstract"].rstrip(".")[0].lower() + command["abstract"].rstrip(".")[1:]))
    lines += [".SH SYNOPSIS", ".B ostiary", "\\fIcommand\\fR [\\fIoption\\fR]...", ".SH DESCRIPTION"]
    lines += paragraphs(command.get("discussion"))
    lines += [".SH COMMANDS", *shown(command, [])]
    lines += [
        ".SH FILES", ".TP", "/etc/ostiary/ostiary.json", "The settings of the service.",
        ".TP", "/etc/ostiary/ostiary.key", "The key of the server; nothing but root and the service reads it.",
        ".TP", "/var/lib/ostiary", "The data of the service, which a purge of the package keeps unless it is told otherwise."]
    print("\n".join(lines))


sys.stdout.reconfigure(encoding="utf-8")
main(sys.argv[1])
