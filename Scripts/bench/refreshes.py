"""Refreshes: round trips of one, how many a second one node has beside pgbench with the same statements, and three nodes beside one."""

import os
import statistics

import families
import load
from families import TOKEN, ask, refreshing
from processes import Cores
from statements import Unlike, script, shape
from wire import Relay

ROUNDS, SECONDS, CLIENTS = 5, 4, 18
# After so many access tokens of a grant its oldest ones end, a quarter at a time.
MOST_ACCESS = 100
HANDLE, ROTATED = "handle_hash = $1", "INSERT INTO access_tokens"


class Captured:
    """What refreshes one after the other have sent, and how many there had been of the family."""

    def __init__(self, house, count):
        self.number = house.next_number(1)
        self.family = families.add(house.cluster, house.database, house.first, 1, self.number, b"captured")[0]
        self.flights = []
        with Relay(house.cluster) as relay, house.node("captured", relay.address(house.database)) as node:
            token = self.family.refresh
            for _ in range(count):
                relay.take()
                status, body, _ = ask(node.port, TOKEN, refreshing(token))
                if status != 200:
                    raise load.Unanswered(f"a refresh was answered {status}: {body[:300]}")
                token = families.json.loads(body)["refresh_token"]
                self.flights.append([flight for flight in relay.take() if not self.is_apart(flight)])

    @staticmethod
    def is_apart(flight):
        """Whether a connection did something else meanwhile: prepared a statement for the first time, or ran what no request asks for."""
        connection = flight.connection
        return not any(HANDLE in text for text in connection.prepared.values())

    def trips(self, last):
        """Round trips of each of the last refreshes, without those that prepare a statement on a connection for the first time."""
        return [len([flight for flight in flights if flight.statements]) for flights in self.flights[-last:]]

    def pairs(self):
        """Two refreshes of the usual kind, two that end the oldest access tokens, and how many refreshes lie between two of those."""
        shapes = [shape(flights) for flights in self.flights]
        usual = max(set(shapes), key=shapes.count)
        ending = [at for at, one in enumerate(shapes) if one != usual and any("DELETE FROM access_tokens" in text and "number <=" in text
                                                                             for flight in one for text in flight)]
        often = [at for at, one in enumerate(shapes) if one == usual]
        return often[-2:], ending[-2:], ending[-1] - ending[-2] if len(ending) > 1 else None


def write_scripts(house, captured):
    """The scripts for pgbench, each with its weight, and families of their own in a database of their own."""
    usual, ending, cycle = captured.pairs()
    found = []
    for name, pair, weight in [("usual", usual, (cycle or 1) - 1 or 1), ("ending", ending, 1)]:
        if len(pair) < 2:
            continue
        text = script(*[(captured.flights[at], at) for at in pair], captured.family.handle_hash, captured.number)
        path = os.path.join(house.cluster.folder, f"refresh-{name}.sql")
        with open(path, "w") as file:
            file.write(text)
        found.append((path, weight))
    house.cluster.make("raw", house.database)
    house.cluster.sql("raw", f"""
        CREATE TEMP TABLE one AS SELECT * FROM grants WHERE id = {captured.number};
        UPDATE grants SET handle_hash = sha256(convert_to('none', 'UTF8')) WHERE id = {captured.number};
        DO $$ BEGIN FOR number IN 1..{CLIENTS} LOOP
          UPDATE one SET id = {captured.number} + number, handle_hash = sha256(convert_to(({captured.number} + number)::text, 'UTF8'));
          INSERT INTO grants SELECT * FROM one;
        END LOOP; END $$;
        """)
    before = rotated(house)
    _, count = load.pgbench(house.cluster, "raw", found, CLIENTS, 1)
    after = rotated(house)
    if after - before != count:
        raise Unlike(f"pgbench ran {count} refreshes, and {after - before} rows were rotated")
    return found


def rotated(house):
    return int(house.cluster.sql("raw", "SELECT sum(issued) FROM grants;")[0][0])


def measure(house, figures):
    captured = Captured(house, 2 * MOST_ACCESS)
    trips = captured.trips(MOST_ACCESS)
    figures.row("refresh.round_trips", "round trips to PostgreSQL of a refresh", statistics.mean(trips), "", 6, "less",
                f"counted before PostgreSQL's socket: {min(trips)} to {max(trips)} of {len(trips)} refreshes; "
                f"{sum(len(flight.statements) for flight in captured.flights[-1])} statements")
    scripts = write_scripts(house, captured)

    first = house.next_number(CLIENTS)
    clients = load.Refreshers(os.path.join(house.folder, "clients"), families.add(
        house.cluster, house.database, house.first, CLIENTS, first, b"clients"))
    rounds = []
    with house.node("one", house.address) as one:
        clients.rate([one], 2)
        clients.settle(one)
        for _ in range(ROUNDS):
            with Cores(house.cluster) as raw_cores:
                raw, raw_count = load.pgbench(house.cluster, "raw", scripts, CLIENTS, SECONDS)
            wal = house.wal()
            with Cores(house.cluster, [one]) as cores:
                rate, count, slowest = clients.rate([one], SECONDS)
            wal = house.wal() - wal
            clients.settle(one)
            with house.node("two", house.address) as two, house.node("three", house.address) as three:
                nodes = [one, two, three]
                # Connections are made, and statements prepared, by the first requests.
                clients.rate(nodes, 1)
                clients.settle(two)
                with Cores(house.cluster, nodes) as three_cores:
                    together, three_count, three_slowest = clients.rate(nodes, SECONDS)
                clients.settle(three)
            rounds.append({
                "raw": raw, "one": rate, "three": together, "ratio": rate / raw, "of one": together / rate, "slowest": slowest,
                "three slowest": three_slowest, "cores": cores.shares(), "raw cores": raw_cores.shares(),
                "three cores": three_cores.shares(), "node": cores.each("nodes", count), "PostgreSQL": cores.each("PostgreSQL", count),
                "generator": cores.each("generator", count), "raw PostgreSQL": raw_cores.each("PostgreSQL", raw_count),
                "three nodes": three_cores.each("nodes", three_count), "WAL": wal / count})

    def middle(name):
        return sorted(rounds, key=lambda one: one[name])[ROUNDS // 2]

    of_raw, of_one = middle("ratio"), middle("of one")
    figures.row("refreshes.one.ratio", "refreshes on one node / pgbench, the same statements", of_raw["ratio"], "", 0.5, "more",
                f"{of_raw['one']:.0f}/s beside {of_raw['raw']:.0f}/s, {CLIENTS} clients each; {of_raw['cores']}; "
                f"pgbench: {of_raw['raw cores']}")
    figures.row("refreshes.three.ratio", "refreshes on three nodes / on one", of_one["of one"], "", 0.9, "more",
                f"{of_one['three']:.0f}/s beside {of_one['one']:.0f}/s; {of_one['three cores']}")
    for id, name, key, unit in [
            ("refreshes.one", "refreshes a second, one node", "one", "/s"), ("refreshes.raw", "the same statements by pgbench", "raw", "/s"),
            ("refreshes.three", "refreshes a second, three nodes", "three", "/s"),
            ("refreshes.one.p99", "p99 of a refresh, one node", "slowest", "ms"),
            ("refreshes.three.p99", "p99 of a refresh, three nodes", "three slowest", "ms"),
            ("refresh.node_us", "processor of a refresh, node", "node", "µs"),
            ("refresh.three_nodes_us", "processor of a refresh, three nodes", "three nodes", "µs"),
            ("refresh.postgresql_us", "processor of a refresh, PostgreSQL", "PostgreSQL", "µs"),
            ("refresh.raw_postgresql_us", "processor of the same by pgbench, PostgreSQL", "raw PostgreSQL", "µs"),
            ("refresh.generator_us", "processor of a refresh, load generator", "generator", "µs"),
            ("refresh.wal_bytes", "WAL of a refresh", "WAL", "B")]:
        figures.row(id, name, statistics.median(one[key] for one in rounds), unit, raw=f"median of {ROUNDS} rounds")
