"""Comparison of released models' positions with the transformers library, layer by layer."""

import importlib
import importlib.util
import json
import logging
import math

import numpy as np
import pytest
from checks.extras import missing

from course_utils.configurations import read_configuration, released_models
from course_utils.configurations.families import FAMILIES

pytestmark = pytest.mark.slow

LENGTHS = (None, 100_000)
"""Lengths of texts, within and beyond the training length."""


@pytest.fixture(scope="module")
def transformers():
    """The transformers library without warnings about incomplete configurations."""
    logging.getLogger("transformers").setLevel(logging.ERROR)
    return pytest.importorskip("transformers", reason=missing("transformers", "peers"))


ROTARY = [m for m in released_models() if any(k.scheme == "rope" for k in m.positions().kinds)]


def peer_configuration(transformers, configuration):
    """Return the language model's configuration according to the library."""
    given = json.loads(json.dumps(configuration))
    family = {"kimi_k2": "deepseek_v3"}.get(given["model_type"], given["model_type"])
    return transformers.AutoConfig.for_model(family, **_without(given, "model_type"))


def _without(mapping, name):
    return {key: value for key, value in mapping.items() if key != name}


def modeling_module(configuration):
    return type(configuration).__module__.replace("configuration_", "modeling_")


def rotary_embedding(configuration):
    """Return the library's own module of RoPE's frequencies for this family."""
    name = modeling_module(configuration)
    module = importlib.import_module(name)
    classes = [
        value
        for key, value in vars(module).items()
        if key.endswith("RotaryEmbedding") and "Vision" not in key and value.__module__ == name
    ]
    return classes[0](configuration) if classes else None


@pytest.mark.parametrize("length", LENGTHS, ids=str)
@pytest.mark.parametrize("model", ROTARY, ids=lambda model: model.id)
def test_rope_agrees_with_transformers(transformers, model, length):
    text = peer_configuration(transformers, model.configuration).get_text_config()
    compare(model.positions(length=length), text, length)


def compare(positions, text, length=None):
    """Compare the frequencies and scaling of each kind of layer with the library."""
    for kind in positions.kinds:
        if kind.scheme != "rope":
            continue
        frequencies, scaling = peer_rule(text, kind, length)
        assert len(frequencies) == len(kind.frequencies), kind.layer_type
        np.testing.assert_allclose(kind.frequencies, frequencies, rtol=1e-6, atol=0)
        assert kind.attention_scaling == pytest.approx(scaling, rel=1e-6)


SIZES = ("num_hidden_layers", "hidden_size", "num_attention_heads", "max_position_embeddings")
STATE_MORE = {"bamba", "falcon_h1", "gemma4_text", "glm4_moe", "kimi_linear", "lfm2", "minicpm3"}
"""Families whose files always state the layers or the width of heads as well.

The library uses different names for the layers of ``falcon_h1``.
"""

WITH_ROPE = [
    name for name, family in FAMILIES.items() if family.scheme == "rope" and name not in STATE_MORE
]


@pytest.mark.parametrize("model_type", WITH_ROPE)
def test_defaults_of_family_agree(transformers, model_type):
    known = transformers.CONFIG_MAPPING
    if model_type not in known:
        pytest.skip(f"transformers has no configuration of its own for {model_type}.")
    text = known[model_type]().get_text_config()
    if importlib.util.find_spec(modeling_module(text)) is None:
        pytest.skip(f"transformers has no model of its own for {model_type}.")
    sizes = {name: getattr(text, name) for name in SIZES}
    if model_type in ("ministral3", "gpt_oss", "apertus"):  # Their configurations use stretching.
        sizes["rope_parameters"] = text.rope_parameters
    positions = read_configuration(sizes | {"model_type": model_type})
    compare(positions, text)
    if model_type not in ("gptj", "codegen"):
        found = [positions.of_layer(layer) for layer in range(positions.n_layers)]
        types = [(kind.layer_type, kind.scheme == "rope") for kind in found]
        names = {"indexed_attention": "full_attention"}
        assert types == [(names.get(t, t), rotates) for t, rotates in peer_layers(text)]


def peer_rule(text, kind, length):
    """Return the library's frequencies and scaling, after a text of this length."""
    import torch

    if text.model_type in ("gptj", "codegen"):
        module = importlib.import_module(
            f"transformers.models.{text.model_type}.modeling_{text.model_type}"
        )
        table = module.create_sinusoidal_positions(2, text.rotary_dim)
        return np.arcsin(table[1, : text.rotary_dim // 2].double().numpy()), 1.0
    rotary = rotary_embedding(text)
    by_type = hasattr(rotary, f"{kind.layer_type}_inv_freq")
    prefix = f"{kind.layer_type}_" if by_type else ""
    if length is not None:
        places = torch.tensor([[length - 1]])
        arguments = (kind.layer_type,) if by_type else ()
        if text.model_type.startswith(("qwen2_5_vl", "qwen3_vl", "qwen3_5")):
            places = places.expand(3, 1, 1)
        rotary(torch.zeros(1, 1, 1), places, *arguments)
    frequencies = getattr(rotary, f"{prefix}inv_freq").double().numpy()
    return frequencies, float(getattr(rotary, f"{prefix}attention_scaling"))


def peer_layers(text):
    """Return the type of each layer according to the library, and True if it uses RoPE."""
    n_layers = text.num_hidden_layers
    types = getattr(text, "layer_types", None)
    if not types:
        window = getattr(text, "sliding_window", None)
        uses = getattr(text, "use_sliding_window", True)
        types = ["sliding_attention" if window and uses else "full_attention"] * n_layers
    rotating = getattr(text, "no_rope_layers", None) or [True] * n_layers
    if text.model_type in ("cohere2", "exaone4") and text.sliding_window:
        rotating = [layer_type == "sliding_attention" for layer_type in types]
    linear = "linear_attention"
    return [(t, bool(r) and t != linear) for t, r in zip(types, rotating, strict=True)]


@pytest.mark.parametrize("model", ROTARY, ids=lambda model: model.id)
def test_layers_agree_with_transformers(transformers, model):
    text = peer_configuration(transformers, model.configuration).get_text_config()
    if text.model_type in ("gptj", "codegen"):
        pytest.skip("the library states no types of layers for this family.")
    positions = model.positions()
    found = [positions.of_layer(layer) for layer in range(positions.n_layers)]
    names = {"indexed_attention": "full_attention"}
    expected = [(names.get(t, t), r) for t, r in peer_layers(text)]
    assert [(kind.layer_type, kind.scheme == "rope") for kind in found] == expected


def test_score_scaling_of_deepseek_agrees(transformers):
    model = next(model for model in released_models() if model.id == "deepseek-v3")
    text = peer_configuration(transformers, model.configuration)
    module = importlib.import_module("transformers.models.deepseek_v3.modeling_deepseek_v3")
    text.q_lora_rank = None
    text.hidden_size, text.num_attention_heads, text.num_key_value_heads = 256, 1, 1
    attention = module.DeepseekV3Attention(text, 0)
    (kind,) = model.positions().kinds
    assert attention.scaling == pytest.approx(kind.score_scaling / math.sqrt(kind.head_dim))


def test_sinusoids_of_whisper_agree(transformers):
    model = next(model for model in released_models() if model.id == "whisper-tiny")
    module = importlib.import_module("transformers.models.whisper.modeling_whisper")
    table = module.sinusoids(2, 384).double().numpy()
    encoder = model.positions().kinds[0]
    np.testing.assert_allclose(np.sin(encoder.frequencies), table[1, :192], rtol=1e-5)


def test_sinusoids_of_marian_agree(transformers):
    model = next(model for model in released_models() if model.id == "opus-mt-en-de")
    module = importlib.import_module("transformers.models.marian.modeling_marian")
    embedding = module.MarianSinusoidalPositionalEmbedding(2, 512)
    table = np.asarray(embedding.create_weight(), dtype=np.float64)
    encoder = model.positions().kinds[0]
    np.testing.assert_allclose(np.sin(encoder.frequencies), table[1, :256], rtol=1e-5)


def test_settings_written_by_transformers_are_read(transformers):
    model = next(model for model in released_models() if model.id == "llama-3.1-8b")
    written = peer_configuration(transformers, model.configuration).to_dict()
    kinds = read_configuration(written).kinds
    np.testing.assert_array_equal(kinds[0].frequencies, model.positions().kinds[0].frequencies)
