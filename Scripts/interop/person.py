#!/usr/bin/env python3
"""person.py URL: a person at a browser, who logs in and agrees to what a page asks for. `ostiary` starts it as $BROWSER.

Follows redirects, fills in forms and presses the button that agrees, as far as the answer on this machine. Who the person is stands in
INTEROP_PERSON, as JSON: user, password, page, which is `glewlwyd` where the page is a program, and the file of the browser's cookies.
"""

import html.parser
import http.cookiejar
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

AGREES = re.compile(r"(?i)allow|accept|authorize|agree|grant|yes|confirm|continue|sign in|log ?in|connect|ok")
REFUSES = re.compile(r"(?i)cancel|deny|decline|refuse|no\b|reject|forgot|register|abort|switch")


class Forms(html.parser.HTMLParser):
    """The forms of a page: action, method, fields and buttons."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.button = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append({
                "action": attributes.get("action", ""), "method": attributes.get("method", "get").lower(), "fields": [],
                "buttons": [], "asks": False})
        if not self.forms:
            return
        form, kind, name = self.forms[-1], attributes.get("type", "text").lower(), attributes.get("name")
        if tag == "input" and kind in ("submit", "image"):
            form["buttons"].append((name, attributes.get("value", ""), attributes.get("value", "")))
        elif tag == "button" and kind in ("submit", "text"):
            self.button = (name, attributes.get("value", ""), attributes.get("value", ""))
            form["buttons"].append(self.button)
        elif tag == "input" and name:
            if kind in ("checkbox", "radio") and "checked" not in attributes:
                return
            form["asks"] |= kind == "password"
            form["fields"].append([name, kind, attributes.get("value", "")])

    def handle_data(self, data):
        if self.button and data.strip():
            name, value, words = self.button
            self.forms[-1]["buttons"][-1] = self.button = (name, value, f"{words} {data.strip()}")

    def handle_endtag(self, tag):
        if tag == "button":
            self.button = None


class Browser:
    def __init__(self, person):
        self.person = person
        policy = http.cookiejar.DefaultCookiePolicy(strict_ns_domain=http.cookiejar.DefaultCookiePolicy.DomainLiberal)
        self.cookies = http.cookiejar.LWPCookieJar(person.get("cookies"), policy=policy)
        if person.get("cookies") and os.path.exists(person["cookies"]):
            self.cookies.load(ignore_discard=True)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies))

    def ask(self, address, data=None, method=None, headers=None):
        request = urllib.request.Request(address, data=data, method=method, headers={"Accept": "text/html", **(headers or {})})
        try:
            answer = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.geturl(), answer.status, answer.read().decode(errors="replace")

    def visit(self, address):
        self.begun = address
        here, status, text = self.ask(address)
        for _ in range(12):
            # The command's own page, in the end.
            if urllib.parse.urlsplit(here).path == "/callback":
                if self.person.get("cookies"):
                    self.cookies.save(ignore_discard=True)
                return
            if "code" in self.person and "prompt=deviceComplete" in here:
                # The device goes on by itself.
                return
            if self.person.get("page") == "glewlwyd" and "login.html" in here:
                here, status, text = self.glewlwyd(here)
                continue
            form = self.chosen(Forms(text).forms)
            if not form:
                break
            here, status, text = self.submit(here, form)
        raise SystemExit(f"a page without a way on: {status} {here}\n{text[:2000]}")

    @staticmethod
    def chosen(forms):
        """The form that asks for a password, or one with a button that agrees."""
        asking = [form for form in forms if form["asks"]]
        agreeing = [form for form in forms if any(AGREES.search(f"{one[0]} {one[2]}") for one in form["buttons"])]
        return (asking or agreeing or forms or [None])[0]

    def submit(self, here, form):
        pairs, named = [], False
        for name, kind, value in form["fields"]:
            if kind == "password":
                value = self.person["password"]
            elif kind in ("text", "email") and form["asks"] and not named:
                value, named = self.person["user"], True
            pairs.append((name, value))
        buttons = [one for one in form["buttons"] if not REFUSES.search(f"{one[0]} {one[2]}")]
        agreeing = [one for one in buttons if AGREES.search(f"{one[0]} {one[2]}")]
        for name, value, _ in (agreeing or buttons)[:1]:
            if name:
                pairs.append((name, value))
        target = urllib.parse.urljoin(here, form["action"] or here)
        body = urllib.parse.urlencode(pairs)
        if form["method"] == "post":
            return self.ask(target, body.encode(), headers={"Referer": here})
        return self.ask(target.split("?")[0] + "?" + body)

    def glewlwyd(self, here):
        """What Glewlwyd's page does in JavaScript: logs in, grants what is asked for, goes on; or ends its session."""
        parts = urllib.parse.urlsplit(here)
        query = dict(urllib.parse.parse_qsl(parts.query))
        api = f"{parts.scheme}://{parts.netloc}/api"

        def call(method, path, body=None):
            data, fields = (None, {}) if body is None else (json.dumps(body).encode(), {"Content-Type": "application/json"})
            _, status, text = self.ask(api + path, data, method, fields)
            if status != 200:
                raise SystemExit(f"{method} {path}: {status} {text[:500]}")

        if query.get("prompt") == "device":
            call("POST", "/auth/", {"username": self.person["user"], "password": self.person["password"]})
            return self.ask(f"{self.begun}?code={self.person['code']}&g_continue")
        if query.get("prompt") == "end_session":
            call("DELETE", f"/{query['plugin']}/session/{query['sid']}")
            call("DELETE", "/auth/")
            return self.ask(query["callback_url"])
        call("POST", "/auth/", {"username": self.person["user"], "password": self.person["password"]})
        call("PUT", f"/auth/grant/{query['client_id']}", {"scope": query["scope"]})
        address = query["callback_url"]
        return self.ask(address + ("&" if "?" in address else "?") + "g_continue")


if __name__ == "__main__":
    try:
        Browser(json.loads(os.environ["INTEROP_PERSON"])).visit(sys.argv[1])
    except BaseException as problem:
        # The command shows nothing of its browser's words.
        if log := os.environ.get("INTEROP_PERSON_LOG"):
            with open(log, "a") as file:
                file.write(f"{sys.argv[1]}\n{type(problem).__name__}: {problem}\n")
        raise
