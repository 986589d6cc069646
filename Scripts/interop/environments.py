"""Pythons with programs that others wrote: made once, from whichever registry pip is set up for, in INTEROP_ENVIRONMENTS."""

import os
import shutil
import subprocess
import sys
import tempfile

from parts import Absent


def python_with(name, *packages):
    """The interpreter of an environment with these packages. Absent where there is no `venv`, or no registry that can be reached."""
    place = os.environ.get("INTEROP_ENVIRONMENTS") or os.path.join(tempfile.gettempdir(), f"ostiary-interop-{os.getuid()}")
    folder = os.path.join(place, name)
    interpreter, mark, wanted = f"{folder}/bin/python", f"{folder}/complete", "\n".join(packages)
    if os.path.exists(mark) and open(mark).read() == wanted:
        return interpreter
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(place, mode=0o700, exist_ok=True)
    pip = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for arguments in ([sys.executable, "-m", "venv", folder], [*pip, *packages]):
        try:
            done = subprocess.run(arguments, capture_output=True, timeout=600, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if not done or done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            raise Absent(f"{name} (PyPI: {' '.join(packages)})")
    with open(mark, "w") as file:
        file.write(wanted)
    return interpreter
