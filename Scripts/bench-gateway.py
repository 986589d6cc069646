"""Measures the gateway of a release build of `ostiary serve`: the forward-authentication check, at rest and while logins flood
the server, and a 16 KiB response through the gateway beside the same one through nginx's `proxy_pass` and through the HTTP
framework by itself, in one run.

Needs a release build of `Server/Benchmarks/BareServer` beside the command, wrk and nginx; says so where they are missing.
"""

import http.client
import importlib.machinery
import importlib.util
import multiprocessing
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("bench_server", os.path.join(here, "bench-server.py"))
spec = importlib.util.spec_from_loader("bench_server", loader)
bench = importlib.util.module_from_spec(spec)
loader.exec_module(bench)

ROUNDS, SECONDS, CONNECTIONS = 5, 4, 64
BODY = 16 * 1024


class Nginx:
    """A file server, and a proxy before it, each with processes of its own."""

    def __init__(self, folder):
        self.files, self.proxy = bench.free_port(), bench.free_port()
        os.makedirs(os.path.join(folder, "files"))
        with open(os.path.join(folder, "files", "body"), "wb") as body:
            body.write(os.urandom(BODY))
        connection = f"keepalive {CONNECTIONS}; keepalive_requests 1000000;"
        self.processes = [
            self.run(folder, "files", f"server {{ listen 127.0.0.1:{self.files}; root {folder}/files; }}"),
            self.run(folder, "proxy", f"""
              upstream files {{ server 127.0.0.1:{self.files}; {connection} }}
              server {{
                listen 127.0.0.1:{self.proxy};
                location / {{ proxy_pass http://files; proxy_http_version 1.1; proxy_set_header Connection ""; }}
              }}"""),
        ]

    @staticmethod
    def run(folder, name, servers):
        place = os.path.join(folder, "nginx-" + name)
        os.makedirs(place)
        temporary = "\n".join(f"{one}_temp_path {place}/{one};" for one in
                              ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        configuration = os.path.join(place, "nginx.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        with open(configuration, "w") as file:
            file.write(f"""
                daemon off; worker_processes {bench.CORES}; pid {place}/nginx.pid; error_log {place}/nginx.log; {user}
                events {{ worker_connections 1024; }}
                http {{ access_log off; keepalive_requests 1000000; tcp_nodelay on; {temporary} {servers} }}""")
        return subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-c", configuration,
                                 "-e", f"{place}/nginx.log"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


class Gateway(bench.Server):
    """`ostiary serve` with an upstream."""

    def __init__(self, folder, upstream):
        self.port = bench.free_port()
        self.began = time.perf_counter()
        self.log = open(os.path.join(folder, "gateway.log"), "ab")
        self.process = subprocess.Popen(
            [bench.COMMAND, "serve", "--data", os.path.join(folder, "data"), "--port", str(self.port),
             "--gateway-upstream", f"/app=http://127.0.0.1:{upstream}"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)


def sign_in(port):
    """A session's cookie, through the login form."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/gateway/login", headers={"Accept": "text/html"})
    response = connection.getresponse()
    token = re.search(r'name="token" value="([^"]+)"', response.read().decode()).group(1)
    browser = response.getheader("Set-Cookie").split(";")[0]
    form = urllib.parse.urlencode({"token": token, "username": bench.READER, "password": bench.PASSWORD})
    connection.request("POST", "/gateway/login", form,
                       {"Content-Type": "application/x-www-form-urlencoded", "Cookie": browser})
    response = connection.getresponse()
    response.read()
    if response.status != 303:
        sys.exit(f"signing in was answered {response.status}")
    return response.getheader("Set-Cookie").split(";")[0]


def wrk(url, process, cookie=None, connections=CONNECTIONS):
    """Requests a second, all of them answered 2xx or 3xx, and the microseconds of processor that each costs the process."""
    before = bench.processor_seconds(process.pid)
    command = ["wrk", f"-t{bench.CORES}", f"-c{connections}", f"-d{SECONDS}s", url]
    if cookie:
        command += ["-H", f"Cookie: {cookie}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        sys.exit(f"{url}: not every request was answered:\n{text}")
    count = int(re.search(r"(\d+) requests in ", text).group(1))
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
            (bench.processor_seconds(process.pid) - before) / count * 1e6)


def latencies(port, cookie, seconds, rate=100):
    """Latencies in ms of the check, sent `rate` times a second, counted from when each was due."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    found, began, number = [], time.perf_counter(), 0
    while (due := began + number / rate) < began + seconds:
        time.sleep(max(0, due - time.perf_counter()))
        connection.request("GET", "/gateway/auth", headers={"Cookie": cookie})
        response = connection.getresponse()
        response.read()
        if response.status != 202:
            sys.exit(f"the check was answered {response.status}")
        found.append((time.perf_counter() - due) * 1000)
        number += 1
    return found


def main():
    missing = [name for name, path in [("wrk", None), ("nginx", "/usr/sbin")]
               if not shutil.which(name, path=os.environ["PATH"] + (":" + path if path else ""))]
    if not os.path.exists(bench.BARE):
        missing.append(f"{bench.BARE} (a release build of BareServer)")
    if missing:
        print(f"the gateway was not measured: {' and '.join(missing)} missing (Debian: apt-get install wrk nginx-light)")
        return
    missed = 0

    def row(what, figure, unit, bar, better, raw):
        nonlocal missed
        met = figure <= bar if better == "less" else figure >= bar
        missed += not met
        print(f"{what:52} {figure:8.2f} {unit:8} bar {'≤' if better == 'less' else '≥'} {bar:g}: "
              f"{'met' if met else 'MISSED':7} raw: {raw}", flush=True)

    with tempfile.TemporaryDirectory(dir="/tmp") as folder, Nginx(folder) as nginx, bench.Bare(folder, nginx.files) as bare:
        os.chmod(folder, 0o755)
        bench.add_users(folder)
        bare.wait()
        framework = f"http://127.0.0.1:{bare.port}"
        files, proxy = nginx.processes
        with Gateway(folder, nginx.files) as server:
            server.wait()
            cookie = sign_in(server.port)
            base = f"http://127.0.0.1:{server.port}"

            def middle(rounds):
                """The middle round by the ratio of the first figure and the second, and the words for its processor."""
                rounds = sorted(rounds, key=lambda one: one[0][0] / one[1][0])
                ratios = [one[0][0] / one[1][0] for one in rounds]
                return rounds[ROUNDS // 2], f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {ROUNDS} rounds"

            def check():
                return wrk(f"{base}/gateway/auth", server.process, cookie)

            def relay():
                return wrk(f"{base}/app/body", server.process, cookie)

            check()
            (ours, theirs, raw), spread = middle(
                [(check(), wrk(f"{framework}/hello", bare.process), wrk(f"http://127.0.0.1:{nginx.files}/body", files))
                 for _ in range(ROUNDS)])
            row("forward-authentication checks a second", ours[0] / 1000, "k/s", 15, "more",
                f"the framework's shortest answer {theirs[0] / 1000:.1f} k/s, nginx serving a file {raw[0] / 1000:.1f} k/s; "
                f"{ours[1]:.0f} µs of processor each beside {theirs[1]:.0f} and {raw[1]:.0f}; {spread}")

            relay()
            rounds = [(relay(), wrk(f"http://127.0.0.1:{nginx.proxy}/body", proxy),
                       wrk(f"{framework}/body", bare.process)) for _ in range(ROUNDS)]
            (ours, theirs, floor), spread = middle(rounds)
            row("16 KiB through the gateway / through nginx", ours[0] / theirs[0], "", 0.5, "more",
                f"{ours[0]:.0f}/s beside {theirs[0]:.0f}/s; {ours[1]:.0f} µs of processor each beside {theirs[1]:.0f}; {spread}")
            (ours, floor), spread = middle([(ours, floor) for ours, _, floor in rounds])
            row("16 KiB through the gateway / the framework's relay", ours[0] / floor[0], "", 0.75, "more",
                f"{ours[0]:.0f}/s beside {floor[0]:.0f}/s; {ours[1]:.0f} µs of processor each beside {floor[1]:.0f}; {spread}")

            rate = bench.login_rate(server.port, 4)
            rest = latencies(server.port, cookie, 5)
            result = multiprocessing.Queue()
            attacker = multiprocessing.Process(target=bench.flood, args=(server.port, 10 * rate, 20, result))
            attacker.start()
            time.sleep(2)
            under = latencies(server.port, cookie, 16)
            signed_in, turned_away, failed, took = result.get(timeout=60)
            attacker.join()
            row("p99 of the check while logins flood (ten times)", bench.p99(under), "ms", 20, "less",
                f"{bench.p99(rest):.1f} ms at rest; median {statistics.median(under):.1f} ms; "
                f"{(signed_in + turned_away + failed) / took:.0f} logins/s sent, {failed} failed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
