"""OpenID Connect servers that others wrote."""
