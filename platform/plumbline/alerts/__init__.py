"""Rules that judge each finished run, and the alerts that they raise: in the inbox, by mail and by webhook."""
