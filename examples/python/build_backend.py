"""Builds the wheel and the source archive of hlolint (PEP 517) with CMake and nothing else. The wheel has the command, too.

Settings (pip: --config-settings=NAME=VALUE): build-dir=FOLDER, a build folder to make or to go on with (a fresh one
otherwise); jobs=N (default: 2). What CMake reads from the environment holds: CMAKE_GENERATOR,
CMAKE_CXX_COMPILER_LAUNCHER, CXX. The same files give the same bytes; SOURCE_DATE_EPOCH is their time.
"""
import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# In a source archive, the project is in a subfolder.
SOURCE = HERE / "project" if (HERE / "project").is_dir() else HERE.parent.parent
ARCHIVED = ["CMakeLists.txt", "LICENSE", "README.md", ".cmake", "include", "examples/CMakeLists.txt",
            "examples/hlolint", "examples/python"]


EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", 1577836800))


def commit():
    """The commit of the checkout, or the one recorded in the source archive; may be empty."""
    named = SOURCE / ".cmake" / "commit"
    if named.exists():
        return named.read_text().strip()
    try:
        return subprocess.run(["git", "-C", str(SOURCE), "rev-parse", "--short=12", "--verify", "--quiet", "HEAD"],
                              capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(hlolint\s+VERSION\s+([0-9.]+)", text).group(1)


def metadata():
    return (f"Metadata-Version: 2.1\nName: hlolint\nVersion: {version()}\n"
            "Summary: Reads the text dumps of the XLA compiler and lints them\n"
            "License: BSL-1.0\nRequires-Python: >=3.9\n")


def entry_points():
    return "[pytest11]\nhlolint = hlolint.pytest_plugin\n"


def tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{interpreter}-{interpreter}-{platform}"


def build(folder, jobs):
    """Compiles the module and the command; returns the folder of the package, and the command."""
    if not (folder / "CMakeCache.txt").exists():
        command = ["cmake", "-S", str(SOURCE), "-B", str(folder), "-D", "CMAKE_BUILD_TYPE=Release",
                   "-D", "HLOLINT_PYTHON=ON", "-D", "HLOLINT_TOGETHER=ON",
                   "-D", "HLOLINT_EXAMPLES=ON", "-D", "HLOLINT_TESTS=OFF", "-D", "HLOLINT_INSTALL=OFF",
                   "-D", "HLOLINT_WERROR=OFF", "-D", "HLOLINT_PROOFS=OFF", "-D", "HLOLINT_BENCHMARKS=OFF",
                   "-D", f"Python_EXECUTABLE={sys.executable}"]
        if "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja"):
            command += ["-G", "Ninja"]
        subprocess.run(command, check=True)
    subprocess.run(["cmake", "--build", str(folder), "--parallel", jobs, "--target", "hlolint_python", "hlolint_command"],
                   check=True)
    return folder / "python" / "hlolint", folder / "hlolint"


class Wheel:
    """Writes a zip file with a RECORD of hashes."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, content, mode=0o644):
        info = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(content)}")

    def close(self, record):
        self.rows.append(f"{record},,")
        info = zipfile.ZipInfo(record, time.gmtime(EPOCH)[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o100644 << 16
        self.zip.writestr(info, "\n".join(self.rows) + "\n")
        self.zip.close()


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Called by pip first; without it, pip would compile everything twice."""
    folder = Path(metadata_directory) / f"hlolint-{version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    (folder / "entry_points.txt").write_text(entry_points())
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    name = f"hlolint-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory(prefix="hlolint_build_") as temporary:
        package, command = build(Path(settings.get("build-dir") or temporary).resolve(), str(settings.get("jobs", 2)))
        wheel = Wheel(Path(wheel_directory) / name)
        for file in sorted(package.iterdir()):
            if file.suffix in (".py", ".pyi", ".so", ".pyd") or file.name == "py.typed":
                wheel.add(f"hlolint/{file.name}", file.read_bytes())
        wheel.add(f"hlolint-{version()}.data/scripts/hlolint", command.read_bytes(), 0o755)
        info = f"hlolint-{version()}.dist-info"
        wheel.add(f"{info}/METADATA", metadata().encode())
        kind = f"Wheel-Version: 1.0\nGenerator: hlolint\nRoot-Is-Purelib: false\nTag: {tag()}\n"
        wheel.add(f"{info}/WHEEL", kind.encode())
        wheel.add(f"{info}/entry_points.txt", entry_points().encode())
        wheel.add(f"{info}/LICENSE", (SOURCE / "LICENSE").read_bytes())
        wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"hlolint-{version()}"
    with open(Path(sdist_directory) / f"{name}.tar.gz", "wb") as file, \
            gzip.GzipFile("", "wb", fileobj=file, mtime=EPOCH) as zipped, \
            tarfile.open(mode="w", fileobj=zipped, format=tarfile.PAX_FORMAT) as archive:
        def add(path, to):
            def wanted(member):
                member.uid, member.gid, member.uname, member.gname, member.mtime = 0, 0, "", "", EPOCH
                member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                return None if "__pycache__" in member.name or member.name.endswith(".cmake/commit") else member
            archive.add(path, f"{name}/{to}", filter=wanted)

        def write(text, to):
            info = tarfile.TarInfo(f"{name}/{to}")
            info.size, info.mtime = len(text.encode()), EPOCH
            archive.addfile(info, io.BytesIO(text.encode()))

        write(metadata(), "PKG-INFO")
        for file in ("pyproject.toml", "build_backend.py"):
            add(HERE / file, file)
        for part in ARCHIVED:
            add(SOURCE / part, f"project/{part}")
        if commit():
            write(commit() + "\n", "project/.cmake/commit")
    return f"{name}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
