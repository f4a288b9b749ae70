"""The colours of pictures."""

INK, MUTED, FAIR = "#22313f", "#7b8a97", "#dfeee3"
COLOURS = ("#1f77b4", "#d9822b", "#2a9d6f", "#8e5bb5", "#c23b4b", "#7a6a53", "#4aa3b8", "#9b9b3a")
VERDICT_COLOURS = {"fair": "#2a9d6f", "favours first": "#c23b4b", "favours second": "#8e5bb5", "not decided": MUTED}
