"""A program turned into Python code, made once for each number of players, choice of settings and way of running."""

from interpreter.specialise.analysis import Mode
from interpreter.specialise.code import Code, make_code

__all__ = ["Code", "Mode", "make_code"]
