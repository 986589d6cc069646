"""Django (a form with a CSRF token) and Radicale (Basic), of PyPI or Debian."""

import os
import shutil
import sqlite3
import subprocess

from apache import Variant
from parts import PASSWORD, USER, Absent, Program, free_port

SITE = '''
import os, sys
from django.conf import settings
folder = os.path.dirname(os.path.abspath(__file__))
page = "<!DOCTYPE html><title>{title}</title><form method=post>{{% csrf_token %}}{body}</form>"
settings.configure(
    DEBUG=False, SECRET_KEY="of this run alone", ALLOWED_HOSTS=["*"], ROOT_URLCONF="site_urls", STATIC_URL="/static/",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "db.sqlite3")}},
    INSTALLED_APPS=["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                    "django.contrib.messages"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware"],
    LOGIN_REDIRECT_URL="/accounts/leave/", DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {
        "context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                               "django.contrib.messages.context_processors.messages"],
        "loaders": [("django.template.loaders.locmem.Loader", {
            "registration/login.html": page.format(title="Log in", body="{{ form.as_p }}<button>Log in</button>"),
            "leave.html": page.format(title="Leave", body="<button formaction=/accounts/logout/>Log out</button>"),
            "registration/logged_out.html": "<!DOCTYPE html><title>Bye</title><p>Goodbye.</p>",
        }), "django.template.loaders.app_directories.Loader"]}}])
sys.path.insert(0, folder)
from django.core.management import execute_from_command_line
execute_from_command_line(["site", *sys.argv[1:]])
'''
URLS = '''
from django.contrib import admin
from django.contrib.auth import views
from django.http import HttpResponse
from django.urls import path
from django.views.generic import TemplateView
urlpatterns = [
    path("admin/", admin.site.urls),
    path("auth/", lambda request: HttpResponse(status=200 if request.user.is_authenticated else 401)),
    path("accounts/login/", views.LoginView.as_view()), path("accounts/logout/", views.LogoutView.as_view()),
    path("accounts/leave/", TemplateView.as_view(template_name="leave.html")),
]
'''


def python_with(module):
    for python in [os.environ.get("INTEROP_PYTHON"), "python3", "/usr/bin/python3"]:
        if python and shutil.which(python):
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return python
    return None


class Django:
    def __init__(self, folder):
        python = python_with("django")
        if not python:
            raise Absent("Django (pip install django, or Debian: python3-django)")
        self.folder, self.port = folder, free_port()
        for name, text in [("site.py", SITE), ("site_urls.py", URLS)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        main = [python, f"{folder}/site.py"]
        account = dict(
            os.environ, DJANGO_SUPERUSER_USERNAME=USER, DJANGO_SUPERUSER_EMAIL="ann@example.org",
            DJANGO_SUPERUSER_PASSWORD=PASSWORD)
        subprocess.run([*main, "migrate", "-v0"], check=True, capture_output=True)
        subprocess.run([*main, "createsuperuser", "--noinput"], check=True, capture_output=True, env=account)
        self.program = Program([*main, "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.port, folder)

    def delete_sessions(self):
        with sqlite3.connect(f"{self.folder}/db.sqlite3", timeout=30) as database:
            database.execute("DELETE FROM django_session")
        database.close()

    def stop(self):
        self.program.stop()

    def variants(self):
        return [Admin(self)]


class Admin(Variant):
    name = "Django's admin: a form with a CSRF token; its logout is a POST with one"
    arguments = ["gateway", "--option=logout-form=/accounts/leave/"]
    content = "Site administration"
    expiry = "its sessions are deleted"

    def __init__(self, server):
        super().__init__(server, "/admin/")

    def expire(self, password):
        self.server.delete_sessions()
        return PASSWORD


class Radicale:
    def __init__(self, folder):
        python = python_with("radicale")
        if not python:
            raise Absent("Radicale (pip install radicale, or Debian: radicale)")
        self.folder, self.port = folder, free_port()
        self.set_password(PASSWORD)
        with open(f"{folder}/config", "w") as file:
            file.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = {folder}/users\n"
                f"htpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = {folder}/collections\n"
                "[rights]\ntype = owner_only\n")
        self.program = Program([python, "-m", "radicale", "--config", f"{folder}/config"], self.port, folder)

    def set_password(self, password):
        with open(f"{self.folder}/users", "w") as file:
            file.write(f"{USER}:{password}\n")

    def stop(self):
        self.program.stop()

    def variants(self):
        return [Calendar(self)]


class Calendar(Variant):
    name, arguments, posts = "Radicale (CalDAV), Basic", ["http"], "HEAD"
    content = ""

    def __init__(self, server):
        super().__init__(server, f"/{USER}/")
