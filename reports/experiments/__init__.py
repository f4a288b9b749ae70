"""What plays studies of its own or compares them: knock-outs, ladders, tuning, planning, comparisons."""
