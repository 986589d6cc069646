"""django-oidc-provider of PyPI: another OpenID provider in a Django project; its refresh tokens are good once."""

import os
import subprocess

from environments import python_with
from openid.ways import LIFETIME, Way
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["django-oidc-provider==0.9.0", "Django==4.2.30"]

SITE = '''
import os, sys, warnings
warnings.simplefilter("ignore")
from django.conf import settings
folder = os.path.dirname(os.path.abspath(__file__))
page = "<!DOCTYPE html><title>Log in</title><form method=post>{% csrf_token %}{{ form.as_p }}<button>Log in</button></form>"
settings.configure(
    DEBUG=False, SECRET_KEY="of this run alone, and long enough for what signs with it", ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="site_urls", STATIC_URL="/static/", USE_TZ=True, LOGIN_URL="/accounts/login/",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "database"),
                           "OPTIONS": {"timeout": 30}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oidc_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", OIDC_TOKEN_EXPIRE=int(os.environ.get("LIFETIME", "3")),
    SITE_URL=os.environ.get("ADDRESS", ""),
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {
        "context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth"],
        "loaders": [("django.template.loaders.locmem.Loader", {"registration/login.html": page}),
                    "django.template.loaders.app_directories.Loader"]}}])
sys.path.insert(0, folder)
from django.core.management import execute_from_command_line
execute_from_command_line(["site", *sys.argv[1:]])
'''
URLS = '''
from django.contrib.auth import views
from django.urls import include, path
urlpatterns = [path("accounts/login/", views.LoginView.as_view()),
               path("openid/", include("oidc_provider.urls", namespace="oidc_provider"))]
'''
CLIENT = '''
from django.contrib.auth.models import User
from oidc_provider.models import Client, ResponseType
User.objects.create_user("{user}", "ann@example.org", "{password}")
client = Client.objects.create(
    client_id="tool", name="tool", client_type="public", jwt_alg="RS256", _redirect_uris="http://127.0.0.1:{port}/callback",
    _post_logout_redirect_uris="http://127.0.0.1:{port}/callback")
client.response_types.set(ResponseType.objects.filter(value="code"))
'''


class DjangoOIDCProvider:
    title = "django-oidc-provider"
    version = PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("django-oidc-provider", *PACKAGES)
        self.folder, self.port, self.callback = folder, free_port(), free_port()
        self.relay = Relay(self.port)
        self.address = f"http://127.0.0.1:{self.relay.port}"
        for name, text in [("site.py", SITE), ("site_urls.py", URLS)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        self.main = [python, f"{folder}/site.py"]
        for command in (
                ["migrate", "-v0"], ["creatersakey"],
                ["shell", "-c", CLIENT.format(user=USER, password=PASSWORD, port=self.callback)]):
            subprocess.run([*self.main, *command], check=True, capture_output=True)
        self.program = None
        self.set_lifetime(LIFETIME)

    def set_lifetime(self, seconds):
        if self.program:
            self.program.stop()
        self.program = Program(
            [*self.main, "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.port, self.folder,
            {"LIFETIME": str(seconds), "ADDRESS": self.address})

    def stop(self):
        if self.program:
            self.program.stop()
        self.relay.stop()

    def ways(self):
        yield Way(
            self, "one-time refresh tokens", issuer=f"{self.address}/openid", client="tool",
            api="/openid/userinfo", content='"sub"', token="POST /openid/token", rotates=True, after_lost_answer="strict",
            has_page=True,
            options=("--scope", "openid", "--option", f"redirect-uri=http://127.0.0.1:{self.callback}/callback"))
