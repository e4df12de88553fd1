"""The first account: after the start, a command asks for it or prints its link. It knows whether there is one."""

import os
import subprocess
import sys

from plumbline import embedded
from plumbline.supervision import supervisor, watching
from plumbline.supervision.installation import ROOT, var_dir


def show(*, ask: bool) -> None:
    """Ask on a terminal for the first account, or print its link. Nothing happens unless the desk runs without one."""
    if not supervisor.programs() or embedded.is_used_and_down():
        return
    command = [sys.executable, str(ROOT / "manage.py"), "person", "first", "--address", watching.local_address()]
    environment = os.environ | {"PLUMBLINE_VAR": str(var_dir())}
    subprocess.run(command + ["--ask"] * (ask and sys.stdout.isatty()), cwd=ROOT, env=environment, check=False)
