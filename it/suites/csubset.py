"""Reads the subset of C in which small one-sided tests are written, and returns it as nested tuples.

Statements: ("decl", type, name, sizes, value, static), ("expr", e), ("if", e, s, s), ("for", s, e, e, s),
("while", e, s), ("do", s, e), ("block", [s]), ("return", e), ("continue",), ("pragma", words, s or None).
Expressions: ("num", n), ("str",), ("name", n), ("call", e, [e]), ("index", e, e), ("un", op, e), ("post", op, e),
("bin", op, e, e), ("assign", op, e, e), ("cast", type, e), ("sizeof", type), ("list", [e]), ("literal", type, [e]).
A call and a statement end with the number of their line. A type is (name, number of stars).
"""

import re

TOKEN = re.compile(r'(?P<pragma>#pragma[^\n]*)|(?P<skip>\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)|(?P<str>"(?:\\.|[^"\\])*")'
                   r"|(?P<num>\d[\w.]*)|(?P<name>[A-Za-z_]\w*)"
                   r"|(?P<sign>\+\+|--|->|&&|\|\||[-+*/%<>=!&|]=|[-+*/%<>=!&|~^(){}\[\];,.?:])", re.S)
SIZES = {"void": 1, "char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "double": 8, "int64_t": 8, "uint64_t": 8,
         "size_t": 8, "volatile": 0, "gaspi_atomic_value_t": 8}
TYPE = re.compile(r"(unsigned|u?int\d+_t|size_t|void|char|short|int|float|long|double|gaspi_\w+_t|shmem_\w+_t"
                  r"|MPI_(Win|Group|Info|Status|Request|Datatype|Comm))$")
QUALIFIERS = ("const", "static", "volatile", "register", "inline")
LEVELS = (("||",), ("&&",), ("|",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
          ("*", "/", "%"))
# Pragmas that belong to no statement after them.
ALONE = ("barrier", "taskwait")


class Unreadable(Exception):
    """Text outside of the subset."""


class Parser:
    def __init__(self, text):
        self.defines = dict(re.findall(r"^#define (\w+) (\S+)", text, re.M))
        self.tokens, line, at = [], 1, 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Unreadable(f"line {line}: {text[at:at + 10]!r}")
            if match.lastgroup != "skip":
                word = self.defines.get(match[0], match[0])
                self.tokens.append((match.lastgroup if word == match[0] else "num", word, line))
            line += match[0].count("\n")
            at = match.end()
        self.tokens.append(("end", "", line))
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def line(self):
        return self.tokens[self.at][2]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, word):
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def expect(self, word):
        if not self.accept(word):
            raise Unreadable(f"line {self.line()}: {word!r} expected, {self.peek()!r} found")

    def functions(self):
        """Returns {name: ([parameter names], block)}."""
        found = {}
        while self.peek():
            if self.accept("__attribute__"):
                self.skip_parentheses()
                continue
            self.type()
            name = self.next()[1]
            self.expect("(")
            parameters = []
            while not self.accept(")"):
                self.type()
                if self.peek() not in ",)":
                    parameters.append(self.next()[1])
                while self.accept("["):
                    self.expect("]")
                self.accept(",")
            found[name] = parameters, self.statement()
        return found

    def skip_parentheses(self):
        self.expect("(")
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.next()[1], 0)

    def is_type(self, ahead=0):
        return self.peek(ahead) in QUALIFIERS or bool(TYPE.match(self.peek(ahead)))

    def type(self):
        name, static = None, False
        while self.is_type():
            word = self.next()[1]
            static |= word == "static"
            if word not in QUALIFIERS:
                name = word
        self.static = static
        return name, self.stars()

    def stars(self):
        stars = 0
        while self.peek() in ("*", "const"):
            stars += self.next()[1] == "*"
        return stars

    def statement(self):
        kind, word, line = self.tokens[self.at]
        if kind == "pragma":
            self.next()
            words = word.split()[2:]
            return "pragma", words, None if words[0] in ALONE else self.statement(), line
        if self.accept("{"):
            block = []
            while not self.accept("}"):
                block.append(self.statement())
            return "block", block, line
        if self.accept(";"):
            return "block", [], line
        if self.accept("if"):
            condition, then = self.parenthesised(), self.statement()
            return "if", condition, then, self.statement() if self.accept("else") else ("block", [], line), line
        if self.accept("for"):
            self.expect("(")
            first = self.statement()
            condition = self.expression()
            self.expect(";")
            step = self.expression()
            self.expect(")")
            return "for", first, condition, step, self.statement(), line
        if self.accept("while"):
            return "while", self.parenthesised(), self.statement(), line
        if self.accept("do"):
            body = self.statement()
            self.expect("while")
            condition = self.parenthesised()
            self.expect(";")
            return "do", body, condition, line
        if self.accept("return"):
            value = None if self.peek() == ";" else self.expression()
            self.expect(";")
            return "return", value, line
        if self.accept("continue"):
            self.expect(";")
            return "continue", line
        if self.is_type():
            return self.declaration(line)
        value = self.expression()
        self.expect(";")
        return "expr", value, line

    def declaration(self, line):
        base, static = self.type(), self.static
        declared = []
        while True:
            stars = base[1] if not declared else self.stars()
            if self.accept("("):  # a pointer to a function
                self.expect("*")
                name = self.next()[1]
                self.expect(")")
                self.skip_parentheses()
                stars = 1
            else:
                name = self.next()[1]
            sizes = []
            while self.accept("["):
                sizes.append(None if self.peek() == "]" else self.expression())
                self.expect("]")
            value = self.initialiser() if self.accept("=") else None
            declared.append(("decl", (base[0], stars), name, sizes, value, static, line))
            if self.accept(";"):
                return declared[0] if len(declared) == 1 else ("declarations", declared, line)
            self.expect(",")

    def initialiser(self):
        if not self.accept("{"):
            return self.assignment()
        values = []
        while not self.accept("}"):
            values.append(self.initialiser())
            self.accept(",")
        return "list", values

    def parenthesised(self):
        self.expect("(")
        value = self.expression()
        self.expect(")")
        return value

    def expression(self):
        return self.assignment()

    def assignment(self):
        left = self.binary(0)
        if self.peek() in ("=", "+=", "-="):
            return "assign", self.next()[1], left, self.assignment()
        return left

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            left = "bin", self.next()[1], left, self.binary(level + 1)
        return left

    def unary(self):
        if self.peek() in ("*", "&", "-", "!", "++", "--"):
            return "un", self.next()[1], self.unary()
        if self.accept("sizeof"):
            self.expect("(")
            kind = self.type()
            self.expect(")")
            return "sizeof", kind
        if self.peek() == "(" and self.is_type(1):
            self.expect("(")
            kind = self.type()
            array = self.accept("[")
            if array:
                self.expect("]")
            self.expect(")")
            if array:
                return "literal", kind, self.initialiser()[1]
            return "cast", kind, self.unary()
        return self.postfix(self.primary())

    def postfix(self, value):
        while True:
            line = self.line()
            if self.accept("("):
                arguments = []
                while not self.accept(")"):
                    arguments.append(self.assignment())
                    self.accept(",")
                value = "call", value, arguments, line
            elif self.accept("["):
                value = "index", value, self.expression()
                self.expect("]")
            elif self.peek() in ("++", "--"):
                value = "post", self.next()[1], value
            else:
                return value

    def primary(self):
        if self.peek() == "(":
            return self.parenthesised()
        kind, word, line = self.next()
        if kind == "num":
            digits = re.match(r"0x[\da-fA-F]+|\d+", word)[0]
            return "num", int(digits, 0)
        if kind == "str":
            while self.tokens[self.at][0] == "str":
                self.next()
            return ("str",)
        if kind == "name":
            return "name", word
        raise Unreadable(f"line {line}: an expression expected, {word!r} found")
