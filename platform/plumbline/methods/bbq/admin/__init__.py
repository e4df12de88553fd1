"""BBQ in the admin: pages that make banks and propose words."""
