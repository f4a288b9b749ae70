"""What seer counts for reports, against the words of the same games."""

from collections import Counter

from sim import Match, Setup, load_deck, load_game, load_set, side_keys
from sim.seer import layout as L
from strategies import load_strategy


def test_tallies_count_what_happened():
    game, choose = load_game("seer"), load_strategy(load_game("seer"), "random").choose
    seen = Counter()
    for pair in range(6):
        decks = (load_deck(game, "ramp"), load_deck(game, "trick"))
        match = Match(Setup(game, load_set(game), decks, game.rules()))
        match.deal(side_keys(1, "seer", (("ramp", "a"), ("trick", "b"))), pair)
        words = [Counter(), Counter()]
        signs = {card.id: card.sign if card.kind != "mission" else None for card in match.setup.card_set.card}
        shown, ties = {}, 0
        while not match.is_over:
            if match.waits_for_chance:
                match.let_happen()
                continue
            seat, action = match.decider, match.legal[match.ask(choose)]
            kind, *id = action.split()
            words[seat][kind] += 1
            if kind == "play":
                shown[seat] = signs[id[0]]
                if len(shown) == 2:
                    ties += shown[0] == shown[1] and shown[0] is not None
                    shown = {}
            match.act(action)
        for seat, player in enumerate(match.state["players"]):
            found = dict(zip(L.TALLIES, player["tallies"].tolist(), strict=True))
            assert (found["swaps"], found["evolutions"]) == (words[seat]["swap"], words[seat]["evolve"])
            assert (found["missions"], found["supers"]) == (words[seat]["mission"], words[seat]["super"])
            assert found["ties"] == ties
            assert found["attacks"] == sum(found[f"attacks_by_{sign}"] for sign in L.SIGNS)
            rows = player["turn_tallies"].reshape(L.TALLY_TURNS, len(L.TURN_TALLIES))
            assert rows[:, L.N_GAMES].sum() == match.turn
            assert rows[:, L.N_ROUND_DAMAGE].sum() == found["damage"]
            seen.update(found)
        rows = [player["turn_tallies"].reshape(L.TALLY_TURNS, len(L.TURN_TALLIES)) for player in match.state["players"]]
        assert (rows[0][:, L.N_LEADS] + rows[1][:, L.N_LEADS] <= rows[0][:, L.N_GAMES]).all()
        one, two = (dict(zip(L.TALLIES, player["tallies"].tolist(), strict=True)) for player in match.state["players"])
        defences = [sum(x[name] for name in L.TALLIES if name.startswith("defences_by")) for x in (one, two)]
        assert one["attacks"] + two["attacks"] >= sum(defences)  # a defender may have no card
        assert one["ties"] + one["attacks"] + two["attacks"] <= one["battles"] == two["battles"]
    assert all(seen[name] > 0 for name in L.TALLIES)
