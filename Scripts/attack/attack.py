"""Attacks a real `ostiary` at full size: nothing may be lost, no one may be let in, and the process must go on.

attack.py COMMAND [NAME…]              every attack, or those that are named
attack.py COMMAND --self-test [NAME…]  each attack on a server that is broken in one way: it has to notice

Prints a line for each attack, and exits with 1 when something broke. Linux only; a full disk takes root.
"""

import os
import signal
import sys
import time
import traceback

import breaking
import crowds
import faults
import forms
import gateway
import races
import wire
from house import AttackFailed, World

# Each attack, by its name: what it is, what carries it out, and a server that is broken so that it must notice.
ATTACKS = {
    "malformed": ("malformed HTTP", wire.malformed_requests, breaking.FailsOnBadRequests),
    "paths": ("mutated paths at the gateway", gateway.without_session, breaking.RelaysUnderOtherNames),
    "headers": ("headers that lie", gateway.lying_headers, breaking.BelievesHeaders),
    "upstreams": ("hostile upstreams", gateway.hostile_upstreams, breaking.EndsAtStatus99),
    "refreshes": ("parallel refreshes", races.refreshes, breaking.ForgetsTheSuccessor),
    "codes": ("one code, many callers", races.codes, breaking.RedeemsTwice),
    "accounts": ("sign-up and recovery, many callers", races.accounts, breaking.MakesAccountsTwice),
    "forms": ("forms of other origins (CSRF)", forms.forged, breaking.IgnoresOrigins),
    "markup": ("markup in requests (XSS)", forms.markup, breaking.WritesMarkup),
    "kill": ("kill -9 under load", faults.killed, breaking.ConfirmsWithoutWriting),
    "disk": ("a full disk", faults.full_disk, breaking.RefusesWhenFull),
    "clock": ("a clock that jumps", faults.clocks, breaking.NeverExpires),
    "few": ("too few descriptors", crowds.few_descriptors, breaking.StartsWithTooFew),
    "crowd": ("more connections than descriptors", crowds.descriptors, breaking.EndsWithoutDescriptors),
    "deaf": ("clients that never read", crowds.deaf, breaking.KeepsDeafClients),
    "silent": ("clients that say nothing", crowds.silent, breaking.EndsWithoutDescriptors),
}


def attack(command, title, step):
    """One attack. Returns whether the server held."""
    began = time.monotonic()
    try:
        with World(command) as world:
            size, result = step(world)
    except AttackFailed as failure:
        print(f"{title:36} BROKEN after {time.monotonic() - began:.0f} s: {failure}", flush=True)
        return False
    except Exception:  # A fault of the attack's own says nothing good about the server, and the others go on.
        traceback.print_exc()
        print(f"{title:36} NOT CARRIED OUT", flush=True)
        return False
    print(f"{title:36} {size:52} {result}; process alive  ({time.monotonic() - began:.0f} s)", flush=True)
    return True


def try_out(command, title, step, breaks):
    """The same attack on a broken server. Returns whether it noticed."""
    what = (breaks.__doc__ or "").strip().replace("\n", " ")
    try:
        with World(command, breaks) as world:
            step(world)
    except AttackFailed as failure:
        print(f"{title:36} notices: {what}\n{'':36}   {str(failure)[:160]}", flush=True)
        return True
    print(f"{title:36} NOTICES NOTHING: {what}", flush=True)
    return False


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--self-test"]
    is_self_test = len(arguments) < len(sys.argv) - 1
    if not arguments or any(name not in ATTACKS for name in arguments[1:]):
        sys.exit(f"usage: attack.py COMMAND [--self-test] [{' | '.join(ATTACKS)}]…")
    # What ends this ends its servers, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    command = os.path.abspath(arguments[0])
    began, held = time.monotonic(), []
    for name in arguments[1:] or ATTACKS:
        title, step, breaks = ATTACKS[name]
        held.append(try_out(command, title, step, breaks) if is_self_test else attack(command, title, step))
    words = ("noticed a broken server", "did not") if is_self_test else ("held", "did not")
    print(f"{held.count(True)} of {len(held)} attacks: {words[0]}" + (f"; {held.count(False)} {words[1]}" if False in held else "")
          + f"  ({time.monotonic() - began:.0f} s)")
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
