"""Two servers behind a pgbouncer that lends connections by transaction: `check-pooler.py COMMAND FOLDER`, with the folder of a running
PostgreSQL (Scripts/postgresql.sh), where the pooler gets a folder of its own. `PYTHONPATH` has Scripts/attack."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from house import (
    CASES, FORM, PASSWORD, TOKEN, AttackFailed, Server, World, apps_file, ask, begin_flow, expect, flow_step, form, free_port, refreshing,
    request, sign_up, tokens)
from races import at_once

# Fewer than two servers open, so that they take each other's.
LENT = 3
OWNER = 65534
# What a connection that was lent says when a statement of another one is asked for, or what pgbouncer refuses.
WRONG = re.compile(r"prepared statement|unsupported startup parameter|unsupported pkt|\b(26000|42P05|08P01)\b")


class Pooler:
    """pgbouncer with a folder of its own, as a user that is not root."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.place = os.path.join(folder, "pool")
        os.mkdir(self.place)
        settings = pathlib.Path(self.place, "pgbouncer.ini")
        settings.write_text(f"""\
[databases]
* = host={folder} port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = trust
auth_file = {self.place}/users
pool_mode = transaction
default_pool_size = {LENT}
max_client_conn = 100
""")
        pathlib.Path(self.place, "users").write_text('"ostiary" ""\n')
        if os.getuid() == 0:
            for path in (self.place, settings, os.path.join(self.place, "users")):
                os.chown(path, OWNER, OWNER)
        self.settings = str(settings)
        self.start()

    def start(self):
        user = {"user": OWNER, "group": OWNER, "extra_groups": []} if os.getuid() == 0 else {}
        with open(os.path.join(self.folder, "pool.log"), "ab") as log:
            self.process = subprocess.Popen(["pgbouncer", self.settings], stdout=log, stderr=log, cwd="/", **user)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def said(self):
        return pathlib.Path(self.folder, "pool.log").read_text(errors="replace")

    def address(self, name):
        return f"postgres://ostiary@127.0.0.1:{self.port}/{name}"

    def is_ready(self, name):
        return subprocess.run(["psql", self.address(name), "-Atqc", "SELECT 1"], capture_output=True).returncode == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def sql(folder, statement, name="postgres"):
    done = subprocess.run(
        ["psql", "-h", folder, "-U", "ostiary", "-d", name, "-Atqc", statement], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def command(world, *arguments, given=None):
    """A command of `ostiary`; what it printed."""
    done = subprocess.run(
        [world.command, *arguments], input=given, capture_output=True, text=True, timeout=120,
        env={**os.environ, "OSTIARY_HOME": world.place("home")})
    expect(done.returncode == 0, arguments[:2], "ended with", done.returncode, done.stderr[-600:])
    return done.stdout


def until(step, seconds=120):
    """Waits until a step succeeds, as a client that tries again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(AttackFailed, OSError):
            return step()
        time.sleep(0.1)
    return step()


def refreshed(server, token):
    answer = ask(server.port, "POST", TOKEN, FORM, refreshing(token))
    expect(answer.status == 200, "a refresh was answered", answer.status, answer.text[:300])
    return answer.json


def called(server, token):
    return ask(server.port, "GET", CASES, {"Authorization": f"Bearer {token}"}).status


def life(one, two):
    """A log-in, and tokens that are refreshed and used at either server."""
    flow, cookies = begin_flow(two.port, "login")
    answer = flow_step(two.port, "login", flow, "login", {"identifier": "ann@example.org", "password": PASSWORD}, cookies)
    expect(answer.status == 200, "logging in at the other server was answered", answer.status, answer.text[:300])
    held = tokens(one.port, "rotating", "ann@example.org")
    for number in range(40):
        server = (one, two)[number % 2]
        held = {**held, **refreshed(server, held["refresh_token"])}
        status = called((two, one)[number % 2], held["access_token"])
        expect(status == 200, "a call with a token of the other server was answered", status)
    return held


def races(one, two, held):
    """One token by many callers on both servers: one successor."""
    token = held["refresh_token"]
    answers = []
    for server in (one, two):
        answers += at_once(server.port, [request(server.port, "POST", TOKEN, FORM, refreshing(token))] * 24)
    expect({answer.status for answer in answers} == {200}, "refreshes at once were answered", {answer.status for answer in answers})
    successors = {answer.json["refresh_token"] for answer in answers}
    expect(len(successors) == 1, "one token has", len(successors), "successors")
    return answers[0].json


def end(one, two, held):
    """An end at one server is one at the other."""
    answer = ask(one.port, "POST", "/services/oauth2/revoke", FORM, form({"token": held["refresh_token"]}))
    expect(answer.status == 200, "the revocation was answered", answer.status)
    for server in (one, two):
        refused = ask(server.port, "POST", TOKEN, FORM, refreshing(held["refresh_token"]))
        expect(refused.status == 400, "a token that was revoked is answered", refused.status)
        status = called(server, held["access_token"])
        expect(status in (401, 403), "a call after the end is answered", status)


def commands(world, options):
    """What an administrator does beside the servers."""
    place = ["--data", world.place("data"), *options]
    expect("ann@example.org" in command(world, "user", "list", *place), "the command does not list the user")
    command(world, "user", "disable", "ann@example.org", *place)
    command(world, "audit", "verify", *place)


def servers(program, folder, pooler, name, listens):
    """Two servers on one database; with `listens` they have an address around the pooler, too. Returns how many connections they got."""
    sql(folder, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    others = f"FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    with World(program) as world:
        database = ["--database", pooler.address(name), "--database-pooler", "transaction"]
        options = ["--allow-sign-up", "--salesforce-apps", apps_file(world), *database, "--database-connections", "4"]
        if listens:
            options += ["--database-listen", f"postgres://ostiary@/{name}?host={folder}"]
        until(lambda: expect(pooler.is_ready(name), "pgbouncer does not answer:", pooler.said()[-500:]))
        one = Server(world, *options, data=world.place("data"))
        # The other server could send the mail, and has a mailbox of its own.
        sign_up(one.port, "ann@example.org")
        two = Server(world, *options, data=world.place("data"))
        held = races(one, two, life(one, two))
        lent = int(sql(folder, f"SELECT count(*) {others}"))
        expect(1 <= lent <= LENT + (2 if listens else 0), "PostgreSQL has", lent, "connections")

        # Away and back: 503 meanwhile, and no session ends.
        pooler.kill()
        answer = ask(one.port, "POST", TOKEN, FORM, refreshing(held["refresh_token"]))
        expect(answer.status == 503 and answer.header("retry-after"), "without the pooler a refresh was answered", answer.status)
        pooler.start()
        held = {**held, **until(lambda: refreshed(two, held["refresh_token"]))}
        held = {**held, **until(lambda: refreshed(one, held["refresh_token"]))}

        # Single connections ended, as an administrator does; those that listen, too.
        sql(folder, f"SELECT pg_terminate_backend(pid) {others}")
        held = {**held, **until(lambda: refreshed(one, held["refresh_token"]))}
        end(one, two, held)
        commands(world, database)
        for server in (one, two):
            server.expect_alive("at the end")
            server.stop()
            expect(not WRONG.search(server.said()), "the server's log has", WRONG.findall(server.said())[:3])
        return lent


def main(program, folder):
    with Pooler(folder) as pooler:
        lent = [servers(program, folder, pooler, "asking", False), servers(program, folder, pooler, "listening", True)]
        for log in (pathlib.Path(folder, "log").read_text(errors="replace"), pooler.said()):
            expect(not WRONG.search(log), "a log has", [line for line in log.splitlines() if WRONG.search(line)][:3])
    print(f"pooler: 2 servers on {lent[0]} connections that are lent, and with 2 around it on {lent[1]}: sign-up, log-in, 40 refreshes, "
          "48 at once, a restart, a revocation, commands")


try:
    main(*sys.argv[1:])
except AttackFailed as failure:
    sys.exit(f"pooler: {failure}")
