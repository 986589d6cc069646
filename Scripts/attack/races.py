"""Races: one refresh token by many callers, one code by many, one address that signs up or recovers many times at once."""

import json
import threading
import time

from house import (
    FORM, JSON, TOKEN, Connection, Server, apps_file, ask, authorization_code, begin_flow, expect, flow_step, mailed_code,
    redemption, refreshing, request, sign_up, tokens)


def at_once(port, requests):
    """Sends all requests in the same moment, each on a connection that is open already. Returns their answers."""
    answers, barrier = [None] * len(requests), threading.Barrier(len(requests))

    def send(number):
        with Connection(port, 60) as connection:
            connection.open()
            barrier.wait()
            answers[number] = connection.exchange(requests[number], "POST")

    threads = [threading.Thread(target=send, args=(number,)) for number in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(all(answers), "some were not answered")
    return answers


def refreshes(world):
    """320 callers at once with a refresh token of ten users: all get the same successor, which works."""
    families = 10
    with Server(world, "--allow-sign-up", "--salesforce-apps", apps_file(world)) as server:
        users = [f"user{number}@example.org" for number in range(families)]
        for user in users:
            sign_up(server.port, user)
        for _ in range(world.size(4, 1)):
            # A user who signs in again at the same app ends what there was.
            held = [tokens(server.port, "rotating", user)["refresh_token"] for user in users]
            sent = [held[number % families] for number in range(320)]
            answers = at_once(server.port, [request(server.port, "POST", TOKEN, FORM, refreshing(token)) for token in sent])
            for number, token in enumerate(held):
                found = [answer for answer, given in zip(answers, sent) if given == token]
                expect({answer.status for answer in found} == {200}, "refreshes were answered",
                       {answer.status for answer in found})
                successors = {answer.json.get("refresh_token", token) for answer in found}
                expect(len(successors) == 1, "one token has", len(successors), "successors")
                expect(token not in successors, "the token did not rotate")
                again = ask(server.port, "POST", TOKEN, FORM, refreshing(successors.pop()))
                expect(again.status == 200, "the successor of family", number, "was answered", again.status)
        server.expect_alive("after parallel refreshes")
    return f"{world.size(4, 1)} × 320 callers, {families} tokens", "one successor each"


def codes(world):
    """An authorization code by 32 callers: it is good once."""
    rounds = world.size(20, 4)
    with Server(world, "--salesforce-apps", apps_file(world)) as server:
        for _ in range(rounds):
            body = redemption("staying", authorization_code(server.port, "staying"))
            answers = at_once(server.port, [request(server.port, "POST", TOKEN, FORM, body)] * 32)
            statuses = sorted(answer.status for answer in answers)
            expect(statuses.count(200) == 1 and set(statuses) == {200, 400}, "a code by many was answered", statuses)
        server.expect_alive("after the race of codes")
    return f"{rounds} codes × 32 callers", "each good once"


def accounts(world):
    """Sign-up and recovery by many at once: one account for one address, one new password for one code."""
    rounds, callers = world.size(10, 2), 32
    with Server(world, "--allow-sign-up", "--primer-backend", "loopback") as server:
        port = server.port

        def step(kind, flow, action, fields, cookies, count=callers):
            """One step of a flow, many times at once; with a list of fields, each its own."""
            each = fields if isinstance(fields, list) else [fields] * count
            return at_once(port, [request(port, "POST", f"/flows/{kind}", {**JSON, **cookies}, json.dumps(
                {"flow": flow, "action": action, "fields": one})) for one in each])

        # An app's backend: the first makes the account, the others are told that it is there, or that they ask too often.
        body = '{"email":"primer@example.org","password":"nine green bottles hanging"}'
        made = [answer.status for answer in at_once(port, [request(port, "POST", "/primer/signup", JSON, body)] * callers)]
        expect(made.count(200) == 1, "one address was made", made.count(200), "accounts:", sorted(made))
        for number in range(rounds):
            # A code that was mailed: one account.
            address = f"s{number}@example.org"
            flow, cookies = begin_flow(port, "signup")
            flow_step(port, "signup", flow, "signup", {"email": address, "password": "first password here"}, cookies)
            code = mailed_code(port, address)
            done = [answer for answer in step("signup", flow, "check_code", {"code": code}, cookies)]
            expect(all(answer.status < 500 for answer in done), "a code was answered", {answer.status for answer in done})
            expect(any(answer.status == 200 for answer in done), "a right code was not taken")
            # A recovery: of many new passwords one is set.
            flow, cookies = begin_flow(port, "recover")
            flow_step(port, "recover", flow, "send_code", {"email": address}, cookies)
            while (second := mailed_code(port, address)) == code:
                time.sleep(0.02)
            step("recover", flow, "check_code", {"code": second}, cookies)
            new = [{"new_password": f"password number {caller}"} for caller in range(callers)]
            set_by = [caller for caller, answer in enumerate(step("recover", flow, "set_password", new, cookies))
                      if answer.status == 200]
            expect(len(set_by) == 1, "one code set", len(set_by), "passwords")
            login, cookies = begin_flow(port, "login")
            fields = {"identifier": address, "password": new[set_by[0]]["new_password"]}
            answer = flow_step(port, "login", login, "login", fields, cookies)
            expect(answer.status == 200, "the new password is answered", answer.status)
        server.expect_alive("after the races of accounts")
    return f"{rounds} addresses × {callers} callers × 4 steps", "one account, one password"
