"""Introspection, on a node that believes its cache and on one that asks the database each time; and what a cached look-up sends."""

import shutil
import statistics

import families
import load
from families import CALL, INTROSPECT, SECRET, ask, bearer
from processes import Cores, Pooler
from wire import Relay

ROUNDS, SECONDS, CLIENTS, TOKENS = 3, 3, 18, 64


def introspect(node, token):
    fields = {"client_id": "asking", "client_secret": SECRET.replace(" ", "-"), "token": token}
    return families.demand(node.port, INTROSPECT, fields)


def tokens_of(house, count, seed):
    asking = families.sign_in(house.one_port, "bench", "asking")
    return [one.access for one in families.add(house.cluster, house.database, asking, count, house.next_number(count), seed)]


def cached(house, figures, tokens):
    """What look-ups send whose answer is in memory: of a token that the node did not issue."""
    with Relay(house.cluster) as relay, house.node("watched", relay.address(house.database)) as node:
        house.wait_for_lease(node, tokens[0])
        for token in tokens:
            introspect(node, token)
            introspect(node, token)
        for name, id, step in [("introspection", "introspection", lambda token: introspect(node, token)),
                               ("API call", "call", lambda token: demand_call(node, token))]:
            # The first use after a while is counted in the database.
            for token in tokens:
                step(token)
            relay.take()
            for token in tokens * 5:
                step(token)
            flights = [flight for flight in relay.take() if any("access_tokens" in one.text for one in flight.statements)]
            figures.row(f"{id}.round_trips", f"round trips of a cached look-up ({name})", len(flights) / (5 * len(tokens)), "", 0, "less",
                        f"{5 * len(tokens)} look-ups")


def demand_call(node, token):
    status, body, _ = ask(node.port, CALL, headers=bearer(token))
    if status != 200:
        raise load.Unanswered(f"a call was answered {status}: {body[:200]}")


def rates(house, figures, node, tokens, id, name, bar, raw, pooler=None):
    """The middle of some rounds; `raw` measures a limit beside each."""
    for token in tokens:
        if introspect(node, token).get("active") is not True:
            raise load.Unanswered("a token was not active")
    load.introspection_rate(house.folder, node, tokens, CLIENTS, 1)
    rounds = []
    for _ in range(ROUNDS):
        limit = raw()
        with Cores(house.cluster, [node], pooler) as cores:
            rate, count, slowest = load.introspection_rate(house.folder, node, tokens, CLIENTS, SECONDS)
        rounds.append((rate, limit, slowest, cores.shares(), cores.each("nodes", count), cores.each("PostgreSQL", count)))
    rate, limit, slowest, shares, own, database = sorted(rounds)[ROUNDS // 2]
    figures.row(f"introspection.{id}", name, rate, "/s", bar, "more", f"{limit}; p99 {slowest:.1f} ms; {shares}")
    figures.row(f"introspection.{id}.node_us", "processor of it, node", own, "µs")
    figures.row(f"introspection.{id}.postgresql_us", "processor of it, PostgreSQL", database, "µs")


def measure(house, figures):
    tokens = tokens_of(house, TOKENS, b"asked")
    staying = families.sign_in(house.one_port, "bench", "staying")["access_token"]
    house.rest()
    cached(house, figures, tokens)
    with house.node("listening", house.address) as node:
        house.wait_for_lease(node, tokens[0])

        def answers():
            rate, _, _ = load.call_rate(node, None, CLIENTS, SECONDS, "/healthz")
            return f"{rate:.0f}/s answers of /healthz"
        rates(house, figures, node, tokens, "listening", "introspections a second, cache believed", 4000, answers)
        call(house, figures, node, staying)
    if not shutil.which("pgbouncer"):
        return figures.skip("introspection.asking", "introspections a second behind a pooler", "pgbouncer is not installed")
    with Pooler(house.cluster) as pooler:
        address = [pooler.address(house.database), "--database-pooler", "transaction"]
        select = house.write("select.sql", f"SELECT * FROM access_tokens JOIN grants ON grants.id = grant_id JOIN clients ON "
                             "clients.id = client_id LEFT JOIN users ON users.id = user_id WHERE token_hash = "
                             f"'\\x{families.hashlib.sha256(tokens[0].split('!')[1].encode()).hexdigest()}';")

        def selects():
            rate, _ = load.pgbench(house.cluster, house.database, [(select, 1)], CLIENTS, SECONDS, "127.0.0.1", pooler.port, "extended")
            return f"{rate:.0f}/s of the same row by pgbench through the pooler"
        with house.node("asking", *address) as node:
            if house.cluster.sql(house.database, "SELECT 1 FROM nodes WHERE id LIKE 'asking%' AND shown IS NOT NULL;"):
                return figures.failed("introspection.asking", "introspections a second behind a pooler", "the node believes its cache")
            rates(house, figures, node, tokens, "asking", "introspections a second behind a pooler, always asked", 1500, selects, pooler)


def call(house, figures, node, token):
    """An API call with a token, for the arithmetic of sizes."""
    load.call_rate(node, token, CLIENTS, 1)
    costs = []
    for _ in range(ROUNDS):
        with Cores(house.cluster, [node]) as cores:
            rate, count, _ = load.call_rate(node, token, CLIENTS, SECONDS)
        costs.append((rate, cores.each("nodes", count)))
    figures.row("calls", "API calls a second with a token, one node", statistics.median(one for one, _ in costs), "/s")
    figures.row("call.node_us", "processor of it, node", statistics.median(one for _, one in costs), "µs")
