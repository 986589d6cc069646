"""How many machines so many users need: the part *How many machines* of the article FromOneMachineToThree.md, by arithmetic.

`sizes.py`             prints it, in Markdown.
`sizes.py --check`     fails unless the article has the same; `--write` puts it there.
`sizes.py --rows`      measures the bytes of rows: makes the tables of the newest fixture in a PostgreSQL of its own and fills them.
`sizes.py --take FILE` takes figures from a file of `make bench-database` (FIGURES=FILE) into this script and the article.

What was measured and what is assumed stand here, and nowhere else. Change them to yours.
"""

import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ARTICLE = os.path.join(ROOT, "Server/Sources/OstiaryServer/Documentation.docc/FromOneMachineToThree.md")
SCHEMAS = os.path.join(ROOT, "Server/Tests/OstiaryServerTests/Storage/Fixtures/Schemas")
BEGIN, END = "<!-- Made by Scripts/sizes.py. -->\n", "<!-- End -->\n"

# Measured: name, value, unit, what it is, and what measures it: the id of a figure of `make bench-database`, or a command. Times are
# those of a core, of a release build.
MEASURED = {
    "refresh_server": (274, "µs", "a refresh, the server's processor", "refresh.node_us"),
    "refresh_database": (224, "µs", "a refresh, PostgreSQL's processor", "refresh.postgresql_us"),
    "refresh_sqlite": (219, "µs", "a refresh with SQLite, the server's processor", "sqlite.refresh.node_us"),
    "sqlite": (6008, "/s", "refreshes with SQLite on two cores", "sqlite.refreshes"),
    "known": (54, "µs", "a look-up that is answered from memory", "introspection.listening.node_us"),
    "asked_server": (468, "µs", "a look-up that asks PostgreSQL, the server's processor", "introspection.asking.node_us"),
    "asked_database": (664, "µs", "the same, PostgreSQL's", "introspection.asking.postgresql_us"),
    "login_server": (28, "ms", "a log-in with a password, the server's processor", "login.node_ms"),
    "login_database": (1.7, "ms", "the same, PostgreSQL's", "login.postgresql_ms"),
    "log": (1163, "bytes", "of PostgreSQL's log for a refresh", "refresh.wal_bytes"),
    "idle": (59, "MiB", "memory of an idle server", "idle.rss_mib"),
    "hash": (46, "MiB", "memory of a hash of a password", "HashParameters.standard"),
    "user": (588, "bytes", "a user, with indexes", "Scripts/sizes.py --rows"),
    "sign_in": (949, "bytes", "a sign-in: grant and access token, with indexes", "storage.sign_in_bytes"),
    "event": (451, "bytes", "an event of the audit trail, with indexes", "Scripts/sizes.py --rows"),
}

# Assumed: name, value, unit, what it is.
ASSUMED = {
    "active": (0.30, "", "of the users use an app on a day"),
    "hours": (3, "h", "for so long"),
    "access": (1, "h", "an access token is good; one refresh each time that it has run out"),
    "asked": (12, "/h", "an API asks for a token that it is shown: its own cache is good for five minutes"),
    "devices": (1.5, "", "devices on which a user is signed in"),
    "month": (30, "days", "a device is signed in again"),
    "events": (4, "", "events of the audit trail for each log-in"),
    "kept": (400, "days", "the trail is kept (`--audit-days`)"),
    "peak": (4, "", "times the day's mean in the busiest minutes"),
    "load": (0.50, "", "of a machine's cores and rates are planned with"),
    "slack": (2.0, "", "times the rows' size on disk: dead rows, free space, the log"),
    "sqlite_gib": (100, "GiB", "is the most that one file of SQLite shall have, for the time that its back-up takes"),
    "cores": (8, "", "cores of the largest server; more cores are more servers"),
    "connections": (8, "", "connections of a server (`--database-connections`), and one for its leases"),
    "commands": (20, "", "connections for commands, monitoring and PostgreSQL's superuser"),
}
# One server may fail while another one is upgraded, so the others carry the load.
SPARE = 2
DAY = 86_400
GIB = 1 << 30


class Inputs:
    """The numbers by their names."""

    def __init__(self):
        for table in (MEASURED, ASSUMED):
            for name, row in table.items():
                setattr(self, name, row[0])


def machine_cores(need):
    """The cores of a machine that one can have: a power of two, two at least."""
    return max(2, 1 << math.ceil(math.log2(max(need, 1))))


def gib(need, least):
    """Memory or disk that one can have: a power of two below 1 TiB, else whole TiB."""
    need = max(need / GIB, least)
    return 1 << math.ceil(math.log2(need)) if need <= 1024 else 1024 * math.ceil(need / 1024)


class Size:
    """What so many users need."""

    def __init__(self, users, given):
        self.users = users
        busy = users * given.active / DAY * given.peak
        self.refreshes = busy * given.hours / given.access
        self.lookups = busy * given.hours * given.asked
        self.log_ins_a_day = users * given.devices / given.month
        self.log_ins = self.log_ins_a_day / DAY * given.peak
        # The first look-up of a token at each server asks the database.
        self.servers = 3
        for _ in range(100):
            self.find_needs(given)
            servers = max(3, math.ceil(self.server_need / given.cores) + SPARE)
            if servers <= self.servers:
                break
            self.servers = servers
        self.rows = users * (given.user + given.devices * given.sign_in)
        self.trail = self.log_ins_a_day * given.kept * given.events * given.event
        self.disk = self.rows * given.slack + self.trail
        self.disk_gib = gib(self.disk, 10)
        # One machine does all of it.
        self.one_need = (self.refreshes * given.refresh_sqlite + self.lookups * given.known
                         + self.log_ins * given.login_server * 1000) / 1e6 / given.load
        self.is_one_enough = (self.refreshes <= given.sqlite * given.load and self.disk <= given.sqlite_gib * GIB
                              and self.one_need <= given.cores)
        self.one_cores = machine_cores(self.one_need)
        self.server_cores = min(machine_cores(self.server_need), given.cores)
        self.database_cores = machine_cores(self.database_need)
        # What a day's users touch stays in memory, with the server's own.
        self.database_memory = gib(self.rows * given.active, 2)
        self.server_memory = gib((given.idle + given.hash * self.server_cores) * (1 << 20) * 2, 1)
        self.connections = self.servers * (given.connections + 1) + given.commands

    def find_needs(self, given):
        """The cores, by what one of each takes of them."""
        self.asking = min(self.refreshes * self.servers, self.lookups)
        self.server_need = (self.refreshes * given.refresh_server + self.asking * given.asked_server
                            + (self.lookups - self.asking) * given.known + self.log_ins * given.login_server * 1000) / 1e6 / given.load
        self.database_need = (self.refreshes * given.refresh_database + self.asking * given.asked_database
                              + self.log_ins * given.login_database * 1000) / 1e6 / given.load


def rate(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 0.1 else "< 0.1"


def exponent(users):
    return "10" + str(round(math.log10(users))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def size_of_disk(gibibytes):
    return f"{gibibytes} GiB" if gibibytes < 1024 else f"{gibibytes // 1024} TiB"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def plain(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def document():
    given = Inputs()
    sizes = [Size(10**power, given) for power in range(3, 9)]
    result = table(
        ["Users", "Log-ins, refreshes and look-ups a second, at the peak", "One machine with SQLite", "Servers, of which two may be missing",
         "PostgreSQL, and the same for its standby", "Connections"],
        [[exponent(size.users), f"{rate(size.log_ins)}, {rate(size.refreshes)}, {rate(size.lookups)}",
          f"{size.one_cores} cores, {size_of_disk(size.disk_gib)}" if size.is_one_enough else "not enough",
          f"{size.servers}, each {size.server_cores} cores, {size.server_memory} GiB",
          f"{size.database_cores} cores, {size.database_memory} GiB, disk {size_of_disk(size.disk_gib)}",
          str(size.connections)] for size in sizes])
    result += "\nMeasured, by a release build. Times are those of one core; a name in the last column is that of a figure of `make bench-database`:\n\n"
    result += table(["What", "Value", "By"], [
        [what, f"{plain(value)}{unit if unit.startswith('/') else ' ' + unit if unit else ''}", f"`{source}`"]
        for value, unit, what, source in MEASURED.values()])
    result += "\nAssumed:\n\n"
    result += table(["Value", "What"], [
        [f"{plain(value)}{unit if unit.startswith('/') else ' ' + unit if unit else ''}", what]
        for value, unit, what in ASSUMED.values()])
    result += "\n" + arithmetic(Size(10**7, given), given)
    return result


def arithmetic(size, given):
    """The steps from the inputs to a row, with that row's numbers."""
    mean = size.users * given.active / DAY
    steps = [
        f"**Refreshes**: {size.users:,} users × {given.active:g} ÷ 86,400 s × {given.hours:g} h ÷ {given.access:g} h = "
        f"{mean * given.hours / given.access:,.0f}/s, at the peak × {given.peak} = {rate(size.refreshes)}/s. "
        f"**Look-ups**: × {given.asked} an hour instead of one: {rate(size.lookups)}/s.",
        f"**Log-ins**: {size.users:,} × {given.devices:g} ÷ {given.month} days = {size.log_ins_a_day:,.0f} a day, at the peak "
        f"{rate(size.log_ins)}/s.",
        f"**Look-ups that ask PostgreSQL**: the first of each access token at each of {size.servers} servers, {rate(size.refreshes)} × "
        f"{size.servers} = {rate(size.asking)}/s. The others are answered from the servers' memory.",
        f"**Cores of the servers**: ({rate(size.refreshes)} × {plain(given.refresh_server)} µs + {rate(size.asking)} × "
        f"{plain(given.asked_server)} µs + {rate(size.lookups - size.asking)} × {plain(given.known)} µs + {rate(size.log_ins)} × "
        f"{plain(given.login_server)} ms) ÷ {given.load:g} = {size.server_need:.2f}. With {given.cores} cores at most in each, **servers**: "
        f"{math.ceil(size.server_need / given.cores)}, and {SPARE} more, of which one may fail while the other is upgraded; three at least.",
        f"**Cores of PostgreSQL**: ({rate(size.refreshes)} × {plain(given.refresh_database)} µs + {rate(size.asking)} × "
        f"{plain(given.asked_database)} µs + {rate(size.log_ins)} × {plain(given.login_database)} ms) ÷ {given.load:g} = "
        f"{size.database_need:.2f}. Its log grows by {size.refreshes * given.log / 1e6:.1f} MB a second.",
        f"**Disk**: {size.users:,} × ({given.user} + {given.devices:g} × {given.sign_in}) bytes = {size.rows / GIB:.0f} GiB, × {given.slack:g}; "
        f"the audit trail {size.log_ins_a_day:,.0f} × {given.kept} days × {given.events} × {given.event} bytes = {size.trail / GIB:,.0f} GiB. "
        f"**Memory of PostgreSQL**: the rows of a day's users, {size.rows / GIB:.0f} GiB × {given.active:g}. "
        f"**Memory of a server**: twice {given.idle} MiB and {given.hash} MiB for a hash on each core.",
        f"**Connections**: {size.servers} × ({given.connections} + 1) + {given.commands} = {size.connections}.",
        f"**One machine with SQLite** would need ({rate(size.refreshes)} × {plain(given.refresh_sqlite)} µs + {rate(size.lookups)} × "
        f"{plain(given.known)} µs + {rate(size.log_ins)} × {plain(given.login_server)} ms) ÷ {given.load:g} = {size.one_need:.1f} cores. It is "
        f"enough up to {given.cores} cores, {plain(given.sqlite)} × {given.load:g} refreshes a second and {given.sqlite_gib} GiB on disk.",
    ]
    rounding = "Cores, memory and disks are rounded up to what machines have."
    beyond = (
        "**What this does not say.** All was measured on two cores. That more cores do so many times as much has not been measured, nor has "
        "a database of this size been run. All writes go to one PostgreSQL: standbys and more servers take none of them. The more servers there are, the "
        "more of them look a token up for the first time; an API that keeps its connections, and with them its server, spares the database that. A day on "
        "which all users sign in again (after a forced change of passwords) has a peak of its own: each takes the time of a log-in.")
    return (wrapped(f"The arithmetic, with the numbers of {exponent(size.users)} users. {rounding}") + "\n"
            + "".join(wrapped(step, "- ") for step in steps) + "\n" + wrapped(beyond))


def wrapped(text, mark=""):
    """A paragraph, or an item of a list, in lines that people can read."""
    return textwrap.fill(text, 140, initial_indent=mark, subsequent_indent=" " * len(mark), break_long_words=False,
                         break_on_hyphens=False) + "\n"


def shown(text):
    """What is before the place for the table, in it and after it."""
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"sizes: {ARTICLE} has no place for the table")
    begin += len(BEGIN)
    return text[:begin], text[begin:end], text[end:]


def check(writes):
    with open(ARTICLE, encoding="utf-8") as file:
        before, between, after = shown(file.read())
    made = "\n" + document() + "\n"
    if between == made:
        return
    if not writes:
        sys.exit("sizes: the article has not what Scripts/sizes.py makes; `Scripts/sizes.py --write` puts it there")
    with open(ARTICLE, "w", encoding="utf-8") as file:
        file.write(before + made + after)


def take(path):
    """Puts the figures of a run into this script."""
    with open(path, encoding="utf-8") as file:
        parts = json.load(file)["parts"]
    found = {figure["id"]: figure["value"] for part in parts.values() for figure in part["figures"] if figure["value"] is not None}
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    for name, (_, _, _, source) in MEASURED.items():
        if source not in found:
            print(f"sizes: {name} stays as it is: {source} is not a figure of that run")
            continue
        value = found[source]
        number = str(round(value)) if value >= 10 else f"{value:.2g}"
        text = re.sub(rf'(?m)^(    "{name}": \()[0-9.]+,', lambda match, number=number: match[1] + number + ",", text, count=1)
    with open(__file__, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([sys.executable, __file__, "--write"], check=True)


USER = "substr(encode(sha256(('u' || i)::bytea), 'base64'), 1, 22)"
CLIENT = "repeat('c', 85)"
FILL = {
    "users": f"""(id, name_key, name, display_name, email, attributes, password, password_work, created_at, updated_at, email_key)
        SELECT {USER}, sha256(('n' || i)::bytea), 'person' || i || '@example.org', 'A Person ' || i, 'person' || i || '@example.org', '{{}}',
        '$argon2id$v=19$m=47104,t=1,p=1$' || repeat('s', 22) || '$' || repeat('h', 43), 47104, i, i, sha256(('e' || i)::bytea)""",
    "grants": f"""(id, client_id, user_id, scopes, attributes, access_prefix, refresh_prefix, handle_hash, leaf_hash, created_at, used_at,
        successor_seed, successor_mark, timeline)
        SELECT i, {CLIENT}, {USER}, 'api refresh_token id', '{{}}', '', '5Aep861', sha256(('a' || i)::bytea), sha256(('b' || i)::bytea), i, i,
        sha256(('c' || i)::bytea), sha256(('d' || i)::bytea), 1""",
    "access_tokens": """(token_hash, grant_id, number, created_at, seen_at, idle, expires_at)
        SELECT sha256(('t' || i)::bytea), i, 1, i, i, 7200, i + 7200""",
    "audit_events": f"""(id, happened_at, kind, cause, user_id, client_id, session_mark, grant_id, times, actor, place, address, request_id,
        number, seal)
        SELECT i, i, 'grant_begun', 'authorization_code', {USER}, {CLIENT}, repeat('m', 22), i, 1, 'user', 'salesforce',
        '203.0.113.' || i % 256, repeat('r', 22), i, sha256(('q' || i)::bytea)""",
}
ROWS = 200_000


def measure_rows():
    fixture = max(glob.glob(SCHEMAS + "/*.sql"), key=lambda path: int(os.path.basename(path).split(".")[0]))
    folder = tempfile.mkdtemp(prefix="ostiary-sizes-", dir="/tmp")
    os.rmdir(folder)
    started = subprocess.run([HERE + "/postgresql.sh", "start", folder]).returncode
    if started:
        sys.exit("sizes: PostgreSQL is not installed" if started == 3 else "sizes: PostgreSQL did not start")

    def psql(text):
        return subprocess.run(["psql", "-XAtqh", folder, "-U", "ostiary", "-d", "postgres", "-v", "ON_ERROR_STOP=1"], input=text,
                              check=True, text=True, capture_output=True).stdout

    try:
        with open(fixture, encoding="utf-8") as file:
            psql(file.read())
        psql(f"SET search_path = public; TRUNCATE {', '.join(FILL)} CASCADE;")
        for name, rows in FILL.items():
            psql(f"SET search_path = public; SET session_replication_role = replica; INSERT INTO {name} {rows} FROM generate_series(1, {ROWS}) AS i; VACUUM ANALYZE {name};")
            size = int(psql(f"SELECT pg_total_relation_size('public.{name}')"))
            print(f"{name}: {size / ROWS:.0f} bytes a row, with indexes ({os.path.basename(fixture)}, {ROWS:,} rows)")
    finally:
        subprocess.run([HERE + "/postgresql.sh", "stop", folder])


if __name__ == "__main__":
    if sys.argv[1:] == ["--rows"]:
        measure_rows()
    elif sys.argv[1:] in (["--check"], ["--write"]):
        check(sys.argv[1] == "--write")
    elif len(sys.argv) == 3 and sys.argv[1] == "--take":
        take(sys.argv[2])
    elif not sys.argv[1:]:
        print(document(), end="")
    else:
        sys.exit(__doc__)
