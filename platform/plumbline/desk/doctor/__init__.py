"""What `manage.py doctor` checks, one line for each subject."""
