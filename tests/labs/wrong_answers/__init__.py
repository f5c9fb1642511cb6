"""Wrong answers as other people write them, and what is to be found in each.

The tasks know most of these mistakes in another form. Whoever changes those, or a pattern, finds
out here what is no longer recognised. There is a module for each lab, and another one
with answers from public code.
"""
