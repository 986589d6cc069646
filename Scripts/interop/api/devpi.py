"""devpi-server of PyPI: an index of packages, whose login gives a token that stands in a password's place."""

import json
import os
import secrets
import subprocess
import urllib.request

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["devpi-server==6.20.3"]


class Devpi(Server):
    title, version = "devpi-server", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("devpi-server", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.bin = os.path.dirname(python)
        self.relay = Relay(self.port)
        subprocess.run(
            [f"{self.bin}/devpi-init", "--serverdir", f"{folder}/data", "--no-root-pypi"], check=True, capture_output=True)
        self.end_sessions(None)
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{USER}", data=json.dumps({"password": PASSWORD}).encode(), method="PUT",
            headers={"Content-Type": "application/json", "Accept": "application/json"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).read()

    def end_sessions(self, cases):
        """It is started again with another secret, with which it makes and checks its tokens."""
        if self.program:
            self.program.stop()
        with open(os.open(f"{self.folder}/secret", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        self.program = Program(
            [f"{self.bin}/devpi-server", "--serverdir", f"{self.folder}/data", "--host", "127.0.0.1", "--port", str(self.port),
             "--secretfile", f"{self.folder}/secret"], self.port, self.folder)

    def ways(self):
        yield Way(
            self, "login by JSON, then Basic", "devpi", "/+api", '"ok"', renews="credential", signs_in="POST /+login")
