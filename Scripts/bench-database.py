"""Moves a database of so many tokens, as a release build of `ostiary` does: copied from SQLite to PostgreSQL and back, and backed up
and restored, each way, while clients refresh, and once more copied without them. Every step has a bar of 90 seconds for a million
tokens. What nothing has changed is compared row for row by SQLite itself, besides what the command compares.

`bench-database.py COMMAND TOKENS`. Half of the tokens are refresh tokens, half access tokens. Beside each figure stands what the disk
of the same run writes with fsync. Needs PostgreSQL's programs, and says so where they are missing. PostgreSQL runs with fsync.
"""

import glob
import importlib.machinery
import importlib.util
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("bench_tokens", os.path.join(here, "bench-tokens.py"))
spec = importlib.util.spec_from_loader("bench_tokens", loader)
tokens = importlib.util.module_from_spec(spec)
loader.exec_module(tokens)
bench = tokens.bench

CLIENTS = 3
BAR = 90
NOBODY = 65534


def programs():
    """Where PostgreSQL's programs are; None where they are not installed."""
    found = shutil.which("initdb")
    if found:
        # Programs beside it may have no link in PATH.
        return os.path.dirname(os.path.realpath(found))
    known = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    return os.path.dirname(known[-1]) if known else None


class PostgreSQL:
    """A cluster of its own, reached by a socket, with fsync."""

    def __init__(self, bin):
        self.bin, self.folder = bin, tempfile.mkdtemp(prefix="ostiary-pg-", dir="/tmp")
        # It refuses to run as root.
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        self.run("initdb", "-D", self.folder + "/data", "-U", "ostiary", "--auth=trust", "-E", "UTF8", "--locale=C")
        self.run("pg_ctl", "-D", self.folder + "/data", "-l", self.folder + "/log", "-w", "-o",
                 f"-k {self.folder} -c listen_addresses=", "start")

    def run(self, program, *arguments):
        command = [os.path.join(self.bin, program), *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{program}: {done.stdout[-2000:]}")

    def make(self, name):
        """The address of a new database."""
        self.run("createdb", "-h", self.folder, "-U", "ostiary", name)
        return f"postgres:///{name}?host={self.folder}&user=ostiary"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Org(tokens.Org):
    """A server on a place: a folder, or an address with a folder for files."""

    def __init__(self, folder, data, database=None):
        apps = os.path.join(folder, "apps")
        with open(apps, "w") as file:
            file.write(f"rotating callback={tokens.CALLBACK} headless rotate\n")
        self.port = bench.free_port()
        self.began = time.perf_counter()
        self.log = open(os.path.join(folder, "serve.log"), "ab")
        self.process = subprocess.Popen(
            [bench.COMMAND, "serve", "--data", data, "--port", str(self.port), "--salesforce-apps", apps,
             "--salesforce-daily-requests", "1000000000", *(["--database", database] if database else [])],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)


class Refresher(threading.Thread):
    """A client that refreshes all the time. It goes on after a 503 that says when to try again; anything else is a sign-out."""

    def __init__(self, token):
        super().__init__(daemon=True)
        self.token, self.port, self.count, self.waits, self.ended = token, None, 0, 0, None
        self.stopped, self.longest = threading.Event(), 0.0

    def run(self):
        last = time.perf_counter()
        while not self.stopped.is_set():
            if self.port is None:
                self.stopped.wait(0.05)
                continue
            fields = {"grant_type": "refresh_token", "client_id": "rotating", "refresh_token": self.token}
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.port}{tokens.TOKEN}", urllib.parse.urlencode(fields).encode(),
                {"Accept": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    self.token = json.load(response).get("refresh_token", self.token)
                self.count += 1
                self.longest = max(self.longest, time.perf_counter() - last)
                last = time.perf_counter()
            except urllib.error.HTTPError as error:
                body = error.read()
                if error.code != 503 or not error.headers.get("Retry-After"):
                    self.ended = f"{error.code} {body[:200]}"
                    return
                self.waits += 1
                self.stopped.wait(0.1)
            except OSError:
                # No server, while it is started again elsewhere.
                self.stopped.wait(0.05)


def fill(path, total):
    """Adds grants like the one that is there, each with a refresh token and an access token."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    columns = [row[1] for row in database.execute("PRAGMA table_info(grants)")]
    grant = dict(zip(columns, database.execute("SELECT * FROM grants ORDER BY id LIMIT 1").fetchone()))
    others = [row[1] for row in database.execute("PRAGMA table_info(access_tokens)")]
    access = dict(zip(others, database.execute("SELECT * FROM access_tokens LIMIT 1").fetchone()))
    first = database.execute("SELECT max(id) FROM grants").fetchone()[0] + 1
    far = time.time() + 30 * 86400

    def rows(prototype, names, change):
        for number in range(first, first + total // 2):
            row = dict(prototype, **change(number))
            yield [row[name] for name in names]

    def insert(table, names, prototype, change):
        marks = ", ".join("?" * len(names))
        database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
                             rows(prototype, names, change))

    ends = {name: far for name in ["refresh_ends_at", "expires_at"] if grant.get(name) is not None}
    insert("grants", columns, grant, lambda number: {
        "id": number, "handle_hash": os.urandom(32), "leaf_hash": os.urandom(32), **ends})
    insert("access_tokens", others, access, lambda number: {
        "token_hash": os.urandom(32), "grant_id": number,
        **{name: far for name in access if name.endswith("expires_at") or name.endswith("ends_at")}})
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def command(*arguments):
    """Runs the command; returns its seconds and its document."""
    began = time.perf_counter()
    done = subprocess.run([bench.COMMAND, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
    return time.perf_counter() - began, json.loads(done.stdout)


def differences(one, other):
    """How many rows of two files of SQLite differ. Tables of a source that is out of use have other names."""
    database = sqlite3.connect(f"file:{one}?mode=ro", uri=True)
    database.execute("ATTACH ? AS other", (f"file:{other}?mode=ro",))
    found = 0
    for (name,) in database.execute(
            "SELECT name FROM other.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
            "AND name NOT LIKE 'grdb%' AND name NOT LIKE 'ostiary_%'").fetchall():
        moved = database.execute("SELECT count(*) FROM main.sqlite_schema WHERE name = ?", ("moved_" + name,)).fetchone()
        here = f"main.moved_{name}" if moved[0] else f"main.{name}"
        for left, right in [(here, f"other.{name}"), (f"other.{name}", here)]:
            found += database.execute(
                f"SELECT count(*) FROM (SELECT * FROM {left} EXCEPT SELECT * FROM {right})").fetchone()[0]
    database.close()
    return found


def disk_rate(folder):
    """MiB a second that the disk takes, with an fsync at the end."""
    block, count, began = os.urandom(1 << 20), 256, time.perf_counter()
    with open(os.path.join(folder, "raw"), "wb") as file:
        for _ in range(count):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    os.unlink(os.path.join(folder, "raw"))
    return count / (time.perf_counter() - began)


def main():
    total, bin = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000, programs()
    if not bin:
        print("databases were not measured: PostgreSQL is missing (Debian: apt-get install postgresql)")
        return
    missed = 0
    bench.USERS = [f"bench{number:02d}" for number in range(CLIENTS)]
    with tempfile.TemporaryDirectory() as folder, PostgreSQL(bin) as cluster:
        raw = disk_rate(folder)

        def row(what, seconds, extra=""):
            nonlocal missed
            # To start the command and make the tables takes a while for any number.
            bar = max(5, BAR * total / 1_000_000)
            missed += seconds > bar
            print(f"{what:44} {seconds:7.1f} s   bar ≤ {bar:g}: {'met' if seconds <= bar else 'MISSED':7} "
                  f"raw: {raw:.0f} MiB/s with fsync; {tokens.load()}{extra}", flush=True)

        def check(clients, what):
            """What the clients have seen since the last call."""
            nonlocal missed
            ended = [client.ended for client in clients if client.ended]
            missed += bool(ended)
            print(f"  {what}: {sum(c.count for c in clients):,} refreshes, {sum(c.waits for c in clients):,} answers 503, "
                  f"longest pause {max(c.longest for c in clients):.1f} s, signed out: {ended or 'none'}", flush=True)
            for client in clients:
                client.count, client.waits, client.longest = 0, 0, 0.0

        bench.add_users(folder)
        first, second, third, fourth = [os.path.join(folder, name) for name in ["data", "back", "restored", "last"]]
        database = os.path.join(first, "ostiary.sqlite")
        with Org(folder, first) as server:
            server.wait()
            clients = [Refresher(tokens.sign_in(server.port, user, "rotating")["refresh_token"]) for user in bench.USERS]
        fill(database, total)
        for client in clients:
            client.start()

        def serve(data, address=None):
            server = Org(folder, data, address)
            server.wait()
            for client in clients:
                client.port = server.port
            return server

        def stop(server):
            for client in clients:
                client.port = None
            time.sleep(1)
            server.__exit__(None, None, None)

        # Back-ups of SQLite under load, restored into both.
        server = serve(first)
        backup = os.path.join(folder, "sqlite.backup")
        seconds, document = command("database", "backup", backup, "--with-key", "--data", first)
        check(clients, "during the back-up of SQLite")
        row(f"back-up of SQLite, {document['rows']:,} rows", seconds, f"; {os.path.getsize(backup) / 2**20:.0f} MiB")
        one = cluster.make("one")
        seconds, _ = command("database", "restore", backup, "--data", third, "--database", one)
        row("restore into PostgreSQL", seconds)
        other = os.path.join(folder, "postgresql.backup")
        seconds, _ = command("database", "backup", other, "--with-key", "--data", third, "--database", one)
        row("back-up of PostgreSQL", seconds)
        seconds, _ = command("database", "restore", other, "--data", fourth)
        row("restore into SQLite", seconds)
        again = os.path.join(folder, "again")
        command("database", "restore", backup, "--data", again)
        lost = differences(os.path.join(again, "ostiary.sqlite"), os.path.join(fourth, "ostiary.sqlite"))
        missed += lost > 0
        print(f"  both restored ones beside each other: {lost} rows differ", flush=True)

        # Copies without clients, so that nothing differs at the end.
        quiet, files, end = cluster.make("quiet"), os.path.join(folder, "quiet"), os.path.join(folder, "end")
        seconds, _ = command("database", "copy", "--from", again, "--to", quiet, "--data", files)
        row("copy to PostgreSQL, without clients", seconds)
        seconds, _ = command("database", "copy", "--from", quiet, "--to", end, "--data", files)
        row("copy back to SQLite, without clients", seconds)
        lost = differences(os.path.join(again, "ostiary.sqlite"), os.path.join(end, "ostiary.sqlite"))
        missed += lost > 0
        print(f"  before and after: {lost} rows differ", flush=True)
        for place in [third, fourth, again, files, end]:
            shutil.rmtree(place)
        os.unlink(backup)
        os.unlink(other)

        # Copies under load: the servers answer 503, and the clients go on where the data is.
        two = cluster.make("two")
        files = os.path.join(folder, "files")
        seconds, document = command("database", "copy", "--from", first, "--to", two, "--data", files)
        row(f"copy to PostgreSQL, {document['rows']:,} rows", seconds)
        stop(server)
        server = serve(files, two)
        check(clients, "during the copy to PostgreSQL")
        time.sleep(2)
        seconds, _ = command("database", "copy", "--from", two, "--to", second, "--data", files)
        row("copy back to SQLite", seconds)
        stop(server)
        server = serve(second)
        time.sleep(2)
        for client in clients:
            client.stopped.set()
        for client in clients:
            client.join()
        check(clients, "during the copy back, and after it")
        missed += any(client.count == 0 for client in clients)
        stop(server)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
