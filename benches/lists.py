"""The bots' frames as most would have written them: cards in ``repeated uint32`` where the contract has ``bytes``.

All else is as in ``carico.v1``, which these messages are derived from, so the contract and its yardstick stay alike.
"""

from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, message_factory

from carico.v1 import bots_pb2, types_pb2

PACKAGE: Final = "benches.lists"

SHAPED: Final = "View"
"""The message whose bytes become lists."""

Field = descriptor_pb2.FieldDescriptorProto


@cache
def list_shaped() -> Any:
    """The class of a frame from the referee."""
    pool = descriptor_pool.DescriptorPool()
    for known in (duration_pb2.DESCRIPTOR, types_pb2.DESCRIPTOR):
        pool.AddSerializedFile(known.serialized_pb)
    file = descriptor_pb2.FileDescriptorProto.FromString(bots_pb2.DESCRIPTOR.serialized_pb)
    own = f".{file.package}."
    moved = {f"{own}{kind.name}" for kind in file.message_type} | {f"{own}{kind.name}" for kind in file.enum_type}
    file.name, file.package = "benches/lists.proto", PACKAGE
    file.ClearField("service")
    for message in file.message_type:
        for field in message.field:
            if field.type_name in moved:
                field.type_name = f".{PACKAGE}.{field.type_name.removeprefix(own)}"
            if message.name == SHAPED and (field.type, field.label) == (Field.TYPE_BYTES, Field.LABEL_OPTIONAL):
                field.type, field.label = Field.TYPE_UINT32, Field.LABEL_REPEATED
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.PlayResponse"))


def plain(message: Any) -> dict[str, Any]:
    """The fields of a message as its class takes them, bytes as lists of numbers."""
    return {field.name: _plain(value) for field, value in message.ListFields()}


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return list(value)
    return plain(value) if hasattr(value, "ListFields") else value
