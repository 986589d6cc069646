"""What the checks share: the command with a home of its own, a relay that loses answers, and programs that are started and stopped.

Only what was started here is stopped here, by its process. Python's own library only.
"""

import http.client
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

USER, PASSWORD, OTHER, WRONG = "ann", "nine green bottles", "ten green bottles", "wrong"


class Absent(Exception):
    """A server is not installed here."""


class Wrong(Exception):
    """A claim of the command was wrong, or it could not do what its options say."""


def expect(condition, *what):
    if not condition:
        raise Wrong(" ".join(str(one) for one in what))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, log=None):
    """Waits until a program listens."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    text = open(log, errors="replace").read()[-2000:] if log and os.path.exists(log) else ""
    raise Wrong(f"a server did not start: {text}")


class Outcome:
    def __init__(self, done):
        self.status, self.output, self.error = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.output)

    def __str__(self):
        return f"exit {self.status}: {self.output.strip()} {self.error.strip()}"


class Command:
    """`ostiary`, with its files in a folder of this run's own."""

    def __init__(self, program, folder, environment=None):
        self.program, self.home = program, tempfile.mkdtemp(prefix="home-", dir=folder)
        self.environment = environment or {}

    def __call__(self, *arguments, password=None):
        if password is not None:
            arguments += ("--password-stdin",)
        return Outcome(
            subprocess.run(
                [self.program, *arguments], env=self.variables(), input=password or "", capture_output=True, text=True,
                timeout=120, start_new_session=True))

    def variables(self):
        return dict(os.environ, OSTIARY_HOME=self.home, NO_COLOR="1", **self.environment)

    def at_terminal(self, answer, *arguments):
        """The command on a terminal of its own, with a person who reads what it says: `answer` is given that, and once gives a reply."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(self.program, [self.program, *arguments], self.variables())
        text, is_answered, end = "", False, time.monotonic() + 120
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            text += data.decode(errors="replace")
            if not is_answered and (reply := answer(text)) is not None:
                is_answered = True
                os.write(terminal, reply.encode())
        else:
            os.kill(process, signal.SIGKILL)
        os.close(terminal)
        _, status = os.waitpid(process, 0)
        return Outcome(subprocess.CompletedProcess([], os.waitstatus_to_exitcode(status), text, ""))

    def at_once(self, count, *arguments):
        """So many processes of the command, started one after the other without a wait. The outcomes of all."""
        processes = [
            subprocess.Popen(
                [self.program, *arguments], env=self.variables(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, start_new_session=True)
            for _ in range(count)]
        outcomes = []
        for process in processes:
            try:
                output, error = process.communicate(timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()
                output, error = process.communicate()
            outcomes.append(Outcome(subprocess.CompletedProcess([], process.returncode, output, error)))
        return outcomes


class Program:
    """A server's process, and its restart."""

    # Those that run, to be stopped also where a set-up fails halfway.
    running = set()

    def __init__(self, arguments, port, folder, environment=None):
        self.arguments, self.port = arguments, port
        self.log = os.path.join(folder, "output")
        self.environment = dict(os.environ, **(environment or {}))
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)
        Program.running.add(self)
        wait_for(self.port, self.process, self.log)

    def stop(self):
        Program.running.discard(self)
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Relay:
    """Carries connections to a server byte by byte. Once told to, it lets the server answer and drops what it says."""

    def __init__(self, target):
        self.target, self.loses, self.where, self.lost = target, None, None, 0
        # The connections whose next answer is dropped.
        self.dropped = set()
        # The cookies that a request carried last.
        self.cookies = None
        # The heads of the requests, as they came.
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def lose_answer_to(self, *beginnings, where=None):
        """The next answer to a request that begins so, such as `POST`, is lost; with `where` to one whose head it says yes to."""
        self.where = where
        self.loses = tuple(one.encode() for one in beginnings)

    def count(self, *beginnings):
        """How many requests began so."""
        return sum(1 for one in list(self.requests) if one.startswith(beginnings))

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        with client:
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 30)
            except OSError:
                return
            with server:
                threading.Thread(target=self.answers, args=(server, client), daemon=True).start()
                try:
                    while data := client.recv(65536):
                        if self.loses and data.startswith(self.loses) and (not self.where or self.where(data.decode())):
                            self.loses, self.lost = None, self.lost + 1
                            self.dropped.add(client)
                        if found := re.search(rb"(?im)^cookie: *([^\r\n]+)", data):
                            self.cookies = found[1].decode()
                        if re.match(rb"[A-Z]+ [^ ]+ HTTP/1", data):
                            self.requests.append(data.split(b"\r\n\r\n")[0].decode(errors="replace"))
                        server.sendall(data)
                except OSError:
                    pass

    def answers(self, server, client):
        try:
            while data := server.recv(65536):
                if client in self.dropped:
                    self.dropped.discard(client)
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(data)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def stop(self):
        self.listener.close()


def is_let_in(port, path, cookies, content):
    """Whether a server answers these cookies with what is behind its form."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Cookie": cookies})
    answer = connection.getresponse()
    body = answer.read().decode(errors="replace")
    connection.close()
    return answer.status == 200 and content in body


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
