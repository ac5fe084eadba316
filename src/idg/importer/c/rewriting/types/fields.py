"""Which variables of a C file have a struct, and the names of the variables that stand for its fields."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from idg.importer.c.text.places import refuse
from idg.importer.c.text.trees import walk
from idg.importer.results import ImportRefused
from idg.sip.record import Record

FIELDS_MAX = 40
"""Fields of one struct, those of structs inside it included. Each becomes a variable, and a program has 200 at most."""
Path = tuple[str, ...]
ANOTHER = "give one of them another name"
VALUE, ARRAY, POINTER = "value", "array", "pointer"


class Field(Record):
    """A field of a struct, or of a struct inside of it."""

    path: Path
    declaration: Any
    """Its own declaration, in the struct."""

    @property
    def is_array(self) -> bool:
        return isinstance(self.declaration.type, c_ast.ArrayDecl)


class StructShape(Record):
    """What kind of variable has a struct."""

    kind: str
    """VALUE, ARRAY or POINTER."""
    struct: Any
    """The node that lists the fields."""
    fields: tuple[Field, ...]


class StructTypes:
    """The structs of a file."""

    def __init__(self, tree: Any) -> None:
        self.tags: dict[str, Any] = {}
        self.typedefs: dict[str, Any] = {}
        for part in walk(tree):
            defined = isinstance(part, c_ast.Struct) and part.decls is not None and part.name
            if defined and self.tags.setdefault(part.name, part) is not part:
                raise refuse(part, f"there are two structs called '{part.name}'", "give one of them another name")
            if isinstance(part, c_ast.Typedef):
                self.typedefs[part.name] = part.type

    def struct_of(self, kind: Any) -> Any:
        """The node that lists the fields, where a type is a struct."""
        inner = kind.type if isinstance(kind, c_ast.TypeDecl) else None
        if isinstance(inner, c_ast.Struct):
            return inner if inner.decls is not None else self.tags.get(inner.name)
        if isinstance(inner, c_ast.IdentifierType) and len(inner.names) == 1 and inner.names[0] in self.typedefs:
            return self.struct_of(self.typedefs[inner.names[0]])
        return None

    def shape_of(self, declaration: Any) -> StructShape | None:
        """What a declared variable is, if it has a struct."""
        kind = VALUE
        declared = declaration.type
        if isinstance(declared, c_ast.ArrayDecl | c_ast.PtrDecl):
            kind = ARRAY if isinstance(declared, c_ast.ArrayDecl) else POINTER
            declared = declared.type
        struct = self.struct_of(declared)
        if struct is None:
            return None
        fields = tuple(self._fields(struct, (), declaration))
        if len(fields) > FIELDS_MAX:
            raise refuse(declaration, f"'{declaration.name}' has {len(fields)} fields, and at most {FIELDS_MAX} are read")
        if kind == ARRAY and any(field.is_array for field in fields):
            raise refuse(declaration, f"'{declaration.name}' is an array of structs that have arrays, which is not read")
        return StructShape(kind, struct, fields)

    def _fields(self, struct: Any, path: Path, used_by: Any) -> list[Field]:
        fields: list[Field] = []
        for field in struct.decls:
            if not isinstance(field, c_ast.Decl) or not field.name or field.bitsize is not None:
                raise refuse(used_by, f"'{used_by.name}' is a struct with a field of some bits, or without a name")
            own = (*path, field.name)
            inner = self.struct_of(field.type)
            element = field.type.type if isinstance(field.type, c_ast.ArrayDecl) else field.type
            if inner is not None:
                fields += self._fields(inner, own, used_by)
            elif (
                isinstance(element, c_ast.TypeDecl)
                and isinstance(element.type, c_ast.IdentifierType)
                and (self.struct_of(element) is None)
            ):
                fields.append(Field(own, field))
            else:
                text = f"'{used_by.name}' is a struct whose field '{field.name}' is no number and no array of numbers"
                raise refuse(used_by, text, "structs of numbers, of arrays of numbers, and of such structs are read")
        return fields

    def known_shape(self, declaration: Any) -> StructShape | None:
        """The same; None where it is not read, too. It may stand where nothing is read, and is refused there otherwise."""
        try:
            return self.shape_of(declaration)
        except ImportRefused:
            return None


class StructTable:
    """Which variables of a file have a struct, by their names. Variables that have others get names of their own."""

    def __init__(self, tree: Any) -> None:
        self.types = StructTypes(tree)
        self.taken: set[str] = set()
        self.flat: dict[tuple[str, Path], str] = {}
        """The variable and the path → the name of the variable that stands for the field."""
        self.shapes: dict[str, StructShape] = {}
        if not any(isinstance(part, c_ast.Struct) for part in walk(tree)):
            return
        named = (part for part in walk(tree) if isinstance(part, c_ast.ID | c_ast.Decl | c_ast.FuncDef))
        self.taken = {getattr(part, "name", "") or "" for part in named}
        self._find(tree)

    def _find(self, tree: Any) -> None:
        """Finds the variables, those of the file first; where a function has another one of the same name, it is renamed."""
        of_file = {node.name for node in tree.ext if isinstance(node, c_ast.Decl)}
        plain: set[str] = set()
        functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
        for scope in (c_ast.FileAST([node for node in tree.ext if node not in functions]), *functions):
            by_name: dict[str, list[Any]] = {}
            for part in variables(scope):
                by_name.setdefault(part.name, []).append(part)
            for name, declared in by_name.items():
                shapes = [self.types.known_shape(part) for part in declared]
                if any(not _alike(shape, shapes[0]) for shape in shapes):
                    raise refuse(declared[-1], f"two variables called '{name}' have different structs", ANOTHER)
                same = _alike(self.shapes.get(name), shapes[0]) if name in self.shapes.keys() | plain else True
                final = name
                if not same:
                    if name in of_file and not _is_parameter(name, scope):
                        raise refuse(declared[0], f"a variable called '{name}' of the file has another struct", ANOTHER)
                    final = self.fresh(name)
                    _rename(scope, name, final)
                if shapes[0] is None:
                    plain.add(final)
                else:
                    self.shapes[final] = shapes[0]

    def fresh(self, wanted: str) -> str:
        """A name that the file does not have."""
        name, number = wanted, 1
        while name in self.taken:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def name_of(self, variable: str, field: Field) -> str:
        """The variable that stands for the field of this one."""
        key = variable, field.path
        if key not in self.flat:
            self.flat[key] = self.fresh("_".join((variable, *field.path)))
        return self.flat[key]


def _alike(one: StructShape | None, other: StructShape | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.kind == other.kind and one.struct is other.struct


def _is_parameter(name: str, function: Any) -> bool:
    declared = function.decl.type.args if isinstance(function, c_ast.FuncDef) else None
    return declared is not None and any(getattr(param, "name", None) == name for param in declared.params)


def _rename(node: Any, old: str, new: str) -> None:
    """Gives a variable of a function another name; fields may have the old one."""
    if isinstance(node, c_ast.ID | c_ast.Decl) and node.name == old:
        node.name = new
    if isinstance(node, c_ast.TypeDecl) and node.declname == old:
        node.declname = new
    for slot, child in node.children():
        is_field = isinstance(node, c_ast.StructRef) and slot == "field"
        is_field = is_field or (isinstance(node, c_ast.NamedInitializer) and slot.startswith("name"))
        if not is_field and not isinstance(node, c_ast.Struct | c_ast.Union):
            _rename(child, old, new)


def variables(tree: Any) -> list[Any]:
    """The declarations of variables, those of parameters included where the function has a body."""
    parts = list(walk(tree))
    others = [part for part in parts if isinstance(part, c_ast.Struct | c_ast.Union)]
    prototypes = tree.ext if isinstance(tree, c_ast.FileAST) else []
    others += [node for node in prototypes if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)]
    not_variables = {id(part) for other in others for part in walk(other)}
    return [
        part
        for part in parts
        if isinstance(part, c_ast.Decl)
        and part.name
        and not isinstance(part.type, c_ast.FuncDecl)
        and id(part) not in not_variables
    ]


def innermost(kind: Any) -> Any:
    """The part of a declared type that has the name."""
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    return kind
