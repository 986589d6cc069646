"""Breaks a server in one way, so that each attack can show that it notices (`make attack SELF_TEST=1`).

A breaker stands before a real server and passes everything on, except for its one fault.
"""

import os
import re
import signal
import socket
import threading

from house import read_answer


def read_request(stream):
    """A request's bytes, as much as came of it, and whether there is more to come."""
    head = b""
    while True:
        line = stream.readline(1 << 22)
        head += line
        if not line:
            return head, True
        if line in (b"\r\n", b"\n") and head.strip():
            break
    if re.search(rb"(?im)^transfer-encoding:", head):
        while (line := stream.readline(1 << 22)) and not head.endswith(b"0\r\n"):
            head += line
        return head + line, not line
    lengths = re.findall(rb"(?im)^content-length:[ \t]*(\d+)[ \t]*\r?$", head)
    size = int(lengths[0]) if lengths else 0
    body = stream.read(size) if size else b""
    return head + body, len(body) < size


def answer_bytes(status, body=b"", headers=()):
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} X\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


class Breaker:
    """A proxy with a fault. The faults override what they need."""

    def __init__(self, backend):
        self.backend, self.ended, self.open = backend, False, set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    # What faults override.

    def connected(self, connection):
        """Whether a new connection is served."""
        return True

    def change_request(self, data):
        """What is passed on."""
        return data

    def instead(self, data):
        """An answer to give without asking the server."""
        return None

    def change_answer(self, data, answer):
        """What comes back for a request."""
        return answer

    def send(self, connection, data):
        connection.sendall(data)

    # The proxy.

    def accept(self):
        while not self.ended:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.open.add(connection)
            if self.connected(connection):
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            stream = connection.makefile("rb")
            while not self.ended:
                data, is_last = read_request(stream)
                if data:
                    self.send(connection, self.instead(data) or self.pass_on(data, is_last))
                if is_last:
                    break
        except (OSError, ValueError, OverflowError):
            pass
        self.open.discard(connection)
        connection.close()

    def pass_on(self, data, is_last):
        with socket.create_connection(("127.0.0.1", self.backend), 60) as upstream:
            upstream.sendall(self.change_request(data))
            if is_last:
                upstream.shutdown(socket.SHUT_WR)
            answer = read_answer(upstream.makefile("rb"), data.split(b" ")[0].decode("latin-1"))
        if not answer:
            return b""
        answer = self.change_answer(data, answer)
        kept = [pair for pair in answer.headers if pair[0] not in ("content-length", "transfer-encoding")]
        return answer_bytes(answer.status, answer.body, kept)

    def end(self):
        """As a process that is ended by a signal: nothing of it answers any more."""
        self.stop()

    def is_alive(self):
        return not self.ended

    def stop(self):
        self.ended = True
        for connection in [self.listener, *list(self.open)]:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()


class FailsOnBadRequests(Breaker):
    """A server that answers 500 where the request is malformed."""

    def change_answer(self, data, answer):
        return answer._replace(status=500) if answer.status == 400 else answer


class RelaysUnderOtherNames(Breaker):
    """A gateway that compares a path with its junctions by its first bytes, and passes on what has parameters in it."""

    upstream = None

    def instead(self, data):
        target = data.split(b" ")[1] if data.count(b" ") > 1 else b""
        if not target.startswith(b"/app/") or b";" not in target:
            return None
        with socket.create_connection(("127.0.0.1", self.upstream), 5) as connection:
            connection.sendall(data)
            return answer_bytes(200) if read_answer(connection.makefile("rb")) else None


class BelievesHeaders(Breaker):
    """Forward authentication that believes what a client says of itself."""

    def change_answer(self, data, answer):
        return answer._replace(status=202) if re.search(rb"(?im)^x-forwarded-user:", data) else answer


class EndsAtStatus99(Breaker):
    """A gateway that an upstream's `HTTP/1.1 099` ends."""

    def instead(self, data):
        if b" /app/0 " in data:
            self.end()
        return None


class ForgetsTheSuccessor(Breaker):
    """A server whose every refresh makes a successor of its own."""

    count = 0

    def change_answer(self, data, answer):
        if b"grant_type=refresh_token" not in data or answer.status != 200:
            return answer
        self.count += 1
        return answer._replace(body=answer.body.replace(b'"refresh_token":"', b'"refresh_token":"%d' % self.count))


class RedeemsTwice(Breaker):
    """A server that takes a code as often as it comes."""

    first = None

    def change_answer(self, data, answer):
        if b"grant_type=authorization_code" not in data:
            return answer
        self.first = answer if answer.status == 200 else self.first
        return self.first or answer


class MakesAccountsTwice(Breaker):
    """An app's backend that says *made* to each who asks for the same address."""

    def change_answer(self, data, answer):
        return answer._replace(status=200) if data.startswith(b"POST /primer/signup") else answer


class IgnoresOrigins(Breaker):
    """A server that doesn't look at what browsers tell of the page that made them ask."""

    def change_request(self, data):
        return re.sub(rb"(?im)^(origin|sec-fetch-[a-z]+):.*\r\n", b"", data)


class WritesMarkup(Breaker):
    """Pages that show what was sent as it is."""

    def change_answer(self, data, answer):
        if not answer.header("content-type").startswith("text/html"):
            return answer
        return answer._replace(body=answer.body.replace(b"</main>", data.split(b"\r\n\r\n")[0] + b"</main>"))


class ConfirmsWithoutWriting(Breaker):
    """A server that says *created* before it has written, and is killed in between."""

    count = 0

    def instead(self, data):
        if not data.startswith(b"POST /services/data/") or b"/sobjects/Case " not in data:
            return None
        self.count += 1
        if self.count % 20:
            return None
        return answer_bytes(201, b'{"errors":[],"id":"500000000999999AAA","success":true}')


class RefusesWhenFull(Breaker):
    """A server that says *wrong password* when its disk is full."""

    def change_answer(self, data, answer):
        return answer._replace(status=401) if answer.status == 503 and b"/readyz" not in data else answer


class NeverExpires(Breaker):
    """A server that measures a session's time by nothing."""

    def change_answer(self, data, answer):
        if b"GET /gateway/session" not in data or b"ostiary-gateway=" not in data:
            return answer
        return answer._replace(status=200)


class EndsWithoutDescriptors(Breaker):
    """A process that is ended when it gets no descriptor (libdispatch does that)."""

    most = 400

    def connected(self, connection):
        if len(self.open) > self.most:
            self.end()
            return False
        return True


class KeepsDeafClients(Breaker):
    """A server that waits for ever for its clients to read."""


class StartsWithTooFew:
    """A program that a signal ends where it should say that there are too few descriptors: it takes the program's place."""

    text = "#!/bin/sh\ncat >/dev/null\nkill -%d $$\n" % signal.SIGILL

    @classmethod
    def write(cls, folder):
        path = os.path.join(folder, "broken")
        with open(path, "w") as file:
            file.write(cls.text)
        os.chmod(path, 0o700)
        return path
