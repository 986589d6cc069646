"""Signs in to the Salesforce door with clients that know nothing of Ostiary, and prints what they were told."""
import html.parser, json, sys, urllib.parse

import requests
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from requests_oauthlib import OAuth2Session
from simple_salesforce import Salesforce
from simple_salesforce.exceptions import SalesforceExpiredSession, SalesforceMalformedRequest

origin, authority, key, secret, callback, user, password = sys.argv[1:8]
private_key = sys.stdin.read()
base = origin + "/services/oauth2"
told = {}


def prepared(session):
    session.verify, session.trust_env = authority, False
    return session


class Form(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes["action"]
        elif tag == "input" and "name" in attributes:
            self.fields[attributes["name"]] = attributes.get("value") or ""


def browse(address):
    """What a person does at a browser: signs in, allows. Returns where the browser is sent in the end."""
    browser = prepared(requests.Session())
    answer = browser.get(address, allow_redirects=False, timeout=120)
    for _ in range(8):
        if "location" in answer.headers:
            address = urllib.parse.urljoin(answer.url, answer.headers["location"])
            if not address.startswith(origin):
                return address
            answer = browser.get(address, allow_redirects=False, timeout=120)
            continue
        form = Form(answer.text)
        mine = {"username": user, "password": password} if "username" in form.fields else {"decision": "allow"}
        answer = browser.post(
            urllib.parse.urljoin(answer.url, form.action), data=form.fields | mine, allow_redirects=False, timeout=120)
    raise RuntimeError("the browser got nowhere")


# requests-oauthlib: authorization code with PKCE, refresh, revocation.
scope = ["id", "api", "refresh_token"]
oauth = prepared(OAuth2Session(key, redirect_uri=callback, scope=scope, pkce="S256"))
address, _ = oauth.authorization_url(base + "/authorize")
token = oauth.fetch_token(
    base + "/token", authorization_response=browse(address), client_secret=secret, include_client_id=True, timeout=120)
told["members"] = sorted(token.keys())
refreshed = oauth.refresh_token(base + "/token", client_id=key, client_secret=secret, timeout=120)
told["renewed"] = refreshed["access_token"] != token["access_token"]
told["kept the refresh token"] = refreshed["refresh_token"] == token["refresh_token"]
told["userinfo"] = oauth.get(base + "/userinfo", timeout=120).json()["preferred_username"]

# simple-salesforce with that session.
org = Salesforce(
    session_id=refreshed["access_token"], instance_url=token["instance_url"], session=prepared(requests.Session()))
told["version"] = org.sf_version
made = org.Case.create({"Subject": "A broken lamp", "Priority": "High"})
told["created"] = made["success"]
told["read"] = org.Case.get(made["id"])["Subject"]
told["query"] = [
    dict(record, attributes=None) for record in org.query("SELECT Subject, Status FROM Case")["records"]]
told["updated"] = org.Case.update(made["id"], {"Status": "Closed"})
told["query all"] = org.query_all("SELECT Id FROM Case WHERE IsClosed = true")["totalSize"]
told["describe"] = "Subject" in [field["name"] for field in org.Case.describe()["fields"]]
told["metadata"] = org.Case.metadata()["objectDescribe"]["name"]
told["sandbox"] = org.is_sandbox()
told["limit"] = org.limits()["DailyApiRequests"]["Max"]
told["usage"] = org.api_usage["api-usage"].used
told["deleted"] = org.Case.delete(made["id"])
try:
    org.query("SELECT Nonsense FROM Case")
except SalesforceMalformedRequest as error:
    told["refused"] = error.content[0]["errorCode"]
told["revoked"] = oauth.post(base + "/revoke", data={"token": refreshed["refresh_token"]}, timeout=120).status_code
try:
    org.query("SELECT Id FROM Case")
except SalesforceExpiredSession as error:
    told["expired"] = error.content[0]["errorCode"]


# simple-salesforce signs in by itself, with an assertion for the vendor's host; only the host is another.
class Elsewhere(requests.adapters.HTTPAdapter):
    def send(self, request, **arguments):
        request.url = request.url.replace("https://login.salesforce.com", origin)
        return super().send(request, **arguments)


session = prepared(requests.Session())
session.mount("https://login.salesforce.com", Elsewhere())
org = Salesforce(username=user, consumer_key=key + ".signs", privatekey=private_key, session=session)
told["with an assertion"] = org.query("SELECT COUNT() FROM User")["totalSize"]

# Authlib: user name and password, introspection, revocation.
client = AuthlibSession(key, secret, token_endpoint_auth_method="client_secret_post")
client.verify, client.trust_env = authority, False
token = client.fetch_token(base + "/token", grant_type="password", username=user, password=password, timeout=120)
answer = client.introspect_token(base + "/introspect", token=token["access_token"], timeout=120)
told["active"] = answer.json()["active"]
answer = client.revoke_token(base + "/revoke", token=token["access_token"], timeout=120)
told["revoked by authlib"] = answer.status_code
answer = client.introspect_token(base + "/introspect", token=token["access_token"], timeout=120)
told["afterwards"] = answer.json()

print(json.dumps(told))
