"""interop.py COMMAND [NAME…]: `ostiary` against servers that others wrote, by its options alone.

For each server: a wrong password, a sign-in, an expiry, answers that are lost, a sign-out. What the command claims is compared with
what the server does. Ends with 1 where a claim was wrong. Scripts/interop.sh says more.
"""

import os
import sys
import tempfile

import apache
import nginx
import python_servers
import tomcat
from parts import OTHER, PASSWORD, USER, WRONG, Absent, Command, Relay, Wrong, expect, is_let_in, remove

SERVERS = {
    "apache": apache.Apache, "nginx": nginx.Nginx, "tomcat": tomcat.Tomcat, "django": python_servers.Django,
    "radicale": python_servers.Radicale,
}
COLUMNS = ["Server", "Wrong password", "Sign in", "Expiry", "Lost answer", "Sign out"]


class Check:
    """One way of one server."""

    def __init__(self, variant, program, folder):
        self.variant, self.ostiary = variant, Command(program, folder)
        self.relay = Relay(variant.port)
        self.address = f"http://127.0.0.1:{self.relay.port}{variant.path}"
        self.password = PASSWORD

    def login(self, password, *more):
        return self.ostiary(
            "login", *self.variant.arguments, "--server", self.address, "--user", USER, "--profile", "it", *more,
            password=password)

    def get(self, **keywords):
        return self.ostiary("request", self.address, **keywords)

    def wrong_password(self):
        out = self.login(WRONG)
        expect(out.status == 4, "a wrong password:", out)
        expect("Signed in" not in out.output, "a wrong password:", out)
        expect("no profile" in self.ostiary("profile").output, "a wrong password left a profile")
        return "refused, exit 4"

    def sign_in(self):
        out = self.login(self.password)
        expect(out.status == 0 and "Signed in" in out.output, "the right password:", out)
        out = self.get()
        expect(out.status == 0 and self.variant.content in out.output, "a request after the sign-in:", out)
        out = self.ostiary("status", "--check")
        expect(out.status == 0, "status after the sign-in:", out)
        return "checked; requests pass"

    def expiry(self):
        self.password = self.variant.expire(OTHER if self.password == PASSWORD else PASSWORD)
        out = self.get()
        expect(out.status == 3, "a request after the expiry, without a person:", out)
        out = self.ostiary("status")
        expect(out.status == 3 and "another process" not in out.output, "status after the expiry:", out)
        out = self.get(password=self.password)
        expect(out.status == 0 and self.variant.content in out.output, "a request that signs in again:", out)
        return f"{self.variant.expiry}: exit 3 without a password, with it signed in again and sent"

    def lost_answer(self):
        # To a request: the session is kept.
        self.relay.lose_answer_to("GET")
        out = self.get()
        expect(self.relay.lost == 1, "no answer was lost")
        expect(out.status in (0, 5), "a request whose answer was lost:", out)
        expect(self.ostiary("status", "--check").status == 0, "the session after a lost answer")
        # To the sign-in: nothing is claimed that is not so.
        self.ostiary("logout")
        self.relay.lose_answer_to(self.variant.posts)
        first = self.login(self.password)
        expect(self.relay.lost == 2, "no answer to the sign-in was lost")
        expect(first.status in (0, 5), "a sign-in whose answer was lost:", first)
        if first.status != 0:
            second = self.login(self.password)
            expect(second.status == 0, "the sign-in after it:", second)
        expect(self.variant.content in self.get().output, "a request after it")
        again = "asked again by itself" if first.status == 0 else "exit 5, then signed in"
        return f"session kept; sign-in {again}"

    def sign_out(self):
        self.relay.cookies = None
        self.get()
        cookies = self.relay.cookies
        out = self.ostiary("logout", "--json").json()
        expect(out["wasSignedIn"], "sign out:", out)
        if cookies:
            still = is_let_in(self.variant.port, self.variant.path, cookies, self.variant.content)
            expect(out["serverConfirmed"] != still, "the server", "accepts" if still else "refuses", "the session after", out)
        else:
            expect(not out["serverConfirmed"], "nothing could be confirmed:", out)
        expect(self.ostiary("status", "--offline").status == 3, "signed in after the sign-out")
        said = out.get("serverSaid") or "no word of the server"
        return f"confirmed: {said}" if out["serverConfirmed"] else f"here only: {said}"

    def row(self):
        return [self.variant.name] + [
            step() for step in [self.wrong_password, self.sign_in, self.expiry, self.lost_answer, self.sign_out]]


def main(program, names):
    folder = tempfile.mkdtemp(prefix="ostiary-interop-")
    os.chmod(folder, 0o755)
    rows, failures = [], 0
    try:
        for name, make in SERVERS.items():
            if names and not any(name.startswith(one) for one in names):
                continue
            place = os.path.join(folder, name)
            os.makedirs(place)
            try:
                server = make(place)
            except Absent as absent:
                print(f"skipped: {absent} is not installed here")
                continue
            try:
                for variant in server.variants():
                    check = Check(variant, program, folder)
                    try:
                        rows.append(check.row())
                        print(f"held: {variant.name}")
                    except Wrong as wrong:
                        failures += 1
                        print(f"FAILED: {variant.name}: {wrong}")
                    check.relay.stop()
                    if check.password != PASSWORD:
                        variant.expire(PASSWORD)
            finally:
                server.stop()
    finally:
        remove(folder)
    print("\n| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 1 if failures else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
