"""What the cases need to know of an API."""

import os

from parts import PASSWORD, USER

DIALECTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "dialects")


class Way:
    """One dialect at one server."""

    user, password = USER, PASSWORD
    settings = ()
    # Who asks to be let in again: `token` (a renewal token), `credential` or `none`.
    renews = "token"
    # What the requests begin with that sign in and renew.
    signs_in = renewal = None
    # What happens to a renewal token whose successor's answer was lost: `repeats` or `strict`.
    after_lost_answer = "repeats"
    is_extra = False

    def __init__(self, server, name, dialect, path, content, **more):
        self.server, self.name, self.path, self.content = server, name, path, content
        self.dialect = dialect
        for key, value in more.items():
            assert hasattr(type(self), key), key
            setattr(self, key, value)

    @property
    def reference(self):
        """A dialect that comes with the command, or a document here."""
        path = os.path.join(DIALECTS, f"{self.dialect}.json")
        return path if os.path.exists(path) else self.dialect


class Server:
    """Ends its sessions, and lets its tokens live so long from now on: a server of one kind does it in its own way."""

    def set_lifetime(self, seconds):
        pass

    def stop(self):
        if self.program:
            self.program.stop()
        self.relay.stop()
