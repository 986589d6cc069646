"""privacyIDEA of PyPI: a server of second factors, whose administrators sign in by JSON."""

import os
import secrets
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["privacyidea==3.14"]

CONFIGURATION = '''
SUPERUSER_REALM = ["super"]
SQLALCHEMY_DATABASE_URI = "sqlite:///{folder}/database"
SECRET_KEY = open("{folder}/secret").read()
PI_PEPPER = "of this run alone"
PI_ENCFILE = "{folder}/key"
PI_AUDIT_KEY_PRIVATE = "{folder}/private.pem"
PI_AUDIT_KEY_PUBLIC = "{folder}/public.pem"
PI_LOGFILE = "{folder}/log"
PI_LOGLEVEL = 30
'''


class PrivacyIDEA(Server):
    title, version = "privacyIDEA", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("privacyidea", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.relay = Relay(self.port)
        self.manage = os.path.join(os.path.dirname(python), "pi-manage")
        self.variables = {"PRIVACYIDEA_CONFIGFILE": f"{folder}/configuration"}
        with open(f"{folder}/configuration", "w") as file:
            file.write(CONFIGURATION.format(folder=folder))
        self.new_secret()
        for command in (
                ["setup", "create_enckey"], ["setup", "create_audit_keys"], ["setup", "create_tables"],
                ["admin", "add", USER, "-p", PASSWORD]):
            subprocess.run(
                [self.manage, *command], check=True, capture_output=True, env=dict(os.environ, **self.variables))
        self.start()

    def new_secret(self):
        with open(f"{self.folder}/secret", "w") as file:
            file.write(secrets.token_urlsafe(48))

    def start(self):
        self.program = Program(
            [self.manage, "run", "-h", "127.0.0.1", "-p", str(self.port)], self.port, self.folder, self.variables)

    def end_sessions(self, cases):
        """It is started again with another key for its tokens."""
        self.program.stop()
        self.new_secret()
        self.start()

    def ways(self):
        yield Way(
            self, "login by JSON, a bare token in the field", "privacyidea", "/realm/", '"status": true', renews="credential",
            signs_in="POST /auth ")
