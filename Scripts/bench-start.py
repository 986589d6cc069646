"""Measures what sessions add to a program of one request: from its start to its end, its memory and its size, beside a program
that sends the same request over the same client without them. The server is a process of its own.

`bench-start.py FOLDER`: the folder of the release build.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROUNDS = 30
# A server that answers at once, so that the programs are what is measured.
SERVER = """
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0
    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        if self.path == "/count": return self.answer(200, str(Handler.count).encode())
        Handler.count += 1
        self.answer(200 if self.headers["Authorization"] == "Bearer access" else 401, b"{}")
    def do_POST(self):
        Handler.count += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, b'{"access_token":"access","token_type":"Bearer","refresh_token":"newer","expires_in":86400}')
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


def run(arguments):
    """Runs a program to its end: seconds by the wall's clock, and the most memory that it had, in MiB."""
    began = time.perf_counter()
    pid = os.posix_spawn(arguments[0], arguments, os.environ)
    _, status, usage = os.wait4(pid, 0)
    took = time.perf_counter() - began
    if status != 0:
        sys.exit(f"{arguments[0]} ended with {status}")
    return took, usage.ru_maxrss / 1024


def requests(url):
    """How many requests the server has had."""
    with urllib.request.urlopen(url.replace("/things", "/count")) as response:
        return int(response.read())


def renewals(url, raw_program, own_program, work):
    """A program that finds an expired session, renews it and sends its request, beside one that does it by hand."""
    expired, used, file = (os.path.join(work, name) for name in ("expired", "used", "tokens/tokens.json"))
    run([own_program, url, expired, "expired"])
    os.mkdir(os.path.dirname(file))
    raw, own, sent = [], [], 0
    for _ in range(ROUNDS + 2):
        with open(file, "w", encoding="ascii") as tokens:
            tokens.write('{"access_token":"old","refresh_token":"refresh"}')
        raw.append(run([raw_program, url, file])[0])
        shutil.rmtree(used, ignore_errors=True)
        shutil.copytree(expired, used)
        before = requests(url)
        own.append(run([own_program, url, used])[0])
        sent = max(sent, requests(url) - before)
    own_time, raw_time = (statistics.median(times[2:]) * 1000 for times in (own, raw))
    ratio = own_time / raw_time
    return told(
        f"Expired session, renewal, first answer; {sent} requests, bar 2", own_time, raw_time, "ms",
        f"{ratio:.2f} of the raw way, bar ≤ 1.05", ratio <= 1.05 and sent == 2)


def told(name, own, raw, unit, bar, is_met):
    print(f"{name}: {own:.1f} {unit}, raw {raw:.1f} {unit}, {bar}: {'met' if is_met else 'MISSED'}")
    return is_met


def main(release):
    work = tempfile.mkdtemp()
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/things"
        programs = {}
        for name in ("ostiary-bench-bare", "ostiary-bench-session"):
            programs[name] = os.path.join(work, name)
            subprocess.run(["strip", "-o", programs[name], os.path.join(release, name)], check=True)
        raw_program, own_program = programs.values()
        folder = os.path.join(work, "sessions")
        run([own_program, url, folder, "sign-in"])
        raw, own = [], []
        for _ in range(ROUNDS + 2):
            raw.append(run([raw_program, url]))
            own.append(run([own_program, url, folder]))
        # The first rounds read the programs from the disk.
        raw, own = raw[2:], own[2:]
        times = [[took * 1000 for took, _ in runs] for runs in (own, raw)]
        own_time, raw_time = (statistics.median(runs) for runs in times)
        spread = statistics.quantiles(times[0], n=10)
        good = told(
            f"Start to first answer, {ROUNDS} interleaved rounds, 10–90 % {spread[0]:.1f}–{spread[-1]:.1f} ms", own_time, raw_time,
            "ms", f"{own_time / raw_time:.2f} of the raw way, bar ≤ 1.08", own_time / raw_time <= 1.08)
        good &= renewals(url, raw_program, own_program, work)
        memory = [statistics.median(size for _, size in runs) for runs in (own, raw)]
        print(f"Most memory: {memory[0]:.1f} MiB, raw {memory[1]:.1f} MiB")
        sizes = [os.path.getsize(path) / 1e6 for path in (own_program, raw_program)]
        good &= told(
            "Size, stripped", *sizes, "MB", f"{sizes[0] - sizes[1]:.1f} MB more, bar ≤ 3.0", sizes[0] - sizes[1] <= 3)
        return 0 if good else 1
    finally:
        server.kill()
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
