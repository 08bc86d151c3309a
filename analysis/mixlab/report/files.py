"""Files that appear whole, or not at all."""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path


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
