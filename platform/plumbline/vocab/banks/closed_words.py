"""Closed word classes of English, and verbs with two objects, by which neutral.py recognises the roles of pronouns."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    """
    a about after again all alone along also although an and another anymore any anyway are around as at away
    because before behind but by could did do does down during either else even ever every except for from had
    has have he he'd he'll he's her here hers herself him himself his how i i'd i'm if in instead into is it it's its
    just like me my myself near never nor not of off on once onto or our out over she she'd she'll she's should
    since so some than that the their them themselves then there they they'd they'll they're they've theirs
    these this those though through till to today together tomorrow tonight too toward towards under unless
    until up us very was we were what whatever when whenever where whether which while who why will with within
    without would yesterday yet you your
    """
)
"""Words that show a "her" before them to be an object ("told her that"): none of them begins what somebody owns."""

PREPOSITIONS = _words(
    """
    about across after against along among around at before behind below beneath beside between beyond by
    despite down during for from in inside into near of off on onto out outside over past round through
    throughout to toward towards under until up upon with within without
    """
)

TWO_OBJECTS = _words(
    """
    allow allowed ask asked asking bought bring brought buy buying call called calling caught consider
    considered drive driving drove feed feeding fed feel felt find found gave gaved get gets getting give given
    gives giving got had hand handed has have having hear heard help helped helping helps hit hug hugged invite
    invited keep keeping keeps kept kiss kissed leave leaves leaving left let lets letting lend lent made make
    makes making name named offer offered owe owed paid pass passed pay paying pick picked read save saved saw
    see seeing seen sees sell send sending sent serve served shot show showed showing shown sold take takes
    taking teach taught tell telling told took want wanted watch watched watching wish wished
    """
)
"""Verbs behind which "her" may be the first of two objects: "gave her money", "made her laugh", "saw her painting"."""

OWNED = _words(
    """
    arm arms aunt beliefs birthday body boss boyfriend breath brother brothers buddies child children classmates
    clothes cousin coworkers coworker dad daughter daughters debt dreams ears eyes face family father feelings
    feet fingers foot friend friends girlfriend grandfather grandma grandmother grandpa grandparents hair hand
    hands head heart house husband identity job kids knee leg legs life lips mind mom mother mouth name neck
    neighbor neighbors neighbour neighbours niece nephew own parents partner pals pants puppy reputation
    roommate sister sisters son sons stomach teeth throat tooth twins uncle waist way wife
    """
)
"""Nouns that show a "her" before them to be a possessive, whatever precedes it."""

UNSURE = _words(
    """
    back hello goodbye goodnight farewell really two three four five ten twenty fifty hundred
    """
)
"""Words that follow an object "her" or begin what she owns ("hurt her back", "called her back")."""

ADVERBS = _words(
    """
    also always already almost barely certainly ever finally first hardly indeed just later maybe merely mostly
    nearly never now often once only perhaps quickly quite rarely really recently seldom simply sometimes soon
    still suddenly then therefore too usually
    """
)

IRREGULAR = {
    "is": "are",
    "isn't": "aren't",
    "was": "were",
    "wasn't": "weren't",
    "has": "have",
    "hasn't": "haven't",
    "does": "do",
    "doesn't": "don't",
    "aches": "ache",
    "focuses": "focus",
}
"""Verbs of the third person whose plural does not follow from their ending."""
