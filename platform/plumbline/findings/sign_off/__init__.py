"""Sign-off of runs and of releases by a second person."""
