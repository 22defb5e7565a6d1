"""The compiled part of hlolint."""
from typing import Any, Iterator, Optional, Union, overload

__version__: str

class Shape:
    """An array, tuple, token or opaque value, as the text declares it."""
    @property
    def type(self) -> str:
        """Element type, such as 'bf16'."""
    @property
    def dimensions(self) -> tuple[int, ...]:
        """Sizes; bounds of dynamic dimensions, -1 for unbounded ones."""
    @property
    def is_tuple(self) -> bool: ...
    @property
    def is_static(self) -> bool: ...
    @property
    def memory_space(self) -> int:
        """0 is main memory."""
    @property
    def minor_to_major(self) -> Optional[list[int]]:
        """Order of dimensions in memory, the most minor first; None if no layout is written."""
    @property
    def elements(self) -> list[Shape]:
        """Shapes of a tuple's elements."""
    @property
    def bytes(self) -> Optional[int]:
        """Bytes of all arrays without padding; None if unknown."""

class Instruction:
    """One instruction; a view that keeps its module alive."""
    @property
    def name(self) -> str: ...
    @property
    def opcode(self) -> str:
        """The opcode as written, such as 'all-gather-start'."""
    @property
    def shape(self) -> Optional[Shape]:
        """None if the text has none."""
    @property
    def shape_text(self) -> str:
        """The shape as XLA prints it; cheaper than str(shape)."""
    @property
    def operands(self) -> list[Optional[Instruction]]:
        """The operands as instructions; None for a name that the text does not define."""
    @property
    def operand_names(self) -> list[Optional[str]]: ...
    @property
    def users(self) -> list[Instruction]:
        """The instructions with this one as an operand, each once, in text order."""
    @property
    def attributes(self) -> dict[str, Any]:
        """All attributes by name, as Python values."""
    def attribute_text(self, name: str) -> Optional[str]:
        """An attribute's text as written, or None."""
    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata in the text, such as op_name, source_file and source_line."""
    @property
    def called_computations(self) -> list[Computation]: ...
    @property
    def computation(self) -> Computation: ...
    @property
    def is_root(self) -> bool: ...
    @property
    def parameter_number(self) -> Optional[int]:
        """The number of a parameter; None for other instructions."""
    @property
    def text(self) -> str:
        """The line of text."""
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int:
        """From 1."""
    @property
    def column(self) -> int:
        """From 1, in bytes."""

class Instructions:
    """A sequence of instructions, which are made on access."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: int) -> Instruction: ...
    @overload
    def __getitem__(self, i: slice) -> list[Instruction]: ...
    def __iter__(self) -> Iterator[Instruction]: ...

class Computation:
    """One computation; a view that keeps its module alive."""
    @property
    def name(self) -> str: ...
    @property
    def is_entry(self) -> bool: ...
    @property
    def instructions(self) -> Instructions:
        """The instructions in text order, which is the schedule if the module is scheduled."""
    @property
    def root(self) -> Optional[Instruction]: ...
    @property
    def parameters(self) -> list[Instruction]: ...

class Module:
    """An HLO module."""
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def entry(self) -> Optional[Computation]:
        """None if the text has none."""
    @property
    def computations(self) -> list[Computation]: ...
    def computation(self, name: str) -> Optional[Computation]:
        """The computation of this name, or None."""
    @property
    def instructions(self) -> Instructions:
        """The instructions of all computations, in text order."""
    @property
    def is_scheduled(self) -> bool: ...
    @property
    def num_partitions(self) -> int: ...
    @property
    def replica_count(self) -> int: ...
    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of the header, as written."""
    def collectives(self) -> list[dict[str, Any]]:
        """Collectives in text order, as dictionaries; see hlolint.collectives."""

class ParsedFile:
    """The readable content of one text."""
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> bytes:
        """The text that was parsed, decompressed: a copy, as bytes."""
    @property
    def kind(self) -> str:
        """'hlo', 'buffer-assignment', ...; 'unknown' if it is not a dump."""
    @property
    def status(self) -> str:
        """'ok', 'partial' or 'failed'."""
    @property
    def modules(self) -> list[Module]: ...
    @property
    def problems(self) -> list[dict[str, Any]]:
        """The errors as dictionaries with rule, level, message, path, line and column."""

def parse_text(text: bytes, path: str) -> ParsedFile:
    """Parses the bytes of a dump."""

def parse_file(path: str, max_size: int) -> ParsedFile:
    """Reads a file, compressed or not, of at most `max_size` bytes of text."""

def run_command(words: list[str], at_hand: list[ParsedFile], rules: list[dict[str, Any]] = ...) -> tuple[int, str, str]:
    """Runs the command with these arguments; the path of a file in `at_hand` stands for that parsed file.

    `rules` are checked, too. Returns the exit status, the output and the error messages.
    """
