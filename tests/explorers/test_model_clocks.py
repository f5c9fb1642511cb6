"""Tests that the explorer of a model's clocks reads configurations in the same way as Python."""

import json
import math
import re

import numpy as np
import pytest
from checks.javascript import in_node
from hypothesis import given
from hypothesis import strategies as st

import course_utils
from course_utils.configurations import read_configuration, released_model, released_models
from course_utils.explorers.base import FOLDER
from course_utils.explorers.model_clocks.model_clocks import (
    LENGTHS,
    TEXTS,
    clocks_at,
    known_names,
    prices,
)
from course_utils.stretching import interpolated_frequencies, ntk_frequencies
from course_utils.text_model import TRAINED_LENGTH, measured_curve
from course_utils.words.text import LANGUAGES

SOURCES = FOLDER / "model_clocks"
ask = in_node(
    "".join(
        f'import {{ {names} }} from "{(SOURCES / file).as_uri()}";\n'
        for file, names in {
            "configuration.js": "readConfiguration",
            "reach.js": "clocksOf, frequenciesFor, settingFor",
            "rejected.js": "Rejected",
            "broken_json.js": "jsonFrom",
            "model_clocks.js": "LENGTHS, stepOf",
        }.items()
    )
)
KNOWN = json.loads(json.dumps(known_names()))
READ = """given.slice(0, -1).map(([mapping, length]) => {
  try {
    return readConfiguration(mapping, given.at(-1)[0], length);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return { reason: error.reason, values: error.values };
  }
})"""


def read_in_javascript(ask, configurations):
    return ask(READ, [*json.loads(json.dumps(configurations)), [KNOWN]])


LLAMA = {**released_model("llama-2-7b").configuration, "rope_theta": 10_000}
WRONG = [
    {**LLAMA, "model_type": "unheard-of"},
    {**LLAMA, "rope_new_trick": 3},
    {**LLAMA, "num_hidden_layers": "many"},
    {name: value for name, value in LLAMA.items() if name != "num_hidden_layers"},
    {**LLAMA, "n_layer": 7},
    {**LLAMA, "rope_scaling": "linear"},
    {**LLAMA, "rope_scaling": {"rope_type": "spiral", "factor": 2}},
    {**LLAMA, "rope_scaling": {"rope_type": "linear"}},
    {**LLAMA, "rope_scaling": {"rope_type": "linear", "factor": "two"}},
    {**LLAMA, "rope_scaling": {"rope_type": "linear", "type": "yarn", "factor": 2}},
    {**LLAMA, "rope_scaling": {"rope_type": "linear", "factor": 2, "beta_fast": 3}},
    {**LLAMA, "rope_scaling": {"rope_type": "yarn", "factor": 2, "truncate": "no"}},
    {**LLAMA, "rope_scaling": {"rope_type": "yarn", "factor": 2, "beta_fast": 1, "beta_slow": 4}},
    {**LLAMA, "rope_scaling": {"rope_type": "longrope", "short_factor": [1], "long_factor": [1]}},
    {**LLAMA, "rope_theta": 7, "rope_parameters": {"rope_theta": 8}},
    {**LLAMA, "rope_parameters": {"rope_type": "default"}, "rope_scaling": {"rope_type": "yarn"}},
    {**LLAMA, "rope_parameters": {"rope_type": "default", "mrope_section": [1, 2, 3]}},
    {**LLAMA, "rope_parameters": {"full_attention": {}, "rope_type": "default"}},
    {**LLAMA, "rope_parameters": {"sliding_attention": {"rope_theta": 9}}},
    {**LLAMA, "layer_types": ["full_attention"]},
    {**LLAMA, "layer_types": ["wide_attention"] * LLAMA["num_hidden_layers"]},
    {**LLAMA, "layer_types": ["sliding_attention"] * LLAMA["num_hidden_layers"]},
    {**LLAMA, "attn_type_list": [1, 0]},
    {**LLAMA, "num_hidden_layers": 10**9},
    {**LLAMA, "model_type": "lfm2"},
    {**LLAMA, "model_type": "lfm2", "full_attn_idxs": [0, 99]},
    {**LLAMA, "model_type": "bamba", "attn_layer_indices": "all"},
    {**released_model("opus-mt-en-de").configuration, "d_model": 3},
    {**released_model("gemma-2-2b").configuration, "sliding_window_pattern": None},
    {**LLAMA, "text_config": dict(LLAMA), "llm_config": dict(LLAMA)},
    {"text_config": dict(LLAMA), "rope_theta": 31},
    {**dict(released_model("smollm3-3b").configuration), "no_rope_layers": [1, 0]},
    {**dict(released_model("command-a").configuration), "order_of_interleaved_layers": "other"},
]
"""Invalid configurations, each with a different error."""


def as_javascript(positions):
    return {
        "modelType": positions.model_type,
        "maxLength": positions.max_length,
        "kinds": [
            {
                "layerType": kind.layer_type,
                "layers": list(kind.layers),
                "scheme": kind.scheme,
                "headDim": kind.head_dim,
                "attentionScaling": pytest.approx(kind.attention_scaling, rel=1e-12),
                "frequencies": pytest.approx(kind.frequencies.tolist(), rel=1e-12),
                "base": kind.base,
                "ropeType": kind.rope_type,
                "trainingLength": kind.training_length,
                "window": kind.window,
                "chunk": kind.chunk,
                "offset": kind.offset,
            }
            for kind in positions.kinds
        ],
    }


@pytest.mark.parametrize(
    "mapping",
    [
        {"model_type": "mamba", "hidden_size": 96, "num_hidden_layers": 5},
        {**LLAMA, "model_type": "lfm2", "full_attn_idxs": [0, 2]},
        {**LLAMA, "model_type": "bamba", "attn_layer_indices": [1]},
        {
            "model_type": "m2m_100",
            "d_model": 64,
            "encoder_layers": 2,
            "decoder_layers": 3,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 8,
        },
    ],
)
def test_javascript_reads_families_without_released_model(ask, mapping) -> None:
    (found,) = read_in_javascript(ask, [[mapping, None]])
    assert found == as_javascript(read_configuration(mapping))


def test_javascript_reads_every_released_model(ask) -> None:
    lengths = (None, 100, 100_000, 2_000_000)
    cases = [(model, length) for model in released_models() for length in lengths]
    found = read_in_javascript(ask, [[dict(model.configuration), n] for model, n in cases])
    for (model, length), each in zip(cases, found, strict=True):
        assert each == as_javascript(model.positions(length=length)), (model.id, length)


def test_javascript_rejects_with_same_message(ask) -> None:
    found = read_in_javascript(ask, [[mapping, None] for mapping in WRONG])
    reasons = set()
    for mapping, each in zip(WRONG, found, strict=True):
        with pytest.raises((ValueError, TypeError)) as rejected:
            read_configuration(mapping)
        sentence = TEXTS["errors"][each["reason"]]["en"].format(**each["values"])
        assert re.sub("[‘’]", "'", re.sub("</?code>", "", sentence)) == str(rejected.value)
        reasons.add(each["reason"])
    assert len(reasons) > 20


NOT_JSON = [
    *('{"a":1,}', '{"a":[1,2,]}', '{"a":1,,"b":2}', '{,"a":1}', '{"a":1,\n "b":2,\n}'),
    *(
        '{"a":1 "b":2}',
        '{"a" 1}',
        '{"a":1\n"b":2}',
        '{"a":"b" "c":1}',
        '{"a":"b"c"}',
        '{"a":[1 2]}',
    ),
    *(
        "{'a':1}",
        "{“a”:1}",
        '{"a":None}',
        '{"a":NaN}',
        '{"a":True}',
        "{a:1}",
        '{"a": tru}',
        '{"ñ": ñ}',
    ),
    *(
        '{"a":-Infinity}',
        '{"a":01}',
        '{"a":.5}',
        '{"a":-}',
        '{ "a": 1e }',
        '{"a":1;"b":2}',
        '{"a"::1}',
    ),
    *(
        '{"a":1',
        '{"a":',
        "{",
        '{"a":"x',
        '{"a":"x\ny"}',
        '{"a":1}}',
        '{"a":1} {"b":2}',
        '{"a":1} x',
    ),
    *(
        '{"a":1]',
        '{"a":[1}',
        '{"a": 1,\n  "b": {"c": 2,\n   "d": [1, 2}\n}',
        '{"a": "b",\n\n "c" "d"}',
    ),
    *('{"a":1 // c\n}', '{\n# c\n"a":1}', '{"a": /* c */ 1}', '{"a": {"b": 1}, "c": {"d" 1}}'),
]
"""Texts that are not valid JSON."""


def test_broken_json_has_same_explanation_in_javascript(ask) -> None:
    parse = READ.replace("readConfiguration(mapping, given.at(-1)[0], length)", "jsonFrom(mapping)")
    found = ask(parse, [*([text, None] for text in NOT_JSON), [None]])
    reasons = set()
    for text, each in zip(NOT_JSON, found, strict=True):
        with pytest.raises(ValueError, match="configuration must be valid JSON: ") as rejected:
            read_configuration(text)
        sentence = TEXTS["errors"][each["reason"]]["en"].format(**each["values"])
        assert re.sub("</?code>", "", sentence) == f"The {rejected.value}", text
        reasons.add(each["reason"])
    assert reasons == {reason for reason in TEXTS["errors"] if reason.startswith("json-")}


def test_every_error_has_sentence_with_its_values() -> None:
    source = "".join(path.read_text("utf-8") for path in sorted(SOURCES.glob("*.js")))
    reasons = set(re.findall(r'(?:reject|new Rejected)\("([\w-]+)"', source))
    assert reasons == set(TEXTS["errors"])


@given(st.integers(*LENGTHS), st.sampled_from([m.id for m in released_models()]))
def test_stretched_frequencies_match_python(ask, length, model_id) -> None:
    mapping = dict(released_model(model_id).configuration)
    for number, kind in enumerate(released_model(model_id).positions().kinds):
        if len(kind.frequencies) < 2 or kind.scheme != "rope" or not kind.frequencies.all():
            continue
        code = f"""['linear', 'ntk'].map((way) => frequenciesFor(
            readConfiguration(given[0], given[1]).kinds[{number}], way, {length}))"""
        linear, ntk = ask(code, [mapping, KNOWN])
        factor = max(1, math.ceil(length / kind.training_length))
        width = 2 * len(kind.frequencies)
        expected = interpolated_frequencies(width, factor, base=kind.base)
        np.testing.assert_allclose(linear, expected, rtol=1e-12)
        np.testing.assert_allclose(ntk, ntk_frequencies(width, factor, base=kind.base), rtol=1e-10)


def test_new_angles_by_loop_over_distances(ask) -> None:
    """A clock has a new angle if a distance turns it to an angle that training lacks."""
    model = released_model("llama-2-7b")
    kind = model.positions().kinds[0]
    length = 20_000
    clocks = ask(
        "clocksOf(readConfiguration(given[0], given[1]).kinds[0], 'none', 20000)",
        [dict(model.configuration), KNOWN],
    )
    for frequency, clock in zip(kind.frequencies, clocks, strict=True):
        seen = min(2 * math.pi, kind.training_length * frequency)
        beyond = any(
            distance * frequency < 2 * math.pi and distance * frequency > seen * (1 + 1e-9)
            for distance in range(kind.training_length, length + 1)
        )
        assert clock["isNew"] == (beyond and seen < 2 * math.pi)


def test_held_clocks_reach_half_of_training_distance(ask) -> None:
    mapping = dict(released_model("llama-2-7b").configuration)
    clocks = ask(
        "clocksOf(readConfiguration(given[0], given[1]).kinds[0], 'hold', 1000000)",
        [mapping, KNOWN],
    )
    held = [clock for clock in clocks if clock["turns"] < 1]
    assert held and all(c["reach"] == pytest.approx(c["turns"] / 2) for c in held)
    assert not any(clock["isNew"] for clock in clocks)


def test_windows_show_no_new_angles(ask) -> None:
    mapping = dict(released_model("mistral-7b").configuration)
    clocks = ask(
        "clocksOf(readConfiguration(given[0], given[1]).kinds[0], 'none', 10000000)",
        [mapping, KNOWN],
    )
    assert clocks and not any(clock["isNew"] for clock in clocks)


def test_still_counts_same_clocks(ask) -> None:
    for model in released_models():
        for number, kind in enumerate(model.positions().kinds):
            if kind.rotated_dimensions == 0:
                continue
            kinds = "readConfiguration(given[0], given[1]).kinds"
            code = f"clocksOf({kinds}[{number}], 'configured', 32000)"
            found = ask(code, [dict(model.configuration), KNOWN])
            turns, reach = clocks_at(kind, 32_000)
            np.testing.assert_allclose([each["turns"] for each in found], turns, rtol=1e-12)
            np.testing.assert_allclose([each["reach"] for each in found], reach, rtol=1e-12)


def test_every_step_of_slider_is_another_length(ask) -> None:
    lengths, steps = ask("[LENGTHS, LENGTHS.map(stepOf)]", None)
    assert (lengths[0], lengths[-1]) == LENGTHS and lengths == sorted(set(lengths))
    assert {1024, 8192, 32_768, 32_000} <= set(lengths)
    assert steps == [*range(len(lengths))]


def test_suggested_setting_is_read_as_drawn(ask) -> None:
    """Python reads the suggested line and computes the frequencies in the drawing."""
    mapping = {**LLAMA, "max_position_embeddings": 8192, "rope_theta": 500_000}
    for way in ("linear", "yarn", "ntk"):
        kinds = "readConfiguration(given[0], given[1]).kinds"
        code = (
            f"[settingFor({kinds}[0], '{way}', 32000), frequenciesFor({kinds}[0], '{way}', 32000)]"
        )
        line, drawn = ask(code, [mapping, KNOWN])
        changed = json.loads("{" + line + "}")
        assert changed.get("max_position_embeddings") == (32_768 if way == "yarn" else None)
        (kind,) = read_configuration(mapping | changed).kinds
        np.testing.assert_allclose(drawn, kind.frequencies, rtol=1e-6)


def test_costs_agree_with_means_over_five_seeds() -> None:
    """The experiment used other texts and five seeds, and averaged over 16 characters."""

    def bits(stretch: str | None) -> float:
        inside = slice(1, TRAINED_LENGTH // 16)
        return np.mean([measured_curve("rope", each, stretch)[inside] for each in LANGUAGES])

    for way, stretch in {"linear": "interpolation", "ntk": "ntk", "yarn": "yarn"}.items():
        assert float(prices()[way]) == pytest.approx(bits(stretch) - bits(None), rel=0.3, abs=0.05)


def test_wrong_arguments_are_named() -> None:
    for arguments, name in (
        ({"chosen": "llama-9"}, "chosen"),
        ({"second": "llama-9"}, "second"),
        ({"way": "magic"}, "way"),
        ({"length": 10}, "length"),
        ({"chosen": {"model_type": "unheard-of"}}, "model_type"),
    ):
        with pytest.raises(ValueError, match=name):
            course_utils.model_clocks_explorer(**arguments)


def test_mapping_is_shown_as_pasted() -> None:
    explorer = course_utils.model_clocks_explorer(LLAMA)
    assert explorer.chosen == "pasted" and json.loads(explorer.pasted) == LLAMA
