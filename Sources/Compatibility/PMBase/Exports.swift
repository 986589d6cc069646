// The vendor's PMBase brings the authenticator along: its sample app imports nothing else where it logs in.
@_exported public import PMAuthentication
