"""Apache httpd with mod_auth_form in its variants, Basic and Digest."""

import base64
import hashlib
import os

from parts import PASSWORD, USER, Absent, Program, free_port

BINARIES = [
    ("/usr/sbin/apache2", "/usr/lib/apache2/modules"), ("/usr/sbin/httpd", "/usr/lib64/httpd/modules"),
    ("/usr/sbin/httpd", "/usr/libexec/apache2"),
]
MODULES = [
    "mpm_event", "authz_core", "authz_user", "authn_core", "authn_file", "auth_basic", "auth_digest", "auth_form", "session",
    "session_cookie", "request", "alias", "mime", "asis", "unixd", "dir",
]
# What a stranger gets, what a wrong password gets, and the options that a person has to give.
FORMS = {
    "page": ("a 401 with the form", "ErrorDocument 401 /login-page.html", "ErrorDocument 401 /login-page.html", []),
    "redirect": (
        "a redirect to the form, which doesn't say where from", "AuthFormLoginRequiredLocation /login-redirect.html",
        "AuthFormLoginRequiredLocation /login-redirect.html", ["login=/login-redirect.html"]),
    "inline": ("a 200 with the form, which goes to the page itself", "ErrorDocument 401 /inline.asis", None, []),
    "sorry": (
        "a redirect to the form; a wrong password leads to a page without one",
        "AuthFormLoginRequiredLocation /login-sorry.html", "AuthFormLoginRequiredLocation /sorry.html",
        ["login=/login-sorry.html"]),
    "bare": (
        "a 401 with a few words", 'ErrorDocument 401 "no"', 'ErrorDocument 401 "no"', ["login=/login-bare.html"]),
}


def form(action):
    return (
        f'<!DOCTYPE html><html><head><title>Log in</title></head><body><form method="POST" action="{action}">'
        '<input type="text" name="httpd_username"><input type="password" name="httpd_password">'
        '<input type="submit" name="login" value="Login"></form></body></html>')


class Apache:
    """One process for all variants."""

    def __init__(self, folder):
        found = [(binary, modules) for binary, modules in BINARIES if os.path.exists(f"{modules}/mod_auth_form.so")]
        if not found:
            raise Absent("Apache httpd with mod_auth_form (Debian: apache2-bin)")
        self.folder, self.port = folder, free_port()
        binary, modules = found[0]
        for variant in [*FORMS, "basic", "digest"]:
            os.makedirs(f"{folder}/htdocs/{variant}")
            self.write(f"htdocs/{variant}/secret.txt", "inside")
        for variant in FORMS:
            self.write(f"htdocs/login-{variant}.html", form(f"/dologin-{variant}"))
        self.write("htdocs/inline.asis", "Status: 200 OK\nContent-Type: text/html\n\n" + form(""))
        self.write("htdocs/sorry.html", "<!DOCTYPE html><title>Sorry</title><p>That didn't work.</p>")
        self.write("htdocs/bye.html", "<!DOCTYPE html><title>Bye</title><p>Goodbye.</p>")
        self.set_password(PASSWORD)
        self.write("httpd.conf", self.configuration(modules))
        os.chmod(folder, 0o755)
        self.program = Program([binary, "-f", f"{folder}/httpd.conf", "-DFOREGROUND"], self.port, folder)

    def write(self, name, text):
        with open(f"{self.folder}/{name}.new", "w") as file:
            file.write(text)
        os.chmod(f"{self.folder}/{name}.new", 0o644)
        os.rename(f"{self.folder}/{name}.new", f"{self.folder}/{name}")

    def set_password(self, password):
        digest = base64.b64encode(hashlib.sha1(password.encode()).digest()).decode()
        self.write("users", f"{USER}:{{SHA}}{digest}\n")
        self.write("digests", f"{USER}:ours:" + hashlib.md5(f"{USER}:ours:{password}".encode()).hexdigest() + "\n")

    def stop(self):
        self.program.stop()

    def variants(self):
        return [Form(self, name) for name in FORMS] + [Header(self, "basic", "Basic"), Header(self, "digest", "Digest, MD5")]

    def configuration(self, modules):
        folder = self.folder
        lines = [f"LoadModule {name}_module {modules}/mod_{name}.so" for name in MODULES
                 if os.path.exists(f"{modules}/mod_{name}.so")]
        lines += [
            f"ServerRoot {folder}", "ServerName 127.0.0.1", f"Listen 127.0.0.1:{self.port}", f"PidFile {folder}/pid",
            f"ErrorLog {folder}/error.log", f"Mutex file:{folder} default", "StartServers 1", "KeepAliveTimeout 120",
            f"DocumentRoot {folder}/htdocs", "TypesConfig /dev/null", "AddType text/html .html", "AddType text/plain .txt",
            "AddHandler send-as-is asis", "<Directory />", "Require all denied", "</Directory>",
            f"<Directory {folder}/htdocs>", "Require all granted", "</Directory>"]
        if os.getuid() == 0:
            lines += ["User #65534", "Group #65534"]
        for name, (_, stranger, refused, _) in FORMS.items():
            session = [
                "AuthType form", "AuthName ours", "AuthFormProvider file", f"AuthUserFile {folder}/users", "Session On",
                f"SessionCookieName {name}-session path=/;httponly", "Require valid-user"]
            lines += [f"<Location /{name}>", *session, stranger, "</Location>"]
            if refused:
                lines += [
                    f"<Location /dologin-{name}>", *session, "SetHandler form-login-handler", refused,
                    f"AuthFormLoginSuccessLocation /{name}/secret.txt", "</Location>"]
            lines += [
                f"<Location /logout-{name}>", "SetHandler form-logout-handler", "AuthName ours",
                "AuthFormLogoutLocation /bye.html", "Session On", "SessionMaxAge 1",
                f"SessionCookieName {name}-session path=/;httponly", "</Location>"]
        lines += [
            "<Location /basic>", "AuthType Basic", "AuthName ours", f"AuthUserFile {folder}/users", "Require valid-user",
            "</Location>", "<Location /digest>", "AuthType Digest", "AuthName ours", f"AuthUserFile {folder}/digests",
            "Require valid-user", "</Location>"]
        return "\n".join(lines) + "\n"


class Variant:
    """One way in which a server protects a page."""

    content = "inside"
    posts = "POST"
    expiry = "the password is changed"

    def __init__(self, server, path):
        self.server, self.port, self.path = server, server.port, path

    def expire(self, password):
        """Ends every session at the server. Returns the password that is good then."""
        self.server.set_password(password)
        return password


class Form(Variant):
    def __init__(self, server, name):
        super().__init__(server, f"/{name}/secret.txt")
        self.name = f"Apache mod_auth_form, {FORMS[name][0]}"
        self.arguments = ["gateway", *(f"--option={one}" for one in FORMS[name][3]), f"--option=logout=/logout-{name}"]


class Header(Variant):
    # There is no form whose answer could be lost: the first attempt is.
    posts = "HEAD"

    def __init__(self, server, name, title):
        super().__init__(server, f"/{name}/secret.txt")
        self.name, self.arguments = f"Apache, {title}", ["http"]
