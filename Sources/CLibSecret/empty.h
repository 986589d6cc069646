// libsecret is used from C alone: Swift need not see the headers of GLib.
