"""The runs on whose evidence people judged findings, or whose answers in text they judged."""

from plumbline.audits.models import Run
from plumbline.findings.models import AnswerJudgement, Finding
from plumbline.spec.numbers import counted


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": a judgement rests on its evidence."""
    judged = Finding.objects.filter(judged_run=run.pk).count()
    if judged:
        return f"judgements of {counted(judged, 'finding')} rest on it"
    answers = AnswerJudgement.objects.filter(run=run).count()
    return f"people judged {counted(answers, 'answer')} of it" if answers else ""
