"""People who answer a survey by its pages, with known opinions."""

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from plumbline.annotation.survey import answering
from plumbline.annotation.survey.models import GroupAnswer, Respondent, SurveyInvitation
from plumbline.annotation.survey.respondent_pages import SHOWN

GROUPS = ("tall", "short", "left-handed", "right-handed", "bald", "bearded", "early", "late")
PAIRS = (("cold", "warm"), ("poor", "wealthy"), ("weak", "strong"), ("old", "new"), ("dull", "bright"), ("shy", "bold"))
Opinion = Callable[[str, int], int]
"""The rating of a group on a pair, by label and index."""
Given = dict[str, str]


@dataclass
class Player:
    """`inattentive` names the checks that the player fails; `restless` players rate the repeated pairs otherwise.
    `pace` is how long the player looks at each page, in seconds."""

    opinion: Opinion
    inattentive: tuple[str, ...] = ()
    restless: bool = False
    pace: int = 60
    unknown: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    client: Client = field(default_factory=Client)
    seen: list[str] = field(default_factory=list)
    """The labels of the groups in the order shown."""

    def play(self, link: SurveyInvitation, pages: int = 99) -> str:
        """Answer up to this many pages and return the last one."""
        address = f"/survey/{link.token}/"
        self.client.post(f"{address}begin/")
        for _ in range(pages):
            page = self.client.get(address).content.decode()
            if "Your answers are complete" in page:
                break
            response = self.client.post(f"{address}save/", self._answers(page))
            assert response.status_code == 302, response.content.decode()
        return self.client.get(address).content.decode()

    def _answers(self, page: str) -> Given:
        hidden = dict(re.findall(r'type="hidden" name="(step|shown)" value="([^"]*)"', page))
        place = re.findall(r'data-place="(\w+)"', page)[0]
        own: Given = getattr(self, f"_{place}")(page)
        return hidden | own | {"shown": SHOWN.sign(f"{hidden['step']} {int(time.time()) - self.pace}")}

    def _instruction(self, _page: str) -> Given:
        return {}

    def _group(self, page: str) -> Given:
        self.seen.append(_heading(page).lower().removesuffix(" people"))
        if self.seen[-1] in self.unknown:
            return {"familiarity": "0"}
        return {"familiarity": "3"} | self._ratings(page, self.seen[-1])

    def _ratings(self, page: str, group: str) -> Given:
        places = [int(place) for place in re.findall(r'name="pair(\d+)"', page)]
        return {f"pair{place}": str(self.opinion(group, place)) for place in places}

    def _name_check(self, page: str) -> Given:
        names = re.findall(r'name="name" value="([^"]*)"', page)
        wrong = "name_check" in self.inattentive
        return {"name": next(name for name in names if (name != self.seen[0]) == wrong)}

    def _word_check(self, _page: str) -> Given:
        ratings = [self.opinion(self.seen[1], place) for place in range(len(PAIRS))]
        wrong = "word_check" in self.inattentive
        left = next((PAIRS[at][0] for at, one in enumerate(ratings) if (one < 50) != wrong), "none")
        right = next((PAIRS[at][1] for at, one in enumerate(ratings) if (one > 50) != wrong), "none")
        return {"left": left, "right": right}

    def _repeat(self, page: str) -> Given:
        again = self._ratings(page, _heading(page).removeprefix("Once more: ").removesuffix(" people"))
        return {pair: str((int(one) + 50) % 100) for pair, one in again.items()} if self.restless else again

    def _about_you(self, _page: str) -> Given:
        return dict(self.about)


def _heading(page: str) -> str:
    return str(re.findall(r"<h1><bdi>(.*?)</bdi></h1>", page)[0])


def answered(
    link: SurveyInvitation, people: int, opinion: Opinion | None = None, faults: tuple[str, ...] = (), **about: str
) -> None:
    """People whose answers are written as the pages would write them, which is quicker than to play."""
    for number in range(people):
        person = Respondent.objects.get(secret=answering.digest(answering.begin(link)))
        own = opinion or noisy(steady, 6, number)
        for group in person.order:
            ratings = [own(group, place) for place in range(len(PAIRS))]
            GroupAnswer.objects.create(respondent=person, group=group, familiarity=3, ratings=ratings, seconds=60)
        person.secret, person.invitation, person.ended, person.faults, person.demographics = (
            None,
            None,
            True,
            list(faults),
            about,
        )
        person.save()


def steady(group: str, place: int) -> int:
    """Known opinions on both sides of the middle, another for each group."""
    return (17 * GROUPS.index(group) + 31 * place + 10) % 101


def noisy(opinion: Opinion, spread: int, seed: int) -> Opinion:
    """The same opinions with a person's own deviation, the same when asked again."""

    def own(group: str, place: int) -> int:
        deviation = random.Random(f"{seed} {group} {place}").gauss(0, spread)  # noqa: S311
        return round(min(100, max(0, opinion(group, place) + deviation)))

    return own


def answers_of(client: Client, link: SurveyInvitation) -> Any:
    """The response to the link in this browser."""
    return client.get(f"/survey/{link.token}/")
