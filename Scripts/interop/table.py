"""Runs the cases of several servers side by side and makes a table of what held."""

import os
import tempfile
import threading
import time
import traceback

from parts import Absent, Program, Wrong, remove


class Run:
    """What came of the servers, in their order."""

    def __init__(self, cases, program):
        self.cases, self.program, self.lock = cases, program, threading.Lock()
        self.rows, self.failures = {}, 0

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def failed(self, text):
        with self.lock:
            self.failures += 1
            print(f"FAILED: {text}", flush=True)

    def server(self, name, make, place):
        """Tries every way of one server."""
        self.rows[name] = []
        os.makedirs(place)
        try:
            server = make(place)
        except Absent as absent:
            return self.say(f"skipped: {absent} is not installed here")
        except Exception:
            return self.failed(f"{name} was not set up: {traceback.format_exc()}")
        try:
            for way in server.ways():
                if way.is_extra and os.environ.get("INTEROP_QUICK"):
                    continue
                begin = time.monotonic()
                try:
                    self.rows[name].append([f"{server.title} {server.version}: {way.name}", *self.tried(way, place)])
                    self.say(f"held: {server.title}: {way.name} ({time.monotonic() - begin:.0f} s)")
                except Wrong as wrong:
                    self.failed(f"{server.title}: {way.name}: {wrong}")
        except Exception:
            self.failed(f"{name}: {traceback.format_exc()}")
        finally:
            server.stop()
            if os.environ.get("INTEROP_VERBOSE"):
                with open(os.path.join(place, "output"), errors="replace") as log:
                    self.say(f"--- {name} said\n{log.read()[-3000:]}")

    def tried(self, way, place):
        cells = []
        for case in (tried := self.cases(way, self.program, place)).all():
            begin = time.monotonic()
            cells.append(case())
            if os.environ.get("INTEROP_VERBOSE"):
                self.say(f"  {way.name}: {case.__name__}: {cells[-1]} ({time.monotonic() - begin:.1f} s)")
        tried.close()
        return cells


def run(section, servers, cases, columns, program, names):
    """The status to end with."""
    chosen = {name: make for name, make in servers.items() if not names or any(name.startswith(one) for one in names)}
    folder = tempfile.mkdtemp(prefix="ostiary-interop-")
    os.chmod(folder, 0o755)
    outcome = Run(cases, os.path.abspath(program))
    threads = [
        threading.Thread(target=outcome.server, args=(name, make, os.path.join(folder, name))) for name, make in chosen.items()]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for one in list(Program.running):
            one.stop()
        remove(folder)
    rows = [row for name in chosen for row in outcome.rows.get(name, [])]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    print("\n" + "\n".join(lines))
    print(f"{section}: {len(rows)} ways held, {outcome.failures} did not")
    if rows and not outcome.failures and (path := os.environ.get("INTEROP_TABLE")):
        put(path, section, lines)
    return 1 if outcome.failures else 0


def put(path, section, lines):
    """Replaces a section of a document."""
    begin, end = f"<!-- {section}: of Scripts/interop.sh -->", f"<!-- end of {section} -->"
    with open(path) as file:
        text = file.read()
    before, rest = text.split(begin)
    _, after = rest.split(end)
    with open(path, "w") as file:
        file.write(before + begin + "\n" + "\n".join(lines) + "\n" + end + after)
