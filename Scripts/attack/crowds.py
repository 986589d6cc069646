"""Slow and deaf clients: more connections than there are descriptors, clients that never read, and clients that say nothing."""

import re
import resource
import socket
import subprocess
import time

from breaking import StartsWithTooFew
from gateway import Upstream
from house import Server, ask, cookie, expect, free_port, gateway_session, request


def more_descriptors():
    """Lets this process open what the system allows. Returns how much that is."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Crowd:
    """Connections that are opened and left alone, from as many addresses of this machine as is said."""

    def __init__(self, port, count, addresses=1, data=b"", buffer=None):
        self.sockets, self.failed = [], 0
        for number in range(count):
            one = socket.socket()
            one.settimeout(10)
            try:
                if buffer:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
                one.bind((f"127.0.{1 + number % addresses // 250}.{1 + number % addresses % 250}", 0))
                one.connect(("127.0.0.1", port))
                one.sendall(data)
                self.sockets.append(one)
            except OSError:
                self.failed += 1
                one.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.sockets:
            one.close()


def signs_in(server, *when):
    """A sign-in by a client that does speak."""
    try:
        session = cookie(gateway_session(server.port))
    except OSError as error:
        expect(False, "no sign-in", *when, error)
    expect(ask(server.port, "GET", "/gateway/session", session).status == 200, "no session", *when)


def few_descriptors(world):
    """64 descriptors: a start that says what is missing, not an end by a signal; and a server that has just enough."""
    command = StartsWithTooFew.write(world.folder) if world.breaks else world.command
    done = subprocess.run(
        ["sh", "-c", f"ulimit -n 64; exec {command} serve --in-memory --port {free_port()}"], capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL)
    expect(done.returncode == 2 and "ulimit -n" in done.stderr, "with 64 descriptors it ended with", done.returncode, done.stderr[-200:])
    needed = re.search(r"the server needs (\d+)", done.stderr)
    expect(needed, "it does not say how many it needs:", done.stderr)
    # Alice is added by a storage of her own, before.
    most = int(needed[1]) + 20
    with Server(world, descriptors=most) as server, Crowd(server.port, 400) as crowd:
        expect(len(crowd.sockets) > 100, "only", len(crowd.sockets), "connections")
        signs_in(server, "with", most, "descriptors and 400 connections")
        server.expect_alive("with", most, "descriptors")
    return f"64, and {most} with 400 connections", "tells, and goes on"


def descriptors(world):
    """1,024 descriptors and 1,260 connections, twice, from one address and from many."""
    more_descriptors()
    count = world.size(1260, 600)
    with Server(world, descriptors=1024) as server:
        for addresses in (1, 300):
            with Crowd(server.port, count, addresses) as crowd:
                expect(len(crowd.sockets) > count * 0.9 or world.breaks, "only", len(crowd.sockets), "connections")
                signs_in(server, "beside", count, "connections")
                server.expect_alive("beside", count, "connections")
                with Crowd(server.port, count // 2, addresses):
                    signs_in(server, "while more connections come")
        server.expect_alive("after", count, "connections")
    return f"1,024 descriptors, 2 × {count:,} connections", "others sign in"


def silent(world):
    """10,000 connections that stay silent, from one address and from many: others sign in, and memory stays bounded."""
    count = min(world.size(10000, 1000), more_descriptors() - 500)
    with Server(world) as server:
        before, most = server.resident(), 0
        for addresses in (1, 200):
            with Crowd(server.port, count, addresses) as crowd:
                expect(len(crowd.sockets) > count * 0.9 or world.breaks, "only", len(crowd.sockets), "connections;", crowd.failed)
                signs_in(server, "beside", count, "silent connections")
                most = max(most, server.resident() - before)
        expect(most < 400, "memory grew by", round(most), "MiB")
        server.expect_alive("after", count, "silent connections")
    return f"2 × {count:,} connections, {most:+.0f} MiB", "others sign in"


def deaf(world):
    """200 clients that ask for much and never read: they are closed, and their memory is given back."""
    more_descriptors()
    count = world.size(200, 20)
    body = b"x" * (16 << 20)
    answers = {"/large": b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body}
    with Upstream(answers) as upstream, Server(world, "--gateway-upstream", f"/app={upstream.url}") as server:
        session = cookie(gateway_session(server.inner))
        signs_in(server, "at first")
        at_rest, before = server.files(), server.resident()
        large = request(server.port, "GET", "/app/large", session)
        pages = b"".join(request(server.port, "GET", "/account", {"Accept": "text/html"}) for _ in range(100))
        with Crowd(server.port, count // 2, 20, large, 4096) as first, Crowd(server.port, count - count // 2, 20, pages, 4096) as second:
            expect(len(first.sockets) + len(second.sockets) > count * 0.9, "only", len(first.sockets) + len(second.sockets), "came")
            opened, end = 0, time.monotonic() + 25
            while opened <= at_rest + count * 0.9 and time.monotonic() < end:
                time.sleep(0.2)
                opened = max(opened, server.files())
            most = server.resident() - before
            expect(opened > at_rest + count * 0.9, "only", opened - at_rest, "files were open")
            signs_in(server, "beside clients that never read")
            # The time to read 16 KiB is 30 s, of which one period may have gone by.
            end = time.monotonic() + (10 if world.is_small else 95)
            while server.files() > at_rest + count * 0.1 and time.monotonic() < end:
                time.sleep(0.5)
            left = server.files() - at_rest
            expect(left <= count * 0.1, left, "of", opened - at_rest, "files are still open for clients that never read")
        expect(most < 600, "memory grew by", round(most), "MiB")
        server.expect_alive("after clients that never read")
    return f"{count} clients, {most:+.0f} MiB meanwhile", "all closed"
