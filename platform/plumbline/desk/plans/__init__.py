"""What a plan holds, how it changed, and the forms that build one."""
