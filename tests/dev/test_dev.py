"""The script ./dev: its page, its verbs, and how it finds Python and makes .venv (with stand-ins for uv and pip)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "cat", "cksum", "dirname", "ln", "mkdir", "readlink", "rm", "sleep")
COPIED = ("dev", "requirements.lock", "pyproject.toml", "proto/generator.lock", "benches/peers.lock")

# Writes down its arguments; makes an environment whose `carico` says its arguments; fails to install while told so.
FAKE_UV = """#!/bin/sh
echo "$*" >>"$UV_LOG"
for last; do :; done
case "$1 $2" in
"venv "*)
    mkdir -p "$last/bin" && ln -s "{python}" "$last/bin/python" && ln -s "$UV_CARICO" "$last/bin/carico" ;;
"pip install")
    [ ! -e "$UV_BROKEN" ] || {{ echo "no route to the index" >&2; exit 1; }} ;;
esac
"""

# Too new for the generator and fit in every other way; makes an environment in which every `python -m pip` succeeds.
FAKE_PYTHON = """#!/bin/sh
case "$*" in
*"< (3, 14)"*) exit 1 ;;
-c*) exit 0 ;;
esac
mkdir -p "$3/bin" && ln -s /bin/true "$3/bin/python" && ln -s "$UV_CARICO" "$3/bin/carico"
"""


class Copy:
    """A copy of what ./dev needs, in a folder with a space in its name, and a PATH with nothing but POSIX tools."""

    def __init__(self, place: Path) -> None:
        self.root = place / "a project"
        self.path = place / "bin"
        self.log = place / "uv.log"
        self.broken = place / "broken"
        self.root.mkdir()
        self.path.mkdir()
        (self.root / "proto").mkdir()
        (self.root / "benches").mkdir()
        for name in COPIED:
            shutil.copy(ROOT / name, self.root / name)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.path / tool).symlink_to(found)
        self.carico = self.command(place / "carico", '#!/bin/sh\necho "carico $*"\n')

    @staticmethod
    def command(place: Path, text: str) -> Path:
        place.write_text(text)
        place.chmod(0o755)
        return place

    def with_uv(self) -> "Copy":
        self.command(self.path / "uv", FAKE_UV.format(python=sys.executable))
        return self

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        # No HOME: a service account may have none.
        variables = {
            "PATH": str(self.path),
            "UV_LOG": str(self.log),
            "UV_BROKEN": str(self.broken),
            "UV_CARICO": str(self.carico),
        }
        return subprocess.run(
            [self.root / "dev", *arguments], cwd="/", env=variables, capture_output=True, text=True, timeout=60
        )

    def installations(self) -> int:
        """How many environments were begun."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return sum(line.startswith("venv ") for line in lines)

    def leftovers(self) -> set[str]:
        files = {str(path.relative_to(self.root)) for path in self.root.iterdir()}
        return files - {*COPIED, "proto", "benches", ".venv"}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_help_names_every_verb_and_installs_nothing(copy: Copy) -> None:
    for arguments in ((), ("help",), ("--help",)):
        result = copy.run(*arguments)
        assert result.returncode == 0
        for verb in ("demo", "test", "check", "bench", "soak", "proto", "format", "lock"):
            assert f"\n  {verb} " in result.stdout
    assert not (copy.root / ".venv").exists()


def test_unknown_verb_ends_with_2() -> None:
    result = subprocess.run([ROOT / "dev", "no-such-verb"], capture_output=True, text=True)
    assert result.returncode == 2, result.stderr
    assert "no-such-verb" in result.stderr


@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_parses_in_every_shell(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    subprocess.run([shell, "-n", ROOT / "dev"], check=True)


def test_shellcheck_finds_nothing() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("no shellcheck here")
    result = subprocess.run(["shellcheck", "dev", ".ci/run"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    "python",
    [
        pytest.param(None, id="no Python at all"),
        pytest.param("exit 1", id="too old, or without venv"),
        pytest.param("exit 127", id="a shim for a Python that is not installed"),
    ],
)
def test_names_the_one_package_where_no_python_is_usable(copy: Copy, python: str | None) -> None:
    if python is not None:
        for name in ("python3", "python3.13", "python3.12", "python3.11"):
            copy.command(copy.path / name, f"#!/bin/sh\n{python}\n")
    result = copy.run("demo")
    assert result.returncode == 1
    sentence = result.stderr.splitlines()[-1]
    assert "Python 3.11" in sentence
    assert "apt-get install python3-venv" in sentence
    assert not copy.leftovers()


def test_takes_a_newer_python_beside_an_old_one(copy: Copy) -> None:
    copy.command(copy.path / "python3", "#!/bin/sh\nexit 1\n")
    copy.command(copy.path / "python3.12", FAKE_PYTHON)
    result = copy.run("season", "status")
    assert result.stdout == "carico season status\n", result.stderr


def test_skips_the_generator_where_every_python_is_too_new_for_it(copy: Copy) -> None:
    copy.command(copy.path / "python3", FAKE_PYTHON)
    result = copy.run("proto", "--check")
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines()[-1].startswith("skipped: ")


def test_installs_once_with_hashes_and_then_starts_at_once(copy: Copy) -> None:
    first = copy.with_uv().run("demo", "--seed", "a b")
    assert (first.returncode, first.stdout) == (0, "carico demo --seed a b\n")
    assert first.stderr == "installing requirements.lock into .venv ...\n"
    assert "--require-hashes" in copy.log.read_text()

    second = copy.run("carico", "--help")
    assert (second.stdout, second.stderr) == ("carico --help\n", "")
    assert copy.installations() == 1
    assert not copy.leftovers()


def test_a_broken_installation_shows_why_and_is_made_anew(copy: Copy) -> None:
    copy.with_uv().broken.touch()
    failed = copy.run("demo")
    assert failed.returncode == 1
    assert "no route to the index" in failed.stderr
    assert not copy.leftovers()

    copy.broken.unlink()
    assert copy.run("demo").returncode == 0
    assert copy.installations() == 2


def test_measures_also_where_a_peer_of_the_benches_can_not_be_installed(copy: Copy) -> None:
    (copy.root / "benches" / "__main__.py").write_text("print('measured')\n")
    assert copy.with_uv().run("demo").returncode == 0
    copy.broken.touch()
    result = copy.run("bench")
    assert (result.returncode, result.stdout) == (0, "measured\n"), result.stderr
    assert result.stderr.splitlines()[-1] == "going on without what benches/peers.lock names"

    copy.broken.unlink()
    assert copy.run("bench").stderr == "installing benches/peers.lock into .tools/peers ...\n"
    assert copy.run("bench").stderr == ""


@pytest.mark.parametrize("harm", ["lock changed", "moved", "python gone"])
def test_an_environment_that_no_longer_fits_is_made_anew(copy: Copy, harm: str) -> None:
    assert copy.with_uv().run("demo").returncode == 0
    if harm == "lock changed":
        with (copy.root / "requirements.lock").open("a") as lock:
            lock.write("# changed\n")
    elif harm == "moved":
        copy.root = copy.root.rename(copy.root.with_name("elsewhere"))
    else:
        (copy.root / ".venv" / "bin" / "python").unlink()
    assert copy.run("demo").returncode == 0
    assert copy.installations() == 2


def test_the_lock_of_a_dead_installation_does_not_stop_the_next(copy: Copy) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    (copy.root / ".installing").symlink_to(str(dead.pid))
    assert copy.with_uv().run("demo").returncode == 0
    assert not copy.leftovers()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_says_where_it_cannot_write(copy: Copy) -> None:
    copy.root.chmod(0o555)
    result = copy.run("demo")
    copy.root.chmod(0o755)
    assert result.returncode == 1
    assert "cannot write in" in result.stderr
