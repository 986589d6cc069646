"""The gateway: mutated paths and lying headers without a session, and upstreams that answer with anything."""

import itertools
import posixpath
import random
import re
import socket
import threading
import urllib.parse

from house import Connection, Server, ask, cookie, expect, gateway_session, parallel

SEED, SECRET = 14, "/app/secret"


class Upstream:
    """A server behind the gateway that writes down what reaches it. `answers` maps a path to the bytes of an answer."""

    def __init__(self, answers=None, endless=()):
        self.answers, self.endless, self.seen = answers or {}, endless, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                stream = connection.makefile("rb")
                while line := stream.readline(1 << 22):
                    parts, headers = line.decode("latin-1").split(" "), []
                    while (field := stream.readline(1 << 22)).strip():
                        name, _, value = field.decode("latin-1").partition(":")
                        headers.append((name, value.strip()))
                    target = parts[1] if len(parts) > 1 else line.decode("latin-1")
                    self.seen.append((parts[0], target, headers))
                    path = target.split("?")[0]
                    if path not in self.answers:
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup")
                        continue
                    connection.sendall(self.answers[path])
                    while path in self.endless:
                        connection.sendall(self.endless[path])
                    break
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def paths(count):
    """So many paths that an unwary reader takes for the protected one, or for a public one on the way to it."""
    app = ["/app", "/APP", "/%61pp", "/a%70p", "//app", "/./app", "/x/../app", "/app/../app", "/app;x=1", "/app;", "/app%2f",
           "/app%5c", "/app\\", "/%2fapp", "/%2e/app", "/app/.", "/app%00", "/app%20", "/app.", "/app//", "/healthz/../app",
           "/gateway/login/../../app", "/jct/../app", "/gateway/..;/app", "http://127.0.0.1/app", "/%2561pp"]
    between = ["", "/", "/.", "/..;/app", "/assets/..", "/assets/%2e%2e", "/assets/.%2e", "/assets/..;", "/assets/..;x=y",
               "/assets/..%2f", "/assets/..%5c", "/assets/..\\", "/assets/%2e%2e%2f", "/assets/%252e%252e", "/assets;/..",
               "/assets/x/../..", "/assets//..", "/assets/./..", "/health/..", "/health;/..", "/health%2f..", "/health%00/..",
               "/%61ssets/..", "/assets/..%c0%af", "/assets/..%e0%80%af", "/assets/\u0301..", "/assets/..;%cc%81",
               "/assets/..\u0301", "/assets/%2e%2e;", "/assets/..%00", "/assets/..%09", "/assets/..%20", "/health?/.."]
    last = ["/secret", "//secret", "/secret/", "/secret;", "/secret;x=/assets/", "/secret%20", "/secret%00", "/secret?x=/app/health",
            "/secret?", "/secret#/app/health", "/SECRET", "/%73ecret", "/s%65cret", "/secret/.", "/secret/..;/secret", "/.;/secret",
            "/%2e/secret", "\\secret", "%2fsecret", "%5csecret", ";/secret", "/secret.css", "/secret%0d%0aX:%20y", "/secret/assets/..",
            "/secret%3f", "/secret%23", "/;/secret", "/..;/app/secret", "/secret%u002f", "/secret\u0301", "/secret%cc%81",
            "/%u0073ecret", "/secret%ff", "/secret&", "/secret=", "/secret~1", "/secret::$DATA", "/secret%252f", "/./secret",
            "/x/../secret"]
    product = list(dict.fromkeys("".join(parts) for parts in itertools.product(app, between, last)))
    chosen = random.Random(SEED)
    found = dict.fromkeys(product[:count] if len(product) >= count else product)
    pieces = ["/", "//", "..", ".", ";", "%2e", "%2f", "%5c", "\\", "%00", "%25", "a", "?", "%cc%81", "é", "\t"]
    while len(found) < count:
        path = list(chosen.choice(product))
        for _ in range(chosen.randint(1, 3)):
            path.insert(chosen.randrange(1, len(path) + 1), chosen.choice(pieces))
        found["".join(path)] = None
    everything = list(found)
    chosen.shuffle(everything)
    return everything


def most_lenient(target):
    """A path as the most forgiving of servers reads it: decoded until nothing changes, without parameters, with dots resolved."""
    path = target.split("?")[0]
    for _ in range(4):
        path = urllib.parse.unquote(path, errors="replace")
    path = re.sub(r";[^/\\]*", "", path).replace("\\", "/").replace("\0", "").lower()
    return posixpath.normpath(re.sub(r"/+", "/", "/" + path))


def without_session(world):
    """46,140 mutated paths: without a session none reaches the upstream, beside public paths none but what is public."""
    full = paths(world.size(46140))
    few = full[: len(full) // 10]
    with Upstream() as upstream:
        if world.breaks:
            world.breaks.upstream = upstream.port
        junction = ["--gateway-upstream", f"/app={upstream.url}"]
        public = ["--gateway-public", "/app/health", "--gateway-public", "/app/assets/*"]
        for options, cases in [(junction, full), (junction + public, few)]:
            with Server(world, *options) as server:
                admitted = ask(server.port, "GET", "/app/health").status == 200
                expect(admitted == (options != junction), "the public path is", admitted)
                upstream.seen.clear()

                def send(part):
                    with Connection(server.port) as connection:
                        for path in part:
                            answer = connection.exchange(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                                                         % (path.encode(), server.port))
                            expect(answer is None or answer.status < 500, path, "was answered", answer and answer.status)
                            if options == junction:
                                expect(answer is None or answer.text != "up", path, "passed")

                parallel(6, send, [cases[number::6] for number in range(6)])
                for method, target, _ in upstream.seen:
                    read = most_lenient(target)
                    expect(options != junction, method, target, "reached the upstream")
                    expect(read == "/health" or read.startswith("/assets"), target, "reached the upstream as", read)
                server.expect_alive("after mutated paths")
                # The junction is open: with a session the same path arrives.
                session = cookie(gateway_session(server.inner))
                expect(ask(server.inner, "GET", SECRET, session).text == "up", "the junction is closed")
    return f"{len(full):,} paths, {len(few):,} beside public ones", "none reached the upstream"


# Names by which applications and proxies are told who it is, where it comes from, and what it was.
IDENTITY = ["Remote-User", "Remote_User", "REMOTE-USER", "Remote-Name", "Remote-Email", "Remote-Groups", "X-Remote-User",
            "X-Forwarded-User", "X_Forwarded_User", "X-Forwarded.User", "X-Forwarded-Email", "X-Auth-Request-User",
            "X-Auth-Request-Email", "X-Auth-User", "X-WebAuth-User", "X-Authenticated-User", "iv-user", "iv_user", "iv-groups",
            "iv-creds", "SM_USER", "X-User", "X-SSL-Client-DN"]
REQUEST = ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Uri", "X-Forwarded-Method", "X-Forwarded-Proto",
           "X-Original-URL", "X-Original-URI", "X-Rewrite-URL", "X-Real-IP", "X_Real_IP", "Forwarded", "True-Client-IP",
           "X-HTTP-Method-Override", "X-Host", "Referer", "Origin", "Authorization", "Cookie", "User-Agent", "Upgrade",
           "Connection"]
LIES = ["mallory", "alice", "admin", "127.0.0.1", "/app/health", "/gateway/login", "OPTIONS", "https://evil.example/",
        "evil.example", "ostiary-gateway=" + "A" * 43, "Basic YWxpY2U6eA==", "Bearer mallory", "for=127.0.0.1;by=mallory",
        "close, Remote-User", "websocket", ""]
PLACES = ["/gateway/auth", "/gateway/auth/nginx", "/gateway/auth/envoy/app/secret", "/gateway/session", SECRET, "/app/secret?x",
          "/jct/echo"]


def lying_headers(world):
    """4,928 headers that lie about who asks: no request passes; with a session, no lie reaches the upstream."""
    cases = list(itertools.product(IDENTITY + REQUEST, LIES, PLACES))
    expect(len(cases) == 4928, "there are", len(cases), "cases")
    cases = cases if not world.is_small else random.Random(SEED).sample(cases, 700)
    with Upstream() as upstream, Server(world, "--gateway-upstream", f"/app={upstream.url}") as server:

        def send(part):
            with Connection(server.port) as connection:
                for name, value, path in part:
                    answer = connection.ask("GET", path, [(name, value)])
                    expect(answer.status in (401, 302, 400), name, value, path, "was answered", answer.status)
                    expect("evil" not in answer.header("location"), name, value, "leads to", answer.header("location"))
                    expect(not answer.header("remote-user"), name, value, path, "made a user")

        parallel(6, send, [cases[number::6] for number in range(6)])
        expect(not upstream.seen, "the upstream was reached by", upstream.seen[:3])
        session = cookie(gateway_session(server.inner))
        with Connection(server.port) as connection:
            for name, value in itertools.product(IDENTITY + REQUEST[:14], ["mallory", "admin"]):
                connection.exchange(
                    f"GET {SECRET} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{name}: {value}\r\nCookie: {session['Cookie']}"
                    "\r\n\r\n".encode())
        expect(len(upstream.seen) > 70, "with a session only", len(upstream.seen), "arrived")
        for _, _, headers in upstream.seen:
            users = [value for name, value in headers if re.sub("[._]", "-", name.lower()) == "remote-user"]
            expect(users == ["alice"], "the upstream was told", users)
            lies = [pair for pair in headers if pair[1] in ("mallory", "admin")]
            expect(not lies, "the upstream was told", lies)
        server.expect_alive("after lying headers")
    return f"{len(cases):,} headers, {len(upstream.seen)} with a session", "nobody passed"


def hostile_answers():
    """Answers of an upstream, by number: bytes, and what the client may get (None: nothing whole)."""
    end = "Content-Length: 2\r\n\r\nhi"
    refused = [
        "HTTP/1.1 099 X\r\n" + end, "HTTP/1.1 000 X\r\n" + end, "HTTP/1.1 99 X\r\n" + end, "HTTP/1.1 600 X\r\n" + end,
        "HTTP/1.1 999 X\r\n" + end, "HTTP/1.1 1000 X\r\n" + end, "HTTP/1.1 -200 X\r\n" + end, "HTTP/1.1 OK\r\n" + end,
        "HTTP/9.9 099 X\r\n" + end, "HTTP/2.0 200 X\r\n" + end, "ICY 200 OK\r\n" + end, "\0" * 100, "<html>hi</html>", "",
        "HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhi", "HTTP/1.1 100 X\r\n\r\nHTTP/1.1 099 X\r\n" + end,
        "HTTP/1.1 103 X\r\nLink: x\r\n\r\nHTTP/1.1 101 X\r\n\r\n", "HTTP/1.1 100 X\r\n\r\n" * 5,
        "HTTP/1.1 200 OK\r\nBad Name: x\r\n" + end, "HTTP/1.1 200 OK\r\n: x\r\n" + end,
        "HTTP/1.1 200 OK\r\nX\0Y: x\r\n" + end, "HTTP/1.1 200 OK\r\nX: a\0b\r\n" + end,
        "HTTP/1.1 200 OK\r\nX: a\x7fb\r\n" + end, "HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: ostiary-gateway=c\r\n" + end,
        "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n" + end, "HTTP/1.1 200 OK\r\nX: " + "x" * (1 << 20) + "\r\n" + end,
        "HTTP/1.1 200 OK\r\n" + "X: y\r\n" * 100000 + end,
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + end, "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    ]
    chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    cut = [
        "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Le", chunked + "5\r\nhi", chunked + "2\r\nhi\r\n",
        chunked + "zz\r\nhi\r\n", chunked + "-2\r\nhi\r\n0\r\n\r\n", chunked + "ffffffffffffffffff\r\nhi", chunked + "2\r\nhiXX0\r\n\r\n",
        chunked + "2;" + "x" * 200000 + "\r\nhi\r\n",
    ]
    fine = [
        ("HTTP/1.1 200 \r\n" + end, 200), ("HTTP/1.1 200\r\n" + end, 200), ("HTTP/1.1 599 X\r\n" + end, 599),
        ("HTTP/1.1 100 X\r\n\r\nHTTP/1.1 103 X\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n" + end, 200),
        ("HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\nhello", 204), ("HTTP/1.1 304 X\r\n\r\nHTTP/1.1 200 OK\r\n" + end, 304),
        ("HTTP/1.1 200 OK\r\n\r\nhi", 200), (chunked + "2\r\nhi\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n" + end, 200),
    ]
    return [(text, 502) for text in refused] + [(text, None) for text in cut] + fine


def hostile_upstreams(world):
    """Upstreams that answer with what is no HTTP, that cut off and that never end: 502 or what HTTP allows, never a stop."""
    cases = hostile_answers()
    answers = {f"/{number}": text.encode("latin-1") for number, (text, _) in enumerate(cases)}
    answers["/body"], answers["/chunks"] = [b"HTTP/1.1 200 OK\r\n" + field + b"\r\n\r\n" for field in
                                            (b"Connection: close", b"Transfer-Encoding: chunked")]
    answers["/head"] = b"HTTP/1.1 200 OK\r\n"
    endless = {"/body": b"x" * 65536, "/chunks": b"10000\r\n" + b"x" * 65536 + b"\r\n", "/head": b"X: y\r\n" * 1000}
    with Upstream(answers, endless) as upstream, Server(world, "--gateway-upstream", f"/app={upstream.url}") as server:
        session = cookie(gateway_session(server.inner))
        for number, (text, status) in enumerate(cases):
            for method, body in [("GET", None), ("POST", b"body")]:
                with Connection(server.port) as connection:
                    answer = connection.exchange(f"{method} /app/{number} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: "
                                                 f"{session['Cookie']}\r\nContent-Length: {len(body or b'')}\r\n\r\n".encode()
                                                 + (body or b""), method)
                what = f"{method} of answer {number} {text[:60]!r}"
                server.expect_alive("after", what)
                if status:
                    expect(answer and answer.status == status, what, "was", answer and answer.status)
                else:
                    expect(answer is None or answer.status == 502 or not answer.whole, what, "passed for whole")
                expect(not answer or "ostiary-gateway" not in str(answer.all("set-cookie")), what, "set a session")
        before = server.resident()
        for path, count in itertools.product(["/body", "/chunks", "/head"], range(world.size(20, 2))):
            with Connection(server.port) as connection:
                answer = connection.ask("GET", f"/app{path}", session, limit=4 << 20)
                expect(answer.status == (502 if path == "/head" else 200), path, "was", answer.status)
        expect(server.resident() < before + 200, "memory grew from", before, "to", server.resident(), "MiB")
        server.expect_alive("after endless answers")
        expect(ask(server.port, "GET", "/app/well", session).text == "up", "a good answer does not arrive any more")
    return f"{len(cases)} answers by 2 methods, 3 endless ones", "502 or what HTTP allows"
