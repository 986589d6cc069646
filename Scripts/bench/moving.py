"""What the moves of a database are seen with: clients that refresh throughout, tokens that are known, and comparisons."""

import json
import os
import sqlite3
import threading
import time

import families
from families import CALL, TOKEN, ask, bearer, refreshing

SAMPLE = 600
FIRST = 1_000_000


class Refresher(threading.Thread):
    """A client that refreshes all the time. It goes on after a 503 that says when to try again; anything else is a sign-out."""

    def __init__(self, token):
        super().__init__(daemon=True)
        self.token, self.port, self.count, self.waits, self.ended = token, None, 0, 0, None
        self.stopped, self.longest = threading.Event(), 0.0

    def run(self):
        last = time.perf_counter()
        while not self.stopped.is_set():
            port = self.port
            if port is None:
                self.stopped.wait(0.05)
                continue
            try:
                status, body, headers = ask(port, TOKEN, refreshing(self.token), timeout=60)
            except (OSError, families.http.client.HTTPException):
                # No server, while it is started again elsewhere.
                self.stopped.wait(0.05)
                continue
            if status == 200:
                self.token = json.loads(body)["refresh_token"]
                self.count += 1
                self.longest = max(self.longest, time.perf_counter() - last)
                last = time.perf_counter()
                # Some hundred a second of all, as users do; more would measure the clients.
                self.stopped.wait(0.005)
            elif status == 503 and headers.get("Retry-After"):
                self.waits += 1
                self.stopped.wait(0.1)
            else:
                self.ended = f"{status} {body[:200]}"
                return


class Known:
    """Tokens of families that are numbered from `FIRST` on."""

    def __init__(self, make, count):
        self.make, self.count = make, count
        self.expected = [make(number)[2:] for number in range(count)]
        self.used, self.place = set(), 0

    def lost(self, found):
        """Of (number, hash of the handle, of the refresh token, of the access token), those that are missing or other ones."""
        seen = [None] * self.count
        for number, *hashes in found:
            seen[number - FIRST] = tuple(hashes)
        return [number for number, (one, other) in enumerate(zip(seen, self.expected))
                if one != other and not (number in self.used and one and one[0] == other[0])]

    def refused(self, node):
        """Those of a sample that a server does not take: half of it are calls, half refreshes. Each call takes other ones."""
        found, step = [], max(1, self.count // SAMPLE)
        for index in range(SAMPLE):
            number = (self.place + index * step) % self.count
            tokens = self.make(number)
            if index % 2:
                status, _, _ = ask(node.port, CALL, headers=bearer(tokens.access))
            else:
                status, _, _ = ask(node.port, TOKEN, refreshing(tokens.refresh))
                self.used.add(number)
            if status != 200:
                found.append((number, status))
        self.place += 1
        return found


def fill(path, tokens, total):
    """Adds grants like that of a sign-in, each with a refresh token and an access token."""
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA synchronous = OFF")
    app_hash = families.hashlib.sha256(tokens["access_token"].split("!")[1].encode()).digest()
    access = dict(database.execute("SELECT * FROM access_tokens WHERE token_hash = ?", (app_hash,)).fetchone())
    grant = dict(database.execute("SELECT * FROM grants WHERE id = ?", (access["grant_id"],)).fetchone())
    make = families.maker(tokens, grant, b"moved")
    for table, prototype, at in [("grants", grant, 0), ("access_tokens", access, 1)]:
        names = list(prototype)
        database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                             ([pair[at][name] for name in names] for pair in families.rows(grant, access, make, FIRST, total // 2)))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return Known(make, total // 2)


def of_sqlite(path, known):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    yield from database.execute(
        "SELECT grants.id, handle_hash, leaf_hash, token_hash FROM grants JOIN access_tokens ON grant_id = grants.id AND number = 1 "
        "WHERE grants.id BETWEEN ? AND ?", (FIRST, FIRST + known.count - 1))
    database.close()


def of_postgresql(cluster, name, known):
    for number, *hashes in cluster.sql(name, f"""
        COPY (SELECT grants.id, encode(handle_hash, 'hex'), encode(leaf_hash, 'hex'), encode(token_hash, 'hex') FROM grants
          JOIN access_tokens ON grant_id = grants.id AND number = 1
          WHERE grants.id BETWEEN {FIRST} AND {FIRST + known.count - 1}) TO STDOUT;"""):
        yield (int(number), *map(bytes.fromhex, hashes))


def differences(one, other, restores=0):
    """How many rows of two files of SQLite differ. Tables of a source that is out of use have other names. Each restore begins a timeline,
    with its own time: where one file has been restored more often than the other, these are counted and not compared."""
    database = sqlite3.connect(f"file:{one}?mode=ro", uri=True)
    database.execute("ATTACH ? AS other", (f"file:{other}?mode=ro",))
    found = 0
    for (name,) in database.execute(
            "SELECT name FROM other.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
            "AND name NOT LIKE 'grdb%' AND name NOT LIKE 'ostiary_%'").fetchall():
        if restores and name == "timelines":
            counts = [database.execute(f"SELECT count(*) FROM {place}.timelines WHERE beginning = 'restored'").fetchone()[0]
                      for place in ("main", "other")]
            found += abs(counts[1] - counts[0] - restores)
            continue
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
