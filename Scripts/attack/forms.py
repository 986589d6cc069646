"""What other sites' pages can make a browser do (CSRF), and markup that comes back in pages (XSS)."""

import html.parser
import json
import os
import random
import re
import sqlite3
import urllib.parse

from house import (
    FORM, JSON, PASSWORD, Connection, Server, apps_file, ask, cookie, expect, form, gateway_session, parallel)

SEED = 14
ARTICLE = os.path.join(os.path.dirname(__file__), "../../Server/Sources/OstiaryServer/Documentation.docc/Audit.md")
# What fills a route's parameters.
SEGMENTS = {":hash": "aaaa*", ":thread": "!STANDARD", ":service": "SSO", ":alias": "demo", ":org": "00D000000000001EAA",
            ":user": "005000000000001AAA", ":version": "v60.0", ":object": "Case", ":id": "500000000000001AAA", "**": "app/x"}


def routes():
    """Every method and path of every door, from the table that the server's tests hold to what the doors declare."""
    with open(ARTICLE) as file:
        found = re.findall(r"`([A-Z]+) (/[^`]*)`", file.read())
    expect(len(found) > 100, "the table of routes has", len(found))
    return list(dict.fromkeys(found))


def filled(pattern):
    return "/".join(SEGMENTS.get(part, "x" if part.startswith(":") else part) for part in pattern.split("/"))


# What five browsers tell of a request that a page of another origin makes.
ELSEWHERE = [
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    {"Origin": "https://evil.example"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "iframe"},
    {"Origin": "http://other.localhost", "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},
    {"Origin": "http://127.0.0.1:1"},
]
# What no other site's request may change: for each table what identifies its rows. Guests' sessions come and go.
TABLES = {
    "users": "id, name, display_name, password, email, disabled, generation, admitted",
    "sessions WHERE user_id IS NOT NULL": "hex(id_hash), user_id", "grants": "id, rotations", "access_tokens": "hex(token_hash)",
    "authorization_codes": "count(*)", "clients": "*", "outbox": "hex(id)", "device_codes": "count(*)",
    "salesforce_records": "count(*)", "newzulu_accounts": "*", "primer_identities": "*", "primer_events": "count(*)"}


def rows(data):
    """What those tables hold."""
    database = sqlite3.connect(f"file:{data}/ostiary.sqlite?mode=ro", uri=True)
    try:
        return {table: sorted(map(repr, database.execute(f"SELECT {columns} FROM {table}"))) for table, columns in TABLES.items()}
    finally:
        database.close()


def page_form(port, path, cookies):
    """The hidden fields of a page's form, as its own page has them, and the cookies that came with it."""
    answer = ask(port, "GET", path, {"Accept": "text/html", **cookie(cookies)})
    if answer.status in (302, 303) and answer.header("location"):
        location = urllib.parse.urlsplit(answer.header("location"))
        cookies = {**cookies, **answer.cookies}
        answer = ask(port, "GET", location.path + ("?" + location.query if location.query else ""),
                     {"Accept": "text/html", **cookie(cookies)})
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text))
    return fields, {**cookies, **answer.cookies}


def bodies(path, hidden):
    """What a page of another site would send there: the right fields of the page, a right password, and new values."""
    given = {**hidden, "action": "login", "identifier": "alice", "username": "alice", "password": PASSWORD, "UserIdentifier": "alice",
             "Password": PASSWORD, "email": "evil@example.org", "display_name": "Owned", "decision": "approve",
             "pyActivity=Code-Security.Login": ""}
    yield FORM, form(given)
    if not path.startswith(("/account", "/gateway", "/setup")):
        yield JSON, json.dumps({"flow": hidden.get("flow", "x"), "action": "login", "fields": {}, "email": "evil@example.org",
                                "password": PASSWORD, "userId": "evil", "batch": []})


def forged(world):
    """Each route that isn't only read, with a victim's cookies and a guest's, from pages of other origins: no effect."""
    data = world.place("data")
    options = ["--allow-sign-up", "--primer-backend", "loopback", "--salesforce-apps", apps_file(world)]
    with Server(world, *options, data=data) as server:
        hidden, cookies = page_form(server.inner, "/account/login", {})
        fields = {**hidden, "action": "login", "identifier": "alice", "password": PASSWORD}
        answer = ask(server.inner, "POST", "/account/login", {**FORM, **cookie(cookies)}, form(fields))
        expect(answer.status == 303, "signing in was answered", answer.status)
        victim = {**cookies, **answer.cookies, **gateway_session(server.inner)}
        guest = ask(server.inner, "GET", "/prweb/PRServlet", {"Accept": "text/html"}).cookies
        changing = [(method, filled(path)) for method, path in routes() if method != "GET" and "/envoy/" not in path]
        sent = 0
        for (method, path), cookies in [(route, cookies) for route in changing for cookies in (victim, guest)]:
            hidden, cookies = page_form(server.inner, path, cookies)
            before = rows(data)
            for told in ELSEWHERE:
                for type, body in bodies(path, hidden):
                    answer = ask(server.port, method, path, {**type, **told, **cookie(cookies), "Accept": "text/html"}, body)
                    expect(answer.status < 500, method, path, told, "was answered", answer.status)
                    sent += 1
                after = rows(data)
                for table in TABLES:
                    expect(after[table] == before[table], method, path, told, "changed", table)
        expect(ask(server.inner, "GET", "/gateway/session", cookie(victim)).status == 200, "the victim was signed out")
        expect("alice" in ask(server.inner, "GET", "/account", {"Accept": "text/html", **cookie(victim)}).text,
               "the victim was signed out of the account pages")
        server.expect_alive("after forged forms")
        # The same form from the server's own page does sign in.
        hidden, cookies = page_form(server.inner, "/account/login", {})
        answer = ask(server.inner, "POST", "/account/login", {**FORM, **cookie(cookies), "Sec-Fetch-Site": "same-origin"},
                     form({**fields, **hidden}))
        expect(answer.status == 303, "the server's own form was answered", answer.status)
    return f"{len(changing)} routes × {len(ELSEWHERE)} browsers, {sent:,} requests", "no effect"


MARK = "zq7"
PAYLOADS = [text.replace("M", MARK) for text in [
    "<M>", "<M a=1>", "</M>", "<script>M()</script>", "<img src=x onM=1>", "<svg/onload=M>", "\"M=\"", "'M='", "\" onM=1 x=\"",
    "' onM=1 x='", "\"><M>", "'><M>", "</title><M>", "</style><M>", "</textarea><M>", "</script><M>", "<!--M-->", "--><M>",
    "]]><M>", "javascript:M()", "JaVaScRiPt:M", " javascript:M", "java\tscript:M", "data:text/html,<M>", "vbscript:M",
    "//evil.example/M", "&lt;M&gt;", "&#60;M&#62;", "&#x3c;M&#x3e;", "%3CM%3E", "%253CM%253E", "\\u003cM\\u003e", "\\x3cM\\x3e",
    "\u2039M\u203a", "\uff1cM\uff1e", "+ADw-M+AD4-", "\r\nM: x", "\r\n\r\n<M>", "\0<M>", "<\0M>", "<M\n>", "<M/", "< M>", "<M\u202e>",
    "{{M}}", "${M}", "<%M%>", "<?M?>", "`<M>`", "<M\"'>", "\u0301<M>", "<M " + "x" * 3000 + ">", "M\xa0<M>", "a\u2028<M>"]]


class Oracle(html.parser.HTMLParser):
    """Finds the marker wherever a browser would take it for more than text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.found, self.inside = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "style"):
            self.inside.append(tag)
        if MARK in tag:
            self.found.append(f"<{tag}>")
        for name, value in attributes:
            bare = re.sub(r"[\0-\x20]", "", value or "").lower()
            if MARK in name or name.startswith("on"):
                self.found.append(f"<{tag} {name}>")
            if name in ("href", "src", "action", "formaction") and MARK in bare and re.match(r"(\w+:|//)(?!//127\.0\.0\.1)", bare):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_endtag(self, tag):
        if MARK in tag:
            self.found.append(f"</{tag}>")
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data):
        if MARK in data and self.inside:
            self.found.append(f"in <{self.inside[-1]}>")

    def handle_comment(self, data):
        if MARK in data:
            self.found.append("in a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment


CARRIERS = ["query", "path", "form", "agent", "cookie", "referer"]
NAMES = ["return_to", "flow", "target", "rd", "URL", "TAM_OP", "USERNAME", "error", "display", "startURL", "state", "redirect_uri",
         "client_id", "user_code", "login_hint", "identifier", "username", "email", "display_name", "UserIdentifier", "q", "token",
         "pyActivity", "prompt", "scope", "response_type", "action", "code", "name"]


def marked(method, path, carrier, payload, random):
    """A request that carries the payload."""
    quoted, headers, body = urllib.parse.quote(payload, safe=""), {"Accept": "text/html"}, None
    names = random.sample(NAMES, 8)
    if carrier == "query":
        path += "?" + "&".join(f"{name}={quoted}" for name in names)
    elif carrier == "path":
        path = random.choice([path + "/" + quoted, "/" + quoted, re.sub("[^/]+$", quoted, path)])
    elif carrier == "form":
        method, headers, body = "POST", {**headers, **FORM}, "&".join(f"{name}={quoted}" for name in [*names, payload[:20] and quoted])
    else:
        name = {"agent": "User-Agent", "cookie": "Cookie", "referer": "Referer"}[carrier]
        text = re.sub(r"[\0-\x1f\x7f]", " ", payload)
        headers[name] = f"ostiary-account={text}; x={text}" if carrier == "cookie" else text
    return method, path, headers, body


def markup(world):
    """14,742 requests with markup wherever a client can put it: in no page is it more than text, and in no header a line."""
    chosen, count = random.Random(SEED), world.size(14742)
    everywhere = [(method, filled(path)) for method, path in routes()] + [("GET", "/"), ("GET", "/nowhere"), ("GET", "/app/x")]
    spots = [(method, path, carrier, payload) for method, path in everywhere for carrier in CARRIERS for payload in PAYLOADS]
    chosen.shuffle(spots)
    expect(len(spots) >= count, "there are", len(spots), "spots")
    cases = [(spot, chosen.random()) for spot in spots[:count]]
    with Server(world, "--allow-sign-up", "--gateway-upstream", "/app=http://127.0.0.1:9") as server:
        pages = [0]
        session = cookie(gateway_session(server.inner))

        def send(part):
            with Connection(server.port) as connection:
                for spot, seed in part:
                    method, path, headers, body = marked(*spot, random.Random(seed))
                    if seed < 0.5 and "Cookie" not in headers:
                        headers.update(session)
                    if spot[2] == "form" and "/account" in path and seed < 0.7:
                        hidden, cookies = page_form(server.port, path.split("?")[0], {})
                        headers.update(cookie(cookies))
                        body += "&" + form(hidden)
                    answer = connection.exchange(
                        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()
                        + "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode()
                        + f"Content-Length: {len(body or '')}\r\n\r\n{body or ''}".encode(), method)
                    what = f"{method} {path[:80]} by {spot[2]} with {spot[3][:40]!r}"
                    expect(answer, what, "was not answered")
                    expect(answer.status < 500 or answer.status == 502, what, "was answered", answer.status)
                    expect(not any(MARK in name for name, _ in answer.headers), what, "made a header")
                    type = answer.header("content-type")
                    expect(type or not answer.body, what, "came back without a type")
                    expect(answer.header("x-content-type-options") == "nosniff" or answer.status == 400, what, "may be sniffed")
                    if type.startswith("text/html"):
                        pages[0] += 1
                        found = Oracle(answer.text).found
                        expect(not found, what, "came back as", found)

        parallel(6, send, [cases[number::6] for number in range(6)])
        # The log of a development server's start page has seen all of it.
        found = Oracle(ask(server.port, "GET", "/", {"Accept": "text/html"}).text).found
        expect(not found, "the start page has", found)
        expect(pages[0] > count / 10, "only", pages[0], "pages came back")
        server.expect_alive("after markup")
    return f"{count:,} requests, {pages[0]:,} pages", "never more than text"
