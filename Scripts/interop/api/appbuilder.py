"""Flask-AppBuilder of PyPI, the framework of Superset and Airflow's pages."""

import os
import secrets
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

# With later ones of the other two it does not start.
PACKAGES = ["flask-appbuilder==5.3.0", "marshmallow==3.26.2", "marshmallow-sqlalchemy==1.4.2"]

APP = '''
import datetime, os
from flask import Flask
from flask_appbuilder import AppBuilder
from flask_appbuilder.utils.legacy import get_sqla_class
folder = os.path.dirname(os.path.abspath(__file__))
app = Flask(__name__)
app.config.update(
    SECRET_KEY=open(os.path.join(folder, "secret")).read(), SQLALCHEMY_DATABASE_URI=f"sqlite:///{folder}/database",
    FAB_ADD_SECURITY_API=True, RATELIMIT_ENABLED=False, WTF_CSRF_ENABLED=False,
    JWT_ACCESS_TOKEN_EXPIRES=datetime.timedelta(seconds=int(os.environ.get("LIFETIME", "3"))))
db = get_sqla_class()()
db.init_app(app)
with app.app_context():
    builder = AppBuilder(app, db.session)
'''


class AppBuilder(Server):
    title, version = "Flask-AppBuilder", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("flask-appbuilder", *PACKAGES)
        self.folder, self.port, self.program, self.lifetime = folder, free_port(), None, 3
        self.relay = Relay(self.port)
        self.flask = [os.path.join(os.path.dirname(python), "flask"), "--app", f"{folder}/app.py"]
        with open(f"{folder}/app.py", "w") as file:
            file.write(APP)
        self.new_secret()
        subprocess.run(
            [*self.flask, "fab", "create-admin", "--username", USER, "--firstname", "Ann", "--lastname", "Example", "--email",
             "ann@example.org", "--password", PASSWORD], check=True, capture_output=True)
        self.set_lifetime(3)

    def new_secret(self):
        with open(f"{self.folder}/secret", "w") as file:
            file.write(secrets.token_urlsafe(48))

    def set_lifetime(self, seconds):
        self.lifetime = seconds
        if self.program:
            self.program.stop()
        self.program = Program(
            [*self.flask, "run", "--host", "127.0.0.1", "--port", str(self.port)], self.port, self.folder,
            {"LIFETIME": str(seconds)})

    def end_sessions(self, cases):
        """It is started again with another key: no token that it has given is good any more."""
        self.new_secret()
        self.set_lifetime(self.lifetime)

    def ways(self):
        yield Way(
            self, "JSON, a renewal token that is kept", "flask-appbuilder", "/api/v1/security/users/", USER,
            signs_in="POST /api/v1/security/login", renewal="POST /api/v1/security/refresh")
