#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""table.py TABLE INTERFACE HEADER...: compares the table of the headers with what libclang finds in
them, and what its pointers lead to with the suite's description of messages (spec/interface.xml).

Prints each difference. Structs with a pointer in them are no messages, and are not in the table."""
import json
import sys
import xml.etree.ElementTree

from clang.cindex import CursorKind, Index, TypeKind


def short(name):
    return name[len("wcts_"):] if name.startswith("wcts_") else name


def has_pointer(kind):
    kind = kind.get_canonical()
    if kind.kind in (TypeKind.POINTER, TypeKind.FUNCTIONPROTO):
        return True
    if kind.kind == TypeKind.CONSTANTARRAY:
        return has_pointer(kind.element_type)
    return kind.kind == TypeKind.RECORD and any(has_pointer(one.type) for one in kind.get_fields())


def members(struct, cursor):
    """Offset, size and elements of each member by name, those of anonymous unions included."""
    fields = list(struct.get_fields())
    for union in cursor.get_children():
        if union.kind == CursorKind.UNION_DECL:
            fields += union.type.get_fields()
    return {one.spelling: (struct.get_offset(one.spelling) // 8, one.type.get_size(),
                           one.type.element_count if one.type.kind == TypeKind.CONSTANTARRAY else 0)
            for one in fields if one.spelling}


def read(paths):
    structs, enums, operations = {}, {}, {}
    for path in paths:
        unit = Index.create().parse(path, args=["-std=c11"])
        assert not [one for one in unit.diagnostics if one.severity > 2], list(unit.diagnostics)
        for one in unit.cursor.get_children():
            if not one.spelling.startswith("wcts_"):
                continue
            if one.kind == CursorKind.STRUCT_DECL and one.is_definition() and not has_pointer(one.type):
                structs[short(one.spelling)] = one.type.get_size(), members(one.type, one)
            if one.kind == CursorKind.ENUM_DECL and one.is_definition():
                values = {value.spelling: value.enum_value for value in one.get_children()}
                if one.spelling == "wcts_operation":
                    operations.update({short(name.lower()).upper(): n for name, n in values.items()})
                else:
                    enums[short(one.spelling)] = values
    return structs, enums, operations


def differences(what, found, expected):
    for name in sorted(set(found) | set(expected)):
        if found.get(name) != expected.get(name):
            print(f"{what} {name}: {found.get(name)}, the header has {expected.get(name)}")


def pointers(structs):
    """What is wrong with an array that a pointer of the table leads to."""
    for name, struct in structs.items():
        members = struct["members"]
        for member, one in members.items():
            if one.get("to", "uint8_t") not in {"uint8_t", *structs}:
                print(f"{name}.{member}: leads to {one['to']}, which is no struct")
            if not (one.get("number", "") + "0").isdigit() and one["number"] not in members:
                print(f"{name}.{member}: {one['number']} of them, which is no member")


def described(path, structs):
    """Compares with the structures of the suite: of each pointer with a count, that, and the struct."""
    tree = xml.etree.ElementTree.parse(path)
    of = {one.get("name"): short(one.get("struct")) for one in tree.iter("structure") if one.get("struct")}
    for structure in tree.iter("structure"):
        for member in structure.iter("member"):
            if member.get("type") != "pointer" or not member.get("count") or not structure.get("struct"):
                continue
            found = structs[of[structure.get("name")]]["members"][member.get("field")]
            expected = of[member.get("to").split()[0]] if member.get("to") else "uint8_t"
            if (found.get("to"), found.get("number")) != (expected, member.get("count")):
                print(f"{structure.get('name')}.{member.get('field')}: {found.get('number')} of {found.get('to')}, "
                      f"the suite has {member.get('count')} of {expected}")


def main():
    with open(sys.argv[1]) as file:
        table = json.load(file)
    structs, enums, operations = read(sys.argv[3:])
    pointers(table["structs"])
    described(sys.argv[2], table["structs"])
    differences("struct", {name: (one["size"], {member: (at["offset"], at["size"], at["count"])
                                                for member, at in one["members"].items()})
                           for name, one in table["structs"].items()}, structs)
    differences("enum", table["enums"], enums)
    differences("operation", {name: one["number"] for name, one in table["operations"].items()}, operations)
    for name, one in table["operations"].items():
        for side in ("request", "reply"):
            if one[side] not in structs:
                print(f"operation {name}: its {side} {one[side]} is no struct")
    print(len(structs), "structs,", sum(len(one) for one in enums.values()), "values,",
          len(operations), "operations")


main()
