"""Measures nodes of a release build of `ostiary serve` on one PostgreSQL, all on the same two cores: refreshes beside pgbench with
the very statements of a refresh, three nodes beside one, round trips, introspection with and without a cache that is believed,
revocations that three nodes know of, what follows when a primary is there again, log-ins, and the memory of an idle node.

`bench-nodes.py COMMAND [PART…]`: some of refreshes, lookups, ends, restarts, logins, idle, sqlite; all of them without a name.
FIGURES names a file that gets the figures as JSON, BEFORE an older `ostiary` that SQLite's figures are compared with, in turns.
SCALE=0.2 makes rounds shorter, to try the script. Five minutes.

Needs PostgreSQL's programs, wrk, and for nodes that always ask pgbouncer; says so where they are missing.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import ends
import families
import faults
import logins
import lookups
import refreshes
import sqlite
from figures import Figures
from processes import Node, PostgreSQL, stop_in_order

PARTS = ["refreshes", "lookups", "ends", "restarts", "logins", "idle", "sqlite"]


class House:
    """What all parts have: PostgreSQL with a database, a folder, an app's sign-in, and nodes."""

    database = "bench"

    def __init__(self, command, folder, cluster):
        self.command, self.folder, self.cluster = command, folder, cluster
        self.address = cluster.make(self.database)
        self.apps = families.write_apps(os.path.join(folder, "apps"))
        self.data = os.path.join(folder, "data")
        self.numbers = 1_000_000
        self.stack = contextlib.ExitStack()

    def begin(self):
        """Adds the user, and signs in to an app once."""
        self.add_user(self.data, "--database", self.address)
        keeper = self.stack.enter_context(self.node("first", self.address))
        keeper.wait()
        self.first = families.sign_in(keeper.port, "bench", "rotating")
        self.one = keeper

    @property
    def one_port(self):
        """A node for what is not measured: it is started for it."""
        if self.one is None:
            self.one = self.stack.enter_context(self.node("first", self.address))
            self.one.wait()
        return self.one.port

    def rest(self):
        """Stops the node for what is not measured."""
        if self.one:
            self.one.stop()
            self.one = None

    def add_user(self, data, *options, command=None, name="bench"):
        subprocess.run([command or self.command, "user", "add", name, "--password-stdin", "--data", data, *options],
                       input=families.PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL)

    def next_number(self, count):
        """The first of some numbers of grants that no other one has."""
        # Between two there is room for pgbench's own.
        self.numbers += 1000 + count
        return self.numbers - count

    def node(self, name, *address, data=None):
        """A node; it is waited for when it is entered."""
        return Ready(self.command, self.folder, name, "--database", *address, "--node", name, "--salesforce-apps", self.apps,
                     "--salesforce-daily-requests", "1000000000", data=data)

    def bare(self, name, command=None):
        """A node on SQLite, with a folder of its own."""
        return Node(command or self.command, self.folder, name, "--salesforce-apps", self.apps, "--salesforce-daily-requests",
                    "1000000000", data=os.path.join(self.folder, name))

    def write(self, name, text):
        """A script that pgbench can read."""
        path = os.path.join(self.cluster.folder, name)
        with open(path, "w") as file:
            file.write(text + "\n")
        return path

    def has(self, name):
        return bool(self.cluster.sql("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{name}';"))

    def wal(self):
        return int(self.cluster.sql(self.database, "SELECT pg_current_wal_lsn() - '0/0';")[0][0])

    @staticmethod
    def until(step, seconds=30):
        end = time.monotonic() + seconds
        while not step():
            if time.monotonic() > end:
                raise RuntimeError(f"not within {seconds} s")
            time.sleep(0.01)

    def wait_for_lease(self, node, token):
        """Until a node is on the list of those that ends wait for, and has had time for a lease."""
        self.until(lambda: self.cluster.sql(
            self.database, f"SELECT 1 FROM nodes WHERE id LIKE '{node.name}%' AND shown IS NOT NULL;"))
        self.until(lambda: families.ask(node.port, families.CALL, headers=families.bearer(token))[0] == 200)
        time.sleep(0.5)


class Ready(Node):
    """A node that answers when its block begins."""

    def __enter__(self):
        try:
            self.wait()
        except BaseException:
            self.stop()
            raise
        return self


def use_two_cores():
    """All that is started from now on is on the same two cores."""
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:2]))


def scale(factor):
    for module in (refreshes, lookups, logins, sqlite):
        module.SECONDS = max(1, round(module.SECONDS * factor))
    refreshes.ROUNDS = max(1, round(refreshes.ROUNDS * factor))
    lookups.ROUNDS = logins.ROUNDS = sqlite.ROUNDS = max(1, round(lookups.ROUNDS * factor))
    ends.COUNT, ends.STOPS, faults.RESTARTS = max(100, round(ends.COUNT * factor)), max(1, round(ends.STOPS * factor)), 2


def measure(house, figures, parts):
    with contextlib.ExitStack() as stack:
        stack.callback(house.stack.close)
        house.begin()
        idle = stack.enter_context(faults.Idle(house)) if "idle" in parts else None
        steps = {"refreshes": refreshes.measure, "lookups": lookups.measure, "ends": ends.measure, "restarts": faults.restarts,
                 "logins": logins.measure, "sqlite": sqlite.measure}
        for part, step in steps.items():
            if part not in parts:
                continue
            # A part that fails costs no other one.
            try:
                house.rest()
                step(house, figures)
            except Exception as error:
                traceback.print_exc()
                figures.failed(part, part, " ".join(str(error).split())[:300])
        if idle:
            idle.report(figures)
            faults.sqlite_idle(house, figures)


def main():
    command, parts = os.path.abspath(sys.argv[1]), sys.argv[2:] or PARTS
    if unknown := set(parts) - set(PARTS):
        sys.exit(f"there is no part {', '.join(unknown)}")
    bin = PostgreSQL.programs()
    for found, what in [(bin, "PostgreSQL is missing (Debian: apt-get install postgresql)"),
                        (shutil.which("wrk"), "wrk is missing (Debian: apt-get install wrk)")]:
        if not found:
            return print(f"nodes were not measured: {what}")
    stop_in_order()
    use_two_cores()
    if factor := os.environ.get("SCALE"):
        scale(float(factor))
    figures = Figures("nodes", command)
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="ostiary-bench-") as folder, PostgreSQL(bin) as cluster:
            os.chmod(folder, 0o700)
            measure(House(command, folder, cluster), figures, parts)
    finally:
        figures.save(os.environ.get("FIGURES"))
    print(f"nodes: {time.monotonic() - began:.0f} s; missed: {', '.join(one['id'] for one in figures.missed) or 'none'}")
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
