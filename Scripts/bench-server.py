"""Measures a release build of `ostiary serve` on this machine. Python's own library and libsodium only.

Every figure stands beside a raw one of the same run: starting beside starting the same program for nothing, logins beside the
hash alone on the same cores, latency under a flood beside latency at rest.
"""

import asyncio
import base64
import ctypes
import ctypes.util
import http.client
import multiprocessing
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COMMAND = os.path.abspath(sys.argv[1])
# The HTTP framework by itself (Server/Benchmarks/BareServer).
BARE = os.path.join(os.path.dirname(COMMAND), "BareServer")
CORES = len(os.sched_getaffinity(0))
USERS = [f"bench{number:02d}" for number in range(16)]
# Signs in once; the others' many logins would end their oldest sessions.
READER = "reader"
PASSWORD = "nine green bottles hanging"
LOGIN = "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration"
CASES = "/prweb/api/v1/cases"
ROUNDS, SECONDS = 9, 3


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`ostiary serve` on a folder of its own."""

    path, program = "/healthz", COMMAND

    def __init__(self, folder, *options):
        self.port = free_port()
        self.began = time.perf_counter()
        self.log = open(os.path.join(folder, "serve.log"), "ab")
        self.process = subprocess.Popen(
            [COMMAND, "serve", "--data", os.path.join(folder, "data"), "--port", str(self.port), *options],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def wait(self):
        """Seconds from exec to the first 200."""
        while time.perf_counter() - self.began < 30:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", self.path)
                if connection.getresponse().status == 200:
                    return time.perf_counter() - self.began
            except OSError:
                time.sleep(0.001)
            if self.process.poll() is not None:
                sys.exit("the server ended: " + open(self.log.name).read()[-2000:])
        sys.exit("the server did not answer within 30 s")

    def resident(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def mappings(self):
        """What is resident, in MiB by kind: the program, libraries, the heap and other anonymous memory, other files."""
        kinds, kind = {}, ""
        with open(f"/proc/{self.process.pid}/smaps") as maps:
            for line in maps:
                fields = line.split()
                if "-" in fields[0] and not fields[0].endswith(":"):
                    path = fields[5] if len(fields) > 5 else ""
                    kind = ("program" if path == self.program else
                            os.path.basename(path).split(".so")[0] if ".so" in path else
                            "heap" if path == "[heap]" else "anonymous" if not path.startswith("/") else "other files")
                elif fields[0] == "Rss:":
                    kinds[kind] = kinds.get(kind, 0) + int(fields[1]) / 1024
        large = {kind: size for kind, size in kinds.items() if size >= 1}
        small = sum(kinds.values()) - sum(large.values())
        parts = sorted(large.items(), key=lambda one: -one[1]) + [("the rest", small)]
        return ", ".join(f"{kind} {size:.1f}" for kind, size in parts)

    def processor_seconds(self):
        """What the server's threads have had of the cores."""
        return processor_seconds(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Bare(Server):
    """The HTTP framework by itself: a short answer, and a relay."""

    path, program = "/hello", BARE

    def __init__(self, folder, upstream=1):
        self.port = free_port()
        self.began = time.perf_counter()
        self.log = open(os.path.join(folder, "bare.log"), "ab")
        self.process = subprocess.Popen([BARE, str(self.port), str(upstream)],
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)


def processor_seconds(pid):
    """What a process and its children, as far as they run, have had of the cores."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/task/{pid}/children") as children:
        below = [processor_seconds(int(child)) for child in children.read().split()]
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(below)


def add_users(folder):
    for name in [*USERS, READER]:
        subprocess.run(
            [COMMAND, "user", "add", name, "--password-stdin", "--data", os.path.join(folder, "data")],
            input=PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL)


def basic(name):
    return "Basic " + base64.b64encode(f"{name}:{PASSWORD}".encode()).decode()


def login_request(port, name):
    return (f"GET {LOGIN} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {basic(name)}\r\n"
            "Accept: application/json\r\n\r\n").encode()


def content_length(head):
    return next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))


def receive(connection):
    data = connection.recv(65536)
    if not data:
        raise EOFError("the server hung up")
    return data


def count_in_threads(count, seconds, step):
    """Calls `step(index)` over and over in each of some threads, and returns how often a second it was true."""
    counts, end = [0] * count, time.perf_counter() + seconds

    def work(index):
        while time.perf_counter() < end:
            counts[index] += step(index)

    began = time.perf_counter()
    threads = [threading.Thread(target=work, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - began)


def hash_rate(seconds):
    """Hashes a second with libsodium alone: argon2id, 46 MiB, one pass, a thread a core, as nice as the server's threads
    are, so that other work of the machine weighs on both alike."""
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    sodium.sodium_init()
    salt = bytes(range(16))

    def step(_):
        return sodium.crypto_pwhash(
            ctypes.create_string_buffer(32), ctypes.c_ulonglong(32), PASSWORD.encode(),
            ctypes.c_ulonglong(len(PASSWORD)), salt, ctypes.c_ulonglong(1), ctypes.c_size_t(47104 * 1024), 2) == 0

    def measure(result):
        os.nice(10)
        result.put(count_in_threads(CORES, seconds, step))

    result = multiprocessing.Queue()
    process = multiprocessing.Process(target=measure, args=(result,))
    process.start()
    rate = result.get(timeout=seconds + 30)
    process.join()
    return rate


def login_rate(port, seconds):
    """Logins a second by a few callers that each wait for their answer."""
    callers, refused = 4 * CORES, []
    sockets = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(callers)]

    def step(index):
        sockets[index].sendall(login_request(port, USERS[index % len(USERS)]))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += receive(sockets[index])
        head, body = answer.split(b"\r\n\r\n", 1)
        missing = content_length(head) - len(body)
        while missing > 0:
            missing -= len(receive(sockets[index]))
        is_in = head.startswith(b"HTTP/1.1 200 ")
        if not is_in:
            refused.append(head)
        return is_in

    rate = count_in_threads(callers, seconds, step)
    for one in sockets:
        one.close()
    if refused:
        sys.exit(f"{len(refused)} logins were refused: {refused[0]}")
    return rate


def flood(port, rate, seconds, result):
    """Starts `rate` logins a second, without waiting for the ones before, and reports (signed in, turned away, failed)."""

    async def main():
        outcome, idle, running = {200: 0, "turned away": 0, "failed": 0}, [], set()
        request = [login_request(port, name) for name in USERS]

        async def login(number):
            try:
                reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
                writer.write(request[number % len(USERS)])
                head = await reader.readuntil(b"\r\n\r\n")
                status = int(head.split(b" ", 2)[1])
                await reader.readexactly(content_length(head))
                outcome[200 if status == 200 else "turned away" if status in (429, 503) else "failed"] += 1
                if b"connection: close" in head.lower():
                    writer.close()
                else:
                    idle.append((reader, writer))
            except (OSError, asyncio.IncompleteReadError):
                outcome["failed"] += 1

        began = time.perf_counter()
        for number in range(int(rate * seconds)):
            delay = began + number / rate - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            task = asyncio.create_task(login(number))
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.wait(running, timeout=10) if running else None
        result.put((outcome[200], outcome["turned away"], outcome["failed"], time.perf_counter() - began))

    asyncio.run(main())


def latencies(port, cookies, seconds, connection_limit=50):
    """Latencies in ms of an authenticated request sent fifty times a second, counted from when it was due."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    found, began, number = [], time.perf_counter(), 0
    while (due := began + number / connection_limit) < began + seconds:
        time.sleep(max(0, due - time.perf_counter()))
        connection.request("GET", CASES, headers={"Cookie": cookies, "Accept": "application/json"})
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            sys.exit(f"the authenticated request was answered {response.status}")
        found.append((time.perf_counter() - due) * 1000)
        number += 1
    return found


def p99(values):
    return statistics.quantiles(values, n=100)[98]


def sign_in(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", LOGIN, headers={"Authorization": basic(READER), "Accept": "application/json"})
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        sys.exit(f"signing in was answered {response.status}")
    return "; ".join(value.split(";")[0] for name, value in response.getheaders() if name.lower() == "set-cookie")


def main():
    missed = 0

    def row(what, figure, unit, bar, better, raw):
        nonlocal missed
        met = figure <= bar if better == "less" else figure >= bar
        missed += not met
        sign = "≤" if better == "less" else "≥"
        verdict = "met" if met else "MISSED"
        print(f"{what:52} {figure:8.2f} {unit:8} bar {sign} {bar:g}: {verdict:7} raw: {raw}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        add_users(folder)
        starts, bare, framework = [], [], []
        for _ in range(9):
            began = time.perf_counter()
            subprocess.run([COMMAND, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            bare.append(time.perf_counter() - began)
            with Server(folder) as server:
                starts.append(server.wait())
            if os.path.exists(BARE):
                with Bare(folder) as server:
                    framework.append(server.wait())
        row("exec to the first response", statistics.median(starts) * 1000, "ms", 50, "less",
            f"starting the program for nothing {statistics.median(bare) * 1000:.0f} ms"
            + (f", the framework by itself {statistics.median(framework) * 1000:.0f} ms" if framework else ""))

        framework = "the framework by itself was not built"
        if os.path.exists(BARE):
            with Bare(folder) as server:
                server.wait()
                time.sleep(3)
                framework = f"the framework by itself {server.resident():.1f} MiB: {server.mappings()}"
        with Server(folder) as server:
            server.wait()
            time.sleep(3)
            row("resident memory at rest", server.resident(), "MiB", 40, "less", f"{server.mappings()}; {framework}")

            cookies = sign_in(server.port)
            # The middle of rounds that measure both at nearly the same time: other work comes and goes.
            rounds = [(hash_rate(SECONDS), login_rate(server.port, SECONDS)) for _ in range(ROUNDS)]
            limit, rate = sorted(rounds, key=lambda one: one[1] / one[0])[ROUNDS // 2]
            row("logins a second / hashes a second", rate / limit, "", 0.9, "more",
                f"{limit:.1f} hashes/s on {CORES} cores; {rate:.1f} logins/s")

            rest = latencies(server.port, cookies, 5)
            result = multiprocessing.Queue()
            attacker = multiprocessing.Process(target=flood, args=(server.port, 10 * rate, 20, result))
            attacker.start()
            time.sleep(2)
            under = latencies(server.port, cookies, 16)
            signed_in, turned_away, failed, took = result.get(timeout=60)
            attacker.join()
            row("p99 of a request while logins flood (ten times)", p99(under), "ms", 100, "less",
                f"{p99(rest):.1f} ms at rest; median {statistics.median(under):.1f} ms")
            time.sleep(3)
            sent = signed_in + turned_away + failed
            print(f"  the flood: {sent / took:.0f} logins/s sent, {signed_in / took:.1f}/s signed in, {turned_away} turned "
                  f"away, {failed} failed; resident afterwards {server.resident():.0f} MiB")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
