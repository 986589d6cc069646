"""django-rest-knox of PyPI: a sign-in by Basic, and tokens of its own that it keeps and deletes."""

import sqlite3
import subprocess

from api.ways import Server, Way
from environments import python_with
from parts import PASSWORD, USER, Program, Relay, free_port

PACKAGES = ["django-rest-knox==5.1.0", "djangorestframework==3.18.3", "Django==5.2.19"]

SITE = '''
import os, sys
from django.conf import settings
folder = os.path.dirname(os.path.abspath(__file__))
settings.configure(
    DEBUG=False, SECRET_KEY="of this run alone", ALLOWED_HOSTS=["*"], ROOT_URLCONF="site_urls", USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "database"),
                           "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE"}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "knox"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"], DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": ["knox.auth.TokenAuthentication"],
                    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"]})
sys.path.insert(0, folder)
from django.core.management import execute_from_command_line
execute_from_command_line(["site", *sys.argv[1:]])
'''
URLS = '''
from django.urls import path
from knox import views
from rest_framework.authentication import BasicAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView
class Login(views.LoginView): authentication_classes = [BasicAuthentication]
class Me(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): return Response({"id": request.user.id, "username": request.user.username})
class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): return Response({"orders of": request.user.username})
urlpatterns = [
    path("api/auth/login/", Login.as_view()), path("api/auth/logout/", views.LogoutView.as_view()),
    path("api/me/", Me.as_view()), path("api/orders", Orders.as_view())]
'''
ACCOUNT = 'from django.contrib.auth.models import User; User.objects.create_user("{user}", "ann@example.org", "{password}")'


class Knox(Server):
    title, version = "django-rest-knox", PACKAGES[0].split("==")[1]

    def __init__(self, folder):
        python = python_with("django-rest-knox", *PACKAGES)
        self.folder, self.port, self.program = folder, free_port(), None
        self.relay = Relay(self.port)
        for name, text in [("site.py", SITE), ("site_urls.py", URLS)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        main = [python, f"{folder}/site.py"]
        for command in (["migrate", "-v0"], ["shell", "-v0", "-c", ACCOUNT.format(user=USER, password=PASSWORD)]):
            subprocess.run([*main, *command], check=True, capture_output=True)
        self.program = Program([*main, "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.port, folder)

    def end_sessions(self, cases):
        """Its tokens are deleted."""
        with sqlite3.connect(f"{self.folder}/database", timeout=30) as database:
            database.execute("DELETE FROM knox_authtoken")
        database.close()

    def ways(self):
        yield Way(
            self, "a sign-in by Basic, its own tokens", "knox", "/api/orders", USER, renews="credential",
            signs_in="POST /api/auth/login/")
