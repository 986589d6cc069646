"""A small API of one house, for the article “Your own API in ten minutes”: JSON, a token, and a call that renews it.

It listens on a free port of this machine, which it prints. Python's standard library is enough.
"""

import http.server
import json
import secrets

USERS = {"ann": {"password": "correct horse", "id": 7, "name": "Ann", "role": "editor"}}
TOKENS = {}  # a token and its user
RENEWALS = {}  # a token that renews and its user
LIFETIME = 60


class API(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def sent(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            value = json.loads(body or b"{}")
        except ValueError:
            value = {}
        return value if isinstance(value, dict) else {}

    def grant(self, user):
        token, renewal = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        TOKENS[token] = RENEWALS[renewal] = user
        self.answer(200, {
            "token": token, "renewal_token": renewal, "expires_in": LIFETIME,
            "user": {"id": USERS[user]["id"], "name": USERS[user]["name"]},
        })

    def bearer(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if scheme == "Bearer" and token in TOKENS else None

    def do_POST(self):
        value = self.sent()
        if self.path == "/login":
            user = value.get("username")
            if user not in USERS or USERS[user]["password"] != value.get("password"):
                return self.answer(401, {"error": "bad_credentials"})
            return self.grant(user)
        if self.path == "/token/renew":
            user = RENEWALS.pop(value.get("renewal_token"), None)
            if user is None:
                return self.answer(401, {"error": "session_over"})
            return self.grant(user)
        if self.path == "/logout":
            TOKENS.pop(self.bearer(), None)
            RENEWALS.clear()
            return self.answer(200, {})
        self.answer(404, {"error": "nothing_here"})

    def do_GET(self):
        token = self.bearer()
        if token is None:
            return self.answer(401, {"error": "token_expired"})
        user = USERS[TOKENS[token]]
        if self.path == "/me":
            return self.answer(200, {"id": user["id"], "name": user["name"], "role": user["role"]})
        if self.path == "/orders":
            return self.answer(200, ["tea", "honey"])
        self.answer(404, {"error": "nothing_here"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
