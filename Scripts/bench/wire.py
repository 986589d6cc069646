"""A relay before PostgreSQL that counts: what a client sends before it waits, and which statements with which values."""

import collections
import contextlib
import socket
import struct
import threading

# `text` with its values; bytes for a binary value, None for NULL.
Statement = collections.namedtuple("Statement", "text values")


class Flight:
    """What was sent at once, up to the point at which the client has to wait."""

    def __init__(self, connection):
        self.connection, self.statements = connection, []


class Connection:
    """What one connection has said."""

    def __init__(self, relay, client):
        self.relay, self.client = relay, client
        self.application, self.prepared = "", {}
        self.has_begun, self.unanswered = False, 0
        self.bound, self.values, self.flight = None, [], None
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(relay.path)
        for source, target, look in [(client, self.server, self.sent), (self.server, client, self.answered)]:
            threading.Thread(target=self.pass_on, args=(source, target, look), daemon=True).start()

    def pass_on(self, source, target, look):
        rest = b""
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                # Looked at before it goes on: the count is complete when the answer arrives.
                rest = self.messages(rest + data, look)
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def messages(self, data, look):
        while True:
            isStart = look == self.sent and not self.has_begun
            head = 4 if isStart else 5
            if len(data) < head:
                return data
            size = struct.unpack_from("!I", data, head - 4)[0] + head - 4
            if len(data) < size:
                return data
            if isStart:
                self.has_begun = True
                words = data[8:size].split(b"\0")
                with contextlib.suppress(ValueError):
                    self.application = words[words.index(b"application_name") + 1].decode()
            else:
                look(chr(data[0]), data[5:size])
            data = data[size:]

    def sent(self, kind, body):
        if kind == "P":
            name, text, _ = body.split(b"\0", 2)
            self.prepared[name] = text.decode()
        elif kind == "B":
            _, name, rest = body.split(b"\0", 2)
            self.bound, self.values = name, values(rest)
        elif kind == "E":
            self.add(Statement(self.prepared.get(self.bound, "?"), self.values))
        elif kind == "Q":
            self.add(Statement(body.rstrip(b"\0").decode(), None))
        if kind in "QS":
            self.wait()

    def add(self, statement):
        self.begin().statements.append(statement)

    def begin(self):
        with self.relay.lock:
            if self.flight is None:
                self.flight = Flight(self)
                self.relay.flights.append(self.flight)
            return self.flight

    def wait(self):
        self.begin()
        with self.relay.lock:
            self.unanswered += 1

    def answered(self, kind, _):
        # Ready for the next query: all up to a Sync is answered.
        if kind == "Z":
            with self.relay.lock:
                self.unanswered = max(0, self.unanswered - 1)
                if self.unanswered == 0:
                    self.flight = None


def values(data):
    """The values of a Bind message: text as text, binary ones as bytes."""
    count = struct.unpack_from("!H", data)[0]
    formats = struct.unpack_from(f"!{count}H", data, 2)
    at = 2 + 2 * count
    found, number = [], struct.unpack_from("!H", data, at)[0]
    at += 2
    for index in range(number):
        size = struct.unpack_from("!i", data, at)[0]
        at += 4
        if size < 0:
            found.append(None)
            continue
        isBinary = formats[0] if len(formats) == 1 else formats[index] if formats else 0
        found.append(data[at:at + size] if isBinary else data[at:at + size].decode())
        at += size
    return found


class Relay:
    """Listens on a port of this machine, and passes all on to a cluster's socket."""

    def __init__(self, cluster):
        self.path = cluster.folder + "/.s.PGSQL.5432"
        self.lock, self.flights = threading.Lock(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    Connection(self, client)
                except OSError:
                    client.close()

    def address(self, name):
        return f"postgres://ostiary@127.0.0.1:{self.port}/{name}?sslmode=disable&gssencmode=disable"

    def take(self):
        """The flights since the last call, without those of connections that only agree on leases."""
        with self.lock:
            flights, self.flights = self.flights, []
        return [flight for flight in flights if flight.connection.application != "ostiary leases"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
