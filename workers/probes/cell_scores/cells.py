"""Items of an association audit: cells (template, group, attribute) by index, and their division into shards."""

from collections import defaultdict
from collections.abc import Callable
from hashlib import sha256

from plumbline.spec.grammar import Rendered, Word, render
from plumbline.spec.materials import Materials
from plumbline.spec.prior import Prior
from plumbline.spec.sentences import attribute_word, group_word

Cell = tuple[int, int, int]
ITEMS_PER_SHARD = 1024


def all_cells(materials: Materials) -> list[Cell]:
    return [cell for template in range(len(materials.templates)) for cell in cells_of(materials, template)]


def cells_of(materials: Materials, template: int) -> list[Cell]:
    """Return all cells of one template."""
    groups, attributes = range(len(materials.groups)), range(len(materials.attributes))
    return [(template, group, attribute) for group in groups for attribute in attributes]


def in_shards(cells: list[Cell], block: Callable[[Cell], str]) -> list[list[Cell]]:
    """Divide cells into shards by the hash of their block's text, so that an edit of the lists changes few shards.

    The cells of a block share the model's work and stay together. The number of shards is a power of two, which small
    edits seldom change.
    """
    count = 1 << max(0, (len(cells) - 1) // ITEMS_PER_SHARD).bit_length()
    shards: dict[int, list[Cell]] = defaultdict(list)
    number: dict[str, int] = {}
    for cell in cells:
        text = block(cell)
        if text not in number:
            number[text] = int.from_bytes(sha256(text.encode()).digest()[:8]) % count
        shards[number[text]].append(cell)
    return [shards[index] for index in sorted(shards)]


def sentence(materials: Materials, cell: Cell, *, group: Word | None = None, attribute: Word | None = None) -> Rendered:
    """Return the cell's sentence; `group` or `attribute` replaces the cell's own word by a neutral one."""
    template, group_index, attribute_index = cell
    words = {
        "group": group or group_word(materials.groups[group_index]),
        "attribute": attribute or attribute_word(materials.attributes[attribute_index]),
    }
    return render(materials.templates[template], words)


def same_prior(materials: Materials, cell: Cell) -> Cell:
    """Return the run's first cell with the same prior sentence: that of the first group of the same number."""
    template, group, attribute = cell
    return template, materials.first_of_number[group], attribute


def neutral_sentence(materials: Materials, cell: Cell, prior: Prior) -> Rendered:
    """Return the cell's sentence with the prior's neutral word, of the same number, in the group's place."""
    return sentence(materials, cell, group=prior.neutral(group_word(materials.groups[cell[1]])))
