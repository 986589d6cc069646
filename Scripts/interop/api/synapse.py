"""Synapse of PyPI: the Matrix home server, with renewal tokens."""

import os
import re
import subprocess
import urllib.request

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, expect, free_port

PACKAGES = ["matrix-synapse==1.163.2"]
# Beside what it writes itself: the lifetimes, and no limit on sign-ins, which a test makes fast.
MORE = """
refreshable_access_token_lifetime: {lifetime}s
suppress_key_server_warning: true
trusted_key_servers: []
rc_login:
  address: {{per_second: 1000, burst_count: 1000}}
  account: {{per_second: 1000, burst_count: 1000}}
  failed_attempts: {{per_second: 1000, burst_count: 1000}}
"""


class Synapse(Server):
    title, version = "Synapse (Matrix)", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("matrix-synapse", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.relay = Relay(self.port)
        self.main = [python, "-m", "synapse.app.homeserver", "-c", f"{folder}/homeserver.yaml", "-c", f"{folder}/more.yaml"]
        subprocess.run(
            [python, "-m", "synapse.app.homeserver", "--server-name", "localhost", "-c", f"{folder}/homeserver.yaml",
             "--generate-config", "--report-stats=no"], check=True, capture_output=True, cwd=folder)
        with open(f"{folder}/homeserver.yaml") as file:
            text = file.read()
        text = text.replace("port: 8008", f"port: {self.port}").replace("    - ::1\n", "")
        text = re.sub(r"(?s)trusted_key_servers:.*?\n(?=\S|$)", "", text)
        with open(f"{folder}/homeserver.yaml", "w") as file:
            file.write(text)
        self.set_lifetime(3)
        done = subprocess.run(
            [os.path.join(os.path.dirname(python), "register_new_matrix_user"), "-c", f"{folder}/homeserver.yaml", "-u", USER,
             "-p", PASSWORD, "--no-admin", f"http://127.0.0.1:{self.port}"], capture_output=True, text=True)
        expect(done.returncode == 0, "the account was not made:", done.stdout, done.stderr)

    def set_lifetime(self, seconds):
        if self.program:
            self.program.stop()
        with open(f"{self.folder}/more.yaml", "w") as file:
            file.write(MORE.format(lifetime=seconds))
        self.program = Program(self.main, self.port, self.folder)

    def end_sessions(self, cases):
        """The user signs out of every device."""
        out = cases.ostiary("token")
        expect(out.status == 0, "the token:", out)
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/_matrix/client/v3/logout/all", data=b"{}", method="POST",
            headers={"Authorization": f"Bearer {out.output.strip()}", "Content-Type": "application/json"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).read()

    def ways(self):
        yield Way(
            self, "password, renewal tokens", "matrix", "/_matrix/client/v3/account/whoami", f"@{USER}:localhost",
            signs_in="POST /_matrix/client/v3/login", renewal="POST /_matrix/client/v3/refresh")
