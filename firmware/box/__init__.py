"""The box around the night: its parts, what comes and goes by stick, what the machine and systemd say and are told."""
