"""Stand in for Python where pytest-xdist starts one: `python -S stand_in.py -u -c CODE` forks it from the server.

Each process of the tests would otherwise load the libraries that the server has loaded.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.processes.forked import Process, ask

if __name__ == "__main__":
    command = sys.argv[sys.argv.index("-c") :]
    sys.exit(Process(command, ask(command, (0, 1, 2), cwd=Path.cwd()), ()).wait())
