"""Where the rules are symmetric, so are the results."""

from pathlib import Path

import pytest
import tomli_w

from reports.play.run import run_study
from reports.tables import pairs_table

SPIRITS = [("a", "rock", (90, 100, 110)), ("b", "scissors", (110, 90, 100)), ("c", "paper", (100, 110, 90))]


def symmetric_set(folder: Path) -> Path:
    """Write a set without effects, missions and supers: nothing is then done by one player before the other that
    touches both.
    """
    cards = []
    for name, sign, attack in SPIRITS:
        by_sign = dict(zip(("rock", "scissors", "paper"), attack, strict=True))
        common = {"name": name, "en": name, "sign": sign, "element": "x", "slots": []}
        cards.append({"id": name, "kind": "spirit", "stage": "basic", "line": name, "attack": by_sign, **common})
        cards.append({"id": f"{name}-move", "kind": "move", "attack": 80, "defence": 30, **common})
    deck = {"game": "seer", "set": "plain", "name": "plain", "cards": {card["id"]: 6 for card in cards}}
    (folder / "decks").mkdir()
    (folder / "plain.toml").write_text(
        tomli_w.dumps({"game": "seer", "set": "plain", "version": 1, "card": cards}), encoding="utf-8"
    )
    (folder / "decks" / "plain.toml").write_text(tomli_w.dumps(deck), encoding="utf-8")
    study = {
        "game": "seer",
        "set": "plain.toml",
        "decks": ["plain"],
        "strategies": ["random"],
        "pairs": 20_000,
        "rules": {"copies": 6},
    }
    (folder / "study.toml").write_text(tomli_w.dumps(study), encoding="utf-8")
    return folder / "study.toml"


@pytest.mark.compiled
def test_without_effects_no_seat_is_better(tmp_path):
    (row,) = pairs_table(run_study(symmetric_set(tmp_path))).to_dict("records")
    error = (row["first_win_high"] - row["first_win_low"]) / (2 * 1.96)
    assert error < 0.004
    assert abs(row["first_win_rate"] - 0.5) < 4.5 * error
