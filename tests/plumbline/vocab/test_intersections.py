"""Pairs of groups: their forms, their orders, and what is left out under which reason."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import InputError
from plumbline.vocab import seeding
from plumbline.vocab.content import frozen
from plumbline.vocab.importing import entries_of
from plumbline.vocab.intersections import NO_FORM, NO_HEAD, REPEATED, SAME, Pairs, create, pair, propose
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Group, GroupList, Pairing
from tests.plumbline.vocab.some_seeds import load_seeds

SEEDS = {seed.slug: seed for seed in seeding.seeds()}

ASIANS = Group(
    label="Asian people", singular="Asian person", plural="Asian people", domain="Race/ethnicity", modifier="Asian"
)
TEENAGERS = Group(label="teenagers", singular="teenager", plural="teenagers", domain="Age", modifier="teenage")
ELDERLY = Group(
    label="elderly people", singular="elderly person", plural="elderly people", domain="Age", modifier="elderly"
)
WOMEN = Group(label="women", singular="woman", plural="women", pronoun="she", domain="Gender", modifier="female")
DISABLED = Group(
    label="people with disabilities",
    singular="person with a disability",
    plural="people with disabilities",
    domain="Disability status",
    postfix="with a disability",
    postfix_plural="with disabilities",
)
DOCTORS = Group(label="doctors", singular="doctor", plural="doctors")
HISPANIC = Group(label="Hispanic people", singular="Hispanic person", plural="Hispanic people", modifier="Hispanic")

# Table A10 of Cao et al. 2022; "gay with a disability" is printed there for "gay man with a disability".
PRINTED = """
Jamaican mechanic, gay man with a disability, Hispanic unemployed person, female Native American, Democrat teenager,
Deaf mechanic, Black mechanic, Democrat mechanic, male doctor, female Indian person, Latina, Filipino mechanic,
Native American mechanic, teenage Democrat, trans mechanic, female Black person, unemployed Italian person,
female doctor, Irish autistic person, Russian mechanic, unemployed Hispanic person, Russian unemployed person,
Amish mechanic, Republican mechanic, male teenager, Hispanic French person, Cuban person with a disability,
atheist mechanic, Hispanic Irish person, unemployed German person, female American person, Irish mechanic,
Muslim autistic person, Russian autistic person, Japanese autistic person, trans Republican, German White person,
male Buddhist, Irish Deaf person, German Republican
"""


def seeded(slug: str) -> list[Group]:
    seed = SEEDS[slug]
    entries: list[Group] = entries_of(KINDS[seed.kind], seed.rows())
    return entries


def abc() -> Pairs:
    groups = seeded("abc-groups")
    return pair(groups, groups, seeded("abc-pairings"))  # type: ignore[arg-type]


def singulars(*groups: Group, rules: tuple[Pairing, ...] = ()) -> list[str]:
    return [made.singular for made in pair(groups, groups, rules).made]


def reasons(pairs: Pairs) -> dict[tuple[str, str], str]:
    return {(one.first, one.second): one.reason for one in pairs.left_out}


def test_a_modifier_precedes_the_other_group_in_either_order() -> None:
    assert singulars(ASIANS, TEENAGERS) == ["Asian teenager", "teenage Asian person"]


def test_a_postfix_follows_the_other_group_in_one_order_only() -> None:
    found = pair([TEENAGERS], [DISABLED], [])
    assert [(one.singular, one.plural) for one in found.made] == [
        ("teenager with a disability", "teenagers with disabilities")
    ]
    assert reasons(found) == {("people with disabilities", "teenagers"): NO_FORM}


def test_a_pair_names_its_components_domains_and_the_pronoun_of_both() -> None:
    first, second = pair([ASIANS], [WOMEN], []).made
    assert (first.label, first.components) == ("Asian women", ["Asian people", "women"])
    assert (first.domain, first.pronoun) == ("Race/ethnicity x Gender", "she")
    assert (second.label, second.domain) == ("female Asian people", "Gender x Race/ethnicity")


def test_a_rule_about_domains_leaves_out_and_one_about_groups_outranks_it() -> None:
    domain = Pairing(first="Age", second="Age", reason="contradict each other")
    assert singulars(TEENAGERS, ELDERLY, rules=(domain,)) == []
    allowed = Pairing(first="elderly people", second="teenagers")
    assert singulars(TEENAGERS, ELDERLY, rules=(domain, allowed)) == ["teenage elderly person", "elderly teenager"]


def test_a_rule_in_order_leaves_the_other_order_alone() -> None:
    rule = Pairing(first="teenagers", second="(no noun)", in_order=True, reason="awkward")
    assert singulars(ASIANS, TEENAGERS, rules=(rule,)) == ["Asian teenager"]


def test_a_rule_about_an_order_outranks_the_other_order_of_an_earlier_rule() -> None:
    both = Pairing(first="Asian people", second="teenagers", reason="awkward")
    other = Pairing(first="teenagers", second="Asian people", in_order=True)
    assert singulars(ASIANS, TEENAGERS, rules=(both, other)) == ["teenage Asian person"]
    assert singulars(ASIANS, TEENAGERS, rules=(other, both)) == ["teenage Asian person"]


def test_a_pair_may_have_a_word_of_its_own() -> None:
    rule = Pairing(first="Hispanic people", second="women", in_order=True, singular="Latina", plural="Latinas")
    made = pair([HISPANIC], [WOMEN], [rule]).made
    assert [(one.label, one.singular) for one in made] == [
        ("Latinas", "Latina"),
        ("female Hispanic people", "female Hispanic person"),
    ]


def test_what_makes_no_pair_is_reported_with_its_reason() -> None:
    nameless = Group(label="others")
    # "Asian women" would be made a second time.
    copy = Group(label="women, too", singular="woman", plural="women")
    found = pair([ASIANS, DOCTORS], [WOMEN, copy, nameless, ASIANS], [])
    told = reasons(found)
    assert told["doctors", "women"] == NO_FORM
    assert told["Asian people", "women, too"] == REPEATED
    assert told["Asian people", "others"] == NO_HEAD
    assert told["Asian people", "Asian people"] == SAME
    assert sum(found.counts().values()) == len(found.left_out)
    assert "left out: " in str(found)


@given(st.lists(st.sampled_from([ASIANS, TEENAGERS, ELDERLY, WOMEN, DISABLED, DOCTORS, HISPANIC]), unique_by=str))
def test_every_order_is_either_made_or_left_out(groups: list[Group]) -> None:
    found = pair(groups, groups, [Pairing(first="Age", second="Age", reason="contradict each other")])
    orders = [tuple(made.components) for made in found.made] + [(one.first, one.second) for one in found.left_out]
    assert sorted(orders) == sorted((a.label, b.label) for a in groups for b in groups if a is not b)
    assert len({made.label for made in found.made}) == len(found.made)


def test_too_many_pairs_are_refused() -> None:
    groups = [Group(label=f"group {number}", modifier="m", singular="s") for number in range(143)]
    with pytest.raises(InputError, match="20,306 pairs, more than 20,000"):
        pair(groups, groups, [])


def test_the_starter_groups_make_the_pairs_that_the_paper_prints() -> None:
    made = {one.singular for one in abc().made}
    assert {" ".join(label.split()) for label in PRINTED.split(",")} <= made


def test_the_starter_rules_leave_out_the_papers_examples() -> None:
    made = {one.singular for one in abc().made}
    assert "cis man" in made
    assert not made & {
        "cis non-binary person",
        "teenage elderly person",
        "elderly teenager",
        "doctor elderly person",
        "immigrant blind person",
    }


def test_every_starter_rule_names_groups_or_domains_and_decides_something() -> None:
    groups = seeded("abc-groups")
    names = {name for group in groups for name in (group.label, group.domain)} | {"(noun)", "(no noun)"}
    rules: list[Pairing] = seeded("abc-pairings")  # type: ignore[assignment]
    assert [rule for rule in rules if not {rule.first, rule.second} <= names] == []
    whole = {(made.label, *made.components) for made in abc().made}
    idle = []
    for rule in rules:
        others = [other for other in rules if other is not rule]
        if {(made.label, *made.components) for made in pair(groups, groups, others).made} == whole:
            idle.append((rule.first, rule.second))
    assert idle == []


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (Pairing(first="a", second="b", singular="c", in_order=True), "without its other form"),
        (Pairing(first="a", second="b", singular="c", plural="cs", in_order=True, reason="no"), "a reason or a word"),
        (Pairing(first="a", second="b", singular="c", plural="cs"), "goes with one order"),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused(rule: Pairing, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        rule.clean_fields(exclude={"word_list"})


def test_a_pair_has_two_components() -> None:
    with pytest.raises(ValidationError, match="the two groups"):
        Group(label="a", components=["b"]).clean_fields(exclude={"word_list"})


@pytest.mark.django_db
class TestLists:
    @pytest.fixture(autouse=True)
    def _starter(self) -> None:
        load_seeds("abc-groups", "gender", "pronouns", "abc-pairings")

    def test_a_new_list_says_what_it_was_made_of_and_freezes_components(self) -> None:
        change = create(propose(["gender", "abc-groups"]), ["gender", "abc-groups"], "pairs")
        assert str(change).startswith("pairs: ")
        made = GroupList.objects.get(slug="pairs")
        assert "left out" in made.description
        assert "Cao et al. 2022" in made.source
        asian = next(entry for entry in frozen("groups", "pairs")["entries"] if entry["label"] == "Asian women")
        assert asian["components"] == ["Asian people", "women"]
        assert "modifier" not in asian

    def test_a_slug_that_is_taken_is_refused(self) -> None:
        with pytest.raises(InputError, match="already; choose another slug"):
            create(propose(["abc-groups"]), ["abc-groups"], "gender")

    def test_pairs_are_not_paired_again(self) -> None:
        create(propose(["abc-groups"]), ["abc-groups"], "pairs")
        with pytest.raises(InputError, match="is a pair itself"):
            propose(["pairs"])

    def test_a_list_without_forms_is_refused_with_the_remedy(self) -> None:
        with pytest.raises(InputError, match="fill the column modifier"):
            propose(["pronouns"])

    def test_the_command_makes_the_list_and_counts_what_was_left_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("vocab", "pair", "abc-groups", "--into", "pairs", "--title", "All pairs")
        shown = capsys.readouterr()
        count = GroupList.objects.get(slug="pairs", title="All pairs").entries.count()
        assert shown.out.startswith(f"groups pairs: new, {count:,} entries")
        assert f"{count:,} pairs made" in shown.err
        assert "contradict each other" in shown.err

    def test_a_preview_makes_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("vocab", "pair", "abc-groups", "--into", "pairs", "--preview")
        assert "Latinas: Hispanic people + women" in capsys.readouterr().out
        assert not GroupList.objects.filter(slug="pairs").exists()

    @pytest.mark.parametrize(
        ("arguments", "fault"),
        [
            (("abc-groops", "--into", "pairs"), "did you mean abc-groups"),
            (("abc-groups", "--into", "pairs", "--rules", "none"), "there is no pairings list 'none'"),
            (("a", "b", "c", "--into", "pairs"), "3 lists are named"),
        ],
    )
    def test_wrong_input_ends_with_exit_status_2(self, arguments: tuple[str, ...], fault: str) -> None:
        with pytest.raises(CommandError, match=fault) as refused:
            call_command("vocab", "pair", *arguments)
        assert refused.value.returncode == 2
