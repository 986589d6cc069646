"""APIs with a login of their own that others wrote."""
