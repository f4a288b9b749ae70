"""Compiled functions, and what they depend on."""

import pytest

from sim.kernels import jit
from sim.kernels.jit import ENABLED, bind, plain_function, with_names


def one(x):
    return x + 1


def two(x):
    return x + 2


def template(x):
    return step(x)  # noqa: F821 - bound below


def test_a_template_bound_to_other_functions_is_another_function():
    first, second = bind(template, step=jit.kernel(one)), bind(template, step=jit.kernel(two))
    assert (first(10), second(10)) == (11, 12)
    assert plain_function(first).__qualname__ != plain_function(second).__qualname__


def test_a_copy_has_its_names_for_itself():
    copy, other = with_names(template, {"step": one}), with_names(template, {})
    other.__globals__["step"] = two
    assert (copy(10), other(10)) == (11, 12)
    assert "step" not in template.__globals__
    assert (copy.__module__, copy.__qualname__) == (template.__module__, template.__qualname__)


def test_the_cache_knows_every_source_and_flag(monkeypatch, tmp_path):
    for name in ("sim", "strategies"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(jit, "PACKAGES", tmp_path)
    hashed = jit.source_hash.__wrapped__
    before = hashed(("sim",)), hashed(("sim", "strategies"))
    (tmp_path / "strategies" / "a.py").write_text("x = 2\n", encoding="utf-8")
    assert hashed(("sim",)) == before[0]
    assert hashed(("sim", "strategies")) != before[1]
    (tmp_path / "sim" / "b.py").write_text("", encoding="utf-8")
    changed = hashed(("sim",))
    assert changed != before[0]
    monkeypatch.setitem(jit.FLAGS, "boundscheck", not jit.FLAGS["boundscheck"])
    assert hashed(("sim",)) != changed


@pytest.mark.skipif(not ENABLED, reason="without JIT there is nothing to compile")
def test_a_users_function_is_not_cached_by_itself_and_its_places_are_tested():
    @jit.kernel
    def outside(x):
        return x

    assert outside.targetoptions["boundscheck"]
    assert type(outside._cache).__name__ == "NullCache"
