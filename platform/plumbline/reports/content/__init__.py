"""The content of a report, subject by subject, read from the database and kept small."""
