"""What the keys of a file may say, read from its model: for spreadsheets and for files to begin with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

VAST = 10**12  # a bound that nobody meets


def keys(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """List the keys of a file or a table in it.

    Parameters
    ----------
    model : type
        A pydantic model.

    Returns
    -------
    dict of str to dict
        The JSON schema of each key's values, without references, in the order of the model.
    """
    schema = model.model_json_schema()
    found: dict[str, dict[str, Any]] = _resolved(schema, schema.get("$defs", {}))["properties"]
    return found


def _resolved(schema: Any, known: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolved(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        schema = {
            **known[schema["$ref"].removeprefix("#/$defs/")],
            **{key: value for key, value in schema.items() if key != "$ref"},
        }
    return {key: _resolved(value, known) for key, value in schema.items() if key != "$defs"}


def forms(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """List the forms that a value may have: one, for most keys; "nothing" is none."""
    arms = schema.get("anyOf") or schema.get("oneOf")
    if arms is None:
        return [] if schema.get("type") == "null" else [schema]
    return [form for arm in arms for form in forms(arm)]


def is_words(form: dict[str, Any]) -> bool:
    """Tell whether a form is a list of words."""
    return form.get("type") == "array" and form["items"].get("type") == "string"


def allowed(schema: dict[str, Any]) -> str:
    """Say in words which values a key may have: ``"1 to 99"``, ``"guard, compel or pierce"``."""
    return ", or ".join(_allowed(form) for form in forms(schema))


def _allowed(form: dict[str, Any]) -> str:
    if "const" in form:
        return str(form["const"])
    if "enum" in form:
        *most, last = form["enum"]
        return f"{', '.join(most)} or {last}" if most else str(last)
    if form.get("type") == "array":
        most = form.get("maxItems")
        count = f"{most} " if most is not None and most == form.get("minItems") else ""
        inner = "texts" if form["items"] == {"type": "string"} else allowed(form["items"])
        return f"a list of {count}{'numbers, ' if form['items'].get('type') == 'integer' else ''}{inner}"
    if "properties" in form:
        return "{ " + ", ".join(form["properties"]) + " }"
    if form.get("type") in ("integer", "number"):
        if "exclusiveMinimum" in form:
            return f"more than {form['exclusiveMinimum']:g}, less than {form['exclusiveMaximum']:g}"
        low, high = form.get("minimum", -VAST), form.get("maximum", VAST)
        if high >= VAST:
            return "an integer" if low <= -VAST else f"at least {low}"
        return f"{low} to {high}"
    return {"boolean": "true or false", "string": "a text", "object": "a table"}[form["type"]]
