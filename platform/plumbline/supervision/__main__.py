"""`python -m plumbline.supervision up|down|status`. The exit status is 0, or 2 with the error on stderr."""

import sys

from plumbline import embedded
from plumbline.spec.errors import InputError
from plumbline.supervision import first_account, installation, supervisor, watching


def up() -> str:
    """Start everything and wait until it works. Running programs are only checked."""
    if supervisor.pid() is not None:
        return (
            "runs already, and keeps the settings that it began with. `make down` stops it, then `make up` takes new"
            f" ones: {watching.wait_until_working()}"
        )
    environment = installation.environment()
    supervisor.end_leftovers()
    installation.refuse_used_port(environment)
    supervisor.start(environment)
    try:
        return watching.wait_until_working()
    except InputError:
        down()
        raise


def down() -> str:
    """Stop everything, including the embedded server, whether the supervisor is alive or was killed."""
    pid = supervisor.pid()
    if pid is not None:
        supervisor.stop(pid)
    supervisor.end_leftovers()
    server = embedded.stop(embedded.used_var_dir())
    return "stopped" if pid is not None or server else "was not running"


def status() -> str:
    """Return one line per program with the supervisor's status, and one for an embedded server that is down."""
    lines = [f"{info['name']:<12}{info['statename']:<10}{info['description']}" for info in supervisor.programs()]
    if lines and embedded.is_used_and_down():
        lines.append(f"{'database':<12}{'STOPPED':<10}{embedded.remedy()}")
    return "\n".join(lines) or "not running"


ACTIONS = {"up": up, "down": down, "status": status}


def main(arguments: list[str]) -> int:
    action = ACTIONS.get(" ".join(arguments))
    if action is None:
        sys.stderr.write(f"usage: python -m plumbline.supervision {'|'.join(ACTIONS)}\n")
        return 2
    try:
        sys.stdout.write(f"{action()}\n")
        sys.stdout.flush()
        if action is not down:
            first_account.show(ask=action is up)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
