"""What all attacks share: real servers with their folders, a plain HTTP client that sends what it is told, and the sign-ins.

Only what was started here is stopped here, by its process id. Python's own library only.
"""

import base64
import collections
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse

PASSWORD = "nine green bottles hanging"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
CALLBACK, VERIFIER = "app:/done", "v" * 64
TOKEN, AUTHORIZE = "/services/oauth2/token", "/services/oauth2/authorize"
CASES = "/services/data/v60.0/sobjects/Case"


class AttackFailed(Exception):
    """The server lost something, let a user in, answered wrongly or ended."""


def expect(condition, *what):
    """Ends the attack, as the server's failure, unless the condition holds."""
    if not condition:
        raise AttackFailed(" ".join(str(one) for one in what))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def parallel(count, step, items):
    """Calls `step` for each item on so many threads. Returns what came out, in order."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(step, items))


class Answer(collections.namedtuple("Answer", "status headers body whole")):
    """One answer: `headers` are pairs with names in lower case, `whole` tells whether all of it came."""

    def all(self, name):
        return [value for found, value in self.headers if found == name]

    def header(self, name):
        return next(iter(self.all(name)), "")

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise AttackFailed(f"no JSON in an answer {self.status}: {self.body[:200]}") from error

    @property
    def cookies(self):
        """Cookies that are set to something, by name."""
        pairs = [line.split(";")[0].partition("=") for line in self.all("set-cookie") if "Max-Age=0" not in line]
        return {name: value for name, _, value in pairs}


def read_answer(stream, method="GET", limit=None):
    """The next answer of a stream, or None where there is none. Interim answers are left out."""
    while True:
        line = stream.readline(65536)
        found = re.match(rb"HTTP/1\.[01] (\d{3})", line)
        if not found:
            return None
        status, headers = int(found[1]), []
        while (line := stream.readline(1 << 22)).strip():
            name, _, value = line.partition(b":")
            headers.append((name.decode("latin-1").strip().lower(), value.decode("latin-1").strip()))
        if not 100 <= status < 200:
            break
    fields, body, whole = dict(headers), b"", True
    if method == "HEAD" or status in (204, 304):
        pass
    elif "chunked" in fields.get("transfer-encoding", "").lower():
        whole = False
        while found := re.match(rb"[0-9a-fA-F]+", stream.readline(65536)):
            size = int(found[0], 16)
            if size == 0:
                stream.readline(65536)
                whole = True
                break
            part = stream.read(size)
            body += part
            if len(part) < size or (limit and len(body) > limit):
                break
            stream.readline(65536)
    elif "content-length" in fields:
        size = int(fields["content-length"])
        body = stream.read(min(size, limit or size))
        whole = len(body) == size
    else:
        body = stream.read() if limit is None else stream.read(limit)
    return Answer(status, headers, body, whole)


class Connection:
    """A connection that is kept as long as the server keeps it."""

    def __init__(self, port, timeout=30, source=None):
        self.port, self.timeout, self.source = port, timeout, source
        self.socket = self.stream = None

    def open(self):
        address = (self.source, 0) if self.source else None
        self.socket = socket.create_connection(("127.0.0.1", self.port), self.timeout, address)
        self.stream = self.socket.makefile("rb")

    def close(self):
        if self.socket:
            self.stream.close()
            self.socket.close()
            self.socket = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def exchange(self, data, method="GET", limit=None):
        """Sends bytes and reads an answer. A connection that was kept may have ended meanwhile: it is opened anew, once."""
        for attempt in range(2):
            fresh = self.socket is None
            try:
                if fresh:
                    self.open()
                self.socket.sendall(data)
                answer = read_answer(self.stream, method, limit)
            except (ConnectionError, http.client.HTTPException):
                answer = None
            if answer:
                if answer.header("connection").lower() == "close" or not answer.whole:
                    self.close()
                return answer
            self.close()
            if fresh:
                break
        return None

    def ask(self, method, target, headers=None, body=None, limit=None):
        """As `exchange`, for a request in parts. No answer is a failure of the server's."""
        answer = self.exchange(request(self.port, method, target, headers, body), method, limit)
        expect(answer, "no answer to", method, target[:200])
        return answer


def request(port, method, target, headers=None, body=None):
    """A request's bytes. Header fields are a dictionary, or pairs."""
    data = body.encode() if isinstance(body, str) else body
    pairs = list(headers.items()) if isinstance(headers, dict) else list(headers or [])
    if not any(name.lower() == "host" for name, _ in pairs):
        pairs.insert(0, ("Host", f"127.0.0.1:{port}"))
    if data is not None:
        pairs.append(("Content-Length", str(len(data))))
    head = "".join(f"{name}: {value}\r\n" for name, value in pairs)
    return f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogateescape") + (data or b"")


def ask(port, method, target, headers=None, body=None, limit=None, timeout=30):
    """One request on a connection of its own."""
    with Connection(port, timeout) as connection:
        return connection.ask(method, target, headers, body, limit)


def form(fields):
    return urllib.parse.urlencode(fields)


def cookie(cookies):
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}


class Server:
    """`ostiary serve`, with the user alice. `port` is where it is attacked; a broken one has something before it."""

    def __init__(self, world, *options, data=None, development=True, descriptors=None, environment=None, wait=True):
        self.world, self.data = world, data
        self.inner = free_port()
        self.breaker = world.breaker(self.inner)
        self.port = self.breaker.port if self.breaker else self.inner
        self.log = os.path.join(world.folder, f"serve-{self.inner}.log")
        arguments = [world.command, "serve", "--port", str(self.inner), *options]
        arguments += ["--data", data] if data else ["--in-memory"]
        arguments += ["--dev"] if development else []
        if self.breaker:
            arguments += ["--public-url", f"http://127.0.0.1:{self.port}"]
        arguments += ["--user", "alice", "--password-stdin"]

        def limits():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=log, stderr=log, preexec_fn=limits,
                env={**os.environ, **(environment or {})})
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write((PASSWORD + "\n").encode())
            self.process.stdin.close()
        world.servers.append(self)
        if wait:
            self.wait()

    def said(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def wait(self, seconds=60):
        """Until it answers, and has said so: alice is added first."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            expect(self.process.poll() is None, "the server did not start:", self.said()[-500:])
            with contextlib.suppress(OSError):
                answer = Connection(self.inner, 5).exchange(request(self.inner, "GET", "/healthz"))
                if answer and answer.status == 200 and "Listening on" in self.said():
                    return
            time.sleep(0.02)
        raise AttackFailed("the server did not answer within", seconds, "s")

    def expect_alive(self, *when):
        """The same process answers."""
        expect(self.process.poll() is None, "the process ended with", self.process.returncode, *when)
        if self.breaker:
            expect(self.breaker.is_alive(), "the process ended", *when)
        expect(ask(self.port, "GET", "/healthz").status == 200, "no answer", *when)

    def files(self):
        """How many files and sockets it has open; where something stands before it, how many clients that keeps."""
        if self.breaker:
            return len(self.breaker.open)
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.breaker:
            self.breaker.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class World:
    """What one attack has: a folder, the program, its size, and what breaks the server where the attack itself is tried."""

    def __init__(self, command, breaks=None):
        self.command, self.breaks = command, breaks
        self.is_small = breaks is not None
        self.folder = tempfile.mkdtemp(prefix="ostiary-attack-")
        self.servers = []

    def size(self, full, small=None):
        """A tenth is enough to see a broken server."""
        return (small or max(1, full // 10)) if self.is_small else full

    def breaker(self, port):
        return self.breaks(port) if self.breaks else None

    def place(self, name):
        return os.path.join(self.folder, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# Sign-ins


def gateway_session(port, user="alice"):
    """The cookies of a session at the gateway, by its form."""
    page = ask(port, "GET", "/gateway/login", {"Accept": "text/html"})
    found = re.search(r'name="token" value="([^"]+)"', page.text)
    expect(found, "no form at /gateway/login:", page.status)
    fields = {"token": found[1], "username": user, "password": PASSWORD}
    answer = ask(port, "POST", "/gateway/login", {**FORM, **cookie(page.cookies)}, form(fields))
    expect(answer.status == 303 and answer.cookies, "signing in was answered", answer.status)
    return {**page.cookies, **answer.cookies}


def apps_file(world):
    """Two connected apps: one whose refresh tokens rotate, and one whose stay."""
    path = world.place("apps")
    with open(path, "w") as file:
        file.write(f"rotating callback={CALLBACK} headless rotate\nstaying callback={CALLBACK} headless\n")
    return path


def authorization_code(port, app, user="alice", password=PASSWORD):
    """A code, by the sign-in without a browser."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    pair = base64.urlsafe_b64encode(f"{user}:{password}".encode()).rstrip(b"=").decode()
    answer = ask(
        port, "POST", AUTHORIZE, {**FORM, "Auth-Request-Type": "Named-User", "Authorization": f"Basic {pair}"},
        form({"response_type": "code_credentials", "client_id": app, "redirect_uri": CALLBACK,
              "code_challenge": challenge}))
    expect(answer.status == 200, "the code was answered", answer.status, answer.text[:200])
    return answer.json["code"]


def redemption(app, code):
    return form({"grant_type": "authorization_code", "client_id": app, "redirect_uri": CALLBACK,
                 "code_verifier": VERIFIER, "code": code})


def tokens(port, app, user="alice", password=PASSWORD):
    """Tokens of a connected app."""
    answer = ask(port, "POST", TOKEN, FORM, redemption(app, authorization_code(port, app, user, password)))
    expect(answer.status == 200, "the tokens were answered", answer.status, answer.text[:200])
    return answer.json


def refreshing(token, app="rotating"):
    return form({"grant_type": "refresh_token", "client_id": app, "refresh_token": token})


def begin_flow(port, kind):
    answer = ask(port, "GET", f"/flows/{kind}")
    expect(answer.status == 200, "the flow was answered", answer.status)
    return answer.json["flow"]["id"], cookie(answer.cookies)


def flow_step(port, kind, flow, action, fields, cookies):
    """One step of a flow. Returns the answer, also a refusal."""
    body = json.dumps({"flow": flow, "action": action, "fields": fields})
    return ask(port, "POST", f"/flows/{kind}", {**JSON, **cookies}, body, timeout=60)


def mailed_code(port, address):
    """The code in the last mail to an address; mail is queued, so it is waited for."""
    for _ in range(500):
        mails = ask(port, "GET", "/insecure-development-mailbox", {"Accept": "application/json"}).json
        codes = [found[1] + found[2] for mail in mails if mail["to"] == address
                 for found in [re.search(r"The code is (\w{4}) (\w{4})", mail["text"])] if found]
        if codes:
            # The newest is first.
            return codes[0]
        time.sleep(0.02)
    raise AttackFailed("no code was mailed")


def sign_up(port, address):
    """An account with a proven address, by the JSON interface. Its name is the address."""
    flow, cookies = begin_flow(port, "signup")
    first = flow_step(port, "signup", flow, "signup", {"email": address, "password": PASSWORD}, cookies)
    expect(first.status == 200, "signing up was answered", first.status, first.text[:300])
    last = flow_step(port, "signup", flow, "check_code", {"code": mailed_code(port, address)}, cookies)
    expect(last.status == 200, "the code was answered", last.status, last.text[:300])
