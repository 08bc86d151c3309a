"""Files that are read as they were checked, and files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import xarray

from mixlab.results import ResultsError


def open_checked(
    opening: Callable[[str], xarray.Dataset], path: str, identity: str | None
) -> xarray.Dataset:
    """Open the file that was checked: no other, wherever its name leads by now.

    `identity` is its device, inode, size and times; without one, whatever has that name is read.
    A name under which other programs find the same file is `encoding["checked"]`.
    """
    if identity is None:
        return opening(path)
    # Stays open: the report reads through it. Nobody waits for whoever put a pipe there.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    status = os.fstat(descriptor)
    found = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if ":".join(map(str, found)) != identity:
        raise ResultsError(f"file in motion: {path} (it changed after it was checked); try again")
    name = f"/proc/{os.getpid()}/fd/{descriptor}"  # of other processes, too
    try:
        data = opening(name)
    except ResultsError as error:
        raise ResultsError(str(error).replace(name, path)) from None
    data.encoding["source"] = path
    data.encoding["checked"] = name
    return data


def make_folder(folder: Path, *names: str) -> Path:
    """Create a folder and, one inside the other, those of these names; returns the last.

    A link inside of it that somebody else made is refused: where it leads was not chosen.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        folder = folder / name
        if folder.is_symlink() and folder.lstat().st_uid != os.geteuid():
            raise ResultsError(
                f"bad output: {folder} (is a symbolic link that another user made); remove it or "
                "choose another folder with -o"
            )
        folder.mkdir(exist_ok=True)
    return folder


def replace_file(path: Path, contents: bytes) -> None:
    """Write a file under a name of its own, then rename it.

    Nobody can have put a link where it is written; `mixlab clean` knows the name.
    """
    owner = os.environ.get("MIXLAB_PROCESS") or f"{socket.gethostname()}.{os.getpid()}.00000000"
    temporary = path.with_name(f"{path.name}.tmp.{owner}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(contents)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
