"""Sample texts for tests in all languages of the course."""

from course_utils.words.text import BETWEEN, LANGUAGES, Text


def everywhere(words: str) -> Text:
    """Create a text with the same words in every language, except for the language code."""
    return Text(*(words.replace("{code}", code) for code in LANGUAGES))


def in_every_language(texts: dict[str, str]) -> dict[str, str]:
    """Create a text in every language, in which missing languages repeat the English text."""
    return {language: texts.get(language, texts["en"]) for language in LANGUAGES}


def text(english: str, spanish: str) -> Text:
    """Create a Text from two languages."""
    return Text(*in_every_language({"en": english, "es": spanish}).values())


def prose(heading: dict[str, str], texts: dict[str, str]) -> str:
    """Create a Markdown cell with a numbered heading."""
    spans = [f'<span lang="{x}">{words}</span>' for x, words in in_every_language(heading).items()]
    parts = [
        f'<div lang="{x}">\n\n{words}\n\n</div>' for x, words in in_every_language(texts).items()
    ]
    return "\n\n".join([f"## 2 · {BETWEEN.join(spans)}", *parts]) + "\n"


def changed(source: str, old: str, new: str) -> str:
    """Replace a part of the source, which must exist."""
    assert old in source
    return source.replace(old, new)
