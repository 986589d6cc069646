"""A strict server of RFC 7616 and RFC 7617, for tests: it shares no line with what it judges.

Every area of the server is configured by one JSON object on standard input; the port is printed. It ends when standard
input does.

    {"/area/": {"realm": "r", "offers": [{"scheme": "digest", "algorithm": "SHA-256", "qop": "auth"}], ...}}

What a response breaks of the rules is written down, and GET /log tells it.
"""
import base64, hashlib, http.server, json, re, secrets, socketserver, sys, threading, unicodedata, urllib.parse

lock = threading.Lock()
areas = {}
log = {"accepted": 0, "challenged": 0, "stale": 0, "wrong": 0, "broken": [], "bare": 0, "bodies": 0, "targets": []}
nonces = {}  # nonce -> {"area", "counts": set, "key": (nonce, cnonce) or None, "session": first nonce}

HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
QUOTED = re.compile(r'"((?:[^"\\\x00-\x1f\x7f]|\\[\t\x20-\x7e\x80-\xff])*)"')
# RFC 7616 section 3.4: which parameters are quoted, and which must not be.
MUST_QUOTE = {"username", "realm", "nonce", "uri", "response", "cnonce", "opaque"}
MUST_NOT_QUOTE = {"algorithm", "qop", "nc", "userhash", "username*"}


def h(algorithm, data):
    return hashlib.new(HASHES[algorithm], data).hexdigest()


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse(text):
    """The parameters of an Authorization field, or an error."""
    parameters = {}
    position = 0
    while position < len(text):
        name = TOKEN.match(text, position)
        if not name or text[name.end():name.end() + 1] != "=":
            raise ValueError("no parameter at " + text[position:position + 20])
        key, position = name.group().lower(), name.end() + 1
        quoted = QUOTED.match(text, position)
        value = quoted or TOKEN.match(text, position)
        if not value:
            raise ValueError("no value of " + key)
        if key in parameters:
            raise ValueError("twice: " + key)
        if key in MUST_QUOTE and not quoted or key in MUST_NOT_QUOTE and quoted:
            raise ValueError("quotes of " + key)
        parameters[key] = re.sub(r"\\(.)", r"\1", quoted.group(1)) if quoted else value.group()
        position = value.end()
        separator = re.compile(r"[ \t]*,[ \t]*").match(text, position)
        if separator:
            position = separator.end()
        elif position < len(text):
            raise ValueError("no comma at " + text[position:position + 20])
    return parameters


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, body=b"", fields=()):
        self.send_response(status)
        for name, value in fields:
            # Field values are bytes; the library would have Latin-1.
            self.send_header(name, value.encode().decode("latin-1"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_all(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/log":
            with lock:
                return self.reply(200, json.dumps(log).encode())
        if self.path.startswith("/set?"):
            # /set?/area/={"password": "new"}
            area, _, value = urllib.parse.unquote(self.path[5:]).partition("=")
            with lock:
                areas[area].update(json.loads(value))
            return self.reply(204)
        if self.path == "/forget":
            with lock:
                nonces.clear()
            return self.reply(204)
        matches = [a for a in areas if self.path.startswith(a)]
        if not matches:
            with lock:
                if self.headers.get("Authorization"):
                    log["broken"].append("proof for an open address: " + self.path)
            return self.reply(200, b"open")
        area = max(matches, key=len)
        config = areas[area]
        if self.command == "HEAD" and config.get("noHead"):
            return self.reply(config["noHead"])
        given = self.headers.get_all("Authorization") or []
        with lock:
            log["targets"].append(self.command + " " + self.path + (" +" if given else ""))
        if len(given) > 1:
            return self.broken("several Authorization fields")
        if not given:
            with lock:
                log["bare"] += 1
            return self.challenge(area, config, False)
        scheme, _, rest = given[0].encode("latin-1").decode().partition(" ")
        if scheme.lower() == "digest":
            return self.digest(area, config, rest, body)
        if scheme.lower() == "basic" and any(o["scheme"] == "basic" for o in config["offers"]):
            user, _, password = base64.b64decode(rest, validate=True).decode().partition(":")
            if (user, password) == (config["user"], config["password"]):
                return self.accept(config, body, [])
            return self.refuse(area, config)
        if scheme.lower() == "bearer" and any(o["scheme"] == "bearer" for o in config["offers"]):
            if rest == config["token"]:
                return self.accept(config, body, [])
            return self.refuse(area, config)
        self.broken("a scheme that was not offered: " + scheme)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = handle_all

    def accept(self, config, body, fields):
        with lock:
            log["accepted"] += 1
            log["bodies"] += len(body)
        if "location" in config:
            fields = fields + [("Location", config["location"])]
        self.reply(config.get("status", 200), self.answer(), fields)

    def answer(self):
        return b"secret of " + self.path.encode()

    def refuse(self, area, config):
        with lock:
            log["wrong"] += 1
        self.challenge(area, config, False)

    def broken(self, rule):
        with lock:
            log["broken"].append(rule)
        self.reply(400, rule.encode())

    def challenge(self, area, config, stale):
        fields = []
        for extra in config.get("before", []):
            fields.append(("WWW-Authenticate", extra))
        for offer in config["offers"]:
            if offer["scheme"] == "digest":
                fields.append(("WWW-Authenticate", self.offer(area, config, offer, stale)))
            else:
                realm = quoted(config["realm"])
                charset = ', charset="UTF-8"' if config.get("charset") else ""
                fields.append(("WWW-Authenticate", offer["scheme"].title() + " realm=" + realm + charset))
        with lock:
            log["challenged"] += 1
            log["stale"] += stale
        self.reply(401, b"who are you?", fields)

    def offer(self, area, config, offer, stale):
        nonce = config.get("nonce") or self.new_nonce(area, None)
        with lock:
            nonces.setdefault(nonce, {"area": area, "counts": set(), "key": None, "session": nonce})
        parts = ["realm=" + quoted(config["realm"])]
        if "qop" in offer:
            parts.append('qop="' + offer["qop"] + '"')
        if "algorithm" in offer:
            parts.append("algorithm=" + offer["algorithm"])
        parts.append('nonce="' + nonce + '"')
        if "opaque" in config:
            parts.append("opaque=" + quoted(config["opaque"]))
        if "domain" in config:
            parts.append('domain="' + config["domain"] + '"')
        if config.get("userhash"):
            parts.append("userhash=true")
        if config.get("charset"):
            parts.append("charset=UTF-8")
        if stale and not config.get("silentlyStale"):
            parts.append("stale=true")
        return "Digest " + ", ".join(parts)

    def new_nonce(self, area, after):
        nonce = secrets.token_urlsafe(18)
        with lock:
            nonces[nonce] = {"area": area, "counts": set(), "key": nonces[after]["key"] if after else None,
                             "session": nonces[after]["session"] if after else nonce}
        return nonce

    def digest(self, area, config, text, body):
        try:
            p = parse(text)
        except ValueError as error:
            return self.broken(str(error))
        if p.get("realm") != config["realm"]:
            # Of this area's realm it says nothing.
            return self.challenge(area, config, False)
        algorithm = p.get("algorithm", "MD5")
        offers = [o for o in config["offers"] if o["scheme"] == "digest" and o.get("algorithm", "MD5") == algorithm]
        if not offers:
            return self.broken("an algorithm that was not offered: " + algorithm)
        offer = offers[0]
        base = algorithm[:-5] if algorithm.endswith("-sess") else algorithm
        for name in ["realm", "nonce", "uri", "response"]:
            if name not in p:
                return self.broken("no " + name)
        if p["uri"] != self.path:
            return self.broken("uri " + p["uri"] + " for " + self.path)
        if p.get("opaque") != config.get("opaque"):
            return self.broken("another opaque")
        if ("algorithm" in p) != ("algorithm" in offer):
            return self.broken("algorithm named by one side")
        # Section 3.4.4, and the internationalised name.
        user = unicodedata.normalize("NFC", config["user"]) if config.get("charset") else config["user"]
        if config.get("userhash"):
            if p.get("userhash") != "true" or p.get("username") != h(base, (user + ":" + config["realm"]).encode()):
                return self.broken("user name not hashed")
        elif "userhash" in p:
            return self.broken("userhash unasked")
        elif "username*" in p:
            if "username" in p or not config.get("charset"):
                return self.broken("username* without need")
            if not p["username*"].startswith("UTF-8''"):
                return self.broken("username* in another charset")
            if urllib.parse.unquote(p["username*"][7:]) != user:
                return self.refuse(area, config)
        elif p.get("username") != user:
            return self.refuse(area, config)
        known = nonces.get(p["nonce"])
        if known is None or known["area"] != area:
            return self.challenge(area, config, True)
        a1 = h(base, (user + ":" + config["realm"] + ":" + config["password"]).encode())
        qop = p.get("qop")
        if ("qop" in offer) != (qop is not None):
            return self.broken("qop of one side")
        if qop is None:
            if "nc" in p or "cnonce" in p:
                return self.broken("nc or cnonce without qop")
            middle = ""
        else:
            if qop not in [q.strip() for q in offer["qop"].split(",")]:
                return self.broken("a qop that was not offered")
            if not re.fullmatch("[0-9a-f]{8}", p.get("nc", "")) or not p.get("cnonce"):
                return self.broken("nc or cnonce is missing or malformed")
            middle = p["nc"] + ":" + p["cnonce"] + ":" + qop + ":"
        if algorithm.endswith("-sess"):
            with lock:
                if known["key"] is None:
                    known["key"] = (known["session"], p["cnonce"])
            a1 = h(base, (a1 + ":" + known["key"][0] + ":" + known["key"][1]).encode())

        def response(method, covered):
            a2 = method + ":" + p["uri"] + (":" + h(base, covered) if qop == "auth-int" else "")
            return h(base, (a1 + ":" + p["nonce"] + ":" + middle + h(base, a2.encode())).encode())

        if p["response"] != response(self.command, body):
            return self.refuse(area, config)
        if qop is not None:
            with lock:
                count = int(p["nc"], 16)
                if count in known["counts"]:
                    log["broken"].append("nonce count repeated: " + p["nc"])
                    known["counts"].add(-1)
                known["counts"].add(count)
                over = count > config.get("uses", 2 ** 32) or len(known["counts"]) > config.get("uses", 2 ** 32)
            if over:
                return self.challenge(area, config, True)
        fields = []
        info = []
        if config.get("nextnonce"):
            info.append('nextnonce="' + self.new_nonce(area, p["nonce"]) + '"')
        proof = config.get("rspauth")
        if proof:
            right = response("", self.answer() if self.command != "HEAD" else b"")
            info.append('rspauth="' + (right if proof == "right" else right[::-1]) + '"')
            if qop:
                info += ["qop=" + qop, 'cnonce="' + p["cnonce"] + '"', "nc=" + p["nc"]]
        if info:
            fields.append(("Authentication-Info", ", ".join(info)))
        self.accept(config, body, fields)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 1024


areas.update(json.loads(sys.stdin.readline()))
server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
