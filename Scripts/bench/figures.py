"""What a run has measured: a line for each figure as it comes, then a table for a note, and a file that other programs read.

`figures.py FILE` prints the table of a file. A file has a member for each part of a run, so that parts may be measured one by one:

    {"parts": {"nodes": {"taken": "…", "command": "…", "machine": {"cores": 2, …}, "figures": [
      {"id": "refreshes.one", "name": "…", "value": 2100.0, "unit": "/s", "bar": null, "better": "more", "met": null, "raw": "…"}]}}}

`bar` and `met` are null for what is only told, `value` is null for what could not be measured; `raw` says why then.
"""

import json
import os
import platform
import subprocess
import sys
import time


def load():
    return f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores"


def shown(value, unit=""):
    if value is None:
        return "not measured"
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{text} {unit}" if unit and not unit.startswith("/") else text + unit


def sign(figure):
    return ("≤ " if figure["better"] == "less" else "≥ ") + f"{figure['bar']:g}" if figure["bar"] is not None else ""


def verdict(figure):
    return {True: "met", False: "**missed**", None: ""}[figure["met"]]


def machine():
    found = {"cores": len(os.sched_getaffinity(0)), "kernel": platform.release()}
    try:
        with open("/proc/cpuinfo") as file:
            found["processor"] = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
        with open("/proc/meminfo") as file:
            found["memory_mib"] = int(next(file).split()[1]) // 1024
    except (OSError, StopIteration):
        pass
    return found


class Figures:
    """The figures of one part of a run."""

    def __init__(self, part, command):
        self.part, self.list = part, []
        version = subprocess.run([command, "--version"], capture_output=True, text=True).stdout.strip()
        self.head = {"taken": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "command": version, "machine": machine()}

    def row(self, id, name, value, unit="", bar=None, better="more", raw=""):
        """A figure, with its bar or without one. Returns it."""
        met = None if bar is None else value is not None and (value <= bar if better == "less" else value >= bar)
        figure = {"id": id, "name": name, "value": value, "unit": unit, "bar": bar, "better": better, "met": met, "raw": raw}
        self.list.append(figure)
        bar = f"bar {sign(figure)}: {'met' if met else 'MISSED'}" if met is not None else ""
        print(f"{name:56} {shown(value, unit):>14}  {bar:20} {raw}; {load()}", flush=True)
        return figure

    def skip(self, id, name, why):
        """What can't be measured here."""
        self.list.append({"id": id, "name": name, "value": None, "unit": "", "bar": None, "better": "more", "met": None, "raw": why})
        print(f"{name:56} not measured: {why}", flush=True)

    def failed(self, id, name, why):
        """What was to be measured, and went wrong: as a missed bar."""
        self.list.append({"id": id, "name": name, "value": None, "unit": "", "bar": None, "better": "more", "met": False, "raw": why})
        print(f"{name:56} FAILED: {why}", flush=True)

    @property
    def missed(self):
        return [figure for figure in self.list if figure["met"] is False]

    def save(self, path):
        """Puts the part into a file, beside the other parts that it has."""
        if not path:
            return
        parts = {}
        if os.path.exists(path):
            with open(path) as file:
                parts = json.load(file)["parts"]
        parts[self.part] = {**self.head, "figures": self.list}
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path + ".new", "w") as file:
            json.dump({"parts": parts}, file, indent=1, ensure_ascii=False)
        os.rename(path + ".new", path)


def table(parts):
    """The table of a note, in Markdown."""
    lines = []
    for part, content in parts.items():
        where = content["machine"]
        lines += [f"{part}: `ostiary` {content['command']}, {content['taken']}, {where['cores']} cores "
                  f"({where.get('processor', 'unknown')}).", "",
                  "| figure | value | bar | | raw limit of the same run |", "|---|---|---|---|---|"]
        lines += [f"| {one['name']} | {shown(one['value'], one['unit'])} | {sign(one)} | {verdict(one)} | {one['raw']} |".replace(
            "  ", " ") for one in content["figures"]]
        missed = [one["name"] for one in content["figures"] if one["met"] is False]
        lines += ["", f"Missed: {'; '.join(missed) if missed else 'none'}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1]) as source:
        print(table(json.load(source)["parts"]))
