"""Functions that PUBLIC may execute by default in PostgreSQL 15 to 18 and that a reader must not.

`judged_functions.txt` beside this file names all others. Somebody looked at each of them, and a test fails for a
function of the running server that is in neither list.
"""

from pathlib import Path

WITHHELD: dict[str, tuple[str, ...]] = {
    "writes": (
        r"lo_(creat|create|from_bytea|open|put|truncate|truncate64|unlink)",
        "lowrite",
        "pg_logical_emit_message",
        "pg_notify",
        "pg_export_snapshot",
        "(txid_current|pg_current_xact_id)",
        "binary_upgrade_.*",
        "brin_(de)?summarize_.*",
        "gin_clean_pending_list",
        "pg_(clear|restore)_(attribute|relation)_stats",
        "pg_(create|copy|drop)_.*replication_slot",
        "pg_logical_slot_.*",
        "pg_replication_slot_advance",
        "pg_sync_replication_slots",
        "pg_(import_system_collations|extension_config_dump|nextoid|stop_making_pinned_objects)",
    ),
    "signals other processes": ("pg_(cancel|terminate)_backend", "pg_rotate_logfile_old"),
    "holds locks": ("pg_(try_)?advisory_.*",),
    "sleeps": ("pg_sleep.*",),
    "reads files": (
        "pg_read_file_old",
        "pg_control_.*",
        "pg_available_(extensions|extension_versions|wal_summaries)",
        "pg_(extension_update_paths|get_loaded_modules|get_wal_summarizer_state|wal_summary_contents)",
    ),
    "changes settings": ("set_config",),
    "runs a text as a query, or reads whole schemas": (
        "(query|cursor|table|schema|database)_to_xml.*",
        "ts_stat",
        "ts_rewrite",
    ),
}
"""Regular expressions of names, by the reason."""
PATTERN = f"^({'|'.join(one for names in WITHHELD.values() for one in names)})$"
JUDGED = Path(__file__).with_name("judged_functions.txt")
CALLABLE = """
    prorettype NOT IN ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
    AND NOT 'internal'::regtype::oid = ANY (proargtypes::oid[])
"""
"""The condition of functions that a query can call."""


def judged() -> frozenset[str]:
    """Return the names of the functions that somebody judged harmless for a reader."""
    return frozenset(JUDGED.read_text(encoding="utf-8").split())
