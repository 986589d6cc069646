"""Measures the tokens of a release build of `ostiary serve`, at its Salesforce door: durable refreshes a second, with rotation and
without, beside what the disk of the same run commits to SQLite one at a time; and authenticated calls a second, at rest and
beside the refreshes, next to the same server's answers without a token. Every answer must be a 200.

`bench-tokens.py COMMAND ROTATIONS` rotates that often instead, and prints what the tables and the file hold: rows may be no more
than what is alive and what has been replaced so lately that it may still be asked for (RT-12).

Needs wrk; says so where it is missing.
"""

import base64
import hashlib
import http.client
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("bench_server", os.path.join(here, "bench-server.py"))
spec = importlib.util.spec_from_loader("bench_server", loader)
bench = importlib.util.module_from_spec(spec)
loader.exec_module(bench)

ROUNDS, SECONDS, CONNECTIONS = 5, 4, 32
# How many refresh at the same time where their number is the figure.
CLIENTS = [1, 16]
bench.USERS = [f"bench{number:02d}" for number in range(CONNECTIONS)]
CALLBACK, VERIFIER = "app:/done", "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
TOKEN, AUTHORIZE = "/services/oauth2/token", "/services/oauth2/authorize"
# A replaced token is kept for the door's minute, for the minute in which a call may have waited, and until the next call that tidies up.
WINDOW = 60 + 60 + 15

# One connection a thread, which goes on with the token that its last answer has. Each writes its token down at the end.
REFRESH = """
local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end
function init(arguments)
  app, path = arguments[1], arguments[2] .. "/" .. number
  local file = io.open(path)
  token = file:read("*l")
  file:close()
  failures, failure = 0, ""
end
function request()
  return wrk.format("POST", nil, {["Content-Type"] = "application/x-www-form-urlencoded", ["Accept"] = "application/json"},
    "grant_type=refresh_token&client_id=" .. app .. "&refresh_token=" .. token:gsub("=", "%%3D"))
end
function response(status, headers, body)
  local access = body:match('"access_token":"([^"]+)"')
  if status ~= 200 or not access then
    failures, failure = failures + 1, status .. " " .. body:sub(1, 300)
  end
  local successor = body:match('"refresh_token":"([^"]+)"')
  if successor and successor ~= token then
    token = successor
    local file = io.open(path, "w")
    file:write(token)
    file:close()
  end
  if failures > 0 then
    local file = io.open(path .. ".failed", "w")
    file:write(failure)
    file:close()
  end
end
"""


class Org(bench.Server):
    """`ostiary serve` with two connected apps: one whose refresh tokens rotate, and one whose stay. The org may be called as
    often as a run can."""

    def __init__(self, folder):
        apps = os.path.join(folder, "apps")
        with open(apps, "w") as file:
            for name, words in [("rotating", "rotate"), ("staying", "")]:
                file.write(f"{name} callback={CALLBACK} headless {words}\n")
        self.port = bench.free_port()
        self.began = time.perf_counter()
        self.log = open(os.path.join(folder, "serve.log"), "ab")
        self.process = subprocess.Popen(
            [bench.COMMAND, "serve", "--data", os.path.join(folder, "data"), "--port", str(self.port),
             "--salesforce-apps", apps, "--salesforce-daily-requests", "1000000000"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)


def post(port, path, fields, headers=None):
    """The JSON that a form is answered with."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", path, urllib.parse.urlencode(fields),
                       {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
                        **(headers or {})})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        sys.exit(f"{path} was answered {response.status}: {body[:300]}")
    return json.loads(body)


def sign_in(port, user, app):
    """The tokens of a user, by the sign-in without a browser."""
    pair = base64.urlsafe_b64encode(f"{user}:{bench.PASSWORD}".encode()).rstrip(b"=").decode()
    code = post(port, AUTHORIZE,
                {"response_type": "code_credentials", "client_id": app, "redirect_uri": CALLBACK,
                 "code_challenge": CHALLENGE},
                {"Auth-Request-Type": "Named-User", "Authorization": f"Basic {pair}"})["code"]
    return post(port, TOKEN, {"grant_type": "authorization_code", "client_id": app, "redirect_uri": CALLBACK,
                              "code_verifier": VERIFIER, "code": code})


def wrk(arguments):
    """How many requests there were, and in how many seconds; all of them were answered 2xx."""
    text = subprocess.run(["wrk", "--timeout", "30s", *arguments], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+) requests in ", text)
    if "Non-2xx" in text or "Socket errors" in text or not found:
        sys.exit(f"not every request was answered as it should be:\n{text}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)), int(found.group(1))


def prepare(server, folder, app):
    """Signs all users in to an app, and keeps their refresh tokens in files for the callers. Returns their folder."""
    place = os.path.join(folder, app)
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(folder, "refresh.lua"), "w") as script:
        script.write(REFRESH)
    for number, user in enumerate(bench.USERS, 1):
        with open(os.path.join(place, str(number)), "w") as file:
            file.write(sign_in(server.port, user, app)["refresh_token"])
    return place


def refresh_rate(server, folder, app, seconds, clients=CONNECTIONS):
    """Refreshes a second by callers that each wait for their answer and go on with the token that it has, and the processor
    time of one."""
    place, before = os.path.join(folder, app), server.processor_seconds()
    rate, count = wrk([
        f"-t{clients}", f"-c{clients}", f"-d{seconds}s", "-s", os.path.join(folder, "refresh.lua"),
        f"http://127.0.0.1:{server.port}{TOKEN}", "--", app, place])
    for name in os.listdir(place):
        if name.endswith(".failed"):
            with open(os.path.join(place, name)) as file:
                sys.exit(f"a refresh was answered {file.read()}")
    return rate, (server.processor_seconds() - before) / count, count


def commit_rate(folder, seconds):
    """Durable commits a second to SQLite as the server uses it, one after the other."""
    path = os.path.join(folder, "raw.sqlite")
    database = sqlite3.connect(path, isolation_level=None)
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


def call_rate(server, path, token=None):
    """Calls a second, all of them answered 2xx, and the processor time of one."""
    command = ["-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", f"http://127.0.0.1:{server.port}{path}"]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    before = server.processor_seconds()
    rate, count = wrk(command)
    return rate, (server.processor_seconds() - before) / count


def load():
    return f"load {os.getloadavg()[0]:.1f} on {bench.CORES} cores"


def measure(folder):
    """The figures. Returns how many bars were missed."""
    missed = 0

    def row(what, figure, bar, raw, unit="/s", better="more"):
        nonlocal missed
        met = figure <= bar if better == "less" else figure >= bar
        missed += not met
        shown = f"{figure:7.0f}" if figure >= 10 else f"{figure:7.2f}"
        print(f"{what:44} {shown} {unit:3} bar {'≤' if better == 'less' else '≥'} {bar:g}: {'met' if met else 'MISSED':7} {raw}; "
              f"{load()}", flush=True)

    with Org(folder) as server:
        server.wait()
        for app in ["rotating", "staying"]:
            prepare(server, folder, app)
            refresh_rate(server, folder, app, 1)
            # The middle of rounds that measure both at nearly the same time: other work comes and goes.
            rounds = [(commit_rate(folder, SECONDS), *refresh_rate(server, folder, app, SECONDS)) for _ in range(ROUNDS)]
            limit, rate, cost, _ = sorted(rounds, key=lambda one: one[1])[ROUNDS // 2]
            row(f"durable refreshes a second, {app} tokens", rate, 1500,
                f"raw: {limit:.0f} SQLite commits/s one by one ({rate / limit:.2f} of it); {cost * 1e6:.0f} µs of processor "
                "each")

        for clients in CLIENTS:
            # Callers that were stopped may not have seen their last successors.
            prepare(server, folder, "rotating")
            rounds = [(commit_rate(folder, SECONDS), *refresh_rate(server, folder, "rotating", SECONDS, clients))
                      for _ in range(ROUNDS)]
            limit, rate, cost, _ = sorted(rounds, key=lambda one: one[1] / one[0])[ROUNDS // 2]
            told = f"{rate:.0f} refreshes/s beside {limit:.0f} SQLite commits/s one by one; {cost * 1e6:.0f} µs of processor each"
            if clients == 1:
                print(f"  rotating with one client: {rate / limit:.2f} of single commits; {told}; {load()}", flush=True)
                continue
            row(f"rotating with {clients} clients / single commits", rate / limit, 0.9, told, unit="")
            row(f"processor of a rotation, {clients} clients", cost * 1e6, 400, told, unit="µs", better="less")

        access = sign_in(server.port, bench.READER, "staying")["access_token"]
        calls = "/services/data/v60.0/limits"
        rounds = [(*call_rate(server, "/services/data"), *call_rate(server, calls, access)) for _ in range(ROUNDS)]
        limit, least, rate, cost = sorted(rounds, key=lambda one: one[2])[ROUNDS // 2]
        told = f"{cost * 1e6:.0f} µs of processor each, {least * 1e6:.0f} without a token"
        row("authenticated calls a second", rate, 8000, f"raw: {limit:.0f} without a token; {told}")
        limit, least, rate, cost = sorted(rounds, key=lambda one: one[2] / one[0])[ROUNDS // 2]
        row("calls with a token / without", rate / limit, 0.9, f"{rate:.0f}/s beside {limit:.0f}/s; {told}", unit="")

        # A caller that was stopped may not have seen its last successor, and by now it is too late to ask for it again.
        prepare(server, folder, "rotating")
        refreshes = []
        other = threading.Thread(
            target=lambda: refreshes.append(refresh_rate(server, folder, "rotating", SECONDS + 1)[0]))
        other.start()
        beside, _ = call_rate(server, calls, access)
        other.join()
        if not refreshes:
            sys.exit(1)
        print(f"  at the same time: {beside:.0f} authenticated calls/s and {refreshes[0]:.0f} refreshes/s; "
              f"resident {server.resident():.0f} MiB", flush=True)
    return missed


def rotate(folder, total):
    """RT-12: rotates so often and looks at the tables. Returns how often there was more in them than there may be."""
    data = os.path.join(folder, "data", "ostiary.sqlite")
    families, missed, history, done, shown = len(bench.USERS), 0, [], 0, 0
    with Org(folder) as server:
        server.wait()
        prepare(server, folder, "rotating")
        began = time.time()
        history.append((began, 0))
        while done < total:
            rate, _, count = refresh_rate(server, folder, "rotating", 10)
            done += count
            history.append((time.time(), done))
            if done - shown < total / 10 and done < total:
                continue
            shown = done
            # All that may have been replaced within the window, counted from the round that it begins in.
            before = [number for at, number in history if at <= time.time() - WINDOW]
            lately = done + families - (before[-1] if before else 0)
            database = sqlite3.connect(f"file:{data}?mode=ro", uri=True)
            spent, access, grants = [
                database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ["spent_refresh_tokens", "access_tokens", "grants"]]
            database.close()
            bound = families + 100 * families + lately
            isBounded = grants == families and access <= 100 * families and spent <= lately
            missed += not isBounded
            size = sum(os.path.getsize(data + end) for end in ["", "-wal"]) / 2**20
            print(f"{done:9,} rotations in {time.time() - began:5.0f} s: {grants} families, {access:,} access tokens, "
                  f"{spent:,} replaced tokens (rows ≤ {bound:,}: {'met' if isBounded else 'MISSED'}), {size:.1f} MiB; {load()}",
                  flush=True)
    return missed


def main():
    if not shutil.which("wrk"):
        print("the tokens were not measured: wrk is missing (Debian: apt-get install wrk)")
        return
    with tempfile.TemporaryDirectory() as folder:
        bench.add_users(folder)
        missed = rotate(folder, int(sys.argv[2])) if len(sys.argv) > 2 else measure(folder)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
