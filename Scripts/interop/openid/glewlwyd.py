"""Glewlwyd of Debian: an OpenID provider in C, set up through its own administration API."""

import gzip
import http.cookiejar
import json
import os
import shutil
import sqlite3
import subprocess
import urllib.error
import urllib.request

from openid.ways import LIFETIME, Way, debian_version
from parts import PASSWORD, USER, Absent, Program, Relay, Wrong, free_port

SCHEMA = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
MODULES = "/usr/lib/glewlwyd"
# The administrator of the schema.
ADMINISTRATOR, FIRST_PASSWORD = "admin", "password"
SECRET = "of-this-run-alone"

# Its instances of an OpenID provider, as they treat refresh tokens; the third wants nonces in proofs.
PLUGINS = ("keeps", "rotates", "nonces")
CONFIGURATION = '''
port={port}
bind_address="127.0.0.1"
external_url="{address}"
login_url="login.html"
api_prefix="api"
static_files_path="/usr/share/glewlwyd/webapp/"
log_mode="console"
log_level="WARNING"
cookie_domain="127.0.0.1"
cookie_secure=0
session_expiration=86400
session_key="interop"
admin_scope="g_admin"
profile_scope="g_profile"
login_api_enabled=true
user_module_path="{modules}/user"
user_middleware_module_path="{folder}/none"
client_module_path="{modules}/client"
user_auth_scheme_module_path="{modules}/scheme"
plugin_module_path="{modules}/plugin"
hash_algorithm="SHA512"
database = {{ type = "sqlite3" path = "{folder}/database" }};
'''


class Glewlwyd:
    title = "Glewlwyd"

    def __init__(self, folder):
        if not shutil.which("glewlwyd") or not os.path.exists(SCHEMA) or not shutil.which("openssl"):
            raise Absent("Glewlwyd (Debian: glewlwyd, openssl)")
        self.folder, self.port, self.callback = folder, free_port(), free_port()
        self.version = debian_version("glewlwyd")
        self.relay = Relay(self.port)
        self.address = f"http://127.0.0.1:{self.relay.port}"
        os.makedirs(f"{folder}/none")
        with sqlite3.connect(f"{folder}/database") as database, gzip.open(SCHEMA, "rt") as schema:
            database.executescript(schema.read())
            # A property of clients that its documentation says to add for logout.
            parameters = json.loads(database.execute("SELECT gcmi_parameters FROM g_client_module_instance").fetchone()[0])
            parameters["data-format"]["post_logout_redirect_uris"] = {"multiple": True, "read": True, "write": True}
            database.execute("UPDATE g_client_module_instance SET gcmi_parameters = ?", [json.dumps(parameters)])
        database.close()
        with open(f"{folder}/configuration", "w") as file:
            file.write(CONFIGURATION.format(port=self.port, address=self.address, modules=MODULES, folder=folder))
        for arguments in (
                ["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "key"], ["ec", "-in", "key", "-pubout", "-out", "public"]):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)
        self.program = Program(["glewlwyd", f"--config-file={folder}/configuration"], self.port, folder)
        cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(cookies))
        self.call("POST", "/auth/", {"username": ADMINISTRATOR, "password": FIRST_PASSWORD})
        for name in PLUGINS:
            self.call("POST", "/mod/plugin/", {
                "module": "oidc", "name": name, "display_name": name, "enabled": True, "parameters": self.parameters(name, LIFETIME)})
        self.call("POST", "/user/", {
            "username": USER, "password": PASSWORD, "name": "Ann", "email": "ann@example.org", "enabled": True,
            "scope": ["g_profile", "openid"]})
        with open(os.open(f"{folder}/secret", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(SECRET)
        for client, more in [
                ("tool", {"confidential": False, "token_endpoint_auth_method": ["none"]}),
                ("service", {"confidential": True, "client_secret": SECRET,
                             "token_endpoint_auth_method": ["client_secret_basic"]})]:
            # It takes no other port than the registered one. Only a client that may act for itself may revoke.
            self.call("POST", "/client/", {
                "client_id": client, "name": client, "enabled": True, "scope": [], **more,
                "redirect_uri": [f"http://127.0.0.1:{self.callback}/callback"],
                "post_logout_redirect_uris": [f"http://127.0.0.1:{self.callback}/callback"],
                "authorization_type": ["code", "refresh_token", "device_authorization", "client_credentials"]})

    def parameters(self, name, lifetime):
        """The settings of its page for an OpenID provider, under the names that it gives them."""
        def read(file):
            with open(f"{self.folder}/{file}") as text:
                return text.read()

        return {
            "iss": f"{self.address}/api/{name}", "subject-type": "public", "jwt-type": "ecdsa", "jwt-key-size": "256",
            "key": read("key"), "cert": read("public"), "access-token-duration": lifetime, "refresh-token-duration": 3600,
            "code-duration": 60, "refresh-token-rolling": True, "allow-non-oidc": False,
            "refresh-token-one-use": "never" if name == "keeps" else "always",
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-password-enabled": False, "auth-type-client-enabled": False,
            "auth-type-device-enabled": True, "auth-type-refresh-enabled": True, "jwks-show": True, "pkce-allowed": True,
            "pkce-required": True, "introspection-revocation-allowed": True,
            "introspection-revocation-allow-target-client": True, "session-management-allowed": True,
            "session-cookie-name": f"session-{name}", "session-cookie-expiration": 3600,
            # Where it wants nonces it gives none to a pushed request (2.7.5).
            "oauth-par-allowed": name != "nonces", "oauth-par-required": name != "nonces", "oauth-par-duration": 90,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "oauth-dpop-allowed": True,
            # A nonce of a client is good for so many requests of all its processes. One that is good for two is used up by the others before
            # a request that the command repeats three times has its turn.
            "oauth-dpop-iat-duration": 60, "oauth-dpop-nonce-mandatory": name == "nonces", "oauth-dpop-nonce-counter": 40,
            "oauth-as-iss-id": True,
            "device-authorization-expiration": 600, "device-authorization-interval": 1}

    def call(self, method, path, body):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api{path}", data=json.dumps(body).encode(), method=method,
            headers={"Content-Type": "application/json"})
        try:
            self.opener.open(request, timeout=30).read()
        except urllib.error.HTTPError as error:
            raise Wrong(f"Glewlwyd's set-up: {method} {path}: {error.code} {error.read().decode(errors='replace')}") from error

    def set_lifetime(self, seconds):
        """How long access tokens live from now on."""
        for name in PLUGINS:
            self.call("PUT", f"/mod/plugin/{name}", {
                "module": "oidc", "name": name, "display_name": name, "enabled": True,
                "parameters": self.parameters(name, seconds)})
            self.call("PUT", f"/mod/plugin/{name}/reset", {})

    def stop(self):
        self.program.stop()
        self.relay.stop()

    def ways(self):
        person = {"user": USER, "password": PASSWORD, "page": "glewlwyd"}
        for name, plugin, more in [
                ("refresh token kept", "keeps", {}),
                ("a code on another device", "keeps", {"is_device": True, "is_extra": True, "pushed": False, "has_page": False}),
                ("a client with a secret, one-time refresh tokens", "rotates",
                 {"rotates": True, "after_lost_answer": "silent", "client": "service"}),
                ("one-time refresh tokens, bound by DPoP with nonces", "nonces",
                 {"rotates": True, "after_lost_answer": "silent", "bound": True})]:
            api = f"/api/{plugin}"
            yield Way(
                self, name, issuer=f"{self.address}{api}", client=more.pop("client", "tool"), api=f"{api}/userinfo",
                token=f"POST {api}/token", revocation=f"POST {api}/revoke", person=person, content='"sub"',
                options=(
                    "--scope", "openid", "--option", f"redirect-uri=http://127.0.0.1:{self.callback}/callback",
                    *(["--dpop"] if more.get("bound") else []),
                    *(["--option", f"client-secret-file={self.folder}/secret"] if plugin == "rotates" else [])),
                **{"pushed": plugin != "nonces", "has_page": True, **more})
