"""Revocations: when three nodes know of one, also while one of them is stopped; and what they answer to what has ended."""

import glob
import http.client
import statistics
import time

import families
from families import CALL, REVOKE, ask, bearer

COUNT, STOPS = 300, 5


class Told:
    """A connection to each node that is kept, so that an end is timed and not a connection."""

    def __init__(self, nodes):
        self.connections = [http.client.HTTPConnection("127.0.0.1", node.port, timeout=30) for node in nodes]

    def call(self, at, token):
        return ask(0, CALL, headers=bearer(token), connection=self.connections[at])[0]

    def revoke(self, at, token):
        """In how many milliseconds the call has returned, by when all nodes know."""
        began = time.perf_counter()
        status, body, _ = ask(0, REVOKE, {"token": token}, connection=self.connections[at])
        took = (time.perf_counter() - began) * 1000
        if status != 200:
            raise RuntimeError(f"a revocation was answered {status}: {body[:200]}")
        return took


def warm(told, nodes, family):
    """Each node has the token in its cache."""
    for at in range(len(nodes)):
        for _ in range(2):
            status = told.call(at, family.access)
            if status != 200:
                raise RuntimeError(f"before its end a token was answered {status}")


def measure(house, figures):
    made = families.add(house.cluster, house.database, house.first, COUNT + 4 * STOPS, house.next_number(COUNT + 4 * STOPS), b"ended")
    with house.node("one", house.address) as one, house.node("two", house.address) as two, house.node("three", house.address) as three:
        nodes = [one, two, three]
        for node in nodes:
            house.wait_for_lease(node, made[0].access)
        told, times, late = Told(nodes), [], 0
        commits = commit_times(house)
        for number in range(COUNT):
            family = made.pop()
            warm(told, nodes, family)
            times.append(told.revoke(number % 3, family.refresh))
            # When the call has returned, no node accepts it.
            late += sum(told.call(at, family.access) == 200 for at in range(3))
        listed = int(house.cluster.sql(house.database, "SELECT count(*) FROM nodes WHERE shown IS NOT NULL;")[0][0])
        figures.row("revocation.accepted", "calls accepted after a revocation had returned", late, "", 0, "less",
                    f"of {3 * COUNT} at {listed} listed nodes")
        if listed != 3:
            figures.failed("revocation.p99", "a revocation that three nodes know of, p99", f"{listed} nodes were listed")
        else:
            figures.row("revocation.p99", "a revocation that three nodes know of, p99", statistics.quantiles(times, n=100)[98], "ms", 20,
                        "less", f"median {statistics.median(times):.1f} ms of {COUNT}, longest {max(times):.1f}; a durable commit alone: "
                        f"median {statistics.median(commits):.1f} ms, p99 {statistics.quantiles(commits, n=100)[98]:.1f}")
        stopped(house, figures, nodes, told, made)


def commit_times(house):
    """In ms, of transactions of one row, by a client of PostgreSQL's own."""
    log = house.cluster.folder + "/commits"
    script = house.write("commit.sql", "UPDATE token_epoch SET number = number + 1;")
    house.cluster.run("pgbench", "-h", house.cluster.folder, "-U", "ostiary", "-n", "-M", "prepared", "-t", "500", "-l",
                      "--log-prefix", log, "-f", script, "raw" if house.has("raw") else house.database)
    found = []
    for path in glob.glob(log + ".*"):
        with open(path) as file:
            found += [int(line.split()[2]) / 1000 for line in file]
    return found


def stopped(house, figures, nodes, told, made):
    """One node is stopped with SIGSTOP: the first end waits for its lease, the next ones for nothing, and it accepts nothing later."""
    firsts, nexts, late = [], [], 0
    for _ in range(STOPS):
        held = [made.pop() for _ in range(3)]
        for family in held:
            warm(told, nodes, family)
        nodes[2].pause()
        try:
            firsts.append(told.revoke(0, held[0].refresh))
            late += told.call(1, held[0].access) == 200
            nexts.append(told.revoke(1, held[1].refresh))
            late += told.call(0, held[1].access) == 200
        finally:
            nodes[2].go_on()
        late += sum(told.call(2, family.access) == 200 for family in held[:2])
        house.until(lambda: house.cluster.sql(house.database, "SELECT count(*) FROM nodes WHERE shown IS NOT NULL;")[0][0] == "3")
        house.wait_for_lease(nodes[2], held[2].access)
    figures.row("revocation.stopped", "a revocation while one node is stopped, longest", max(firsts), "ms", 1500, "less",
                f"{STOPS} times; a lease and a tenth are 1,100 ms")
    figures.row("revocation.stopped.next", "the next one while it is stopped, longest", max(nexts), "ms")
    figures.row("revocation.stopped.accepted", "calls accepted after those, and after the node goes on", late, "", 0, "less")
