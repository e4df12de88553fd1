"""Several files that were sent together, kept as one."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence

from plumbline.vocab.banks.bbq.tables import Sent

Bundle = Mapping[str, Sequence[Sent]]
"""Files by what they are sent for."""


def packed(bundle: Bundle) -> bytes:
    """All of it in one."""
    told = {part: [(one.name, base64.b64encode(one.data).decode()) for one in files] for part, files in bundle.items()}
    return zlib.compress(json.dumps(told).encode(), level=1)


def unpacked(data: bytes) -> dict[str, list[Sent]]:
    """What `packed` packed."""
    told = json.loads(zlib.decompress(data))
    return {part: [Sent(name, base64.b64decode(text)) for name, text in files] for part, files in told.items()}
