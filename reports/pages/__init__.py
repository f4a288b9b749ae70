"""What a person reads or takes along: report folders, pages, summaries, logs, exports."""
