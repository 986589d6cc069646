"""What makes the load: wrk for requests, pgbench for statements. Both are C programs that wait in epoll; what they take of the cores is
said beside each figure."""

import contextlib
import os
import re
import subprocess

from families import CALL, INTROSPECT, SECRET, TOKEN, ask, refreshing
from processes import end_with_parent

# One connection a thread, which refreshes the families of its file one after the other, each with the token that its last answer had. At
# the end the tokens are written down, and which of them was asked about last: its answer may not have been seen.
REFRESH = """
local threads = {}
function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end
function init(arguments)
  place, first, count, current = arguments[1], tonumber(arguments[2]), 0, 0
  for line in io.lines(place .. "/" .. (first + number - 1)) do
    count = count + 1
    _G["token" .. count] = line
  end
  failures, failure = 0, ""
end
function request()
  current = current % count + 1
  return wrk.format("POST", nil, {["Content-Type"] = "application/x-www-form-urlencoded", ["Accept"] = "application/json"},
    "grant_type=refresh_token&client_id=rotating&refresh_token=" .. _G["token" .. current]:gsub("=", "%%3D"))
end
function response(status, headers, body)
  local successor = body:match('"refresh_token":"([^"]+)"')
  if status == 200 and successor then
    _G["token" .. current] = successor
  else
    failures, failure = failures + 1, status .. " " .. body:sub(1, 300)
  end
end
function done(summary, latency, requests)
  for _, thread in ipairs(threads) do
    local path = thread:get("place") .. "/" .. (thread:get("first") + thread:get("number") - 1)
    local file = io.open(path, "w")
    for index = 1, thread:get("count") do
      file:write(thread:get("token" .. index), "\\n")
    end
    file:close()
    file = io.open(path .. ".current", "w")
    file:write(thread:get("current"))
    file:close()
    if thread:get("failures") > 0 then
      file = io.open(path .. ".failed", "w")
      file:write(thread:get("failures") .. " times, last: " .. thread:get("failure"))
      file:close()
    end
  end
end
"""

# All connections of a thread ask about one token after the other.
ASK = """
function init(arguments)
  tokens, place = {}, 0
  for line in io.lines(arguments[1]) do table.insert(tokens, line) end
  for index, token in ipairs(tokens) do
    tokens[index] = wrk.format("POST", nil, {["Content-Type"] = "application/x-www-form-urlencoded", ["Accept"] = "application/json"},
      "client_id=asking&client_secret=@SECRET@&token=" .. token:gsub("!", "%%21"))
  end
end
function request()
  place = place % #tokens + 1
  return tokens[place]
end
"""


class Unanswered(Exception):
    """A request was not answered as it should be."""


def start(arguments):
    return subprocess.Popen(["wrk", "--timeout", "30s", "--latency", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, preexec_fn=end_with_parent, start_new_session=True)


def together(commands):
    """Runs several of wrk at once: requests a second, their number, and p99 in ms of the slowest."""
    running, texts = [], []
    try:
        running = [start(command) for command in commands]
        texts = [one.communicate(timeout=120)[0] for one in running]
    finally:
        for one in running:
            if one.poll() is None:
                one.kill()
                one.wait()
    rate, count, slowest = 0.0, 0, 0.0
    for text in texts:
        found = re.search(r"(\d+) requests in ", text)
        if "Non-2xx" in text or "Socket errors" in text or not found:
            raise Unanswered(text)
        rate += float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
        count += int(found[1])
        last = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
        slowest = max(slowest, float(last[1]) * {"us": 0.001, "ms": 1, "s": 1000}[last[2]])
    return rate, count, slowest


class Refreshers:
    """Clients that refresh all the time, each some families in turn; their tokens are in files."""

    def __init__(self, folder, tokens, count):
        self.folder, self.count = folder, count
        os.makedirs(folder, exist_ok=True)
        self.script = os.path.join(folder, "refresh.lua")
        with open(self.script, "w") as file:
            file.write(REFRESH)
        for number in range(1, count + 1):
            self.write(number, [one.refresh for one in tokens[number - 1::count]])

    def path(self, number):
        return os.path.join(self.folder, str(number))

    def write(self, number, tokens):
        with open(self.path(number), "w") as file:
            file.writelines(token + "\n" for token in tokens)

    def rate(self, nodes, seconds, parts=3):
        """Refreshes a second by as many of wrk for one node as for several: requests a second, their number, p99 in ms."""
        each, commands = self.count // parts, []
        for part in range(parts):
            commands.append([f"-t{each}", f"-c{each}", f"-d{seconds}s", "-s", self.script,
                             f"http://127.0.0.1:{nodes[part % len(nodes)].port}{TOKEN}", "--", self.folder, str(part * each + 1)])
        found = together(commands)
        for number in range(1, self.count + 1):
            with contextlib.suppress(FileNotFoundError), open(self.path(number) + ".failed") as file:
                raise Unanswered(f"a refresh was answered {file.read()}")
        return found

    def settle(self, node):
        """A client that was stopped may not have seen its last successor: it asks for it while it may be had."""
        for number in range(1, self.count + 1):
            with open(self.path(number)) as file, open(self.path(number) + ".current") as last:
                tokens, at = file.read().split(), int(last.read()) - 1
            if at < 0:
                continue
            status, body, _ = ask(node.port, TOKEN, refreshing(tokens[at]))
            if status != 200:
                raise Unanswered(f"after a round a refresh was answered {status}: {body[:300]}")
            tokens[at] = re.search(rb'"refresh_token":"([^"]+)"', body)[1].decode()
            self.write(number, tokens)


def introspection_rate(folder, node, tokens, clients, seconds):
    """Introspections a second of some tokens."""
    script, list = os.path.join(folder, "ask.lua"), os.path.join(folder, "asked")
    with open(script, "w") as file:
        file.write(ASK.replace("@SECRET@", SECRET.replace(" ", "-")))
    with open(list, "w") as file:
        file.writelines(token + "\n" for token in tokens)
    return together([["-t2", f"-c{clients}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{node.port}{INTROSPECT}", "--", list]])


def call_rate(node, token, clients, seconds, path=CALL):
    """Calls a second, with a token or to a page that needs none."""
    fields = ["-H", f"Authorization: Bearer {token}"] if token else []
    return together([["-t2", f"-c{clients}", f"-d{seconds}s", *fields, f"http://127.0.0.1:{node.port}{path}"]])


def pgbench(cluster, name, scripts, clients, seconds, host=None, port=5432, mode="prepared"):
    """Transactions a second of scripts, each with its weight; the same number of clients, on the same cores."""
    files = []
    for script, weight in scripts:
        files += ["-f", f"{script}@{weight}"]
    # A pooler takes no options.
    options = {"options": ""} if host else {}
    text = cluster.run("pgbench", "-h", host or cluster.folder, "-p", str(port), "-U", "ostiary", "-n", "-M", mode, "-c", str(clients),
                       "-j", "2", "-T", str(seconds), "-D", "number=1000", "--max-tries=0", *files, name, **options)
    if "aborted" in text or (failed := re.search(r"number of failed transactions: (\d+)", text)) and int(failed[1]):
        raise Unanswered(text)
    return float(re.search(r"tps = ([\d.]+)", text)[1]), int(re.search(r"actually processed: (\d+)", text)[1])
