"""The processes that are measured: PostgreSQL, a pooler, nodes. Each is stopped by its own process id, also after an error or Ctrl-C."""

import contextlib
import ctypes
import glob
import http.client
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

NOT_ROOT = 65534
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def end_with_parent():
    """For a process that is about to start: it ends if this one is killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def stop_in_order():
    """Ctrl-C and other ends leave by the same way: everything that was started is stopped."""
    def leave(number, _):
        sys.exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def seconds_of(pid, ended=False):
    """What a process has had of the cores; with `ended` also what those that it has waited for have had."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    ticks = sum(int(field) for field in fields[11:15 if ended else 13])
    return ticks / os.sysconf("SC_CLK_TCK")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def resident(pid):
    """Resident memory in MiB."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def mappings(pid, program):
    """What is resident, in MiB by kind: the program, libraries, the heap, other anonymous memory, other files."""
    kinds, kind = {}, ""
    with open(f"/proc/{pid}/smaps") as maps:
        for line in maps:
            fields = line.split()
            if "-" in fields[0] and not fields[0].endswith(":"):
                path = fields[5] if len(fields) > 5 else ""
                kind = ("program" if path == program else os.path.basename(path).split(".so")[0] if ".so" in path else
                        "heap" if path == "[heap]" else "anonymous" if not path.startswith("/") else "other files")
            elif fields[0] == "Rss:":
                kinds[kind] = kinds.get(kind, 0) + int(fields[1]) / 1024
    return dict(sorted(kinds.items(), key=lambda one: -one[1]))


def own(pid):
    """What of the resident memory no other process shares, in MiB; the rest are pages of files, such as the program's."""
    with open(f"/proc/{pid}/smaps_rollup") as maps:
        return sum(int(line.split()[1]) for line in maps if line.startswith(("Private_Dirty", "Private_Hugetlb"))) / 1024


def told(kinds, least=1):
    large = {kind: size for kind, size in kinds.items() if size >= least}
    rest = sum(kinds.values()) - sum(large.values())
    return ", ".join([f"{kind} {size:.1f}" for kind, size in large.items()] + [f"the rest {rest:.1f}"])


class PostgreSQL:
    """A cluster of its own, reached by a socket, with fsync."""

    def __init__(self, bin, *settings):
        self.bin, self.folder = bin, tempfile.mkdtemp(prefix="ostiary-pg-", dir="/tmp")
        self.settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=200", *settings]
        # It refuses to run as root.
        self.isRoot = os.geteuid() == 0
        if self.isRoot:
            os.chown(self.folder, NOT_ROOT, NOT_ROOT)
        self.process = None
        self.run("initdb", "-D", self.folder + "/data", "-U", "ostiary", "--auth=trust", "-E", "UTF8", "--locale=C")
        self.start()
        self.wait()

    @staticmethod
    def programs():
        """Where PostgreSQL's programs are; None where they are not installed."""
        found = shutil.which("initdb")
        if found:
            # Programs beside it may have no link in PATH.
            return os.path.dirname(os.path.realpath(found))
        known = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        return os.path.dirname(known[-1]) if known else None

    def owner(self):
        return {"user": NOT_ROOT, "group": NOT_ROOT, "extra_groups": []} if self.isRoot else {}

    def run(self, program, *arguments, given=None, options="-c ostiary.announces=on"):
        """Runs a program of PostgreSQL's; what it writes ends nothing that a node may have in its cache."""
        done = subprocess.run([os.path.join(self.bin, program), *arguments], input=given, capture_output=True, text=True, cwd="/",
                              env={**os.environ, "PGOPTIONS": options}, **self.owner())
        if done.returncode:
            raise RuntimeError(f"{program}: {(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def start(self):
        arguments = [part for setting in self.settings for part in ("-c", setting)]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                [os.path.join(self.bin, "postgres"), "-D", self.folder + "/data", *arguments], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd="/", start_new_session=True, **self.owner())

    def is_ready(self):
        """Whether it takes connections: a start-up message is answered by a request for a password, or by none."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(self.folder + "/.s.PGSQL.5432")
            body = struct.pack("!I", 196608) + b"user\0ostiary\0database\0postgres\0\0"
            probe.sendall(struct.pack("!I", len(body) + 4) + body)
            return probe.recv(1) == b"R"
        return False

    def wait(self, seconds=60):
        """When it took connections."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if self.is_ready():
                return time.perf_counter()
            if self.process.poll() is not None:
                break
            time.sleep(0.001)
        with open(self.folder + "/log", errors="replace") as log:
            raise RuntimeError("PostgreSQL did not start: " + log.read()[-1000:])

    def stop(self):
        """As after a crash: SIGQUIT is the immediate shutdown."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def make(self, name, template="template0"):
        """The address of a new database."""
        kind = ["-E", "UTF8", "--locale=C"] if template == "template0" else []
        self.run("createdb", "-h", self.folder, "-U", "ostiary", "-T", template, *kind, name)
        return f"postgres:///{name}?host={self.folder}&user=ostiary"

    def sql(self, name, script):
        """Rows as text, with a tab between columns."""
        done = self.run("psql", "-h", self.folder, "-U", "ostiary", "-d", name, "-v", "ON_ERROR_STOP=1", "-AtqX", "-F", "\t", given=script)
        return [line.split("\t") for line in done.splitlines()]

    def seconds(self):
        """What the server and all its processes have had of the cores."""
        total = seconds_of(self.process.pid, ended=True)
        for child in children(self.process.pid):
            with contextlib.suppress(OSError):
                total += seconds_of(child)
        return total

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pooler:
    """pgbouncer that lends connections by transaction."""

    def __init__(self, cluster, lent=20):
        self.port, self.place = free_port(), os.path.join(cluster.folder, "pool")
        os.mkdir(self.place)
        settings = f"""\
[databases]
* = host={cluster.folder} port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = trust
auth_file = {self.place}/users
pool_mode = transaction
default_pool_size = {lent}
max_client_conn = 200
"""
        for name, text in [("pgbouncer.ini", settings), ("users", '"ostiary" ""\n')]:
            with open(os.path.join(self.place, name), "w") as file:
                file.write(text)
        if cluster.isRoot:
            for path in (self.place, *glob.glob(self.place + "/*")):
                os.chown(path, NOT_ROOT, NOT_ROOT)
        with open(os.path.join(cluster.folder, "pool.log"), "ab") as log:
            self.process = subprocess.Popen(
                ["pgbouncer", self.place + "/pgbouncer.ini"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                start_new_session=True, **cluster.owner())
        end = time.perf_counter() + 10
        while time.perf_counter() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        self.__exit__()
        raise RuntimeError("pgbouncer did not start")

    def address(self, name):
        return f"postgres://ostiary@127.0.0.1:{self.port}/{name}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Node:
    """`ostiary serve`. Nodes of a machine share a data folder: they need the same key."""

    def __init__(self, command, folder, name, *options, data=None):
        self.program, self.name, self.port = command, name, free_port()
        self.log = os.path.join(folder, f"serve-{name}.log")
        self.began = time.perf_counter()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [command, "serve", "--data", data or os.path.join(folder, "data"), "--port", str(self.port), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent, start_new_session=True)

    def wait(self, seconds=60):
        """Seconds from exec to the first answer."""
        while time.perf_counter() - self.began < seconds:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return time.perf_counter() - self.began
            if self.process.poll() is not None:
                break
            time.sleep(0.002)
        raise RuntimeError("the server did not start: " + self.said()[-2000:])

    def said(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def seconds(self):
        return seconds_of(self.process.pid)

    def stop(self):
        if self.process.poll() is None:
            # One that is paused hears nothing else.
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Cores:
    """Who has had the cores during a measurement. The programs that make the load are those that end within it."""

    def __init__(self, cluster=None, nodes=(), pooler=None):
        self.counted = {"nodes": lambda: sum(node.seconds() for node in nodes)}
        if cluster:
            self.counted["PostgreSQL"] = cluster.seconds
        if pooler:
            self.counted["pooler"] = lambda: seconds_of(pooler.process.pid)
        self.counted["generator"] = self.ended

    @staticmethod
    def ended():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def __enter__(self):
        self.before, self.began = {who: count() for who, count in self.counted.items()}, time.perf_counter()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self.began
        self.used = {who: count() - self.before[who] for who, count in self.counted.items()}

    def each(self, who, count):
        """Microseconds of processor for each of `count`."""
        return self.used.get(who, 0) / max(count, 1) * 1e6

    def shares(self):
        cores = len(os.sched_getaffinity(0))
        parts = [f"{who} {used / self.wall / cores * 100:.0f} %" for who, used in self.used.items()]
        return f"of {cores} cores: " + ", ".join(parts)
