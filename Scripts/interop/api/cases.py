"""The cases of one dialect at one server: what the command says is compared with what the server saw and answers."""

import time

from parts import WRONG, Command, expect

COLUMNS = [
    "Server", "Dialect", "Wrong password", "Sign in", "Expiry", "20 processes, one expiry", "Lost answer", "Ended at the server",
    "Sign out"]
LIFETIME, LONGER, PROCESSES = 3, 120, 20


class Cases:
    def __init__(self, way, program, folder):
        self.way, self.relay = way, way.server.relay
        self.ostiary = Command(program, folder)
        self.address = f"http://127.0.0.1:{self.relay.port}{way.path}"

    def login(self, password):
        return self.ostiary(
            "login", "api", "--dialect", self.way.reference, "--server", f"http://127.0.0.1:{self.relay.port}", "--user",
            self.way.user, "--profile", "it", *(f"--setting={one}" for one in self.way.settings), password=password)

    def get(self, **keywords):
        return self.ostiary("request", self.address, "--fail", **keywords)

    def passes(self, out, *what):
        expect(out.status == 0 and self.way.content in out.output, *what, out)

    def expire(self):
        """The token's time runs out, for a server too that counts whole seconds."""
        time.sleep(LIFETIME + 1.1)

    def renewals(self):
        return self.relay.count(self.way.renewal)

    @property
    def renews(self):
        return self.way.renews == "token"

    # MARK: The cases

    def dialect(self):
        shipped = self.way.reference == self.way.dialect
        return f"`{self.way.dialect}`, " + ("shipped" if shipped else f"[a document](../Scripts/interop/dialects/{self.way.dialect}.json)")

    def wrong_password(self):
        out = self.login(WRONG)
        expect(out.status == 4, "a wrong password:", out)
        expect("Signed in" not in out.output, "a wrong password:", out)
        expect("no profile" in self.ostiary("profile").output, "a wrong password left a profile")
        return "exit 4"

    def sign_in(self):
        out = self.login(self.way.password)
        expect(out.status == 0 and "Signed in" in out.output, "the right password:", out)
        self.passes(self.get(), "a request after the sign-in:")
        out = self.ostiary("status", "--offline")
        expect(out.status == 0, "status after the sign-in:", out)
        return "requests pass"

    def expiry(self):
        if not self.renews:
            return "—"
        for turn in ("the", "a second"):
            before = self.renewals()
            self.expire()
            self.passes(self.get(), f"a request after {turn} expiry:")
            expect(self.renewals() == before + 1, self.renewals() - before, f"renewals for {turn} expiry")
        return "renewed, twice"

    def processes(self):
        if not self.renews:
            return "—"
        self.way.server.set_lifetime(LONGER)
        self.expire()
        before = self.renewals()
        for out in self.ostiary.at_once(PROCESSES, "request", self.address, "--fail"):
            self.passes(out, "one of the processes:")
        expect(self.renewals() == before + 1, self.renewals() - before, "renewals for one expiry of", PROCESSES, "processes")
        self.way.server.set_lifetime(LIFETIME)
        return "all pass, 1 renewal"

    def lost_answer(self):
        self.ostiary("logout")
        # To the sign-in: nothing is claimed that is not so.
        lost = self.relay.lost
        self.relay.lose_answer_to(self.way.signs_in)
        first = self.login(self.way.password)
        expect(self.relay.lost == lost + 1, "no answer to the sign-in was lost")
        expect(first.status in (0, 5), "a sign-in whose answer was lost:", first)
        if first.status != 0:
            second = self.login(self.way.password)
            expect(second.status == 0, "the sign-in after it:", second)
        self.passes(self.get(), "a request after it:")
        said = "sign-in " + ("asked again" if first.status == 0 else "exit 5, then signed in")
        if not self.renews:
            return said
        self.relay.lose_answer_to(self.way.renewal)
        self.expire()
        out = self.get()
        expect(self.relay.lost == lost + 2, "no answer to the renewal was lost:", out)
        if self.way.after_lost_answer == "strict":
            expect(out.status == 3, "a request whose renewal's answer was lost:", out)
            why = self.ostiary("why")
            expect("was lost before" in why.output, "why does not tell of the lost answer:", why)
            out = self.login(self.way.password)
            expect(out.status == 0, "the sign-in after it:", out)
            return f"{said}; renewal: the server ends the session, `why` tells of the answer"
        if out.status != 0:
            expect(out.status == 5, "a request whose renewal's answer was lost:", out)
            out = self.get()
        self.passes(out, "a request after it:")
        return f"{said}; renewal: session kept"

    def ended(self):
        """The server ends every session: a request asks for a person, and goes out with a password."""
        self.way.server.end_sessions(self)
        out = self.get()
        expect(out.status == 3, "a request after the server ended the session:", out)
        expect(self.ostiary("status", "--offline").status == 3, "status after the server ended the session")
        self.passes(self.get(password=self.way.password), "a request that signs in again:")
        return "exit 3, with the password signed in again"

    def sign_out(self):
        self.passes(self.get(password=self.way.password), "a request before the sign-out:")
        out = self.ostiary("logout", "--json")
        expect(out.status == 0 and out.json()["wasSignedIn"], "sign out:", out)
        out = out.json()
        expect(self.ostiary("status", "--offline").status == 3, "signed in after the sign-out")
        expect(self.get().status == 3, "a request after the sign-out, without a person")
        said = out.get("serverSaid") or (out.get("serverError") or {}).get("message") or "no word of the server"
        return ("confirmed: " if out["serverConfirmed"] else "not confirmed: ") + said

    def all(self):
        return [
            self.dialect, self.wrong_password, self.sign_in, self.expiry, self.processes, self.lost_answer, self.ended, self.sign_out]

    def close(self):
        """The server goes on with the next dialect."""
