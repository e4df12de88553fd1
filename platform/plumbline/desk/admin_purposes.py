"""What each table of the admin is for, and what to do while it is empty. A test requires an entry for each table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Purpose:
    """`for_what`: a sentence for all pages of a table. `next_step`: a sentence for the empty table."""

    for_what: str
    next_step: str


_BY_ITSELF = "Nothing to do here: rows appear by themselves."

PURPOSES = {
    "accounts.activityentry": Purpose(
        "Who signed in, and who changed roles, exported or deleted something. Entries cannot be changed or deleted."
        " Changes of words, plans, models and findings stand in the history of each.",
        _BY_ITSELF,
    ),
    "alerts.delivery": Purpose(
        "Each alert that goes to a webhook, with its attempts.", "Create a webhook and a set of rules first."
    ),
    "alerts.ruleset": Purpose(
        "Rules that judge each finished run. A broken rule raises an alert.", "Add the first set of rules."
    ),
    "alerts.webhook": Purpose("Addresses of other programs that receive each alert.", "Add the first webhook."),
    "audits.addedword": Purpose(
        "Words that people added to a finished run of the indirect score.",
        "Open the explorer of such a run and add a word there.",
    ),
    "audits.comparison": Purpose(
        "What changed from each run to the run before it of the same plan and model.",
        "Launch a plan twice; the second run is compared by itself.",
    ),
    "audits.comparisonrequest": Purpose(
        "Comparisons of two runs that people asked for.", "Choose two runs on the page Compare."
    ),
    "audits.launch": Purpose(
        "What became of each due time of a schedule.", "Add a schedule, or choose Run now on one."
    ),
    "audits.maprequest": Purpose(
        "Maps of the targets of a run that people asked for.", "Open the map of a run of the indirect score."
    ),
    "audits.methodagreement": Purpose(
        "How far the methods of a model agree.", "Open a model with runs of two methods, and ask there."
    ),
    "audits.modelcheck": Purpose("What a worker found when it loaded a model.", "Add a model under audit."),
    "audits.modelunderaudit": Purpose(
        "The models that the team audits, with title, tags and owner.", "Add the first model, or launch a plan."
    ),
    "audits.notice": Purpose(
        "Mail about schedules, with the attempts to send it.", "Add a mail address to a schedule."
    ),
    "audits.paddingcomparison": Purpose(
        "How often scores change with the padding text of the indirect score.",
        "Ask for one on the page of an indirect run.",
    ),
    "audits.plan": Purpose(
        "Named audits that can be launched again and again.", "Add the first plan, or run 'manage.py plans starter'."
    ),
    "audits.queuemove": Purpose("Who moved which run in the queue.", "Move a run on the page Queue."),
    "audits.run": Purpose(
        "All audits that were launched, with their phases. The desk shows their results.", "Launch a plan."
    ),
    "audits.schedule": Purpose("Plans that are launched at fixed times.", "Add the first schedule."),
    "audits.shard": Purpose("The parts of a run that workers execute one by one.", "Launch a plan."),
    "audits.snapshot": Purpose("The words of runs as they were at the launch.", "Launch a plan."),
    "audits.spellingrequest": Purpose(
        "How the tokenizers of models split the words of lists.", "Open Confounds on the page of a list."
    ),
    "audits.variant": Purpose(
        "Models that were changed to show less bias, with their cards.", "Run 'manage.py model debias'."
    ),
    "audits.wordtest": Purpose(
        "Tests of whether the words of a list differ by group.", "Open Confounds on the page of a list."
    ),
    "audits.workerprocess": Purpose(
        "The programs that execute runs, with what each does now.", "Start them with 'make up'."
    ),
    "auth.group": Purpose("The roles, and what each may do.", "Run 'manage.py migrate', which writes the roles."),
    "auth.user": Purpose("Who has an account, and which roles.", "Invite somebody on the page “People and roles”."),
    "axes.accessattempt": Purpose("Refused sign-ins, by name and network address.", _BY_ITSELF),
    "axes.accessfailurelog": Purpose("Each refused sign-in, one by one.", _BY_ITSELF),
    "axes.accesslog": Purpose("Sign-ins and sign-outs.", _BY_ITSELF),
    "findings.signoffrule": Purpose(
        "What must hold before a run or a release is signed off.",
        "Run 'manage.py migrate', which writes the conditions.",
    ),
    "reports.framework": Purpose("Laws and standards that reports refer to.", "Add the first law or standard."),
    "reports.mappingversion": Purpose(
        "The points of laws as each report used them. A version never changes.", "Make a report of a run."
    ),
    "reports.provision": Purpose(
        "The points of laws and standards, and the evidence that helps with each.", "Add the first point."
    ),
    "results.association": Purpose("Scores of single items, as a worker wrote them.", "Launch a plan."),
    "results.choice": Purpose("Answers to questions with a few options, as a worker wrote them.", "Launch a plan."),
    "results.effect": Purpose("Effect sizes of embedding association tests.", "Launch a plan of WEAT or CEAT."),
    "results.measure": Purpose("The statistics of runs, with interval and q-value.", "Launch a plan."),
    "vocab.attribute": Purpose("Single words of all attribute sets.", "Add an attribute set first."),
    "vocab.attributeset": Purpose(
        "Words that an audit links with groups, such as occupations.",
        "Import a file, or run 'manage.py vocab starter'.",
    ),
    "vocab.bank": Purpose(
        "Questions of published data sets, or of your own files.", "Run 'manage.py bank import', or make an own bank."
    ),
    "vocab.bankitem": Purpose("The single questions of all banks.", "Import a bank first."),
    "vocab.group": Purpose("Single social groups of all group lists.", "Add a group list first."),
    "vocab.grouplist": Purpose(
        "Lists of social groups with their forms.", "Import a file, or run 'manage.py vocab starter'."
    ),
    "vocab.name": Purpose("Single first names of all name lists.", "Add a name list first."),
    "vocab.namelist": Purpose(
        "Lists of first names that stand for groups.", "Import a file, or run 'manage.py vocab starter'."
    ),
    "vocab.pairing": Purpose("Single rules for making pairs of groups.", "Add a list of rules first."),
    "vocab.pairinglist": Purpose(
        "Rules by which two groups make a pair, such as Black and woman.",
        "Import a file, or run 'manage.py vocab starter'.",
    ),
    "vocab.rating": Purpose("Single ratings of groups by people.", "Add a list of ratings first."),
    "vocab.ratinglist": Purpose(
        "What people say about groups, with which scores of models are compared.",
        "Import a file, or release the answers of a survey.",
    ),
    "vocab.sentencetemplate": Purpose("Single sentence templates of all lists.", "Add a template list first."),
    "vocab.templatelist": Purpose(
        "Lists of sentences with slots for groups and words.", "Import a file, or run 'manage.py vocab starter'."
    ),
    "vocab.traitlist": Purpose(
        "Lists of opposite traits, such as powerless and powerful.",
        "Import a file, or run 'manage.py vocab starter'.",
    ),
    "vocab.traitpair": Purpose("Single pairs of opposite traits of all lists.", "Add a trait list first."),
}


def purpose_of(label: str) -> Purpose | None:
    """Return the purpose of a table, given as `app.model`, or None for a page that belongs to no table."""
    return PURPOSES.get(label)
