"""What people hand in who have read the lesson and nothing else, and what is found in it.

There is a module for each lab, named like its module of tasks, with

    MISTAKES = {"the-exercise": (("what is found", answer), ...)}

The answer is what somebody writes: a function, a class or a value. What is found is what
``Diagnosis.finding`` says: the ids of misconceptions, in their order and separated by spaces; or,
where none fits, ``pattern.`` and the name of a pattern in ``messages.toml``; or the key of a
message that says it all by itself, such as "raised"; or nothing, "", where the feedback can only say where
the numbers differ.
"""
