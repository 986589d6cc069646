"""The cases of one way to sign in: what the command says is compared with what the server saw and answers."""

import base64
import json
import re
import subprocess
import time

from openid.ways import LIFETIME, get, metadata
from parts import Command, expect

PERSON = __file__.rsplit("/", 2)[0] + "/person.py"
COLUMNS = ["Server", "Sign in", "Request", "Renewal", "Lost answer", "20 processes, one expiry", "Sign out"]
LONGER, PROCESSES = 120, 20


def has_nonce(head):
    """Whether a request's proof has the server's nonce: without one it is only told which to take."""
    proof = re.search(r"(?im)^dpop: *[^.]+\.([^.]+)\.", head)
    return bool(proof) and b'"nonce"' in base64.urlsafe_b64decode(proof[1] + "==")


class Cases:
    def __init__(self, way, program, folder):
        self.way, self.relay = way, way.server.relay
        self.log = f"{folder}/person.log"
        self.ostiary = Command(program, folder)
        # One browser, whose cookies outlive a visit.
        person = json.dumps({**way.person, "cookies": f"{self.ostiary.home}/cookies"})
        self.ostiary.environment = {"BROWSER": PERSON, "INTEROP_PERSON": person, "INTEROP_PERSON_LOG": self.log}
        self.address = f"http://127.0.0.1:{self.relay.port}{way.api}"
        self.offered = metadata(way)

    def login(self):
        if not self.way.client:
            # The API names its server, and the person is asked whether to go there.
            return self.ostiary.at_terminal(
                lambda text: "y\n" if "?" in text else None, "login", "oidc", "--api", self.address, "--register", "--profile",
                "it", *self.way.options)
        if self.way.is_device:
            return self.ostiary.at_terminal(
                self.enter_code, "login", "oidc", self.way.issuer, "--api", f"http://127.0.0.1:{self.relay.port}/", "--client-id",
                self.way.client, "--method", "device", "--profile", "it", *self.way.options)
        return self.ostiary(
            "login", "oidc", self.way.issuer, "--api", f"http://127.0.0.1:{self.relay.port}/", "--client-id", self.way.client,
            "--profile", "it", *self.way.options)

    def enter_code(self, text):
        """The person opens the page on another device and enters the code that stands here."""
        found = re.search(r"Open (\S+) on any device and enter (\S+)", re.sub(r"\x1b\[[0-9;]*m", "", text))
        if not found:
            return None
        person = {**json.loads(self.ostiary.environment["INTEROP_PERSON"]), "code": found[2]}
        subprocess.Popen([PERSON, found[1]], env=dict(self.ostiary.variables(), INTEROP_PERSON=json.dumps(person)))
        return ""

    def get(self):
        return self.ostiary("request", self.address, "--fail")

    def renewals(self):
        return self.relay.count(self.way.token)

    def expire(self):
        """The access token's time runs out, for a server too that counts whole seconds."""
        time.sleep(LIFETIME + 1.1)

    def token(self):
        out = self.ostiary("token", "--offline")
        expect(out.status == 0, "the token:", out)
        return out.output.strip()

    def person_said(self):
        try:
            with open(self.log) as file:
                return file.read()[-3000:]
        except OSError:
            return ""

    # MARK: The cases

    def sign_in(self):
        before = len(self.relay.requests)
        out = self.login()
        expect(out.status == 0 and "Signed in" in out.output, "the sign-in:", out, self.person_said())
        asked = self.relay.requests[before:]
        if self.way.is_device:
            return "discovery, a code on another device"
        said = ["discovery", "code, PKCE"]
        if not self.way.client:
            register = self.offered["registration_endpoint"].split(str(self.relay.port))[-1]
            for place in ("/.well-known/oauth-protected-resource", f"POST {register} "):
                expect(any(place in one.split("\r")[0] for one in asked), "not asked:", place, asked)
            said = ["resource metadata, the person's yes, discovery, registration", "code, PKCE"]
        place = "openid-configuration" if self.way.is_openid else "oauth-authorization-server"
        expect(any(f"/.well-known/{place}" in one for one in asked), "no metadata were asked for", asked)
        authorization = self.offered["authorization_endpoint"].split(str(self.relay.port))[-1]
        pages = [one for one in asked if one.startswith(f"GET {authorization}?")]
        expect(pages, "no page was asked for", asked)
        if self.way.pushed:
            expect("pushed_authorization_request_endpoint" in self.offered, "PAR is not offered:", self.offered)
            expect("request_uri=" in pages[0] and "code_challenge" not in pages[0], "the request was not pushed:", pages[0])
            said.append("PAR")
        else:
            expect("code_challenge_method=S256" in pages[0], "no challenge:", pages[0])
        exchange = [one for one in asked if one.startswith(self.way.token)]
        expect(len(exchange) == 1 or self.way.bound, "codes were exchanged", len(exchange), "times")
        if self.way.bound:
            expect(all(re.search(r"(?im)^dpop: ", one) for one in exchange), "a code without a proof:", exchange)
            said.append("DPoP")
        if self.offered.get("authorization_response_iss_parameter_supported"):
            said.append("`iss`")
        # Without userinfo there is only introspection, which a public client may not ask for.
        status = self.ostiary("status", "--json", *([] if self.way.is_openid else ["--offline"]))
        expect(status.status == 0, "status after the sign-in:", status)
        if self.way.is_openid:
            keys = self.offered["jwks_uri"].split(str(self.relay.port))[-1]
            expect(any(one.startswith(f"GET {keys} ") for one in asked), "no keys were asked for")
            said.append("ID token")
        return ", ".join(said)

    def request(self):
        if self.way.bound:
            refused, _ = get(self.address, self.token())
            expect(refused != 200, "the server takes a bound token without its proof")
        out = self.get()
        expect(out.status == 0 and self.way.content in out.output, "a request:", out)
        return "passes" + (", a bare token is refused" if self.way.bound else "")

    def renewal(self):
        old, before = self.token(), self.renewals()
        self.expire()
        if not self.way.bound:
            status, _ = get(self.address, old)
            expect(status in (401, 403), "the server still takes the token after its time:", status)
        out = self.get()
        expect(out.status == 0 and self.way.content in out.output, "a request after the expiry:", out)
        calls = self.renewals() - before
        expect(calls == 1 or self.way.bound and calls == 2, calls, "renewals for one expiry")
        expect(self.token() != old, "the token is the same")
        # Twice, so that the successor is used too where the server rotates.
        self.expire()
        out = self.get()
        expect(out.status == 0 and self.way.content in out.output, "a request after a second expiry:", out)
        return "by itself, twice; refresh token " + ("rotates" if self.way.rotates else "kept")

    def processes(self):
        self.way.server.set_lifetime(LONGER)
        self.expire()
        before = self.renewals()
        outs = self.ostiary.at_once(PROCESSES, "request", self.address, "--fail")
        for out in outs:
            expect(out.status == 0 and self.way.content in out.output, "one of the processes:", out)
        calls = self.renewals() - before
        expect(calls == 1 or self.way.bound and calls == 2, calls, "renewals for one expiry of", PROCESSES, "processes")
        self.way.server.set_lifetime(LIFETIME)
        return "all pass, 1 renewal" + (", asked for again with a nonce" if calls == 2 else "")

    def sign_out(self):
        # A token that is still good.
        expect(self.get().status == 0, "a request before the sign-out")
        old, before = self.token(), self.relay.count(self.way.revocation) if self.way.revocation else 0
        page = ["--browser"] if self.way.has_page else []
        out = self.ostiary("logout", "--json", *page)
        expect(out.status == 0 and out.json()["wasSignedIn"], "sign out:", out)
        out = out.json()
        if self.way.has_page:
            expect("end_session_endpoint" in self.offered, "no page is offered:", self.offered)
            expect(out["isOverOnPage"], "the server's page:", out, self.person_said())
        status, _ = get(self.address, old)
        if out["serverConfirmed"]:
            expect(status != 200, "the server takes the token after a confirmed sign-out")
        expect(self.ostiary("status", "--offline").status == 3, "signed in after the sign-out")
        expect(self.get().status == 3, "a request after the sign-out, without a person")
        if self.way.revocation:
            expect(self.relay.count(self.way.revocation) > before, "the server was not asked to revoke")
            expect(out.get("serverError") or status != 200, "the server takes the token that it said it has revoked")
        said = out.get("serverSaid") or (out.get("serverError") or {}).get("message") or "no word of the server"
        asked = ("revoked, " if not out.get("serverError") else "asked to revoke, ") if self.way.revocation else ""
        shown = "; on the server's page, too" if self.way.has_page else ""
        return asked + ("confirmed: " if out["serverConfirmed"] else "not confirmed: ") + said + shown

    def lost_answer(self):
        before, lost = self.renewals(), self.relay.lost
        self.relay.lose_answer_to(self.way.token, where=has_nonce if self.way.bound else None)
        self.expire()
        out = self.get()
        expect(self.relay.lost == lost + 1, "no answer was lost:", out)
        calls = self.renewals() - before
        if self.way.after_lost_answer in ("strict", "silent"):
            refusal = 3 if self.way.after_lost_answer == "strict" else 6
            expect(out.status in (refusal, 5), "a request whose renewal's answer was lost:", out)
            again = self.get()
            expect(again.status == refusal, "a request after it:", again)
            why = self.ostiary("why")

            expect("was lost before" in why.output, "why does not tell of the lost answer:", why)
            # A session that the server does not renew is kept until there is a new one.
            if refusal == 3:
                self.ostiary("logout")
            login = self.login()
            expect(login.status == 0, "the sign-in after it:", login, self.person_said())
            expect(self.get().status == 0, "a request after that sign-in")
            return (
                "the server ends the session" if refusal == 3 else "the server refuses the token and does not say why: exit 6, kept"
            ) + "; `why` tells of the answer; signed in again"
        expect(out.status in (0, 5), "a request whose renewal's answer was lost:", out)
        if out.status != 0:
            out = self.get()
        expect(out.status == 0 and self.way.content in out.output, "a request after it:", out)
        return f"session kept, {calls} calls"

    def all(self):
        return [self.sign_in, self.request, self.renewal, self.lost_answer, self.processes, self.sign_out]

    def close(self):
        """The server goes on with the next way."""
