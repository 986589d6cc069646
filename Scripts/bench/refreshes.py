"""Refreshes: round trips of one, how many a second one node has beside pgbench with the same statements, and three nodes beside one."""

import os
import statistics
import traceback

import families
import load
from families import TOKEN, ask, refreshing
from processes import Cores
from statements import Unlike, has_pipelines, script, shape
from wire import Relay

# So many families for each client that none is refreshed so often that its oldest access tokens end.
ROUNDS, SECONDS, CLIENTS, FAMILIES = 5, 4, 18, 300
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

    def usual(self):
        """The flights of the last refresh of the usual kind."""
        return self.flights[self.pairs()[0][-1]]

    def pairs(self):
        """Two refreshes of the usual kind, two that end the oldest access tokens, and how many refreshes lie between two of those."""
        shapes = [shape(flights) for flights in self.flights]
        usual = max(set(shapes), key=shapes.count)
        ending = [at for at, one in enumerate(shapes) if one != usual and any("DELETE FROM access_tokens" in text and "number <=" in text
                                                                             for flight in one for text in flight)]
        often = [at for at, one in enumerate(shapes) if one == usual]
        return often[-2:], ending[-2:], ending[-1] - ending[-2] if len(ending) > 1 else None


class Raw:
    """A database of its own for pgbench, with families and the scripts of refreshes."""

    def __init__(self, house, captured):
        self.house, self.captured = house, captured
        first, count = captured.number + 1, CLIENTS * FAMILIES
        house.cluster.make("raw", house.database)
        house.cluster.sql("raw", f"""
            CREATE TEMP TABLE one AS SELECT * FROM grants WHERE id = {captured.number};
            UPDATE grants SET handle_hash = sha256(convert_to('none', 'UTF8')) WHERE id = {captured.number};
            DO $$ BEGIN FOR number IN {first}..{first + count - 1} LOOP
              UPDATE one SET id = number, handle_hash = sha256(convert_to(number::text, 'UTF8'));
              INSERT INTO grants SELECT * FROM one;
            END LOOP; END $$;
            VACUUM (ANALYZE);
            """)
        usual, ending, cycle = captured.pairs()
        self.usual = [(self.write("usual", usual, FAMILIES, False), 1)]
        self.pipelined = [(self.write("pipelined", usual, FAMILIES), 1)] if has_pipelines(captured.usual()) else None
        self.hot = [(self.write("hot", usual, 1), cycle - 1), (self.write("ending", ending, 1), 1)] if cycle else None
        before = self.rotated()
        _, count = self.rate(self.usual, 1)
        if self.rotated() - before != count:
            raise Unlike(f"pgbench ran {count} refreshes, and {self.rotated() - before} rows were rotated")

    def write(self, name, pair, families, pipelines=True):
        seen = [(self.captured.flights[at], at) for at in pair]
        text = script(*seen, self.captured.family.handle_hash, self.captured.number, families, pipelines)
        return self.house.write(f"refresh-{name}.sql", text)

    def rotated(self):
        return int(self.house.cluster.sql("raw", "SELECT sum(issued) FROM grants;")[0][0])

    def rate(self, scripts, seconds):
        return load.pgbench(self.house.cluster, "raw", scripts, CLIENTS, seconds)


def begin_raw(house, captured, figures):
    """None where pgbench can't do what was seen: the other figures don't need it."""
    try:
        return Raw(house, captured)
    except (Unlike, RuntimeError, load.Unanswered) as error:
        traceback.print_exc()
        figures.failed("refreshes.one.ratio", "refreshes on one node / pgbench, the same statements one by one",
                       " ".join(str(error).split())[:300])
        return None


def clients_of(house, name, families_each):
    count = CLIENTS * families_each
    made = families.add(house.cluster, house.database, house.first, count, house.next_number(count), name.encode())
    return load.Refreshers(os.path.join(house.folder, name), made, CLIENTS)


def hot(house, figures, raw, one):
    """One family a client, refreshed some hundred times a second: its oldest access tokens end all the time."""
    clients = clients_of(house, "hot", 1)
    clients.rate([one], SECONDS)
    clients.settle(one)
    limit, _ = raw.rate(raw.hot, SECONDS)
    with Cores(house.cluster, [one]) as cores:
        rate, _, slowest = clients.rate([one], SECONDS)
    clients.settle(one)
    figures.row("refreshes.hot", "refreshes of one family a client, whose oldest access tokens end", rate, "/s",
                raw=f"{rate / limit:.2f} of {limit:.0f}/s by pgbench; p99 {slowest:.1f} ms; {cores.shares()}")


def measure(house, figures):
    captured = Captured(house, 2 * MOST_ACCESS)
    trips = captured.trips(MOST_ACCESS)
    figures.row("refresh.round_trips", "round trips to PostgreSQL of a refresh", statistics.mean(trips), "", 6, "less",
                f"counted before PostgreSQL's socket: {min(trips)} to {max(trips)} of {len(trips)} refreshes; "
                f"{statistics.mode(trips)} the most often; {sum(len(one.statements) for one in captured.usual())} statements then")
    raw = begin_raw(house, captured, figures)
    clients, rounds = clients_of(house, "clients", FAMILIES), []
    with house.node("one", house.address) as one:
        clients.rate([one], 2)
        clients.settle(one)
        for _ in range(ROUNDS):
            with Cores(house.cluster) as raw_cores:
                limit, raw_count = raw.rate(raw.usual, SECONDS) if raw else (float("inf"), 0)
            pipelined = raw.rate(raw.pipelined, SECONDS)[0] if raw and raw.pipelined else None
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
                "raw": limit, "pipelined": pipelined, "one": rate, "three": together, "ratio": rate / limit,
                "of one": together / rate, "slowest": slowest,
                "three slowest": three_slowest, "cores": cores.shares(), "raw cores": raw_cores.shares(),
                "three cores": three_cores.shares(), "node": cores.each("nodes", count), "PostgreSQL": cores.each("PostgreSQL", count),
                "generator": cores.each("generator", count), "raw PostgreSQL": raw_cores.each("PostgreSQL", raw_count),
                "three nodes": three_cores.each("nodes", three_count), "WAL": wal / count})
        if raw and raw.hot:
            hot(house, figures, raw, one)

    def middle(name):
        return sorted(rounds, key=lambda one: one[name])[ROUNDS // 2]

    of_raw, of_one = middle("ratio"), middle("of one")
    if raw:
        figures.row("refreshes.one.ratio", "refreshes on one node / pgbench, the same statements one by one", of_raw["ratio"], "", 0.5,
                    "more", f"{of_raw['one']:.0f}/s beside {of_raw['raw']:.0f}/s, {CLIENTS} clients with {FAMILIES} families each; "
                    f"{of_raw['cores']}; pgbench: {of_raw['raw cores']}")
    if raw and raw.pipelined:
        ratios = [one["one"] / one["pipelined"] for one in rounds]
        figures.row("refreshes.one.ratio_pipelined", "the same / pgbench in the node's own pipelines", statistics.median(ratios),
                    raw=f"{statistics.median(one['pipelined'] for one in rounds):.0f}/s by pgbench")
    figures.row("refreshes.three.ratio", "refreshes on three nodes / on one", of_one["of one"], "", 0.9, "more",
                f"{of_one['three']:.0f}/s beside {of_one['one']:.0f}/s; {of_one['three cores']}")
    for id, name, key, unit in [
            ("refreshes.one", "refreshes a second, one node", "one", "/s"),
            ("refreshes.raw", "the same statements by pgbench, one by one", "raw", "/s"),
            ("refreshes.three", "refreshes a second, three nodes", "three", "/s"),
            ("refreshes.one.p99", "p99 of a refresh, one node", "slowest", "ms"),
            ("refreshes.three.p99", "p99 of a refresh, three nodes", "three slowest", "ms"),
            ("refresh.node_us", "processor of a refresh, node", "node", "µs"),
            ("refresh.three_nodes_us", "processor of a refresh, three nodes", "three nodes", "µs"),
            ("refresh.postgresql_us", "processor of a refresh, PostgreSQL", "PostgreSQL", "µs"),
            ("refresh.raw_postgresql_us", "processor of the same by pgbench, PostgreSQL", "raw PostgreSQL", "µs"),
            ("refresh.generator_us", "processor of a refresh, load generator", "generator", "µs"),
            ("refresh.wal_bytes", "WAL of a refresh", "WAL", "B")]:
        if raw or not key.startswith("raw"):
            figures.row(id, name, statistics.median(one[key] for one in rounds), unit, raw=f"median of {ROUNDS} rounds")
