"""What decisions rest on: runs on whose evidence people judged findings or answers, and plans that have findings."""

from plumbline.audits.models import Plan, Run
from plumbline.findings.models import AnswerJudgement, Finding
from plumbline.spec.numbers import counted


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": a judgement rests on its evidence."""
    judged = Finding.objects.filter(judged_run=run.pk).count()
    if judged:
        return f"judgements of {counted(judged, 'finding')} rest on it"
    answers = AnswerJudgement.objects.filter(run=run).count()
    return f"people judged {counted(answers, 'answer')} of it" if answers else ""


def plan_kept_because(plan: Plan) -> str:
    """Return why a plan may only be archived, or "": the sign-off of a release asks for all findings of its plans."""
    found = Finding.objects.filter(plan=plan).count()
    return f"plan {plan}: {counted(found, 'finding')} of its runs rest on it; archive it instead" if found else ""
