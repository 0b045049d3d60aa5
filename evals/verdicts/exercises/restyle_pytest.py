"""Tests of unittest as plain functions with assert, as people who use pytest write them; exits 1 where that is not the same."""

import ast
import sys

COMPARED = {
    "assertEqual": ast.Eq, "assertListEqual": ast.Eq, "assertDictEqual": ast.Eq, "assertTupleEqual": ast.Eq,
    "assertMultiLineEqual": ast.Eq, "assertNotEqual": ast.NotEq, "assertIs": ast.Is, "assertIsNot": ast.IsNot,
    "assertIn": ast.In, "assertNotIn": ast.NotIn, "assertGreater": ast.Gt, "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE,
}  # fmt: skip


class Plain(ast.NodeTransformer):
    def visit_Expr(self, node):
        call = node.value
        if not (isinstance(call, ast.Call) and named(call.func)):
            return self.generic_visit(node)
        name, args = call.func.attr, [self.visit(one) for one in call.args]
        if name in COMPARED:
            test = ast.Compare(args[0], [COMPARED[name]()], [args[1]])
        elif name == "assertTrue":
            test = args[0]
        elif name == "assertFalse":
            test = ast.UnaryOp(ast.Not(), args[0])
        elif name in ("assertIsNone", "assertIsNotNone"):
            test = ast.Compare(args[0], [ast.Is() if name == "assertIsNone" else ast.IsNot()], [ast.Constant(None)])
        elif name == "assertIsInstance":
            test = ast.Call(ast.Name("isinstance", ast.Load()), args[:2], [])
        else:
            return node
        return ast.Assert(test, None)

    def visit_With(self, node):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and named(call.func) and call.func.attr == "assertRaises":
                item.context_expr = ast.Call(ast.parse("pytest.raises").body[0].value, call.args, [])
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        node = self.generic_visit(node)
        # What the context of assertRaises calls `exception` is `value` with pytest.
        if node.attr == "exception" and isinstance(node.value, ast.Name):
            node.attr = "value"
        return node


def named(function):
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self"


def main():
    tree = ast.parse(sys.stdin.read())
    body = [ast.parse("import pytest").body[0]]
    for node in tree.body:
        if isinstance(node, ast.Import) and [one.name for one in node.names] == ["unittest"]:
            continue
        if not isinstance(node, ast.ClassDef):
            body.append(node)
            continue
        for one in node.body:
            if not (isinstance(one, ast.FunctionDef) and one.name.startswith("test") and not one.decorator_list):
                sys.exit(1)
            one.args.args = []
            body.append(Plain().visit(one))
    tree.body = body
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    names = {one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name)}
    if names & {"self", "unittest"}:
        sys.exit(1)
    print(text.replace("\ndef ", "\n\ndef "), end="")


main()
