"""Sign-ins of a connected app: a first one by the server itself, and any number like it, written into the database with tokens that are
known here, as a server would have issued them."""

import base64
import collections
import hashlib
import http.client
import json
import time
import urllib.parse

PASSWORD = "nine green bottles hanging"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
CALLBACK, VERIFIER = "app:/done", "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
TOKEN, AUTHORIZE, REVOKE = ("/services/oauth2/" + name for name in ("token", "authorize", "revoke"))
INTROSPECT, CALL = "/services/oauth2/introspect", "/services/data/v60.0/limits"
# Apps: one whose refresh tokens rotate, one whose stay, one with a secret.
SECRET = "three wise monkeys on a branch"
APPS = {"rotating": "rotate", "staying": "", "asking": "secret=" + SECRET.replace(" ", "-")}


def write_apps(path):
    with open(path, "w") as file:
        file.writelines(f"{name} callback={CALLBACK} headless {words}\n" for name, words in APPS.items())
    return path


def ask(port, path, fields=None, headers=None, timeout=30, connection=None):
    """Status, body and header fields of an answer: to a form, or to a GET without one."""
    one = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    body = None if fields is None else urllib.parse.urlencode(fields)
    one.request("GET" if body is None else "POST", path, body, {**(FORM if body is not None else {}), **(headers or {})})
    answer = one.getresponse()
    found = answer.status, answer.read(), answer.headers
    if connection is None:
        one.close()
    return found


def demand(port, path, fields=None, headers=None):
    """The JSON of an answer 200."""
    status, body, _ = ask(port, path, fields, headers)
    if status != 200:
        raise RuntimeError(f"{path} was answered {status}: {body[:300]}")
    return json.loads(body)


def bearer(token):
    return {"Authorization": f"Bearer {token}", "Accept": "application/json"}


def sign_in(port, user, app):
    """The tokens of a user, by the sign-in without a browser."""
    pair = base64.urlsafe_b64encode(f"{user}:{PASSWORD}".encode()).rstrip(b"=").decode()
    secret = {"client_secret": SECRET.replace(" ", "-")} if app == "asking" else {}
    code = demand(port, AUTHORIZE, {"response_type": "code_credentials", "client_id": app, "redirect_uri": CALLBACK,
                                    "code_challenge": CHALLENGE},
                  {"Auth-Request-Type": "Named-User", "Authorization": f"Basic {pair}"})["code"]
    return demand(port, TOKEN, {"grant_type": "authorization_code", "client_id": app, "redirect_uri": CALLBACK,
                                "code_verifier": VERIFIER, "code": code, **secret})


def refreshing(token, app="rotating"):
    return {"grant_type": "refresh_token", "client_id": app, "refresh_token": token}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


Tokens = collections.namedtuple("Tokens", "refresh access handle_hash leaf_hash access_hash")


class Maker:
    """Makes the tokens of family after family, from a seed: those of a number are the same at every call."""

    def __init__(self, org, refresh_prefix, access_prefix, seed=b"bench"):
        self.org, self.refresh_prefix, self.access_prefix, self.seed = org, refresh_prefix, access_prefix, seed

    def __call__(self, number):
        random = hashlib.shake_256(self.seed + b" %d" % number).digest(80)
        handle, own, access = random[:16], random[16:48], random[48:]
        check = hashlib.sha256(self.refresh_prefix.encode() + handle + own).digest()[:6]
        refresh = self.refresh_prefix + encoded(handle + own + check)
        access = self.access_prefix + encoded(access)
        return Tokens(refresh + "==", f"{self.org}!{access}", hashlib.sha256(handle).digest(), hashlib.sha256(refresh.encode()).digest(),
                      hashlib.sha256(access.encode()).digest())


def maker(tokens, grant, seed=b"bench"):
    """A maker for tokens like a sign-in's, with the row of its grant."""
    return Maker(tokens["access_token"].split("!")[0], grant["refresh_prefix"], grant["access_prefix"], seed)


def rows(grant, access, make, first, count):
    """Rows like that of a grant and that of its access token, with ids from `first` on: pairs of dictionaries."""
    far = time.time() + 30 * 86400
    ends = {name: far for name in ("refresh_ends_at", "expires_at") if grant.get(name) is not None}
    token_ends = {name: far for name in access if name.endswith(("expires_at", "ends_at"))}
    # Their successors are settled at their first use, as for tokens that an older server has issued.
    unsettled = {name: None for name in ("successor_seed", "successor_mark") if name in grant}
    for number in range(count):
        made = make(number)
        yield ({**grant, **ends, **unsettled, "id": first + number, "handle_hash": made.handle_hash, "leaf_hash": made.leaf_hash},
               {**access, **token_ends, "token_hash": made.access_hash, "grant_id": first + number, "number": 1})


def literal(value):
    """A value in COPY's format."""
    if value is None:
        return "\\N"
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def row_of(cluster, name, table, where):
    """A row of PostgreSQL as a dictionary; bytes as bytes."""
    columns = cluster.sql(name, f"SELECT attname, atttypid = 'bytea'::regtype FROM pg_attribute WHERE attrelid = '{table}'::regclass "
                                "AND attnum > 0 AND NOT attisdropped ORDER BY attnum;")
    found = json.loads(cluster.sql(name, f"SELECT to_jsonb({table}) FROM {table} WHERE {where} LIMIT 1;")[0][0])
    return {column: bytes.fromhex(found[column][2:]) if isBytes == "t" and found[column] else found[column]
            for column, isBytes in columns}


def add(cluster, name, tokens, count, first, seed=b"bench"):
    """Adds families like that of a sign-in. Returns their tokens."""
    app_hash = hashlib.sha256(tokens["access_token"].split("!")[1].encode()).hexdigest()
    access = row_of(cluster, name, "access_tokens", f"token_hash = '\\x{app_hash}'")
    grant = row_of(cluster, name, "grants", f"id = {access['grant_id']}")
    make = maker(tokens, grant, seed)
    grants, accesses = zip(*rows(grant, access, make, first, count))
    script = ["BEGIN;"]
    for table, found in [("grants", grants), ("access_tokens", accesses)]:
        names = list(found[0])
        script.append(f"COPY {table} ({', '.join(names)}) FROM STDIN;")
        script += ["\t".join(literal(row[name]) for name in names) for row in found]
        script.append("\\.")
    cluster.sql(name, "\n".join([*script, "COMMIT;", ""]))
    return [make(number) for number in range(count)]
