"""Moves a database of so many tokens, as a release build of `ostiary` does: copied from SQLite to PostgreSQL and back, and backed up
and restored, each way, while clients refresh, and once more copied without them. Every step has a bar of 90 seconds for a million
tokens. What nothing has changed is compared row for row by SQLite itself, besides what the command compares; after each step the hash
of each token is looked up in the new place, and a sample of them is used there.

`bench-database.py COMMAND TOKENS`. Half of the tokens are refresh tokens, half access tokens. Beside each figure stands what the disk
of the same run writes with fsync. FIGURES names a file that gets the figures as JSON. Needs PostgreSQL's programs, and says so where
they are missing. PostgreSQL runs with fsync.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import families
import moving
from figures import Figures
from processes import Node, PostgreSQL, stop_in_order

BAR = 90
CLIENTS = 3


class Move:
    """One run: the places, the clients, and what is known of the tokens."""

    def __init__(self, command, total, folder, cluster, figures):
        self.program, self.total, self.folder, self.cluster, self.figures = command, total, folder, cluster, figures
        self.apps = families.write_apps(os.path.join(folder, "apps"))
        self.raw = moving.disk_rate(folder)
        self.node, self.stack = None, contextlib.ExitStack()
        # To start the command and make the tables takes a while for any number.
        self.bar = max(5, BAR * total / 1_000_000)

    def place(self, name):
        return os.path.join(self.folder, name)

    def command(self, *arguments):
        """Runs the command; returns its seconds and its document."""
        began = time.perf_counter()
        done = subprocess.run([self.program, *arguments, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {(done.stdout + done.stderr)[-2000:]}")
        return time.perf_counter() - began, json.loads(done.stdout)

    def step(self, id, what, *arguments):
        """A command with the bar of a step. Returns its document."""
        seconds, document = self.command("database", *arguments)
        rows = f"{document['rows']:,} rows, " if "rows" in document else ""
        self.figures.row(f"move.{id}", what, seconds, "s", self.bar, "less", f"{rows}disk {self.raw:.0f} MiB/s with fsync")
        return document

    def copy(self, id, what, source, target, files):
        self.step(f"copy_{id}", what, "copy", "--from", source, "--to", target, "--data", files)

    def serve(self, name, data, address=None):
        node = Node(self.program, self.folder, name, *(["--database", address] if address else []), "--salesforce-apps", self.apps,
                    "--salesforce-daily-requests", "1000000000", data=data)
        self.stack.callback(node.stop)
        node.wait()
        return node

    def switch(self, node):
        """Lets the clients go on at another server, or at none."""
        for client in self.clients:
            client.port = node.port if node else None
        if self.node:
            time.sleep(0.5)
            self.node.stop()
        self.node = node

    def check(self, what):
        """What the clients have seen since the last call."""
        ended = [client.ended for client in self.clients if client.ended]
        counts = [client.count for client in self.clients]
        self.figures.row(f"signed_out.{what.replace(' ', '_')}", f"clients signed out {what}", len(ended), "", 0, "less",
                         f"{sum(counts):,} refreshes, {sum(one.waits for one in self.clients):,} answers 503, longest pause "
                         f"{max(one.longest for one in self.clients):.1f} s {' '.join(ended)}".rstrip())
        for client in self.clients:
            client.count, client.waits, client.longest = 0, 0, 0.0

    def look(self, what, tokens, node=None, data=None, address=None):
        """Looks for the hashes of all tokens, and uses a sample of them: at a node, or at one that is started for it."""
        lost = self.known.lost(tokens)
        own = node or self.serve("looked-" + what.replace(" ", "-"), data, address)
        refused = self.known.refused(own)
        if own is not node:
            own.stop()
        self.figures.row(f"tokens.{what.replace(' ', '_')}", f"tokens that are not there, or don't work, {what}",
                         len(lost) + len(refused), "", 0, "less",
                         f"{self.total:,} by their hashes, {moving.SAMPLE} used {(lost + refused)[:1] or ''}".rstrip())

    def begin(self, first):
        subprocess.run([self.program, "user", "add", "bench", "--password-stdin", "--data", first],
                       input=families.PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL)
        node = self.serve("first", first)
        signed_in = [families.sign_in(node.port, "bench", "rotating") for _ in range(CLIENTS + 1)]
        node.stop()
        self.known = moving.fill(os.path.join(first, "ostiary.sqlite"), signed_in[0], self.total)
        self.clients = [moving.Refresher(one["refresh_token"]) for one in signed_in[1:]]
        self.switch(self.serve("first", first))
        for client in self.clients:
            client.start()

    def end(self):
        for client in self.clients:
            client.stopped.set()
        for client in self.clients:
            client.join()

    def run(self):
        first, again, quiet_end, third, fourth, second, files, quiet_files = map(
            self.place, ["data", "again", "end", "third", "fourth", "back", "files", "quiet"])
        self.begin(first)

        # A back-up of SQLite under load, restored into both.
        backup, other = self.place("sqlite.backup"), self.place("postgresql.backup")
        time.sleep(1)
        self.step("backup_sqlite", "back-up of SQLite, under load", "backup", backup, "--with-key", "--data", first)
        self.figures.row("move.backup_mib", "size of the back-up", os.path.getsize(backup) / 2**20, "MiB")
        one = self.cluster.make("one")
        self.step("restore_postgresql", "restore into PostgreSQL, under load", "restore", backup, "--data", third, "--database", one)
        self.step("restore_sqlite", "restore into SQLite, under load", "restore", backup, "--data", again)
        self.check("during a back-up of SQLite and restores")
        self.command("database", "backup", other, "--with-key", "--data", third, "--database", one)
        self.command("database", "restore", other, "--data", fourth)
        self.equal("restored by way of PostgreSQL, and directly", again, fourth, restores=1)
        self.look("restored into PostgreSQL", moving.of_postgresql(self.cluster, "one", self.known), data=third, address=one)
        for path in (backup, other):
            os.unlink(path)
        shutil.rmtree(fourth)

        # Copies without clients, so that nothing differs at the end.
        quiet = self.cluster.make("quiet")
        self.copy("quiet_postgresql", "copy to PostgreSQL, without clients", again, quiet, quiet_files)
        self.copy("quiet_sqlite", "copy back to SQLite, without clients", quiet, quiet_end, quiet_files)
        self.equal("before the copies and after them", again, quiet_end)
        shutil.rmtree(again)
        shutil.rmtree(quiet_end)

        # Copies under load: the servers answer 503, and the clients go on where the data is.
        two = self.cluster.make("two")
        self.copy("postgresql", "copy to PostgreSQL, under load", first, two, files)
        self.switch(self.serve("second", files, two))
        self.until_all_refreshed()
        self.check("during the copy to PostgreSQL")
        size = int(self.cluster.sql("two", "VACUUM (ANALYZE); SELECT pg_total_relation_size('grants') + "
                                    "pg_total_relation_size('access_tokens');")[0][0])
        self.figures.row("storage.sign_in_bytes", "PostgreSQL: size of a grant with an access token", size / (self.total // 2), "B")
        self.look("copied to PostgreSQL", moving.of_postgresql(self.cluster, "two", self.known), self.node)

        # A back-up of PostgreSQL under load.
        self.step("backup_postgresql", "back-up of PostgreSQL, under load", "backup", other, "--with-key", "--data", files,
                  "--database", two)
        self.step("restore_sqlite_of_postgresql", "restore of it into SQLite, under load", "restore", other, "--data", fourth)
        self.check("during a back-up of PostgreSQL and a restore")
        self.look("restored into SQLite", moving.of_sqlite(os.path.join(fourth, "ostiary.sqlite"), self.known), data=fourth)

        self.copy("sqlite", "copy back to SQLite, under load", two, second, files)
        self.switch(self.serve("third", second))
        self.until_all_refreshed()
        time.sleep(1)
        self.check("during the copy back and after it")
        self.look("copied back to SQLite", moving.of_sqlite(os.path.join(second, "ostiary.sqlite"), self.known), self.node)
        self.end()
        self.switch(None)

    def until_all_refreshed(self):
        """Until each client has been answered at the new place, or has been signed out."""
        counts, end = [client.count for client in self.clients], time.monotonic() + 60
        while any(client.count == count and not client.ended for client, count in zip(self.clients, counts)):
            if time.monotonic() > end:
                raise RuntimeError("a client was not answered for a minute")
            time.sleep(0.05)

    def equal(self, what, one, other, restores=0):
        lost = moving.differences(os.path.join(one, "ostiary.sqlite"), os.path.join(other, "ostiary.sqlite"), restores)
        self.figures.row(f"equal.{what.split()[0]}", f"rows that differ, {what}", lost, "", 0, "less")


def main():
    command, total = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    bin = PostgreSQL.programs()
    if not bin:
        return print("databases were not measured: PostgreSQL is missing (Debian: apt-get install postgresql)")
    stop_in_order()
    figures, began = Figures("moves", command), time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="ostiary-bench-") as folder, PostgreSQL(bin) as cluster:
            move = Move(command, total, folder, cluster, figures)
            with move.stack:
                move.run()
    except (RuntimeError, sqlite3.Error) as error:
        figures.failed("moves", "the rest of the moves", " ".join(str(error).split())[:300])
    finally:
        figures.save(os.environ.get("FIGURES"))
    print(f"moves: {time.monotonic() - began:.0f} s; missed: {', '.join(one['id'] for one in figures.missed) or 'none'}")
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
