"""Malformed HTTP: requests that are none, and good ones with some of their bytes changed. None may be answered 5xx."""

import random
import socket

from house import AttackFailed, Server, ask, expect, parallel, read_answer

HOST = "Host: 127.0.0.1\r\n"
END = "\r\n\r\n"
POST = "POST /account/login HTTP/1.1\r\n" + HOST
SEED = 14


def malformed():
    """The 89 kinds, as bytes."""
    lines = [
        "", "\r\n", "\n\n", "GET", "GET ", "GET /", "GET / ", "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET\t/\tHTTP/1.1",
        "GET / HTTP/1.1 x", "GET / HTTP/", "GET / HTTP/1", "GET / HTTP/1.", "GET / HTTP/1.11", "GET / HTTP/0.9",
        "GET / HTTP/2.0", "GET / HTTP/9.9", "GET / http/1.1", "GET / HTTQ/1.1", "GET / HTTP/-1.1", "GET / HTTP/1.1\0",
        "get / HTTP/1.1", "G\0T / HTTP/1.1", "GÉT / HTTP/1.1", "X" * 9000 + " / HTTP/1.1", "GET /\0 HTTP/1.1",
        "GET /a b HTTP/1.1", "GET /\x7f HTTP/1.1", "GET /é HTTP/1.1", "GET //// HTTP/1.1", "GET " + "/x" * 20000 + " HTTP/1.1",
        "GET /%zz HTTP/1.1", "GET /%00 HTTP/1.1", "GET http:// HTTP/1.1", "GET http://[ HTTP/1.1", "GET :80 HTTP/1.1",
        "CONNECT 127.0.0.1:22 HTTP/1.1", "CONNECT / HTTP/1.1", "OPTIONS * HTTP/1.1", "GET * HTTP/1.1", "PRI * HTTP/2.0",
    ]
    fields = [
        "", "Host", "Host:", ": x", "\0: x", "A B: c", "A\0: b", "A: \0", "A: b\rC: d", "A : b", "É: x", "A: b\r\n folded",
        "\tA: b", HOST + HOST.replace("127", "128"), HOST + "A: " + "x" * 70000, HOST + "A: b\r\n" * 500,
        HOST + "Cookie: " + "a=b; " * 6000, "Host: a b", "Host: x@y", "Host: [::", "Host: 127.0.0.1:99999",
        "Host: evil.example", HOST + "Expect: 200-maybe", HOST + "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
        HOST + "Range: bytes=-1-", HOST + "Accept: " + ",;q=" * 3000,
    ]
    framing = [
        "Content-Length: -1", "Content-Length: +3", "Content-Length: 3x", "Content-Length: 0x3", "Content-Length: 3, 4",
        "Content-Length: 3\r\nContent-Length: 4", "Content-Length: 99999999999999999999", "Content-Length: ٣",
        "Content-Length:", "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked",
    ]
    chunks = ["zz\r\nabc", "-1\r\nabc", "fffffffffffffffffff\r\nabc", "3\r\nabcX0\r\n\r\n", "3;" + "x" * 70000 + "\r\nabc",
              "3\r\nabc\r\n0\r\nBad Trailer\r\n\r\n", "0\r\nHost: evil\r\n\r\n"]
    found = [(line + ("\r\n" + HOST + "\r\n" if line.strip() else "")).encode() for line in lines]
    found += [f"GET / HTTP/1.1\r\n{field}{END}".encode() for field in fields]
    found += [f"{POST}{field}{END}abc".encode() for field in framing]
    found += [f"{POST}Transfer-Encoding: chunked{END}{chunk}".encode() for chunk in chunks]
    return found


def good(port):
    """Requests of every kind that mutations begin with."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    form, data = "Content-Type: application/x-www-form-urlencoded\r\n", "Content-Type: application/json\r\n"
    body = "identifier=alice&password=x&token=y"
    return [text.encode() for text in [
        f"GET / HTTP/1.1\r\n{host}Accept: text/html\r\n\r\n",
        f"GET /app/secret?x=1 HTTP/1.1\r\n{host}Cookie: ostiary-gateway=AAAA\r\n\r\n",
        f"POST /account/login HTTP/1.1\r\n{host}{form}Content-Length: {len(body)}\r\n\r\n{body}",
        f"POST /flows/login HTTP/1.1\r\n{host}{data}Content-Length: 2\r\n\r\n{{}}",
        f"GET /prweb/PRServlet?UserIdentifier=alice&Password=eA== HTTP/1.1\r\n{host}Authorization: Basic YTpi\r\n\r\n",
        f"POST /services/oauth2/token HTTP/1.1\r\n{host}{form}Transfer-Encoding: chunked\r\n\r\n5\r\na=b&c\r\n0\r\n\r\n",
        f"POST /services/json HTTP/1.1\r\n{host}{data}Content-Length: 15\r\n\r\n{{\"method\":\"x.y\"}}"[:-1],
        f"GET /gateway/auth HTTP/1.1\r\n{host}X-Forwarded-Uri: /x\r\nX-Forwarded-Host: a\r\n\r\n",
        f"GET /services/data/v60.0/query?q=SELECT+Id HTTP/1.1\r\n{host}Authorization: Bearer x!y\r\n\r\n",
    ]]


def mutated(data, random):
    """One to four changes: a bit, a byte, a piece left out, doubled, moved, or put in."""
    pieces = [b"\0", b"\r", b"\n", b"\r\n", b" ", b":", b"%", b"%00", b"\xff", b"\xc0\xae", b"../", b";", b"\t", b"9" * 40,
              b"chunked", b"\r\n\r\n", b"HTTP/1.1", "é".encode(), b"\x80" * 30]
    data = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.randint(1, 12))
        kind = random.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = random.randrange(256)
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            data[at:at] = data[at:end] * random.randint(1, 50)
        elif kind == 4:
            piece = bytes(data[at:end])
            del data[at:end]
            to = random.randrange(len(data) + 1)
            data[to:to] = piece
        else:
            data[at:at] = random.choice(pieces)
    return bytes(data)


def statuses(port, data):
    """Every status that a connection answers with, after the client has said all it has to say."""
    found = []
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            stream = connection.makefile("rb")
            while answer := read_answer(stream):
                found.append(answer.status)
        except TimeoutError as error:
            raise AttackFailed(f"no answer and no end within 30 s to {data[:200]}") from error
        except (ConnectionError, ValueError):
            pass
    return found


def malformed_requests(world):
    """89 kinds and 1,800 mutations: no 5xx, and the process goes on."""
    kinds = malformed()
    expect(len(kinds) == 89, "there are", len(kinds), "kinds")
    chosen = random.Random(SEED)
    with Server(world, "--gateway-upstream", "/app=http://127.0.0.1:9") as server:
        seeds = good(server.port)
        cases = kinds + [mutated(chosen.choice(seeds), chosen) for _ in range(world.size(1800))]
        counts = {}
        for number, found in enumerate(parallel(16, lambda data: statuses(server.port, data), cases)):
            for status in found:
                counts[status // 100] = counts.get(status // 100, 0) + 1
                expect(status < 500, "case", number, "was answered", status, cases[number][:200])
        server.expect_alive("after malformed requests")
        # The attack has reached the server: most was refused, and what stayed good was answered.
        expect(counts.get(4, 0) > len(cases) / 4, "few refusals:", counts)
        expect(ask(server.port, "GET", "/gateway/session").status == 401)
    return f"{len(kinds)} kinds, {len(cases) - len(kinds):,} mutations", "no 5xx"
