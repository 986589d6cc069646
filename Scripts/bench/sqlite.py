"""SQLite's figures: none may slip. An older command is measured in turns with the new one, where there is one (BEFORE)."""

import os
import sqlite3
import statistics
import time

import families
import load
from processes import Cores, resident

ROUNDS, SECONDS, CLIENTS, FAMILIES = 3, 3, 18, 150


class Side:
    """One command on a folder of its own, with its clients."""

    def __init__(self, house, name, command):
        self.house, self.name, self.node = house, name, None
        house.add_user(os.path.join(house.folder, name), command=command)
        self.node = house.bare(name, command)

    def begin(self):
        self.node.wait()
        first = families.sign_in(self.node.port, "bench", "rotating")
        self.access = families.sign_in(self.node.port, "bench", "staying")["access_token"]
        made = add(os.path.join(self.house.folder, self.name, "ostiary.sqlite"), first, CLIENTS * FAMILIES)
        self.clients = load.Refreshers(os.path.join(self.house.folder, self.name + "-clients"), made, CLIENTS)
        self.rates, self.calls, self.costs = [], [], []

    def round(self):
        with Cores(nodes=[self.node]) as cores:
            rate, count, _ = self.clients.rate([self.node], SECONDS)
        self.clients.settle(self.node)
        self.rates.append(rate)
        self.costs.append(cores.each("nodes", count))
        self.calls.append(load.call_rate(self.node, self.access, CLIENTS, SECONDS)[0])


def add(path, tokens, count):
    """As families.add, for a file of SQLite."""
    database = sqlite3.connect(path, timeout=30)
    database.row_factory = sqlite3.Row
    app_hash = families.hashlib.sha256(tokens["access_token"].split("!")[1].encode()).digest()
    access = dict(database.execute("SELECT * FROM access_tokens WHERE token_hash = ?", (app_hash,)).fetchone())
    grant = dict(database.execute("SELECT * FROM grants WHERE id = ?", (access["grant_id"],)).fetchone())
    make = families.maker(tokens, grant)
    for one, other in families.rows(grant, access, make, 1_000_000, count):
        for table, row in [("grants", one), ("access_tokens", other)]:
            database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
    database.commit()
    database.close()
    return [make(number) for number in range(count)]


def commit_rate(folder, seconds):
    """Durable commits a second to SQLite as the server uses it, one after the other."""
    database = sqlite3.connect(os.path.join(folder, "raw.sqlite"), isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE IF NOT EXISTS t (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID")
    count, began = 0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        database.execute("INSERT INTO t VALUES (?, ?)", (os.urandom(32), os.urandom(200)))
        count += 1
    rate = count / (time.perf_counter() - began)
    database.close()
    return rate


def measure(house, figures):
    before = os.environ.get("BEFORE")
    sides = []
    try:
        sides.append(Side(house, "sqlite-now", house.command))
        if before:
            sides.append(Side(house, "sqlite-before", os.path.abspath(before)))
        for side in sides:
            side.begin()
            side.clients.rate([side.node], 1)
            side.clients.settle(side.node)
        commits = []
        for _ in range(ROUNDS):
            commits.append(commit_rate(house.folder, 1))
            for side in sides:
                side.round()
        now = sides[0]
        raw = f"{statistics.median(commits):.0f} SQLite commits/s one by one"
        figures.row("sqlite.refreshes", "SQLite: refreshes a second", statistics.median(now.rates), "/s", raw=raw)
        figures.row("sqlite.refresh.node_us", "SQLite: processor of a refresh", statistics.median(now.costs), "µs")
        figures.row("sqlite.calls", "SQLite: API calls a second with a token", statistics.median(now.calls), "/s")
        figures.row("sqlite.rss_mib", "SQLite: memory after these", resident(now.node.process.pid), "MiB")
        for key, name in [("rates", "refreshes"), ("calls", "API calls")]:
            id = f"sqlite.{'refreshes' if key == 'rates' else 'calls'}.before"
            if not before:
                figures.skip(id, f"SQLite: {name} / those of an older command", "BEFORE names no older command")
                continue
            ratios = [one / other for one, other in zip(getattr(now, key), getattr(sides[1], key))]
            figures.row(id, f"SQLite: {name} / those of an older command", statistics.median(ratios), "", 0.95, "more",
                        f"{statistics.median(getattr(now, key)):.0f}/s beside {statistics.median(getattr(sides[1], key)):.0f}/s, in turns")
    finally:
        for side in sides:
            if side.node:
                side.node.stop()
