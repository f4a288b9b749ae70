"""What to play: studies, sweeps, projects to begin with."""
