"""Log-ins with a password, beside the hash alone on the same cores: the arithmetic of sizes needs what one costs."""

import ctypes
import ctypes.util
import multiprocessing
import os
import statistics
import threading
import time

import families
import load
from processes import Cores

ROUNDS, SECONDS, USERS, CLIENTS = 3, 3, 8, 8
LOGIN = "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration"

SCRIPT = """
function init(arguments)
  place = 0
end
function request()
  place = place % @USERS@ + 1
  return wrk.format("GET", nil, {["Accept"] = "application/json", ["Authorization"] = "Basic " .. names[place]})
end
names = {@NAMES@}
"""


def hash_rate(seconds):
    """Hashes a second with libsodium alone: argon2id, 46 MiB, one pass, a thread a core."""
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    sodium.sodium_init()
    cores, end = len(os.sched_getaffinity(0)), time.perf_counter() + seconds
    counts = [0] * cores

    def work(index):
        while time.perf_counter() < end:
            counts[index] += sodium.crypto_pwhash(
                ctypes.create_string_buffer(32), ctypes.c_ulonglong(32), families.PASSWORD.encode(),
                ctypes.c_ulonglong(len(families.PASSWORD)), bytes(range(16)), ctypes.c_ulonglong(1), ctypes.c_size_t(47104 * 1024), 2) == 0

    def measure(result):
        # As nice as the server's own threads for this.
        os.nice(10)
        threads = [threading.Thread(target=work, args=(index,)) for index in range(cores)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        result.put(sum(counts) / seconds)

    result = multiprocessing.Queue()
    process = multiprocessing.Process(target=measure, args=(result,), daemon=True)
    process.start()
    rate = result.get(timeout=seconds + 30)
    process.join()
    return rate


def measure(house, figures):
    names = [f"bench{number}" for number in range(USERS)]
    for name in names:
        house.add_user(house.data, "--database", house.address, name=name)
    pairs = [families.base64.b64encode(f"{name}:{families.PASSWORD}".encode()).decode() for name in names]
    script = os.path.join(house.folder, "login.lua")
    with open(script, "w") as file:
        file.write(SCRIPT.replace("@USERS@", str(USERS)).replace("@NAMES@", ", ".join(f'"{pair}"' for pair in pairs)))
    rounds = []
    with house.node("logins", house.address) as node:
        for _ in range(ROUNDS):
            limit = hash_rate(SECONDS)
            with Cores(house.cluster, [node]) as cores:
                rate, count, _ = load.together([["-t2", f"-c{CLIENTS}", f"-d{SECONDS}s", "-s", script,
                                                 f"http://127.0.0.1:{node.port}{LOGIN}"]])
            rounds.append((rate / limit, rate, limit, cores.each("nodes", count) / 1000, cores.each("PostgreSQL", count) / 1000))
    ratio, rate, limit, own, database = sorted(rounds)[ROUNDS // 2]
    figures.row("logins", "log-ins a second, one node", rate, "/s", raw=f"{limit:.1f} hashes/s alone ({ratio:.2f} of it)")
    figures.row("login.node_ms", "processor of a log-in, node", statistics.median(one[3] for one in rounds), "ms")
    figures.row("login.postgresql_ms", "processor of a log-in, PostgreSQL", statistics.median(one[4] for one in rounds), "ms")
