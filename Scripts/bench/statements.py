"""A script for pgbench with the very statements of a request, as they were seen on the wire: in the same order, in the same pipelines, and
with values of the same kinds and lengths."""

import re


class Unlike(Exception):
    """Two requests of the same kind have sent different statements."""


def shape(flights):
    return tuple(tuple(statement.text for statement in flight.statements) for flight in flights if flight.statements)


def has_pipelines(flights):
    return any(len(statements) > 1 for statements in shape(flights))


def script(one, other, handle, grant, families, pipelines=True):
    """The script of a request that was seen twice.

    :param one: flights of the first time, and how many requests there had been before.
    :param other: the same of the second time.
    :param handle: the hash by which the family is found.
    :param grant: the number of its grant, which is unlike all other numbers. pgbench's families have the hash of their number.
    :param families: how many families each client refreshes.
    :param pipelines: whether statements that were sent together are, or each waits for the one before.
    """
    (flights, before), (others, later) = one, other
    if shape(flights) != shape(others):
        raise Unlike
    writer = Writer(handle, grant, before, later)
    body = []
    for flight, second in zip([one for one in flights if one.statements], [one for one in others if one.statements]):
        texts = [writer.text(*pair) for pair in zip(flight.statements, second.statements)]
        body += ["\\startpipeline", *texts, "\\endpipeline"] if len(texts) > 1 and pipelines else texts
    head = [f"\\set r{number} random(1, 9000000000000000000)" for number in range(writer.random)]
    choice = f"\\set grant {grant + 1} + :client_id * {families} + random(0, {families - 1})"
    return "\n".join([choice, "\\set number :number + 1", *head, *body, ""])


class Writer:
    def __init__(self, handle, grant, before, later):
        self.handle, self.grant, self.before, self.later = handle, grant, before, later
        self.random, self.now = 0, None

    def text(self, one, other):
        if one.values is None:
            return one.text.rstrip(";") + ";"
        pairs = list(zip(one.values, other.values))
        text = re.sub(r"\$(\d+)", lambda found: self.value(*pairs[int(found[1]) - 1]), one.text)
        return re.sub(r"\s*\n\s*", " ", text) + ";"

    def value(self, one, other):
        if one == self.handle:
            return "sha256(CAST(CAST(:grant AS text) AS bytea))"
        if one == str(self.grant):
            return "CAST(:grant AS bigint)"
        if one is None:
            return "NULL"
        if isinstance(one, bytes):
            return f"'\\x{one.hex()}'" if one == other else self.fresh(len(one))
        if one == other:
            return "'" + one.replace("'", "''").replace(":", "' || chr(58) || '") + "'"
        if re.fullmatch(r"\d+", one) and int(one) - self.before == int(other) - self.later:
            return f"(CAST(:number AS bigint) + {int(one) - self.before})"
        if re.fullmatch(r"\d+\.\d+", one):
            # The first time of a request is its own.
            if self.now is None:
                self.now = float(one)
            return f"(CAST(extract(epoch FROM clock_timestamp()) AS double precision) + {float(one) - self.now:.0f})"
        raise Unlike(f"no rule for a value like {one!r}, later {other!r}")

    def fresh(self, length):
        name, self.random = f"r{self.random}", self.random + 1
        hash = f"sha256(CAST(CAST(:{name} AS text) AS bytea))"
        return hash if length == 32 else f"substr({hash}, 1, {length})" if length < 32 else f"{hash} || substr({hash}, 1, {length - 32})"
