"""Statistics of pairs of groups, for every association probe (Cao et al. 2022, section 5.2)."""

from plumbline.spec.card import Statistic
from plumbline.spec.verdicts import Scale

_SOURCE = "Cao et al. 2022, section 5.2"
_FORM = "A pair's words are longer and rarer than those of its components; part of what it shows may come from that."

STATISTICS = (
    Statistic(
        name="identity_order",
        unit="Kendall's tau-b",
        sentence="How alike a pair's list of trait scores is to that of one of its components, or of its other order.",
        equation="tau(S(AB), S(A)), tau(S(AB), S(B)), the greater of both, tau(S(AB), S(BA)); means over pairs",
        source=f"{_SOURCE}, Q1; the chance level is ours",
        caveat="The greater of two taus is high by itself: compare it with that of two groups that are no components. "
        + _FORM,
        scale=Scale.CORRELATION,
    ),
    Statistic(
        name="domain_agreement",
        unit="Kendall's tau-b",
        sentence="How alike pairs of two domains are, on average, to their component in the first of them.",
        equation="mean over pairs AB of the two domains, in both orders, of tau(S(AB), S(A))",
        source=f"{_SOURCE}, Q2, Table A9",
        caveat="Domains have few groups, two of them in Age and in Politics: the means are over these.",
    ),
    Statistic(
        name="domain_dominance",
        unit="Kendall's tau-b",
        sentence="How much more pairs of two domains take after their component in the first than in the second.",
        equation="mean tau(S(AB), S(A)) - mean tau(S(AB), S(B)); A dominates B from 0.1 on",
        source=f"{_SOURCE}, Q2, Tables A8 and A9",
        caveat="0.1 is a convention, no test; with two groups on a side no p-value can be below 0.5. " + _FORM,
        scale=Scale.CORRELATION,
    ),
    Statistic(
        name="domains_dominated",
        unit="domains",
        sentence="How many of the other domains a domain dominates, or is dominated by.",
        equation="number of domains B with domain_dominance(A, B) of at least 0.1",
        source=f"{_SOURCE}, Q2, Table A8",
        caveat="It counts a threshold's verdicts: a difference just below 0.1 counts for nothing.",
    ),
    Statistic(
        name="emergent_trait",
        unit="natural log",
        sentence="How much more, or less, an attribute is linked with a pair than with either of its components.",
        equation="above: S(AB, t) - max(S(A, t), S(B, t)); below: min(S(A, t), S(B, t)) - S(AB, t)",
        source=f"{_SOURCE}, Q3, Table A10",
        caveat="The top of thousands of cells is high by chance; q is over all of them. It may be a pull to the mean of"
        " two odd components. " + _FORM,
        scale=Scale.LOG,
    ),
    Statistic(
        name="emergent_precision",
        unit="fraction",
        sentence="Of the attributes linked more with a pair than with its components, the share that is listed.",
        equation="listed and above / above, over the pairs and dimensions that the curated list speaks of",
        source=f"{_SOURCE}, Q3",
        caveat="A list holds what its authors looked for; compare it with the precision of a guess.",
    ),
    Statistic(
        name="emergent_recall",
        unit="fraction",
        sentence="Of the attributes listed for a pair, the share linked more with it than with its components.",
        equation="listed and above / listed",
        source=f"{_SOURCE}, Q3",
        caveat="A model that calls everything emergent has a recall of 1; compare it with that of a guess.",
    ),
)
