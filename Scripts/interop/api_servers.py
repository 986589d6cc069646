"""api_servers.py COMMAND [NAME…]: `ostiary login api` against APIs that others wrote, by a dialect that comes with the command, or one of
the documents in dialects/. The servers are tried side by side. Prints a table, and with INTEROP_TABLE puts it into that file. Ends with 1
where a claim was wrong. Scripts/interop.sh says more.
"""

import sys

from api import (
    appbuilder, cases, devpi, django_rest, fastapi_users, home_assistant, jupyter, knox, privacyidea, synapse, wordpress)
from table import run

SERVERS = {
    "django-rest-framework": django_rest.DjangoREST, "synapse": synapse.Synapse, "devpi": devpi.Devpi,
    "flask-appbuilder": appbuilder.AppBuilder, "jupyter": jupyter.Jupyter, "privacyidea": privacyidea.PrivacyIDEA,
    "home-assistant": home_assistant.HomeAssistant, "wordpress": wordpress.WordPress,
    "fastapi-users": fastapi_users.FastAPIUsers, "django-rest-knox": knox.Knox,
}

if __name__ == "__main__":
    sys.exit(run("api", SERVERS, cases.Cases, cases.COLUMNS, sys.argv[1], sys.argv[2:]))
