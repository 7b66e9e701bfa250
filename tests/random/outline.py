"""Some statements of a program become the body of a function that it calls."""


def outline(program, random):
    """One run of statements, or two, or all of them."""
    count = len(program.statements)
    if random.random() < 0.2:
        program.statements = [s.moved_to(1) for s in program.statements]
        return
    for group in range(1, random.choice((2, 2, 3))):
        first = random.randrange(count) if count else 0
        for i in range(first, min(count, first + random.randint(1, 6))):
            if program.statements[i].group == 0:
                program.statements[i] = program.statements[i].moved_to(group)
    program.split_groups()


class Function:
    """A run of statements with one group number: what goes in, and what something else reads."""

    def __init__(self, program, statements):
        self.statements = statements
        made = {id(v) for s in statements for v in s.results}
        inputs = {id(v): v for s in statements for v in s.operands if id(v) not in made}
        self.inputs = list(inputs.values())
        inside = {id(s) for s in statements}
        read = {id(v) for s in program.statements if id(s) not in inside for v in s.operands}
        read |= {id(v) for _, v, _ in program.outputs}
        self.outputs = [v for s in statements for v in s.results if id(v) in read]

    def dims(self, names):
        """In the order of names: those that the function speaks of."""
        shapes = [v.shape for s in self.statements for v in (*s.operands, *s.results)]
        shapes += [s.sizes for s in self.statements]
        used = {name for shape in shapes for size in shape for name in size.names()}
        return [name for name in names if name in used]

    def follows(self, name):
        """Does the dim follow from the shape of an argument?"""
        return any(str(size) == name for v in self.inputs for size in v.shape)
