"""E-mails to people: notices of events, word that a run has ended, and how both are sent."""
