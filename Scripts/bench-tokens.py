"""Measures the tokens of a release build of `ostiary serve`, at its Salesforce door: durable refreshes a second, with rotation and
without, beside what the disk of the same run commits to SQLite one at a time; and authenticated calls a second, at rest and
beside the refreshes, next to the same server's answers without a token.

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
import socket
import sqlite3
import statistics
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
CALLBACK, VERIFIER = "app:/done", "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
TOKEN, AUTHORIZE = "/services/oauth2/token", "/services/oauth2/authorize"


class Org(bench.Server):
    """`ostiary serve` with two connected apps: one whose refresh tokens rotate, and one whose stay."""

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
             "--salesforce-apps", apps],
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


def refresh_rate(port, app, tokens, seconds):
    """Refreshes a second by callers that each wait for their answer and go on with the token that it has."""
    sockets = [socket.create_connection(("127.0.0.1", port), 30) for _ in tokens]
    host = f"127.0.0.1:{port}"

    def step(index):
        form = f"grant_type=refresh_token&client_id={app}&refresh_token={urllib.parse.quote(tokens[index], safe='')}"
        sockets[index].sendall(
            (f"POST {TOKEN} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
             f"Accept: application/json\r\nContent-Length: {len(form)}\r\n\r\n{form}").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += bench.receive(sockets[index])
        head, body = answer.split(b"\r\n\r\n", 1)
        length = bench.content_length(head)
        while len(body) < length:
            body += bench.receive(sockets[index])
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"a refresh was answered {head[:60]} {body[:200]}")
        tokens[index] = json.loads(body).get("refresh_token", tokens[index])
        return True

    rate = bench.count_in_threads(len(tokens), seconds, step)
    for one in sockets:
        one.close()
    return rate


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


def call_rate(port, path, token=None):
    """Calls a second, all of them answered 2xx."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", f"http://127.0.0.1:{port}{path}"]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        sys.exit(f"{path}: not every call was answered:\n{text}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))


def main():
    if not shutil.which("wrk"):
        print("the tokens were not measured: wrk is missing (Debian: apt-get install wrk)")
        return
    missed = 0

    def row(what, figure, bar, raw):
        nonlocal missed
        met = figure >= bar
        missed += not met
        print(f"{what:52} {figure:8.0f} /s       bar ≥ {bar:g}: {'met' if met else 'MISSED':7} raw: {raw}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        bench.add_users(folder)
        with Org(folder) as server:
            server.wait()
            tokens = {app: [sign_in(server.port, user, app)["refresh_token"] for user in bench.USERS]
                      for app in ["rotating", "staying"]}
            for app in tokens:
                refresh_rate(server.port, app, tokens[app], 1)
                # The middle of rounds that measure both at nearly the same time: other work comes and goes.
                rounds = [(commit_rate(folder, SECONDS), refresh_rate(server.port, app, tokens[app], SECONDS))
                          for _ in range(ROUNDS)]
                limit, rate = sorted(rounds, key=lambda one: one[1])[ROUNDS // 2]
                row(f"durable refreshes a second, {app} tokens", rate, 1500,
                    f"{limit:.0f} SQLite commits/s one by one; {rate / limit:.2f} of it")

            access = sign_in(server.port, bench.READER, "staying")["access_token"]
            calls = "/services/data/v60.0/limits"
            rounds = [(call_rate(server.port, "/services/data"), call_rate(server.port, calls, access))
                      for _ in range(ROUNDS)]
            limit, rate = sorted(rounds, key=lambda one: one[1])[ROUNDS // 2]
            row("authenticated calls a second", rate, 3000, f"{limit:.0f} without a token; {rate / limit:.2f} of it")

            refreshes = []
            other = threading.Thread(
                target=lambda: refreshes.append(refresh_rate(server.port, "rotating", tokens["rotating"], SECONDS + 1)))
            other.start()
            beside = call_rate(server.port, calls, access)
            other.join()
            print(f"  at the same time: {beside:.0f} authenticated calls/s and {statistics.mean(refreshes):.0f} refreshes/s; "
                  f"resident {server.resident():.0f} MiB", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
