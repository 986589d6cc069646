"""A mail server that keeps what it takes: one line of JSON for each message.

server.py PORT MAILBOX MODE [CERTIFICATE KEY], where MODE is plain, starttls or tls.
"""
import base64
import json
import signal
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

port, mailbox, mode = int(sys.argv[1]), sys.argv[2], sys.argv[3]


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.startswith("nobody@"):
            return "550 there is nobody of that name"
        if address.startswith("busy@"):
            return "451 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        with open(mailbox, "a", encoding="ascii") as file:
            json.dump(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "content": base64.b64encode(envelope.content).decode("ascii"),
                    "user": session.auth_data.login.decode("utf-8") if session.auth_data else None,
                    "tls": session.ssl is not None or mode == "tls",
                },
                file,
            )
            file.write("\n")
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and data.login == b"postman" and data.password == "geheim ä".encode("utf-8")
    return AuthResult(success=right, handled=False, auth_data=data)


options = dict(hostname="127.0.0.1", port=port, enable_SMTPUTF8=True, decode_data=False)
if mode != "plain":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
    options.update(authenticator=authenticate, auth_required=True)
    if mode == "tls":
        options.update(ssl_context=context, auth_require_tls=False)
    else:
        options.update(tls_context=context, require_starttls=True)
controller = Controller(Handler(), **options)
controller.start()
signal.sigwait([signal.SIGTERM, signal.SIGINT])
controller.stop()
