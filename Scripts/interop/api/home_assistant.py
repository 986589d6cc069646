"""Home Assistant of PyPI: a login in steps, a code, then tokens; its access tokens live for half an hour."""

import json
import os
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

# The last that runs with Python 3.11; with later ones of the other it does not start.
PACKAGES = ["homeassistant==2024.3.3", "josepy==1.15.0"]

CONFIGURATION = """
homeassistant:
  name: interop
  latitude: 0
  longitude: 0
  elevation: 0
  unit_system: metric
  time_zone: UTC
  auth_providers:
    - type: homeassistant
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
"""


class HomeAssistant(Server):
    title, version = "Home Assistant", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("home-assistant", *PACKAGES)
        self.folder, self.port, self.program = f"{folder}/data", free_port(), None
        self.place, self.relay = folder, Relay(self.port)
        self.hass = [os.path.join(os.path.dirname(python), "hass")]
        os.makedirs(self.folder)
        with open(f"{self.folder}/configuration.yaml", "w") as file:
            file.write(CONFIGURATION.format(port=self.port))
        subprocess.run(
            [*self.hass, "--script", "auth", "--config", self.folder, "add", USER, PASSWORD], check=True, capture_output=True)
        self.start()

    def start(self):
        self.program = Program([*self.hass, "--config", self.folder, "--log-no-color"], self.port, self.place)

    def end_sessions(self, cases):
        """It is started again without the renewal tokens that it has given."""
        self.program.stop()
        path = f"{self.folder}/.storage/auth"
        with open(path) as file:
            content = json.load(file)
        content["data"]["refresh_tokens"] = []
        with open(path, "w") as file:
            json.dump(content, file)
        self.start()

    def ways(self):
        # Its tokens live too long for a test to wait for their end.
        yield Way(
            self, "a login in steps, then tokens", "home-assistant", "/api/", "API running", renews="none",
            signs_in="POST /auth/token", settings=("clientID=https://app.example",))
