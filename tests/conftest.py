import os

os.environ.setdefault("KOMI_BOUNDSCHECK", "1")  # before numba: kernels that test their indices

import pytest

from sim.kernels.jit import ENABLED
from sim.library import game_names, load_game


def pytest_collection_modifyitems(items):
    if not ENABLED:
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="plays more games than is bearable without JIT"))


@pytest.fixture(params=game_names())
def game(request):
    return load_game(request.param)
