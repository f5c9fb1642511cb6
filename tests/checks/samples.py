"""Sample texts for tests in all languages of the course."""

from course_utils.words.text import BETWEEN, LANGUAGES, Text


def everywhere(words: str) -> Text:
    """The same words in every language, but for its code, where they have a place for it."""
    return Text(*(words.replace("{code}", code) for code in LANGUAGES))


def in_every_language(said: dict[str, str]) -> dict[str, str]:
    """A language without words here says what English says."""
    return {language: said.get(language, said["en"]) for language in LANGUAGES}


def text(english: str, spanish: str) -> Text:
    """A Text from two languages."""
    return Text(*in_every_language({"en": english, "es": spanish}).values())


def prose(heading: dict[str, str], said: dict[str, str]) -> str:
    """A prose cell with a numbered heading."""
    spans = [f'<span lang="{x}">{words}</span>' for x, words in in_every_language(heading).items()]
    parts = [
        f'<div lang="{x}">\n\n{words}\n\n</div>' for x, words in in_every_language(said).items()
    ]
    return "\n\n".join([f"## 2 · {BETWEEN.join(spans)}", *parts]) + "\n"


def changed(source: str, old: str, new: str) -> str:
    """The source with a part replaced that must be there."""
    assert old in source
    return source.replace(old, new)
