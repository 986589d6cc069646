"""Django REST framework of PyPI with its ways to sign in: Simple JWT, its own tokens, dj-rest-auth with either."""

import os
import sqlite3
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = [
    "djangorestframework==3.18.3", "Django==5.2.19", "djangorestframework-simplejwt==5.5.1", "dj-rest-auth==7.2.0"]

SITE = '''
import datetime, os, sys, warnings
warnings.simplefilter("ignore")
from django.conf import settings
uses_jwt = bool(os.environ.get("USES_JWT"))
folder = os.path.dirname(os.path.abspath(__file__))
lifetime = datetime.timedelta(seconds=int(os.environ.get("LIFETIME", "3")))
settings.configure(
    DEBUG=False, SECRET_KEY="of this run alone, and long enough for what signs with it", ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="site_urls", STATIC_URL="/static/", USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "database"),
                           "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE"}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites",
                    "rest_framework", "rest_framework.authtoken", "rest_framework_simplejwt.token_blacklist", "dj_rest_auth"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", SITE_ID=1,
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [
        "dj_rest_auth.jwt_auth.JWTCookieAuthentication" if uses_jwt else "rest_framework.authentication.TokenAuthentication"]},
    SIMPLE_JWT={"ACCESS_TOKEN_LIFETIME": lifetime, "ROTATE_REFRESH_TOKENS": True, "BLACKLIST_AFTER_ROTATION": True},
    REST_AUTH={"SESSION_LOGIN": False, "USE_JWT": uses_jwt, "JWT_AUTH_HTTPONLY": False},
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}])
sys.path.insert(0, folder)
from django.core.management import execute_from_command_line
execute_from_command_line(["site", *sys.argv[1:]])
'''
URLS = '''
from django.urls import include, path
from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.views import obtain_auth_token
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_simplejwt import views
from rest_framework_simplejwt.authentication import JWTAuthentication
class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): return Response({"orders of": request.user.username})
urlpatterns = [
    path("api/token/", views.TokenObtainPairView.as_view()), path("api/token/refresh/", views.TokenRefreshView.as_view()),
    path("api/token/verify/", views.TokenVerifyView.as_view()), path("api/token/blacklist/", views.TokenBlacklistView.as_view()),
    path("api/orders", Orders.as_view(authentication_classes=[JWTAuthentication])),
    path("api-token-auth/", obtain_auth_token), path("dj-rest-auth/", include("dj_rest_auth.urls")),
    path("orders", Orders.as_view(authentication_classes=[TokenAuthentication]))]
'''
ACCOUNT = 'from django.contrib.auth.models import User; User.objects.create_user("{user}", "ann@example.org", "{password}")'


class DjangoREST(Server):
    title, version = "Django REST framework", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("django-rest-framework", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.relay = Relay(self.port)
        for name, text in [("site.py", SITE), ("site_urls.py", URLS)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        self.main = [python, f"{folder}/site.py"]
        for command in (["migrate", "-v0"], ["shell", "-v0", "-c", ACCOUNT.format(user=USER, password=PASSWORD)]):
            subprocess.run([*self.main, *command], check=True, capture_output=True)
        self.variables = {}
        self.set_lifetime(3)

    def set_lifetime(self, seconds):
        if self.program:
            self.program.stop()
        self.program = Program(
            [*self.main, "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.port, self.folder,
            {"LIFETIME": str(seconds), **self.variables})

    def end_sessions(self, cases):
        """Tokens are deleted, and renewal tokens put on the list of those that are not good."""
        with sqlite3.connect(f"{self.folder}/database", timeout=30) as database:
            database.execute("DELETE FROM authtoken_token")
            database.execute(
                "INSERT INTO token_blacklist_blacklistedtoken (token_id, blacklisted_at) SELECT id, '2026-01-01' "
                "FROM token_blacklist_outstandingtoken WHERE id NOT IN (SELECT token_id FROM token_blacklist_blacklistedtoken)")
        database.close()
        if cases.renews:
            cases.expire()

    def ways(self):
        yield Way(
            self, "Simple JWT 5.5.1, renewal tokens rotate", "simplejwt", "/api/orders", USER, signs_in="POST /api/token/ ",
            renewal="POST /api/token/refresh/", after_lost_answer="strict")
        yield Way(
            self, "its own tokens", "drf-token", "/orders", USER, renews="none", signs_in="POST /api-token-auth/")
        yield Way(
            self, "dj-rest-auth 7.2.0, tokens", "dj-rest-auth", "/orders", USER, renews="none",
            signs_in="POST /dj-rest-auth/login/")
        self.variables = {"USES_JWT": "1"}
        self.set_lifetime(3)
        yield Way(
            self, "dj-rest-auth 7.2.0, JSON Web Tokens", "dj-rest-auth-jwt", "/api/orders", USER,
            signs_in="POST /dj-rest-auth/login/", renewal="POST /dj-rest-auth/token/refresh/", after_lost_answer="strict")
