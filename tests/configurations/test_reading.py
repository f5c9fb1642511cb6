"""Tests of reading configurations, with all spellings and errors, against plain loops."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.configurations import read_configuration, released_model, released_models

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 2,
    "max_position_embeddings": 4096,
    "rope_theta": 10_000.0,
}
WINDOWED = {
    "model_type": "gemma3_text",
    "num_hidden_layers": 6,
    "head_dim": 32,
    "max_position_embeddings": 4096,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}


def frequencies_of(mapping, **options):
    (kind,) = read_configuration(mapping, **options).kinds
    return kind.frequencies


widths = st.integers(2, 128).map(lambda half: 2 * half)
bases = st.floats(10, 1e7)
factors = st.floats(1, 64)


@settings(max_examples=60, deadline=None)
@given(width=widths, base=bases, factor=factors)
def test_linear_divides_each_frequency(width, base, factor):
    rule = {"type": "linear", "factor": factor}
    read = frequencies_of(LLAMA | {"head_dim": width, "rope_theta": base, "rope_scaling": rule})
    expected = [base ** (-2 * k / width) / factor for k in range(width // 2)]
    np.testing.assert_allclose(read, expected, rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(width=widths, base=bases, factor=factors, trained=st.integers(64, 100_000))
def test_llama3_slows_pairs_by_number_of_turns(width, base, factor, trained):
    rule = {"rope_type": "llama3", "factor": factor, "low_freq_factor": 1, "high_freq_factor": 4}
    rule["original_max_position_embeddings"] = trained
    read = frequencies_of(LLAMA | {"head_dim": width, "rope_theta": base, "rope_scaling": rule})
    for k, frequency in enumerate(read):
        plain = base ** (-2 * k / width)
        turns = plain * trained / (2 * math.pi)
        if turns <= 1:
            expected = plain / factor
        elif turns >= 4:
            expected = plain
        else:
            share = (turns - 1) / 3
            expected = share * plain + (1 - share) * plain / factor
        assert frequency == pytest.approx(expected, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(width=widths, base=bases, factor=factors, trained=st.integers(512, 100_000))
def test_yarn_mixes_by_pair_number(width, base, factor, trained):
    rule = YARN | {"factor": factor, "original_max_position_embeddings": trained}
    mapping = LLAMA | {"head_dim": width, "rope_theta": base, "rope_scaling": rule}
    (kind,) = read_configuration(mapping).kinds

    def pair(turns):
        return width * math.log(trained / turns / 2 / math.pi, base) / 2

    first = max(math.floor(pair(32)), 0)
    last = min(math.ceil(pair(1)), width - 1)
    for k, frequency in enumerate(kind.frequencies):
        plain = base ** (-2 * k / width)
        share = min(max((k - first) / ((last - first) or 0.001), 0), 1)
        expected = plain * (1 - share) + plain / factor * share
        assert frequency == pytest.approx(expected, rel=1e-6)
    assert kind.attention_scaling == pytest.approx(0.1 * math.log(factor) + 1)


@settings(max_examples=40, deadline=None)
@given(width=widths.filter(lambda w: w > 2), factor=factors, length=st.integers(1, 10**6))
def test_dynamic_scaling_starts_after_training_length(width, factor, length):
    rule = {"type": "dynamic", "factor": factor}
    mapping = LLAMA | {"head_dim": width, "rope_scaling": rule}
    read = frequencies_of(mapping, length=length)
    longer = max(length, 4096) / 4096
    base = 10_000 * (factor * longer - factor + 1) ** (width / (width - 2))
    np.testing.assert_allclose(read, [base ** (-2 * k / width) for k in range(width // 2)])
    if length <= 4096:
        np.testing.assert_array_equal(read, frequencies_of(LLAMA | {"head_dim": width}))


@settings(max_examples=40, deadline=None)
@given(data=st.data(), width=widths)
def test_longrope_divides_by_short_or_long(data, width):
    divisors = st.lists(st.floats(1, 64), min_size=width // 2, max_size=width // 2)
    rule = {"type": "longrope", "short_factor": data.draw(divisors)}
    rule["long_factor"] = data.draw(divisors)
    mapping = LLAMA | {"head_dim": width, "rope_scaling": rule}
    mapping["original_max_position_embeddings"] = 512
    for length, name in ((None, "short"), (512, "short"), (513, "long")):
        (kind,) = read_configuration(mapping, length=length).kinds
        plain = [10_000 ** (-2 * k / width) for k in range(width // 2)]
        expected = np.array(plain) / rule[f"{name}_factor"]
        np.testing.assert_allclose(kind.frequencies, expected)
        assert kind.attention_scaling == pytest.approx(math.sqrt(1 + math.log(8, 512)))
        assert kind.training_length == 512


@settings(max_examples=40, deadline=None)
@given(width=st.sampled_from([64, 128, 256, 512]), share=st.sampled_from([0.25, 0.5, 0.75, 1.0]))
def test_proportional_frequencies_span_head(width, share):
    rule = {"rope_type": "proportional", "partial_rotary_factor": share}
    mapping = LLAMA | {"head_dim": width, "rope_parameters": rule}
    (kind,) = read_configuration(mapping).kinds
    n_turned = int(width * share) // 2
    assert kind.rotated_dimensions == 2 * n_turned
    expected = [10_000 ** (-2 * k / width) for k in range(n_turned)]
    np.testing.assert_allclose(kind.frequencies[:n_turned], expected)
    assert not kind.frequencies[n_turned:].any()


@settings(max_examples=40, deadline=None)
@given(share=st.sampled_from([0.25, 0.5, 0.75]), width=st.sampled_from([64, 80, 128]))
def test_partial_frequencies_span_rotated_part(share, width):
    d_turned = int(width * share)
    read = frequencies_of(LLAMA | {"head_dim": width, "partial_rotary_factor": share})
    np.testing.assert_allclose(read, [10_000 ** (-2 * k / d_turned) for k in range(d_turned // 2)])


def test_file_text_mapping_agree(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    expected = frequencies_of(LLAMA)
    for source in (path, str(path), json.dumps(LLAMA), json.dumps(LLAMA, indent=2)):
        np.testing.assert_array_equal(frequencies_of(source), expected)


def by_type(read):
    return {kind.layer_type: kind for kind in read.kinds}


def test_gemma3_spellings_agree():
    old = WINDOWED | {"rope_theta": 1e6, "rope_local_base_freq": 1e4}
    old |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}, "sliding_window": 512}
    far = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}
    near = {"rope_type": "default", "rope_theta": 1e4}
    rules = {"full_attention": far, "sliding_attention": near}
    new = WINDOWED | {"rope_parameters": rules, "sliding_window": 512}
    wrapped = {"model_type": "gemma3", "text_config": old}
    expected = by_type(read_configuration(old))
    assert expected["full_attention"].frequencies[0] == 1 / 8
    assert expected["sliding_attention"].frequencies[0] == 1
    assert expected["sliding_attention"].window == 512
    for mapping in (new, wrapped):
        found = by_type(read_configuration(mapping))
        for name, kind in expected.items():
            np.testing.assert_array_equal(found[name].frequencies, kind.frequencies)


def test_llama4_marks_layers_without_positions():
    kinds = released_model("llama-4-scout").positions().kinds
    assert [(kind.scheme, kind.chunk, kind.query_growth) for kind in kinds] == [
        ("rope", 8192, 0.0),
        ("none", None, 0.1),
    ]
    assert kinds[1].layers == tuple(range(3, 48, 4))


def test_kimi_k3_has_no_positions():
    assert {kind.scheme for kind in released_model("kimi-k3").positions().kinds} == {"none"}


NEMOTRON = {
    "model_type": "nemotron_h",
    "head_dim": 128,
    "max_position_embeddings": 8192,
    "rope_theta": 10_000,
}


def test_nemotron_lists_layers_by_letter_or_name():
    letters = NEMOTRON | {"num_hidden_layers": 4, "hybrid_override_pattern": "M-*E"}
    names = NEMOTRON | {"layers_block_type": ["mamba", "mlp", "attention", "moe"]}
    for mapping in (letters, names):
        kinds = by_type(read_configuration(mapping))
        assert kinds["full_attention"].layers == (2,)
        assert {kind.scheme for kind in kinds.values()} == {"none"}


def test_state_spaces_have_neither_heads_nor_positions():
    mapping = {"model_type": "falcon_mamba", "hidden_size": 4096, "num_hidden_layers": 64}
    (kind,) = read_configuration(mapping).kinds
    assert (kind.layer_type, kind.scheme, kind.head_dim) == ("linear_attention", "none", 0)


def test_null_overrides_default_of_family():
    windowed, open_ended = LLAMA | {"model_type": "mistral"}, {"sliding_window": None}
    (kind,) = read_configuration(windowed).kinds
    assert kind.window == 4096
    (kind,) = read_configuration(windowed | open_ended).kinds
    assert (kind.layer_type, kind.window) == ("full_attention", None)


def test_keys_of_other_parts_are_ignored():
    others = {"use_unified_vision_chunk": True, "mtp_hybrid_override_pattern": "*E"}
    others |= {"num_local_experts": 8, "attn_type_list": [1, 1]}
    np.testing.assert_array_equal(frequencies_of(LLAMA | others), frequencies_of(LLAMA))


@pytest.mark.parametrize(
    ("model", "offset", "length"), [("roberta-base", 2, 512), ("opt-1.3b", 2, 2048)]
)
def test_learned_tables_state_their_offset(model, offset, length):
    (kind,) = released_model(model).positions().kinds
    assert (kind.scheme, kind.offset, kind.training_length) == ("learned", offset, length)


def test_released_models_are_all_read():
    models = released_models()
    assert len(models) >= 25
    assert {2017, 2026} <= {model.year for model in models}
    for model in models:
        layers = [layer for kind in model.positions().kinds for layer in kind.layers]
        assert sorted(layers) == list(range(len(layers))), model.id
        assert model.source.startswith("https://"), model.id


REJECTED = {
    "rope_type in rope_scaling must be one of": LLAMA | {"rope_scaling": {"type": "other"}},
    "rope_type is 'linear' but type is 'yarn'": LLAMA
    | {"rope_scaling": {"rope_type": "linear", "type": "yarn", "factor": 2.0}},
    "low_freq_factor in rope_scaling has no meaning": LLAMA
    | {"rope_scaling": {"type": "linear", "factor": 2.0, "low_freq_factor": 1.0}},
    "factor is missing in rope_scaling": LLAMA | {"rope_scaling": {"type": "linear"}},
    "factor in rope_scaling must be at least 1": LLAMA
    | {"rope_scaling": {"type": "linear", "factor": 0.5}},
    "factor in rope_scaling must be a number above 0": LLAMA
    | {"rope_scaling": {"type": "linear", "factor": "4"}},
    "rope_scaling must contain names and values": LLAMA | {"rope_scaling": 4.0},
    "rope_theta is 10000.0 in the configuration but 500000": LLAMA
    | {"rope_parameters": {"rope_type": "default", "rope_theta": 500_000}, "model_type": "cohere"},
    "rope_parameters and rope_scaling both define": LLAMA
    | {"rope_parameters": YARN, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "rope_theta_scale may change positions": LLAMA | {"rope_theta_scale": 2.0},
    "use_alibi_bias may change positions": LLAMA | {"use_alibi_bias": True},
    "position_embedding_type must be": LLAMA | {"position_embedding_type": "relative_key"},
    "model_type must be a family that the course knows": LLAMA | {"model_type": "unheard"},
    "max_position_embeddings is missing": {
        name: value for name, value in LLAMA.items() if name != "max_position_embeddings"
    },
    "num_hidden_layers must be a whole number": LLAMA | {"num_hidden_layers": 2.5},
    "head_dim is missing, and hidden_size 65": LLAMA | {"hidden_size": 65},
    "partial_rotary_factor in rope_parameters must rotate an even": LLAMA
    | {"partial_rotary_factor": 0.1},
    "num_hidden_layers is 2 but n_layer is 3": LLAMA | {"n_layer": 3},
    "layer_types must contain a name for each of 6 layers; got 1": WINDOWED
    | {"layer_types": ["full_attention"]},
    "layer_types may contain only": WINDOWED | {"layer_types": ["other_attention"] * 6},
    "rope_parameters has no entry for sliding_attention": WINDOWED
    | {"rope_parameters": {"full_attention": {"rope_theta": 1e6}}},
    "factor in rope_parameters is next to": WINDOWED
    | {"rope_parameters": {"full_attention": {"rope_theta": 1e6}, "factor": 8.0}},
    "far_attention in rope_parameters is not a layer type": WINDOWED
    | {"rope_parameters": {"far_attention": {"rope_theta": 1e6}}},
    "no_rope_layers must contain 1": LLAMA | {"model_type": "smollm3", "no_rope_layers": [1]},
    "mrope_section in rope_scaling must divide 16 pairs": LLAMA
    | {"rope_scaling": {"type": "default", "mrope_section": [1, 2, 3]}},
    "short_factor in rope_scaling must contain a number for each of 16": LLAMA
    | {"rope_scaling": {"type": "longrope", "short_factor": [1.0], "long_factor": [1.0]}},
    "original_max_position_embeddings is 512 in the configuration but 1024": LLAMA
    | {"rope_scaling": YARN, "original_max_position_embeddings": 512},
    "sliding_window is missing": LLAMA
    | {"model_type": "qwen2", "use_sliding_window": True, "max_window_layers": 1},
    "rope_theta is 10000.0 in the configuration but 500000.0 in its text_config": {
        "rope_theta": 10_000.0,
        "text_config": LLAMA | {"rope_theta": 500_000.0},
    },
    "num_hidden_layers must be at most 10000": LLAMA | {"num_hidden_layers": 10**12},
    "sliding_window_pattern is missing": WINDOWED | {"sliding_window_pattern": None},
    "hidden_size must be even and at least 4": {"pos": "timing", "num_hidden_layers": 1}
    | {"hidden_size": 2, "num_heads": 1},
    "attn_type_list must contain only the value 1 for each of 2 layers": LLAMA
    | {"attn_type_list": [1, 0]},
    "hybrid_override_pattern must contain M, *, - or E for each of 2": NEMOTRON
    | {"num_hidden_layers": 2, "hybrid_override_pattern": "MX"},
    "order_of_interleaved_layers must be": LLAMA
    | {"model_type": "cohere2", "order_of_interleaved_layers": "global_attn_first"},
    "linear_attn_config must list each layer": LLAMA
    | {"model_type": "kimi_linear", "linear_attn_config": {"full_attn_layers": [1]}},
}


@pytest.mark.parametrize("message", REJECTED)
def test_error_names_key(message):
    with pytest.raises(ValueError) as error:
        read_configuration(REJECTED[message])
    text = str(error.value)
    assert text.startswith(message)
    assert text.endswith(".") and "\n" not in text


@pytest.mark.parametrize("source", ["no/such/file.json", "{broken", "{", "[1]", "\0"])
def test_unreadable_source_is_rejected(source):
    with pytest.raises(ValueError, match="configuration must"):
        read_configuration(source)


@pytest.mark.parametrize("source", [None, 3, [1]])
def test_source_of_wrong_kind_is_rejected(source):
    with pytest.raises(TypeError, match="configuration must be a mapping"):
        read_configuration(source)


def test_read_as_takes_another_family():
    mapping = LLAMA | {"model_type": "my_model"}
    expected = frequencies_of(LLAMA)
    np.testing.assert_array_equal(frequencies_of(mapping, read_as="llama"), expected)
    with pytest.raises(ValueError, match="read_as must be a family"):
        read_configuration(mapping, read_as="other")


@settings(max_examples=80, deadline=None)
@given(
    data=st.data(),
    value=st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
        st.lists(st.integers(), max_size=3), st.just({}), st.just({"factor": 2.0}),
    ),
)  # fmt: skip
def test_damaged_value_is_read_or_named(data, value):
    model = data.draw(st.sampled_from(released_models()))
    mapping = dict(model.configuration)
    mapping[data.draw(st.sampled_from(sorted(mapping)))] = value
    try:
        read_configuration(mapping)
    except ValueError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
