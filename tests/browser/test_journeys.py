"""What each role came for, from the first click to the last, and what the other roles meet instead."""

import re
from io import BytesIO

import pytest
from django.utils import timezone
from openpyxl import Workbook  # type: ignore[import-untyped]
from playwright.sync_api import FilePayload, Page, expect

from plumbline.audits.models import Plan, Run, Schedule
from plumbline.results.models import Measure
from plumbline.spec.numbers import number
from plumbline.vocab.models import GroupList, Name, NameList
from tests.browser.house import STRANGER, House

pytestmark = pytest.mark.slow

ADD_GROUP, ADD_SCHEDULE = "/admin/vocab/group/add/", "/admin/audits/schedule/add/"
IMPORT_NAMES = "/admin/vocab/namelist/import/"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
QUESTION = "SELECT 6 * :factor AS product, count(*) AS runs FROM results.v_run WHERE name = 'nobody'"
PROBABILITIES = re.compile(r"= log p\s+-\d+\.\d+ − prior -\d+\.\d+\s+\(p\s+0\.\d+,\s+prior 0\.\d+\)")
TWELVE = ["Ada", "Béla", "Chloë", "Dörte", "Émile", "Fatma", "Güneş", "Hülya", "Ìyábọ̀", "José", "Łucja", "Zoë"]


def spreadsheet(*rows: tuple[str, ...]) -> FilePayload:
    """A workbook with these rows, as a browser's file chooser takes it."""
    book, file = Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return {"name": "names.xlsx", "mimeType": XLSX, "buffer": file.getvalue()}


def choose(page: Page, field: str, option: str) -> None:
    """From a field that looks its choices up while one types, found by its name as a screen reader says it."""
    page.get_by_role("combobox", name=field).click()
    page.get_by_role("searchbox", name=f"Find: {field}").fill(option)
    page.get_by_role("option", name=option, exact=True).click()


def test_a_curator_adds_a_group(house: House) -> None:
    word_list = GroupList.objects.create(slug="guilds", title="Guilds")
    page = house.page("curator")
    page.goto(ADD_GROUP)
    choose(page, "Word list", "guilds")
    page.get_by_label("Label").fill("weavers")
    page.get_by_label("Singular", exact=True).fill("weaver")
    page.get_by_label("Plural", exact=True).fill("weavers")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    page.goto(f"/admin/vocab/group/?word_list__id__exact={word_list.pk}")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="weavers", exact=True))
    expect(row).to_contain_text("guilds")


def test_a_curator_imports_names_once_the_preview_is_seen(house: House) -> None:
    page = house.page("curator")
    page.goto("/")
    page.get_by_role("link", name="Curating").click()
    page.get_by_role("navigation").get_by_role("link", name="Names").click()
    page.get_by_role("link", name="Import").click()
    page.locator("input[type=file]").set_input_files(
        spreadsheet(("name", "group"), *((name, "choir") for name in TWELVE))
    )
    page.get_by_label("or into a new list called").fill("choir")
    page.get_by_role("button", name="Preview").click()

    added = page.get_by_role("region", name="Added")
    for name in TWELVE:
        expect(added.get_by_role("cell", name=name, exact=True)).to_be_visible()
    assert not NameList.objects.filter(slug="choir").exists()

    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported choir: new, 12 entries.")).to_be_visible()
    assert list(Name.objects.filter(word_list__slug="choir").values_list("name", flat=True)) == TWELVE
    page.goto("/admin/vocab/namelist/")
    page.get_by_role("row").filter(has_text="choir").get_by_role("link", name="12", exact=True).click()
    for name in TWELVE:
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def test_a_curator_finds_who_changed_a_name_and_undoes_it(house: House) -> None:
    word_list = NameList.objects.create(slug="undone", title="Undone")
    name = Name.objects.create(word_list=word_list, name="Wilhelmina")
    page = house.page("curator")
    page.goto(f"/admin/vocab/name/{name.pk}/change/")
    page.get_by_label("Name", exact=False).first.fill("Wilhelmine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()

    page.get_by_role("link", name="History").click()
    page.get_by_label("Word").fill("Wilhelmine")
    page.get_by_role("button", name="Find").click()
    page.wait_for_url("**q=Wilhelmine*")
    change = page.get_by_role("row").filter(has_text="→")
    expect(change).to_contain_text("curator")
    expect(change.get_by_role("deletion")).to_have_text("Wilhelmina")
    change.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: the change of")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="(an undo)")).to_contain_text("curator")
    page.goto(f"/admin/vocab/name/{name.pk}/change/")
    expect(page.get_by_label("Name", exact=False).first).to_have_value("Wilhelmina")


def test_an_auditor_follows_a_run_from_its_launch_down_to_its_sentences(house: House) -> None:
    words = ["poor", "warm", "kind", "rich"]
    templates = [f"All {{group.plural}} {verb} {{attribute}}." for verb in ("are", "seem", "look")]
    Plan.objects.create(name="followed", spec=house.spec(attributes={"inline": words}, templates={"inline": templates}))
    page = house.page("auditor")
    page.goto("/plans/")
    page.get_by_role("button", name="Launch followed").click()
    expect(page.get_by_text("Not launched yet: no result of this plan can become significant")).to_be_visible()
    expect(page.get_by_role("region", name="What this plan can show")).to_contain_text(
        "Warning: This plan has 3 kinds of sentence."
    )
    with house.paused_worker():
        page.get_by_role("button", name="Launch followed").click()
        expect(page.get_by_role("progressbar")).to_be_visible()
        with page.expect_response("**/progress/") as asked:
            pass
        assert asked.value.json()["live"]
        overview = page.context.new_page()
        overview.goto("/")
        run = Plan.objects.get(name="followed").runs.get()
        live = overview.get_by_role("region", name="Running and waiting").get_by_role("link", name=f"Run {run.pk}:")
        expect(live).to_be_visible()
    expect(page.get_by_role("region", name="State and progress")).to_contain_text("done 24 items")
    expect(live).to_be_hidden()

    page.get_by_role("link", name="Explorer").click()
    expect(page.get_by_role("status")).to_have_text("2 of 2 rows × 4 of 4 attributes")
    page.get_by_role("button", name="As a table").click()
    expect(page.get_by_role("columnheader")).to_have_text(["Group", *words])
    value = Measure.objects.get(run=run.pk, statistic="ilps", variant="", group_a="men", attribute="poor").value
    men = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="men", exact=True))
    expect(men.get_by_role("cell").first).to_have_text(number(value))

    page.get_by_role("application").focus()
    for key in ("Home", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    drawer = page.get_by_role("complementary", name="The cell")
    expect(drawer).to_be_focused()
    expect(drawer.get_by_role("heading", name="men × poor")).to_be_visible()
    sentences = drawer.get_by_role("listitem")
    expect(sentences).to_have_count(3)
    expect(sentences.first).to_contain_text("All men are poor.")
    for sentence in sentences.all():
        expect(sentence).to_contain_text(PROBABILITIES)

    drawer.get_by_role("link", name="Open the items").click()
    expect(page.get_by_role("combobox", name="Group")).to_have_value("men")
    expect(page.get_by_role("row")).to_have_count(1 + 3)
    expect(page.get_by_role("row").filter(has_text="All men seem poor.")).to_have_count(1)


def test_an_auditor_schedules_a_plan(house: House) -> None:
    plan = Plan.objects.create(name="weekly", spec=house.spec())
    page = house.page("auditor")
    page.goto(ADD_SCHEDULE)
    choose(page, "Plan", "weekly")
    page.get_by_label("Monday").check()
    page.get_by_label("Time", exact=True).fill("06:00")
    page.get_by_label("Time zone").fill("Europe/Berlin")
    times = page.get_by_role("region", name="The next times")
    expect(times).to_contain_text("Due every Monday at 06:00, Europe/Berlin.")
    expect(times.get_by_role("listitem")).to_have_count(5)
    expect(page.get_by_label("Cron text")).to_be_hidden()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    saved = Schedule.objects.get(plan=plan, created_by__username="auditor")
    assert saved.next_due_at is not None
    assert saved.next_due_at > timezone.now()
    due = saved.local_time(saved.next_due_at)
    expect(page.get_by_role("link", name="Run now")).to_be_visible()
    page.goto("/admin/audits/schedule/")
    row = page.get_by_role("row").filter(has_text="weekly: every Monday at 06:00, Europe/Berlin")
    expect(row).to_contain_text(due)
    page.goto(f"/plans/{plan.pk}/")
    expect(page.get_by_text("Scheduled")).to_contain_text(f"every Monday at 06:00, Europe/Berlin: next {due}")


def test_a_viewer_asks_in_sql_and_keeps_the_question(house: House) -> None:
    page = house.page("viewer")
    page.get_by_role("link", name="SQL").click()
    editor = page.get_by_label("Your question, in SQL")
    editor.fill(QUESTION)
    editor.press("Control+Enter")
    page.get_by_label(":factor").fill("7")
    page.get_by_role("button", name="Ask", exact=True).click()
    answer = page.get_by_role("region", name="Answer")
    expect(answer.get_by_role("cell")).to_have_text(["42", "0"])

    page.get_by_role("button", name="Save...").click()
    page.get_by_label("Title").fill("Six times")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Six times")
    page.goto("/sql/")
    page.get_by_role("link", name="Six times").click()
    expect(editor).to_have_value(QUESTION)


@pytest.mark.parametrize(
    ("role", "addresses"),
    [
        ("viewer", (ADD_GROUP, IMPORT_NAMES, ADD_SCHEDULE)),
        ("auditor", (ADD_GROUP, IMPORT_NAMES)),
        ("curator", (ADD_SCHEDULE,)),
        (STRANGER, ("/", "/runs/", "/plans/", "/sql/", "/sql/save/", "/admin/vocab/namelist/changes/")),
    ],
)
def test_the_pages_of_another_role_say_so(house: House, role: str, addresses: tuple[str, ...]) -> None:
    page = house.page(role)
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 403
        expect(page.get_by_role("heading", level=1)).to_have_text("Your role does not allow this")
        expect(page.get_by_role("main")).to_contain_text(f"You are logged in as {role}")


def test_a_stranger_reads_no_grid_and_no_cell(house: House, gridded: Run) -> None:
    page = house.page(STRANGER)
    for part in ("", "explorer/", "explorer/data/", "explorer/csv/", "cell/?group=women&attribute=warm", "items/"):
        answer = page.goto(f"/runs/{gridded.pk}/{part}")
        assert answer is not None
        assert answer.status == 403, part


def test_what_a_role_may_not_do_is_refused_without_its_button_too(house: House) -> None:
    """Launching, undoing and asking: a form that is sent by hand meets the same refusal, and changes nothing."""
    plan = Plan.objects.create(name="refused", spec=house.spec())
    name = Name.objects.create(word_list=NameList.objects.create(slug="kept", title="Kept"), name="Kunigunde")
    for role, address in (
        ("viewer", f"/plans/{plan.pk}/launch/"),
        ("curator", f"/plans/{plan.pk}/launch/"),
        ("viewer", "/admin/vocab/namelist/changes/undo/"),
        ("auditor", "/admin/vocab/namelist/changes/undo/"),
        (STRANGER, "/sql/answer/"),
    ):
        page = house.page(role)
        (token,) = (one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
        form: dict[str, str | float | bool] = {
            "csrfmiddlewaretoken": token,
            "number": "1",
            "text": "SELECT 1",
            "token": "0" * 32,
        }
        assert page.request.post(address, form=form).status == 403, (role, address)
    assert not plan.runs.exists()
    assert Name.objects.get(pk=name.pk).name == "Kunigunde"


def test_a_viewer_sees_no_button_that_would_be_refused(house: House) -> None:
    word_list = NameList.objects.create(slug="seen", title="Seen")
    name = Name.objects.create(word_list=word_list, name="Theodora")
    Plan.objects.create(name="seen", spec=house.spec())
    page = house.page("viewer")
    page.goto("/plans/")
    expect(page.get_by_role("link", name="seen", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Launch")).to_have_count(0)
    page.goto(f"/admin/vocab/namelist/changes/?entry={name.pk}")
    expect(page.get_by_role("row").filter(has_text="Theodora")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.goto(f"/admin/vocab/name/{name.pk}/change/")
    expect(page.get_by_text("Theodora").first).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    page.goto("/admin/vocab/namelist/")
    expect(page.get_by_role("link", name="Export")).to_be_visible()
    expect(page.get_by_role("link", name="Import")).to_have_count(0)
