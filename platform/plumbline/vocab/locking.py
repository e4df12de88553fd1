"""Who writes entries holds their lists first, and in one order: else two that write would wait for each other."""

from typing import Any

from plumbline.vocab.history import Past


def lock(kind: Past, **which: Any) -> None:
    """Hold these lists of the kind, all without a filter, until the transaction ends. Read what you write after this.

    `which` is a filter of lists, such as `slug__in`.
    """
    list(kind.list_model.objects.select_for_update().filter(**which).order_by("pk").values_list("pk"))
