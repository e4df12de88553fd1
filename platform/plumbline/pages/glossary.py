"""The terms that a reader of the pages needs, each in two or three sentences. docs/glossary.md holds the same."""

from dataclasses import dataclass

from django.utils.text import slugify


@dataclass(frozen=True, slots=True)
class Term:
    """A term and its meaning here."""

    name: str
    meaning: str

    @property
    def anchor(self) -> str:
        return slugify(self.name)


TERMS = (
    Term(
        "Audit",
        "The questions of one plan, asked of one model, and what is concluded from the answers.",
    ),
    Term(
        "Baseline",
        "The run with which later runs of a plan are compared: the latest that is signed off, otherwise the first."
        " Each model has its own.",
    ),
    Term(
        "BBQ bias score",
        "How often answers that name a person follow the stereotype, from -1 (never) to 1 (always). In ambiguous"
        " contexts it is scaled by the share of wrong answers, so a model without errors has the score 0.",
    ),
    Term(
        "Bridge",
        "The first names through which the indirect score links two words. Each word has a score with each name."
        " The indirect score is the correlation of the two over the names.",
    ),
    Term(
        "Canary",
        "Small questions to a model behind a server before each run, of which the right answers are known. A run whose"
        " canary fails is refused.",
    ),
    Term(
        "CEAT",
        "The WEAT effect size on words in sentences. It is drawn many times from a corpus, and the draws are"
        " combined as random effects.",
    ),
    Term(
        "Cell",
        "One group with one word in a run. Between two runs a cell moved if its score changed beyond chance, with q"
        " over all cells of the comparison.",
    ),
    Term(
        "Difference",
        "The score of one group minus the score of another, with the same word in the same templates. Unless a"
        " page says otherwise it is in natural logarithms.",
    ),
    Term(
        "Evidence pack",
        "A file with all that a finished run rests on, which others can verify without this installation.",
    ),
    Term(
        "Family",
        "The tests that are corrected together. By default all tests of one statistic in a run.",
    ),
    Term(
        "Finding",
        "An effect that a run shows beyond chance, with an estimate beyond the smallest effect that matters: one"
        " sentence with its figures. People judge it. Later runs of the plan say what became of it.",
    ),
    Term(
        "Frame",
        "A template without the choice of its alternatives: All, Most and Some before the same text are three"
        " wordings of one frame. Wordings of one frame count once.",
    ),
    Term(
        "Gate",
        "The command audit gate, which judges a finished run by rules on its figures and ends with a status for"
        " a pipeline.",
    ),
    Term(
        "ILPS",
        "Increased log probability score (Cao et al. 2022): how much naming a group raises the log probability of"
        " a trait, compared with the prior sentence.",
    ),
    Term(
        "Interval",
        "The range of values that fit the answers. Of many 95% intervals, made with other kinds of sentence or"
        " other words, about 95 in 100 hold the true mean.",
    ),
    Term(
        "Invitation",
        "A link by which one person makes an account with the roles that an admin chose. It works once, until"
        " it expires. The link proves nothing else, so send it to nobody but this person.",
    ),
    Term(
        "Kendall's tau",
        "How far two orders agree: +1 for the same order, 0 for no relation, -1 for the opposite order.",
    ),
    Term(
        "Kind of sentence",
        "Templates that say the same in other words. Their answers go together, so a kind counts once. The number"
        " of kinds, not the number of templates, decides how certain a conclusion can be.",
    ),
    Term(
        "List",
        "Curated words of one sort: names, groups, traits, attributes or templates. A run freezes its lists.",
    ),
    Term(
        "Log probability bias score",
        "The difference of two targets (Kurita et al. 2019): how much more a word raises the log probability of"
        " the first target than that of the second.",
    ),
    Term(
        "n",
        "How many items a figure uses. Items of one kind are not independent, so the number of units is given too.",
    ),
    Term(
        "p-value",
        "How often chance alone gives a figure at least as far from zero. It belongs to a single test. If"
        " there are many tests, read the q-value.",
    ),
    Term(
        "Plan",
        "What is to be asked: a method, a model, lists and parameters. Each launch of a plan is a run.",
    ),
    Term(
        "Prior",
        "What a score is relative to: the probability of the same word in a sentence that does not name the other"
        " one, or names a neutral one. Another prior can lead to another verdict, so pages show whether it does.",
    ),
    Term(
        "q-value",
        "The p-value after correction for all tests of its family. Of the findings with q below 0.05, at most 5"
        " in 100 are expected to be false.",
    ),
    Term(
        "Record",
        "One stored answer: a template, a group, a word and the score.",
    ),
    Term(
        "Recovery code",
        "A code that replaces the app of the second factor once, for example when the phone is lost. Each"
        " account has several. Keep them apart from the password.",
    ),
    Term(
        "Release",
        "A model with its revision: a commit of the hub, a version, or the digest of its weights.",
    ),
    Term(
        "Report",
        "One document about a run, a model over time or two runs, as HTML or PDF: findings, decisions, figures, and"
        " what it covers of laws and standards.",
    ),
    Term(
        "Run",
        "One execution of a plan, with frozen lists and the revisions of the model and of all libraries.",
    ),
    Term(
        "Score",
        "What a record holds for a group and a word. For the association methods it is the log probability that a"
        " model gives, minus the log probability under the prior.",
    ),
    Term(
        "Second factor",
        "Six digits that an app on a phone shows anew every 30 seconds. Who logs in types them after the"
        " password. A stolen password alone then opens nothing.",
    ),
    Term(
        "SeT",
        "Sensitivity test (Cao et al. 2022): how little the last layer must change to put a word on top.",
    ),
    Term(
        "Shard",
        "A part of a run that one worker does at a time and that is stored as a whole.",
    ),
    Term(
        "Sign-off",
        "A second person's statement that people have dealt with the findings of a run or a release. It can be"
        " withdrawn with a reason.",
    ),
    Term(
        "Single sign-on",
        "Logging in with the account of one's organisation instead of a password here. The organisation says"
        " who somebody is. The roles are still given in Plumbline.",
    ),
    Term(
        "Smallest effect",
        "The size from which on an effect matters. Each scale has a default, and a plan can change it. If a"
        " plan switches it off, nothing can be shown absent.",
    ),
    Term(
        "SODAPOP",
        "A search for stereotypes without a list of them (An et al. 2023): which wrong answers mislead a model"
        " about the names of one group more often than about those of another.",
    ),
    Term(
        "State of a finding",
        "What people decided about it. Confirmed: the effect is real and matters. Dismissed: it does not"
        " matter, or is no stereotype. Accepted risk: it is real, and the model is used all the same."
        " Mitigated: something was done, which later runs must show. New: nobody decided.",
    ),
    Term(
        "Template",
        "A sentence with slots for a group and a word. Texts between brackets are alternatives.",
    ),
    Term(
        "Unit",
        "What is counted as independent in a test: kinds of sentence, families of words, names or templates.",
    ),
    Term(
        "Verdict",
        "Present: a difference from zero is shown (q below the level). Absent: it is shown to be smaller than the"
        " smallest effect. Undecided: neither is shown. Not testable: with so few units no result could have been"
        " significant.",
    ),
    Term(
        "Vote",
        "The state that one reviewer thinks a finding should have. A person who judges a finding also votes for its"
        " state. A sign-off can ask for the votes of several reviewers, and for no vote against.",
    ),
    Term(
        "WEAT",
        "Word embedding association test (Caliskan et al. 2017): how much nearer one set of words lies to one of"
        " two opposites than another set does, in standard deviations.",
    ),
)


def as_markdown() -> str:
    """Return the glossary's page of the docs."""
    terms = "\n".join(f"\n## {one.name}\n\n{one.meaning}" for one in TERMS)
    meaning = "Each term has one meaning on all pages and in these documents."
    return f"# Glossary\n\nThis page defines the terms of Plumbline. {meaning}\n{terms}\n"
