"""As much of JSON Schema as the API's description uses."""

from typing import Any

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def mistakes(value: Any, schema: dict[str, Any], schemas: dict[str, Any], place: str = "$") -> list[str]:
    """Where a value is not what the schema says."""
    if "$ref" in schema:
        return mistakes(value, schemas[schema["$ref"].rpartition("/")[2]], schemas, place)
    found = [one for part in schema.get("allOf", ()) for one in mistakes(value, part, schemas, place)]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, TYPES[kind]) and (kind == "boolean" or value is not True) for kind in kinds):
        return [*found, f"{place}: {value!r} is no {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r} is none of {schema['enum']}")
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{place}: {value} is out of range")
    if isinstance(value, dict):
        found += [f"{place}: no {name}" for name in schema.get("required", ()) if name not in value]
        properties = schema.get("properties", {})
        if properties and "allOf" not in schema:
            found += [
                one
                for name, part in properties.items()
                if name in value
                for one in mistakes(value[name], part, schemas, f"{place}.{name}")
            ]
    if isinstance(value, list) and "items" in schema:
        found += [
            one for i, item in enumerate(value) for one in mistakes(item, schema["items"], schemas, f"{place}[{i}]")
        ]
    return found
