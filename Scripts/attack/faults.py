"""What a machine does to a server: it is killed under load, its disk is full, its clock is wrong."""

import contextlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import threading
import time
import urllib.parse

from house import (
    CASES, FORM, JSON, TOKEN, AttackFailed, Connection, Server, apps_file, ask, cookie, expect, gateway_session,
    refreshing, sign_up, tokens)

DAY = 24 * 3600


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def find_cases(port, token):
    """The ids of all cases, over all pages of the answer."""
    found, path = set(), "/services/data/v60.0/query?q=" + urllib.parse.quote("SELECT Id FROM Case")
    while path:
        answer = ask(port, "GET", path, bearer(token), timeout=60)
        expect(answer.status == 200, "the query was answered", answer.status, answer.text[:200])
        found |= {record["Id"] for record in answer.json["records"]}
        path = answer.json.get("nextRecordsUrl")
    return found


class Writers:
    """Callers that write as fast as they are answered, and note what the server has confirmed."""

    def __init__(self, server, access, refresh):
        self.server, self.access, self.refresh = server, access, dict(refresh)
        self.cases, self.rotations, self.refused, self.ended = set(), 0, [], False
        self.lost = {}
        self.threads = [threading.Thread(target=self.create) for _ in range(4)]
        self.threads += [threading.Thread(target=self.rotate, args=(user,)) for user in refresh]
        for thread in self.threads:
            thread.start()

    def create(self):
        with Connection(self.server.port) as connection, contextlib.suppress(OSError, AttackFailed, ValueError):
            while not self.ended:
                answer = connection.ask("POST", CASES, {**JSON, **bearer(self.access)}, '{"Subject":"kept"}')
                if answer.status == 201 and answer.whole:
                    self.cases.add(json.loads(answer.body)["id"])
                else:
                    self.refused.append(answer.status)
                    time.sleep(0.01)

    def rotate(self, user):
        with Connection(self.server.port) as connection, contextlib.suppress(OSError, AttackFailed, ValueError):
            while not self.ended:
                answer = connection.ask("POST", TOKEN, FORM, refreshing(self.refresh[user]))
                if answer.status == 200 and answer.whole:
                    self.refresh[user] = json.loads(answer.body)["refresh_token"]
                    self.rotations += 1
                else:
                    self.refused.append(answer.status)
                    time.sleep(0.01)

    def finish(self):
        self.ended = True
        for thread in self.threads:
            thread.join()


def check_database(data):
    database = sqlite3.connect(f"file:{data}/ostiary.sqlite?mode=ro", uri=True)
    try:
        found = database.execute("PRAGMA integrity_check").fetchone()[0]
        expect(found == "ok", "the database is", found)
    finally:
        database.close()


def killed(world):
    """kill -9, 12 times under load: what was confirmed is there, and no spent token has come to life."""
    data, confirmed, rotations = world.place("data"), set(), 0
    options = ["--allow-sign-up", "--salesforce-apps", apps_file(world), "--salesforce-daily-requests", "1000000000"]
    users = [f"user{number}@example.org" for number in range(4)]
    rounds = world.size(12, 2)
    with Server(world, *options, data=data) as server:
        for user in users:
            sign_up(server.port, user)
        access = tokens(server.inner, "staying")["access_token"]
        refresh = {user: tokens(server.inner, "rotating", user)["refresh_token"] for user in users}
        first = dict(refresh)
        for user in users:
            refresh[user] = ask(server.inner, "POST", TOKEN, FORM, refreshing(first[user])).json["refresh_token"]
        second = dict(refresh)
    for number in range(rounds):
        server = Server(world, *options, data=data)
        writers = Writers(server, access, refresh)
        time.sleep(1 + number * 0.07)
        server.kill()
        writers.finish()
        expect(set(writers.refused) <= {0}, "writes were answered", set(writers.refused))
        confirmed |= writers.cases
        rotations += writers.rotations
        refresh = writers.refresh
        with Server(world, *options, data=data) as server:
            missing = confirmed - find_cases(server.inner, access)
            expect(not missing, len(missing), "of", len(confirmed), "confirmed writes are gone after kill", number + 1)
            for user in users:
                # The last token that was handed out, also where the client never got an answer that was under way.
                answer = ask(server.inner, "POST", TOKEN, FORM, refreshing(refresh[user]))
                expect(answer.status == 200, user, "was signed out by kill", number + 1, answer.text[:200])
                refresh[user] = answer.json["refresh_token"]
        check_database(data)
    with Server(world, *options, data=data) as server:
        verified = subprocess.run([world.command, "audit", "verify", "--data", data], capture_output=True, text=True)
        expect(verified.returncode == 0, "the audit trail is", verified.stdout + verified.stderr)
        for user in users:
            # Within its minute a spent token gets the successor that it had, and never another.
            answer = ask(server.inner, "POST", TOKEN, FORM, refreshing(first[user]))
            expect(answer.status == 400 or answer.json["refresh_token"] == second[user], "a spent token has another successor")
    expect(len(confirmed) > 100, "only", len(confirmed), "writes")
    return f"{rounds} kills, {len(confirmed) + rotations:,} confirmed writes", "nothing lost"


@contextlib.contextmanager
def small_disk(path, size):
    """A file system in memory with little room. Mounting takes root."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", path], capture_output=True, text=True)
    expect(done.returncode == 0, "a small disk takes root:", done.stderr.strip())
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", path], check=False)


def fill(disk):
    """Leaves no byte free. Returns what takes the room."""
    path = os.path.join(disk, "ballast")
    with open(path, "wb", buffering=0) as ballast:
        for size in (65536, 4096, 512, 1):
            with contextlib.suppress(OSError):
                while ballast.write(b"x" * size):
                    pass
    return path


def until(port, path, status):
    """Waits for an answer's status; the disk is looked at once a second at most."""
    for _ in range(400):
        if ask(port, "GET", path).status == status:
            return
        time.sleep(0.05)
    raise AttackFailed(f"{path} does not become {status}")


def full_disk(world):
    """A disk that fills up under load: writes are unavailable, never refused or lost; what only reads goes on."""
    options = ["--salesforce-apps", apps_file(world), "--salesforce-daily-requests", "1000000000"]
    rounds, confirmed = world.size(5, 1), set()
    with small_disk(world.place("disk"), "24m") as disk, Server(world, *options, data=os.path.join(disk, "data")) as server:
        access = tokens(server.inner, "staying")["access_token"]
        session = cookie(gateway_session(server.inner))
        for _ in range(rounds):
            writers = Writers(server, access, {})
            time.sleep(0.3)
            ballast = fill(disk)
            until(server.port, "/readyz", 503)
            time.sleep(0.7)
            ballast_size = os.path.getsize(ballast)
            for _ in range(5):
                answer = ask(server.port, "GET", "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration",
                             {"Authorization": "Basic YWxpY2U6bmluZSBncmVlbiBib3R0bGVzIGhhbmdpbmc=", "Accept": "application/json"})
                expect(answer.status in (200, 503), "a right password was answered", answer.status)
                expect(ask(server.port, "GET", "/gateway/session", session).status in (200, 503), "a session was refused")
                expect(ask(server.port, "GET", "/healthz").status == 200, "the server is not alive")
            os.remove(ballast)
            until(server.port, "/readyz", 200)
            writers.finish()
            expect(503 in writers.refused, "the disk of", ballast_size, "bytes was not felt:", set(writers.refused))
            expect(set(writers.refused) == {503}, "writes were answered", set(writers.refused))
            confirmed |= writers.cases
            missing = confirmed - find_cases(server.inner, access)
            expect(not missing, len(missing), "of", len(confirmed), "confirmed writes are gone")
        server.expect_alive("after a full disk")
        server.stop()
        with Server(world, *options, data=os.path.join(disk, "data")) as again:
            expect(not confirmed - find_cases(again.inner, access), "confirmed writes are gone after a restart")
        check_database(os.path.join(disk, "data"))
    return f"filled {rounds} times, {len(confirmed):,} confirmed writes", "nothing lost"


def clocks(world):
    """A clock that jumps, while the server runs and before it starts: it goes on, and no session lives for longer."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    expect(compiler, "moving a clock takes a C compiler")
    library, file = world.place("clock.so"), world.place("clock")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
    subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    environment = {"LD_PRELOAD": library, "OSTIARY_CLOCK": file}
    pages = ["/", "/healthz", "/readyz", "/account", "/account/login", "/flows/login", "/gateway/login", "/gateway/auth",
             "/prweb/PRServlet", "/services/data", "/setup/connect", "/insecure-development-mailbox"]

    def jump(days):
        with open(file, "r+b" if os.path.exists(file) else "wb") as place:
            place.write(struct.pack("q", days * DAY))

    days = [-20000, -365, -1, 1, 31, 365, 20000] if not world.is_small else [20000]
    for number, jumped in enumerate(days):
        jump(0)
        with Server(world, "--salesforce-apps", apps_file(world), data=world.place(f"clock{number}"), environment=environment) as server:
            session, access = cookie(gateway_session(server.inner)), tokens(server.inner, "staying")["access_token"]
            jump(jumped)
            for page in pages:
                answer = ask(server.port, "GET", page, session)
                expect(answer.status < 500, page, "was answered", answer.status, "at", jumped, "days")
            # The field is written anew once a second.
            year = time.strftime("%Y", time.gmtime(time.time() + jumped * DAY))
            end = time.monotonic() + 10
            while ask(server.inner, "GET", "/healthz").header("date")[12:16] != year and time.monotonic() < end:
                time.sleep(0.1)
            found = ask(server.inner, "GET", "/healthz").header("date")
            expect(found[12:16] == year, "the clock did not move:", found)
            if jumped > 30:
                expect(ask(server.port, "GET", "/gateway/session", session).status == 401, "a session lived for", jumped, "days")
                expect(ask(server.port, "GET", CASES, bearer(access)).status == 401, "a token lived for", jumped, "days")
            there = cookie(gateway_session(server.inner))
            expect(ask(server.inner, "GET", "/gateway/session", there).status == 200, "no session at", jumped, "days")
            expect(tokens(server.inner, "staying"), "no tokens")
            jump(0)
            for page in pages:
                answer = ask(server.port, "GET", page, there)
                expect(answer.status < 500, page, "was answered", answer.status, "back from", jumped, "days")
            session = cookie(gateway_session(server.inner))
            expect(ask(server.inner, "GET", "/gateway/session", session).status == 200, "no session back from", jumped, "days")
            server.expect_alive("after", jumped, "days")
        # And a start at that time, over what was written at this one.
        jump(jumped)
        with Server(world, "--salesforce-apps", apps_file(world), data=world.place(f"clock{number}"), environment=environment) as server:
            expect(cookie(gateway_session(server.inner)), "no session at a start at", jumped, "days")
            server.expect_alive("started at", jumped, "days")
    return f"{', '.join(f'{one:+,}' for one in days)} days", "no session too long"
