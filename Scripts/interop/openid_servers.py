"""openid_servers.py COMMAND [NAME…]: `ostiary login oidc` against OpenID servers that others wrote, by its options alone.

The servers are tried side by side. Prints a table, and with INTEROP_TABLE puts it into that file. Ends with 1 where a claim was wrong.
Scripts/interop.sh says more.
"""

import sys

from openid import cases, django_oauth, django_oidc, glewlwyd, lemonldap
from table import run

SERVERS = {
    "glewlwyd": glewlwyd.Glewlwyd, "django-oauth-toolkit": django_oauth.DjangoOAuthToolkit,
    "lemonldap": lemonldap.LemonLDAP, "django-oidc-provider": django_oidc.DjangoOIDCProvider,
}

if __name__ == "__main__":
    sys.exit(run("openid", SERVERS, cases.Cases, cases.COLUMNS, sys.argv[1], sys.argv[2:]))
