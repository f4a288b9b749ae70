"""Studies played: in parallel, with progress, kept as they come; results and where they are stored."""
