"""What the pages of all rooms share: tabs, charts, files, titles, roles and filters of templates."""
