"""Jupyter Server of PyPI: a form with a CSRF token, cookies, and a field beside them."""

import os
import secrets
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["jupyter_server==2.21.1"]


class Jupyter(Server):
    title, version = "Jupyter Server", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("jupyter-server", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.python, self.relay = python, Relay(self.port)
        os.makedirs(f"{folder}/root")
        self.hashed = subprocess.run(
            [python, "-c", f"from jupyter_server.auth import passwd; print(passwd({PASSWORD!r}, 'sha1'))"], check=True,
            capture_output=True, text=True).stdout.strip()
        self.end_sessions(None)

    def end_sessions(self, cases):
        """It is started again with another key for its cookies."""
        if self.program:
            self.program.stop()
        with open(os.open(f"{self.folder}/secret", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        self.program = Program(
            [self.python, "-m", "jupyter_server", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={self.port}",
             "--ServerApp.port_retries=0", f"--PasswordIdentityProvider.hashed_password={self.hashed}",
             f"--ServerApp.cookie_secret_file={self.folder}/secret", "--IdentityProvider.token=",
             f"--ServerApp.root_dir={self.folder}/root"], self.port, self.folder,
            {"HOME": self.folder, "JUPYTER_PLATFORM_DIRS": "0"})

    def ways(self):
        yield Way(
            self, "a form with a CSRF token, cookies", "jupyter-server", "/api/me", '"identity"', renews="credential",
            signs_in="POST /login")
