"""nginx: Basic, and `auth_request` in front of the form of another program (Django's)."""

import base64
import hashlib
import os
import shutil

import python_servers
from apache import Variant
from parts import PASSWORD, USER, Absent, Program, free_port

CONFIGURATION = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
{user}
{modules}
events {{ worker_connections 128; }}
http {{
  access_log off;
  default_type text/plain;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/htdocs;
    absolute_redirect off;
    location /basic/ {{ auth_basic ours; auth_basic_user_file {folder}/users; }}
    {form}
  }}
}}
"""
FORM = """
    location /app/ { auth_request /ask; error_page 401 = @login; }
    location = /ask { internal; proxy_pass http://127.0.0.1:%d/auth/; proxy_pass_request_body off;
                      proxy_set_header Content-Length ""; proxy_set_header Host $http_host; }
    location @login { return 302 /accounts/login/?next=$request_uri; }
    location /accounts/ { proxy_pass http://127.0.0.1:%d; proxy_set_header Host $http_host; }
"""


class Nginx:
    def __init__(self, folder):
        binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if not binary:
            raise Absent("nginx (Debian: nginx-light)")
        self.folder, self.port, self.django = folder, free_port(), None
        for name in ["basic", "app"]:
            os.makedirs(f"{folder}/htdocs/{name}")
            with open(f"{folder}/htdocs/{name}/secret.txt", "w") as file:
                file.write("inside")
        os.chmod(folder, 0o755)
        self.set_password(PASSWORD)
        try:
            os.makedirs(f"{folder}/django")
            self.django = python_servers.Django(f"{folder}/django")
        except Absent as absent:
            print(f"skipped: nginx with auth_request, for want of {absent}")
        form = FORM % (self.django.port, self.django.port) if self.django else ""
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, port=self.port, form=form, user="user nobody nogroup;" if os.getuid() == 0 else "", modules=""))
        self.program = Program(
            [binary, "-e", f"{folder}/error.log", "-p", folder, "-c", f"{folder}/nginx.conf"], self.port, folder)

    def set_password(self, password):
        digest = base64.b64encode(hashlib.sha1(password.encode()).digest()).decode()
        with open(f"{self.folder}/users", "w") as file:
            file.write(f"{USER}:{{SHA}}{digest}\n")
        os.chmod(f"{self.folder}/users", 0o644)

    def stop(self):
        self.program.stop()
        if self.django:
            self.django.stop()

    def variants(self):
        return [Basic(self)] + ([Asked(self)] if self.django else [])


class Basic(Variant):
    name, arguments, posts = "nginx, Basic", ["http"], "HEAD"

    def __init__(self, server):
        super().__init__(server, "/basic/secret.txt")


class Asked(Variant):
    name = "nginx, auth_request before Django's form with a CSRF token"
    arguments = ["gateway", "--option=logout-form=/accounts/leave/"]
    expiry = "its sessions are deleted"

    def __init__(self, server):
        super().__init__(server, "/app/secret.txt")

    def expire(self, password):
        self.server.django.delete_sessions()
        return PASSWORD
