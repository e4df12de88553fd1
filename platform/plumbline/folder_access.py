"""Permission to pass through a folder, from its mode and its access control list.

The list is read and written in Linux's binary form (acl(5), linux/posix_acl_xattr.h), since `setfacl` is often missing:
a version, then for each entry the tag, the permissions, and the user or group.
"""

import errno
import os
import stat
import struct
from pathlib import Path

LIST = "system.posix_acl_access"
VERSION = struct.pack("<I", 2)
ENTRY = struct.Struct("<HHI")
OWNER, USER, OWNING_GROUP, GROUP, MASK, OTHERS = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
MASKED = (USER, OWNING_GROUP, GROUP)
UNNAMED = 0xFFFFFFFF
PASS = 0o1

Entries = dict[tuple[int, int], int]
"""Permissions by tag and named user or group."""


def may_pass(folder: Path, uid: int) -> bool:
    """Return whether a user may pass through the folder. Permissions through groups are ignored."""
    found = folder.stat()
    if found.st_uid == uid:
        return bool(found.st_mode & stat.S_IXUSR)
    entries = _entries(folder)
    own = entries.get((USER, uid))
    return bool(PASS & (entries[OTHERS, UNNAMED] if own is None else own & entries[MASK, UNNAMED]))


def admit(folder: Path, uid: int) -> None:
    """Let one user pass through the folder without listing it. Raises OSError if this is impossible."""
    entries = _entries(folder)
    # A wider mask must not grant what the old mask withheld.
    mask = entries.get((MASK, UNNAMED), entries[OWNING_GROUP, UNNAMED])
    entries |= {key: has & mask for key, has in entries.items() if key[0] in MASKED}
    entries[USER, uid] = entries.get((USER, uid), 0) | PASS
    entries[MASK, UNNAMED] = mask | PASS
    os.setxattr(
        folder, LIST, VERSION + b"".join(ENTRY.pack(tag, has, of) for (tag, of), has in sorted(entries.items()))
    )


def _entries(folder: Path) -> Entries:
    """Return the folder's list, or that of its mode."""
    try:
        content = os.getxattr(folder, LIST)
    except OSError as error:
        if error.errno not in (errno.ENODATA, errno.EOPNOTSUPP):
            raise
        mode = folder.stat().st_mode
        return {(OWNER, UNNAMED): mode >> 6 & 7, (OWNING_GROUP, UNNAMED): mode >> 3 & 7, (OTHERS, UNNAMED): mode & 7}
    return {(tag, of): has for tag, has, of in ENTRY.iter_unpack(content[len(VERSION) :])}
