"""Tests of listing sentences that can be wrong."""

import list_claims
from list_claims import Claim, claims
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from private_jupyter import REPOSITORY


def notebook():
    no_claims = "Some is. In lessons 04 and 05 it turns. Do all 12 rows differ?"
    markdown = f"""<div lang="en">\n\nAll is [well](a_10.ipynb). {no_claims}\n\n</div>

<div lang="es">\n\nEl código no puede decidirlo.\n\n</div>"""
    html = (
        '<div lang="en"><p>It has <b>7</b> rows.</p><img alt="9 rows here"></div>'
        '<div lang="es"><p>Tiene 7 filas.</p></div>'
    )
    shown = new_output("display_data", {"text/html": html})
    return new_notebook(
        cells=[
            new_code_cell("1", id="before"),
            new_markdown_cell(markdown, id="prose"),
            new_code_cell("show()", id="after", outputs=[shown, shown]),
            new_markdown_cell(markdown, id="references"),
        ]
    )


def test_testable_claim_is_listed_once():
    assert claims(notebook(), "en") == [
        Claim("prose", ("before", "after"), "All is [well]."),
        Claim("after", ("after",), "It has 7 rows."),
    ]
    assert [each.sentence for each in claims(notebook(), "es")] == [
        "El código no puede decidirlo.",
        "Tiene 7 filas.",
    ]


def test_claim_list_ends_with_its_count(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["", str(REPOSITORY / "notebooks" / "10_myths.ipynb")])
    assert list_claims.main() == 0
    first, *listed, count = capsys.readouterr().out.splitlines()
    assert first == "notebooks/10_myths.ipynb" and len(listed) == int(count) > 20
