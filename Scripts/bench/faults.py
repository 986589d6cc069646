"""A primary that comes back, and a node that has nothing to do."""

import os
import threading
import time

import families
from families import CALL, TOKEN, ask, bearer, refreshing
from processes import mappings, own, resident, told

RESTARTS = 4


class Trying(threading.Thread):
    """A client that asks every few milliseconds, on a connection of its own each time, and notes when the first answer 200 came."""

    def __init__(self, port, family, refreshes):
        super().__init__(daemon=True)
        self.port, self.family, self.refreshes = port, family, refreshes
        self.from_now, self.answered, self.statuses, self.stopped = threading.Event(), None, {}, threading.Event()

    def once(self):
        if self.refreshes:
            return ask(self.port, TOKEN, refreshing(self.family.refresh), timeout=15)[0]
        return ask(self.port, CALL, headers=bearer(self.family.access), timeout=15)[0]

    def run(self):
        while not self.stopped.is_set():
            began = time.perf_counter()
            try:
                status = self.once()
            except OSError as error:
                status = type(error).__name__
            if status == 200 and self.from_now.is_set():
                self.answered = time.perf_counter()
                return
            self.statuses[status] = self.statuses.get(status, 0) + 1
            self.stopped.wait(max(0, 0.01 - (time.perf_counter() - began)))


def restarts(house, figures):
    """PostgreSQL stops as in a crash and starts again: when a refresh, and when a call with a token, are answered 200."""
    made = families.add(house.cluster, house.database, house.first, 2 * RESTARTS, house.next_number(2 * RESTARTS), b"waiting")
    found, unlike = {True: [], False: []}, {}
    with house.node("one", house.address) as node:
        for _ in range(RESTARTS):
            house.until(lambda: ask(node.port, CALL, headers=bearer(made[0].access))[0] == 200)
            clients = [Trying(node.port, made.pop(0 if refreshes else -1), refreshes) for refreshes in (True, False)]
            house.cluster.stop()
            for client in clients:
                client.start()
            try:
                # Long enough for all leases to be over, and for the node to have found out.
                time.sleep(1.5)
                house.cluster.start()
                ready = house.cluster.wait()
                for client in clients:
                    client.from_now.set()
                for client in clients:
                    client.join(30)
            finally:
                for client in clients:
                    client.stopped.set()
            for client in clients:
                found[client.refreshes].append((client.answered or float("inf")) - ready)
                for status, count in client.statuses.items():
                    if status not in (200, 503):
                        unlike[status] = unlike.get(status, 0) + count
    for refreshes, name in [(True, "refresh"), (False, "call with a token")]:
        longest = max(found[refreshes])
        if longest == float("inf"):
            figures.failed(f"restart.{name.split()[0]}", f"first {name} when a primary is there again, longest", "none within 30 s")
            continue
        figures.row(f"restart.{name.split()[0]}", f"first {name} when a primary is there again, longest", max(longest, 0), "s", 1, "less",
                    f"{RESTARTS} restarts, from the first connection that PostgreSQL takes: "
                    + ", ".join(f"{max(one, 0):.2f}" for one in found[refreshes]))
    figures.row("restart.unlike", "answers other than 200 and 503 meanwhile", sum(unlike.values()), "", 0, "less", str(unlike or ""))


class Idle:
    """A node on a database of its own, to which no request comes."""

    def __init__(self, house):
        self.house = house
        self.node = house.node("idle", house.cluster.make("idle"), data=os.path.join(house.folder, "idle"))

    def __enter__(self):
        self.node.__enter__()
        self.node.wait()
        time.sleep(1)
        self.first, self.began = resident(self.node.process.pid), time.perf_counter()
        return self

    def report(self, figures):
        time.sleep(max(0, 60 - (time.perf_counter() - self.began)))
        pid = self.node.process.pid
        kinds = mappings(pid, os.path.realpath(self.node.program))
        threads = len(os.listdir(f"/proc/{pid}/task"))
        figures.row("idle.rss_mib", "memory of an idle node after a minute", resident(pid), "MiB", 60, "less",
                    f"{self.first:.1f} MiB after the start; {own(pid):.1f} not pages of files; {threads} threads; {told(kinds)}")
        minutes = (time.perf_counter() - self.began) / 60
        figures.row("idle.processor", "processor of an idle node, a minute", self.node.seconds() / minutes, "s")

    def __exit__(self, *_):
        self.node.__exit__()


def sqlite_idle(house, figures):
    """The same without PostgreSQL, for what the second engine adds."""
    with house.bare("sqlite-idle") as node:
        node.wait()
        time.sleep(3)
        kinds = mappings(node.process.pid, os.path.realpath(node.program))
        figures.row("idle.sqlite_rss_mib", "memory of an idle node on SQLite", resident(node.process.pid), "MiB", raw=told(kinds))
