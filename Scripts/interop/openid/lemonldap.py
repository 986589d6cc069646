"""LemonLDAP::NG of Debian: a portal in Perl that is an OpenID provider, with its accounts for demonstrations."""

import json
import os
import shutil
import subprocess

from openid.ways import LIFETIME, Way, debian_version
from parts import Absent, Program, Relay, free_port

PORTAL = "/usr/share/lemonldap-ng/portal/htdocs/index.psgi"
# Of the packages that it recommends: without them the portal does not start.
MODULES = ["GD::SecurityImage", "Image::Magick", "String::Random"]
# One of the accounts that it is delivered with for trying it; the password is the name.
ACCOUNT = "dwho"
CLAIMS = {"name": "cn", "email": "mail", "preferred_username": "uid"}

FILE = """
[all]
logLevel = warn
[configuration]
type = File
dirName = {folder}/configuration
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
"""


class LemonLDAP:
    title = "LemonLDAP::NG"

    def __init__(self, folder):
        has_modules = ["perl", *(f"-M{name}" for name in MODULES), "-e1"]
        if (not os.path.exists(PORTAL) or not shutil.which("plackup") or not shutil.which("openssl")
                or subprocess.run(has_modules, capture_output=True).returncode != 0):
            raise Absent("LemonLDAP::NG (Debian: lemonldap-ng with what it recommends)")
        self.folder, self.port, self.callback = folder, free_port(), free_port()
        self.version = debian_version("lemonldap-ng")
        self.relay = Relay(self.port)
        self.address = f"http://127.0.0.1:{self.relay.port}"
        for name in ("configuration", "sessions/lock", "persistent/lock", "cache"):
            os.makedirs(f"{folder}/{name}")
        with open(f"{folder}/file.ini", "w") as file:
            file.write(FILE.format(folder=folder))
        for arguments in (["genrsa", "-out", "key", "2048"], ["rsa", "-in", "key", "-pubout", "-out", "public"]):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)
        self.program = None
        self.set_lifetime(LIFETIME)

    def configuration(self, lifetime):
        """As its manager writes it."""
        def read(file):
            with open(f"{self.folder}/{file}") as text:
                return text.read()

        def files(name):
            return {"Directory": f"{self.folder}/{name}", "LockDirectory": f"{self.folder}/{name}/lock",
                    "generateModule": "Lemonldap::NG::Common::Apache::Session::Generate::SHA256"}

        clients = {"tool": {}}
        usual = {
            "oidcRPMetaDataOptionsPublic": 1, "oidcRPMetaDataOptionsRequirePKCE": 1, "oidcRPMetaDataOptionsAllowOffline": 1,
            "oidcRPMetaDataOptionsRefreshToken": 1, "oidcRPMetaDataOptionsAccessTokenExpiration": lifetime,
            "oidcRPMetaDataOptionsIDTokenSignAlg": "RS256", "oidcRPMetaDataOptionsUserIDAttr": "uid",
            "oidcRPMetaDataOptionsBypassConsent": 0,
            "oidcRPMetaDataOptionsRedirectUris": f"http://127.0.0.1:{self.callback}/callback"}
        return {
            "cfgNum": 1, "cfgAuthor": "interop", "cfgDate": 1, "cfgVersion": "2.16.1", "portal": f"{self.address}/",
            "domain": "127.0.0.1", "cookieName": "lemonldap", "securedCookie": 0, "authentication": "Demo", "userDB": "Same",
            "passwordDB": "Demo", "registerDB": "Null", "whatToTrace": "uid", "macros": {}, "groups": {}, "exportedVars": {},
            "demoExportedVars": {"cn": "cn", "mail": "mail", "uid": "uid"}, "timeout": 72000, "portalSkin": "bootstrap",
            "locationRules": {}, "exportedHeaders": {}, "applicationList": {}, "key": "of this run alone",
            "globalStorage": "Apache::Session::File", "globalStorageOptions": files("sessions"),
            "persistentStorage": "Apache::Session::File", "persistentStorageOptions": files("persistent"),
            "localSessionStorage": "Cache::FileCache", "localSessionStorageOptions": {
                "namespace": "interop", "default_expires_in": 600, "directory_umask": "007", "cache_root": f"{self.folder}/cache",
                "cache_depth": 3},
            "issuerDBOpenIDConnectActivation": 1, "oidcServicePrivateKeySig": read("key"),
            "oidcServicePublicKeySig": read("public"), "oidcServiceKeyIdSig": "interop",
            "oidcServiceAllowAuthorizationCodeFlow": 1, "oidcServiceAllowOffline": 1,
            "oidcRPMetaDataOptions": {
                name: {**usual, **more, "oidcRPMetaDataOptionsClientID": name} for name, more in clients.items()},
            "oidcRPMetaDataExportedVars": {name: CLAIMS for name in clients}}

    def set_lifetime(self, seconds):
        if self.program:
            self.program.stop()
        with open(f"{self.folder}/configuration/lmConf-1.json", "w") as file:
            json.dump(self.configuration(seconds), file)
        self.program = Program(
            ["plackup", "-E", "deployment", "-s", "HTTP::Server::PSGI", "--host", "127.0.0.1", "--port", str(self.port), PORTAL],
            self.port, self.folder, {"LLNG_DEFAULTCONFFILE": f"{self.folder}/file.ini"})

    def stop(self):
        if self.program:
            self.program.stop()
        self.relay.stop()

    def ways(self):
        yield Way(
            self, "refresh token kept", issuer=f"{self.address}/", client="tool", api="/oauth2/userinfo", content=ACCOUNT,
            token="POST /oauth2/token", person={"user": ACCOUNT, "password": ACCOUNT},
            options=(
                "--scope", "openid", "--option", f"redirect-uri=http://127.0.0.1:{self.callback}/callback"))
