"""What the cases need to know of a server."""

import json
import os
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from parts import PASSWORD, USER

CALLBACK = "/callback"
# For how many seconds access tokens are good. Where other work takes the processor's time, more keep a token from running out between its
# renewal and its use.
LIFETIME = int(os.environ.get("INTEROP_LIFETIME", "3"))


class Way:
    """One client of one server, as it is configured there."""

    # A page that takes the token, and what is on it.
    content = USER
    # What happens to a refresh token whose successor's answer was lost: `repeats`, `grace` or `strict`.
    after_lost_answer = "repeats"
    rotates = False
    options = ()
    # Whether its metadata offer a pushed request, whether tokens are bound, whether the page sends more than once.
    pushed = bound = False
    is_openid = True
    # Whether the person signs in on another device, by a code.
    is_device = False
    # Whether it lets the user end the sign-in with the server itself on a page (RP-Initiated Logout).
    has_page = False
    # Left out where time is short.
    is_extra = False
    # Who the person is at its page, and what the ID token calls the user.
    person = {"user": USER, "password": PASSWORD}
    subject = None

    def __init__(self, server, name, **more):
        self.server, self.name = server, name
        for key, value in more.items():
            assert hasattr(type(self), key), key
            setattr(self, key, value)

    issuer = client = api = token = revocation = None


def debian_version(package):
    """What is installed, without Debian's own number."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return re.split(r"[-+]", done.stdout.split(":")[-1])[0] if done.returncode == 0 else ""


def get(address, token=None):
    """The status and body of an answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def metadata(way):
    """Its metadata, where OpenID Connect and RFC 8414 have them."""
    if way.is_openid:
        return json.loads(get(way.issuer.rstrip("/") + "/.well-known/openid-configuration")[1])
    parts = urllib.parse.urlsplit(way.issuer)
    return json.loads(get(f"{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{parts.path}")[1])
