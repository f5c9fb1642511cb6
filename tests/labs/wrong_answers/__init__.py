"""Realistic wrong answers with the expected findings.

The tasks define most of these mistakes in another form. If a change in a task or a pattern affects
the recognition of mistakes, tests of these answers fail. There is a module for each lab, and a
module with answers from public code.
"""
