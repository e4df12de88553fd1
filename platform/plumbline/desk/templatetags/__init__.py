"""Tags of the templates of the desk and the admin."""
