"""django-oauth-toolkit of PyPI: an OpenID provider in a Django project, with a view of its own that wants a token."""

import os
import subprocess

from environments import python_with
from openid.ways import LIFETIME, Way
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["django-oauth-toolkit==3.4.1", "Django==5.2.19"]

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
                           "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE"}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": open(os.path.join(folder, "key")).read(),
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True, "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "SCOPES": {"openid": "who you are", "read": "what you have"}, "ALLOWED_SCHEMES": ["http", "https"],
        "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": os.environ.get("ADDRESS", "") + "/orders",
        "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [os.environ.get("ADDRESS", "") + "/o"],
        "ACCESS_TOKEN_EXPIRE_SECONDS": int(os.environ.get("LIFETIME", "3")), **eval(os.environ.get("MORE", "{}"))},
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
from django.http import HttpResponse
from django.urls import include, path
from oauth2_provider.views.generic import ProtectedResourceMetadataView
class Orders(ProtectedResourceMetadataView):
    def get(self, request): return HttpResponse(f"orders of {request.resource_owner.username}")
from oauth2_provider.urls import metadata_urlpatterns
urlpatterns = [*metadata_urlpatterns, path("accounts/login/", views.LoginView.as_view()), path("o/", include("oauth2_provider.urls")),
               path("orders", Orders.as_view())]
'''
# As the administrator's page makes it. A client without a secret, and with any port of a loopback address.
CLIENT = '''
from django.contrib.auth.models import User
from oauth2_provider.models import Application
User.objects.create_user("{user}", "ann@example.org", "{password}")
Application.objects.create(
    client_id="tool", name="tool", client_type="public", authorization_grant_type="authorization-code", algorithm="RS256",
    redirect_uris="http://127.0.0.1/callback", post_logout_redirect_uris="http://127.0.0.1/callback")
'''
ROTATES = {"ROTATE_REFRESH_TOKEN": True}


class DjangoOAuthToolkit:
    title = "django-oauth-toolkit"
    version = PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("django-oauth-toolkit", *PACKAGES)
        self.folder, self.port = folder, free_port()
        self.relay = Relay(self.port)
        self.address = f"http://127.0.0.1:{self.relay.port}"
        for name, text in [("site.py", SITE), ("site_urls.py", URLS)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        # With the library that it signs with itself.
        subprocess.run(
            [python, "-c", "from jwcrypto.jwk import JWK; print(JWK.generate(kty='RSA', size=2048)"
             ".export_to_pem(private_key=True, password=None).decode())"],
            check=True, stdout=open(f"{folder}/key", "w"))
        self.main = [python, f"{folder}/site.py"]
        subprocess.run([*self.main, "migrate", "-v0"], check=True, capture_output=True)
        subprocess.run(
            [*self.main, "shell", "-v0", "-c", CLIENT.format(user=USER, password=PASSWORD)], check=True, capture_output=True)
        self.settings, self.program = {}, None
        self.configure({}, LIFETIME)

    def configure(self, settings, lifetime):
        if self.program:
            self.program.stop()
        self.settings = settings
        self.program = Program(
            [*self.main, "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.port, self.folder,
            {"LIFETIME": str(lifetime), "MORE": repr(settings), "ADDRESS": self.address})

    def set_lifetime(self, seconds):
        self.configure(self.settings, seconds)

    def stop(self):
        if self.program:
            self.program.stop()
        self.relay.stop()

    def ways(self):
        for name, settings, more in [
                ("refresh token kept", {"ROTATE_REFRESH_TOKEN": False}, {}),
                ("refresh token rotates, the old one good for 120 seconds more",
                 {**ROTATES, "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 120}, {"rotates": True, "after_lost_answer": "grace", "is_extra": True}),
                ("refresh token rotates, a second use ends it",
                 {**ROTATES, "REFRESH_TOKEN_REUSE_PROTECTION": True}, {"rotates": True, "after_lost_answer": "strict"}),
                ("OAuth alone, by RFC 8414", {"ROTATE_REFRESH_TOKEN": False, "OIDC_ENABLED": False},
                 {"options": ("--scope", "read"), "is_openid": False, "has_page": False, "is_extra": True}),
                ("the API's address alone (RFC 9728), a client that registers itself (RFC 7591)",
                 {"ROTATE_REFRESH_TOKEN": False, "OIDC_ENABLED": False, "DCR_ENABLED": True,
                  "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",)},
                 {"options": ("--scope", "read"), "is_openid": False, "has_page": False, "client": None})]:
            self.configure(settings, LIFETIME)
            yield Way(
                self, name, issuer=f"{self.address}/o", api="/orders",
                content=f"orders of {USER}", token="POST /o/token/",
                # Its OpenID metadata name no address for revocation, those of RFC 8414 do.
                revocation="POST /o/revoke_token/",
                **{"options": ("--scope", "openid read"), "has_page": True, "client": "tool", **more})
