"""What a method is loads without a framework: its spec and card serve the command line, the web and workers alike."""

import json
import subprocess
import sys

from plumbline.spec.registry import FOLDERS

LOADING = """
import json, sys
from plumbline.spec.registry import PROBES
found = {}
for probe in PROBES:
    PROBES[probe]
    found[probe] = sorted({"django", "sqlalchemy", "psycopg", "torch", "transformers"} & set(sys.modules))
print(json.dumps(found))
"""


def test_the_spec_of_each_method_loads_no_framework_and_no_torch() -> None:
    # A process of its own, for these libraries are loaded here.
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {probe: [] for probe in FOLDERS}
