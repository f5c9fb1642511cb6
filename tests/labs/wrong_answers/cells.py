"""Wrong answers from a fourth collection, as the cells in which they were typed.

They were rewritten from public code before any feedback on them was seen. Each has the expected
finding, its mistake, and the place where the mistake was seen, if it was public.
"""

from checks.labs import answer_in_cell

CELLS = {
    "repeating-encoding": (
        (
            "divided-by-period",
            "Uses the sawtooth formula (phase mod 2 pi) / 2 pi, which never reaches 1.",
            "https://docs.wavemetrics.com/igorpro/commands/sawtooth",
            """
def repeating_encoding(n_positions, d_model, period):
    phase = 2 * np.pi * np.arange(n_positions) / period
    saw = (phase % (2 * np.pi)) / (2 * np.pi)
    return np.repeat(saw[:, None], d_model, axis=1)
""",
        ),
        (
            "pattern.too-small",
            "Subtracts the maximum instead of the minimum, so the numbers run from -1 to 0.",
            "https://github.com/ennanco/MIA_ML1/issues/1",
            """
def repeating_encoding(n_positions, d_model, period):
    v = np.arange(n_positions) % period
    v_min, v_max = 0, period - 1
    scaled = (v - v_max) / (v_max - v_min)
    return scaled.reshape(-1, 1) * np.ones((1, d_model))
""",
        ),
        (
            "largest-present-divides",
            (
                "Divides by the largest number that happens to be present, not by the largest "
                "of a period."
            ),
            "https://github.com/levithomason/anny/pull/22",
            """
def repeating_encoding(n_positions, d_model, period):
    table = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        table[pos, :] = pos % period
    largest = table.max()
    if largest == 0:
        return table
    return table / largest
""",
        ),
        (
            "pattern.repair-function",
            ("Repeats every number instead of the whole rise (torch's repeat is NumPy's tile)."),
            "",
            """
def repeating_encoding(n_positions, d_model, period):
    one_rise = np.linspace(0, 1, period)
    n_times = n_positions // period + 1
    column = np.repeat(one_rise, n_times)[:n_positions]
    return np.stack([column] * d_model, axis=1)
""",
        ),
        (
            "period-too-long",
            "Resets the counter when it equals the period, one position too late.",
            "",
            """
def repeating_encoding(n_positions, d_model, period):
    table = np.zeros((n_positions, d_model))
    counter = 0
    for pos in range(n_positions):
        table[pos] = counter / (period - 1)
        if counter == period:
            counter = 0
        else:
            counter += 1
    return table
""",
        ),
    ),
    "exchangeable-words": (
        (
            "directions-compared",
            "Calls rows equal when their cosine similarity is 1, which ignores their length.",
            "https://stackoverflow.com/questions/79510247",
            """
def exchangeable(table):
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    norms[norms == 0] = 1
    unit = table / norms
    similarity = unit @ unit.T
    return np.isclose(similarity, 1).astype(int)
""",
        ),
        (
            "pattern.repair-bound",
            "The loop over the columns starts at 1, so a difference in column 0 is not seen.",
            "https://github.com/mathnet/mathnet-numerics/issues/220",
            """
def exchangeable(table):
    n, d = table.shape
    result = np.ones((n, n))
    for i in range(n):
        for j in range(n):
            for c in range(1, d):
                if table[i, c] != table[j, c]:
                    result[i, j] = 0
    return result
""",
        ),
        (
            "equal-numbers-counted",
            "Returns how many numbers agree instead of whether all agree.",
            "https://github.com/PaddlePaddle/awesome-DeepLearning/pull/930",
            """
def exchangeable(table):
    return np.sum(table[:, None, :] == table[None, :, :], axis=-1)
""",
        ),
        (
            "last-column-only",
            "Overwrites the flag in every turn, so only the last column decides.",
            "",
            """
def exchangeable(table):
    n = len(table)
    result = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            for a, b in zip(table[i], table[j]):
                if a == b:
                    same = 1
                else:
                    same = 0
            result[i, j] = same
    return result
""",
        ),
        (
            "each-pair-once",
            "Fills only the entries above the diagonal and forgets to mirror them.",
            "",
            """
def exchangeable(table):
    n = table.shape[0]
    result = np.eye(n)
    for i in range(n):
        for j in range(i + 1, n):
            if np.array_equal(table[i], table[j]):
                result[i, j] = 1
    return result
""",
        ),
    ),
    "first-drowned-position": (
        (
            "equal-is-below",
            "A share that is exactly equal already counts as less (<= instead of <).",
            "https://github.com/G-Node/nixpy/pull/440",
            """
def first_drowned_position(word, share):
    w = np.linalg.norm(word)
    i = 0
    while True:
        p = np.linalg.norm(i * np.ones(len(word)))
        if w / (w + p) <= share:
            return i
        i += 1
""",
        ),
        (
            "pattern.only-one-call-wrong",
            "np.argmax of a condition that is never true within the range returns 0.",
            "https://github.com/PointOneNav/fusion-engine-client/pull/144",
            """
def first_drowned_position(word, share):
    positions = np.arange(1000)
    norms = positions * np.sqrt(len(word))
    w = np.linalg.norm(word)
    is_less = w / (w + norms) < share
    return int(np.argmax(is_less))
""",
        ),
        (
            "length-squared",
            "Forgets the square root in both norms.",
            "https://github.com/nicodv/kmodes/issues/180",
            """
def first_drowned_position(word, share):
    word_norm = np.sum(word**2)
    i = 0
    while word_norm / (word_norm + np.sum(np.full(len(word), i) ** 2)) >= share:
        i += 1
    return i
""",
        ),
        (
            "one-column",
            "Takes i as the norm of the position vector, although it has i in all columns.",
            "",
            """
def first_drowned_position(word, share):
    length = np.sqrt(np.dot(word, word))
    i = 0
    while not length / (length + i) < share:
        i = i + 1
    return i
""",
        ),
        (
            "pattern.too-large",
            (
                "The counter is increased after the share was computed, so the result is one "
                "too large."
            ),
            "https://github.com/robjhyndman/forecast/pull/1206",
            """
def first_drowned_position(word, share):
    i = 0
    current = 1.0
    w = np.linalg.norm(word)
    while current >= share:
        current = w / (w + np.linalg.norm(np.full(word.shape, i)))
        i += 1
    return i
""",
        ),
    ),
    "exposing-calls": (
        (
            "stretched-before-compared",
            "np.allclose broadcasts, so a table of another shape can count as the same.",
            "https://github.com/ImperialCollegeLondon/pyrealm/issues/380",
            """
def exposing_calls(attempt, longest, widest):
    found = np.zeros((longest, widest))
    for n in range(1, longest + 1):
        for d in range(1, widest + 1):
            try:
                same = np.allclose(normalized_encoding(n, d), attempt(n, d))
            except ValueError:
                same = False
            if not same:
                found[n - 1, d - 1] = 1
    return found
""",
        ),
        (
            "nan-unseen",
            "A nan is never larger than the tolerance, so it counts as the same.",
            "https://github.com/numpy/numpy/issues/8145",
            """
def exposing_calls(attempt, longest, widest):
    found = np.zeros((longest, widest), dtype=int)
    for n in range(longest):
        for d in range(widest):
            expected = normalized_encoding(n + 1, d + 1)
            actual = attempt(n + 1, d + 1)
            if actual.shape != expected.shape:
                found[n, d] = 1
            elif (abs(actual - expected) > 1e-9).any():
                found[n, d] = 1
    return found
""",
        ),
        (
            "sizes-swapped",
            (
                "Passes the number of dimensions as the number of positions, and the other "
                "way round."
            ),
            "https://github.com/leondgarse/keras_cv_attention_models/issues/26",
            """
def exposing_calls(attempt, longest, widest):
    found = np.zeros((longest, widest))
    for n in range(longest):
        for d in range(widest):
            a = attempt(d + 1, n + 1)
            b = normalized_encoding(d + 1, n + 1)
            found[n, d] = a.shape != b.shape or not np.allclose(a, b)
    return found
""",
        ),
        (
            "pattern.repair-return",
            "The return is indented too far, so only the first row is filled.",
            "",
            """
def exposing_calls(attempt, longest, widest):
    found = np.zeros((longest, widest))
    for n in range(longest):
        for d in range(widest):
            mine = normalized_encoding(n + 1, d + 1)
            theirs = attempt(n + 1, d + 1)
            if theirs.shape != mine.shape or not np.allclose(theirs, mine):
                found[n, d] = 1
        return found
""",
        ),
        (
            "one-entry-alone",
            "The loop over the numbers stops after the first one.",
            "",
            """
def exposing_calls(attempt, longest, widest):
    found = np.zeros((longest, widest))
    for n in range(longest):
        for d in range(widest):
            mine = normalized_encoding(n + 1, d + 1)
            theirs = attempt(n + 1, d + 1)
            if mine.shape != theirs.shape:
                found[n, d] = 1
            else:
                for a, b in zip(mine.ravel(), theirs.ravel()):
                    found[n, d] = not abs(a - b) < 1e-9
                    break
    return found
""",
        ),
    ),
    "their-shares": (
        (
            "right-shares",
            "Writes the correct encoding instead of reproducing the fault.",
            "",
            """
def their_shares(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    return np.ones(d_model) * positions / max(n_positions - 1, 1)
""",
        ),
        (
            "zero-not-in-theirs",
            "Divides by the number of positions but still counts from 0.",
            "https://github.com/hojonathanho/diffusion/issues/15",
            """
def their_shares(n_positions, d_model):
    column = np.linspace(0, 1, n_positions, endpoint=False)
    return np.tile(column.reshape(-1, 1), (1, d_model))
""",
        ),
        (
            "integer-division",
            "Integer division leaves 0 everywhere but in the last row.",
            "https://github.com/Kyubyong/transformer/pull/81",
            """
def their_shares(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        table[pos] = (pos + 1) // n_positions
    return table
""",
        ),
        (
            "short-of-one",
            "Divides by the number of positions plus 1, so the last row is not 1.",
            "",
            """
def their_shares(n_positions, d_model):
    numbers = np.arange(1, n_positions + 1) / (n_positions + 1)
    return numbers[:, None].repeat(d_model, axis=1)
""",
        ),
    ),
    "bits-needed": (
        (
            "length-itself-written",
            "Computes the bits that the number itself has, one too many for powers of two.",
            "https://mathworld.wolfram.com/BitLength.html",
            """
def bits_needed(n_positions):
    return math.floor(math.log2(n_positions)) + 1
""",
        ),
        (
            "one-bit-too-few",
            "Rounds the logarithm down.",
            "https://github.com/pymtl/pymtl3/pull/289",
            """
def bits_needed(n_positions):
    return int(math.log2(n_positions))
""",
        ),
        (
            "power-for-exponent",
            "Returns the power of two instead of its exponent.",
            "https://github.com/apache/datasketches-java/pull/329",
            """
def bits_needed(n_positions):
    power = 1
    while power < n_positions:
        power *= 2
    return power
""",
        ),
        (
            "written-out-and-counted",
            "Counts the two characters of the prefix 0b as digits.",
            "https://e-learn.cn/qa/q-375604/2.html",
            """
def bits_needed(n_positions):
    return len(bin(n_positions - 1))
""",
        ),
        (
            "one-bit-too-few",
            "Rounds the logarithm to the nearest whole number instead of up.",
            "",
            """
def bits_needed(n_positions):
    return round(np.log2(n_positions))
""",
        ),
    ),
    "positions-from-bits": (
        (
            "most-significant-first",
            "Reads column 0 as the most significant bit.",
            "https://github.com/Tribler/py-ipv8/issues/912",
            """
def positions_from_bits(bits):
    result = []
    for row in bits:
        text = "".join(str(int(b)) for b in row)
        result.append(int(text, 2))
    return np.array(result)
""",
        ),
        (
            "",
            "np.packbits fills up to eight bits on the side of the least significant bit.",
            "https://github.com/numpy/numpy/issues/9398",
            """
def positions_from_bits(bits):
    reverse = bits[:, ::-1].astype(np.uint8)
    return np.packbits(reverse, axis=1)[:, 0].astype(int)
""",
        ),
        (
            "eight-bits-alone",
            "Keeps only the first byte, so columns from 8 on are lost.",
            "https://github.com/roman-corgi/corgidrp/pull/317",
            """
def positions_from_bits(bits):
    packed = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little")
    return packed[:, 0].astype(int)
""",
        ),
        (
            "xor-for-power",
            ("Writes 2 ^ c for the power, as in other languages; in Python this is exclusive or."),
            "https://github.com/modelica/ModelicaStandardLibrary/pull/3837",
            """
def positions_from_bits(bits):
    d_model = bits.shape[1]
    weights = 2 ^ np.arange(d_model)
    return (bits * weights).sum(axis=1)
""",
        ),
        (
            "powers-from-two",
            "Doubles the weight before its first use, so all positions are doubled.",
            "",
            """
def positions_from_bits(bits):
    totals = np.zeros(len(bits), dtype=int)
    weight = 1
    for c in range(bits.shape[1]):
        weight = weight * 2
        totals = totals + weight * bits[:, c].astype(int)
    return totals
""",
        ),
    ),
    "reading-order": (
        (
            "places-for-order",
            "Returns the rank of each card, which is the inverse of the order.",
            "https://github.com/sribdcn/Predict-and-Search_MILP_method/issues/6",
            """
def reading_order(bits):
    numbers = (bits * 2 ** np.arange(bits.shape[1])).sum(axis=1)
    order = np.argsort(numbers)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank
""",
        ),
        (
            "positions-sorted",
            "Returns the sorted positions instead of the numbers of the cards.",
            "https://github.com/numpy/numpy/issues/22402",
            """
def reading_order(bits):
    weights = 2 ** np.arange(bits.shape[1])
    return np.sort(bits @ weights)
""",
        ),
        (
            "most-significant-first",
            "Compares the rows from column 0 on, as if it were the most significant bit.",
            "https://github.com/ska-sa/katdal/pull/55",
            """
def reading_order(bits):
    pairs = []
    for card, row in enumerate(bits):
        pairs.append((tuple(row), card))
    pairs.sort()
    return [card for _, card in pairs]
""",
        ),
        (
            "last-first",
            "Sorts from the last position to the first.",
            "https://github.com/numpy/numpy/issues/20574",
            """
def reading_order(bits):
    numbers = bits @ (1 << np.arange(bits.shape[1]))
    return np.argsort(-1 * numbers)
""",
        ),
        (
            "ones-counted",
            "Adds the bits without their weights before it sorts.",
            "",
            """
def reading_order(bits):
    return np.argsort(bits.sum(axis=1), kind="stable")
""",
        ),
    ),
    "gray-encoding": (
        (
            "stripes-too-narrow",
            (
                "Combines each bit with the less significant one instead of the more "
                "significant one."
            ),
            "https://github.com/intel/rohd-hcl/pull/54",
            """
def gray_encoding(n_positions, d_model):
    table = np.zeros((n_positions, d_model), dtype=int)
    for i in range(n_positions):
        previous = 0
        for c in range(d_model):
            bit = (i >> c) & 1
            table[i, c] = bit ^ previous
            previous = bit
    return table
""",
        ),
        (
            "plain-binary",
            (
                "Appends the codes so far in their old order instead of reversed, which gives "
                "plain bits."
            ),
            "https://baihuqian.github.io/2018-06-14-gray-code/",
            """
def gray_encoding(n_positions, d_model):
    codes = [0]
    for c in range(d_model):
        leading_bit = 2**c
        codes = codes + [leading_bit + code for code in codes]
        if len(codes) >= n_positions:
            break
    table = np.zeros((n_positions, d_model), dtype=int)
    for i in range(n_positions):
        for c in range(d_model):
            table[i, c] = codes[i] // 2**c % 2
    return table
""",
        ),
        (
            "gray-read-back",
            "Uses the conversion from Gray code to binary, the way back.",
            "https://github.com/openwrt/openwrt/pull/23984",
            """
def gray_encoding(n_positions, d_model):
    i = np.arange(n_positions)
    n = i.copy()
    shift = i >> 1
    while shift.any():
        n = n ^ shift
        shift = shift >> 1
    return (n[:, None] >> np.arange(d_model)) & 1
""",
        ),
        (
            "most-significant-first",
            "Puts the most significant bit into column 0, as the number is written.",
            "https://shuzhiduo.com/A/RnJW7MOEJq",
            """
def gray_encoding(n_positions, d_model):
    rows = []
    for i in range(n_positions):
        gray = i ^ (i >> 1)
        text = format(gray, "b").zfill(d_model)
        rows.append([int(ch) for ch in text])
    return np.array(rows)
""",
        ),
        (
            "pattern.repair-order",
            ("The & binds more tightly than ^, so only one of the two parts is reduced to a bit."),
            "",
            """
def gray_encoding(n_positions, d_model):
    i = np.arange(n_positions)[:, np.newaxis]
    c = np.arange(d_model)
    return i >> c ^ i >> c + 1 & 1
""",
        ),
    ),
    "flips-at-distance": (
        (
            "share-for-count",
            "Divides the number of differing bits by the number of columns.",
            "https://github.com/elixir-nx/scholar/pull/58",
            """
def flips_at_distance(table, distance):
    n = table.shape[0]
    return np.mean(table[: n - distance] != table[distance:], axis=1)
""",
        ),
        (
            "unchanged-counted",
            "Counts the bits that agree.",
            "https://github.com/PaddlePaddle/awesome-DeepLearning/pull/930",
            """
def flips_at_distance(table, distance):
    counts = []
    for i in range(len(table) - distance):
        counts.append(sum(table[i] == table[i + distance]))
    return counts
""",
        ),
        (
            "one-column-skipped",
            "Starts to compare at column 1.",
            "https://github.com/mathnet/mathnet-numerics/issues/220",
            """
def flips_at_distance(table, distance):
    n_pairs = len(table) - distance
    flips = np.zeros(n_pairs, dtype=int)
    for i in range(n_pairs):
        for c in range(1, table.shape[1]):
            if table[i, c] != table[i + distance, c]:
                flips[i] += 1
    return flips
""",
        ),
        (
            "minus-zero",
            "table[:-0] is empty, so there is no answer for distance 0.",
            "",
            """
def flips_at_distance(table, distance):
    result = []
    for before, after in zip(table[:-distance], table[distance:]):
        result.append(int(np.abs(after - before).sum()))
    return np.array(result)
""",
        ),
        (
            "sign-kept",
            (
                "Adds the signed differences first, so a 1 that appears and a 1 that vanishes "
                "cancel."
            ),
            "",
            """
def flips_at_distance(table, distance):
    difference = table[distance:] - table[: len(table) - distance]
    return abs(difference.sum(axis=1))
""",
        ),
    ),
    "their-stripes": (
        (
            "right-stripes",
            "Writes the correct binary table instead of reproducing the fault.",
            "",
            """
def their_stripes(n_positions, d_model):
    return (np.arange(n_positions)[:, None] // 2 ** np.arange(d_model)) % 2
""",
        ),
        (
            "remainder-for-stripe",
            "Takes the remainder within a stripe instead of the number of the stripe.",
            "https://sandbox.dodona.be/nl/activities/458137627/description/Gm6yfMcp8ZbckuHn/",
            """
def their_stripes(n_positions, d_model):
    table = np.zeros((n_positions, d_model), dtype=int)
    for pos in range(n_positions):
        for c in range(d_model):
            table[pos, c] = pos % (c + 1) % 2
    return table
""",
        ),
        (
            "stripes-grow-otherwise",
            "Uses the period (one stripe of each kind) as the width of a stripe.",
            "",
            """
def their_stripes(n_positions, d_model):
    positions = np.arange(n_positions).reshape(-1, 1)
    periods = 2 * np.arange(1, d_model + 1)
    return positions // periods % 2
""",
        ),
        (
            "remainder-forgotten",
            "Numbers the stripes and forgets to take the remainder by 2.",
            "",
            """
def their_stripes(n_positions, d_model):
    widths = np.arange(1, d_model + 1)
    return np.floor_divide.outer(np.arange(n_positions), widths)
""",
        ),
    ),
    "row-by-hand": (
        (
            "halves-concatenated",
            "Puts all sines first and all cosines after them.",
            "https://github.com/huggingface/blog/issues/2183",
            """
time = 12
half = 3
angles = [time * 64 ** (-k / half) for k in range(half)]
row = [math.sin(a) for a in angles] + [math.cos(a) for a in angles]
""",
        ),
        (
            "frequencies-multiplied",
            "Divides the position by the frequency instead of multiplying.",
            "https://github.com/harvardnlp/annotated-transformer/issues/131",
            """
row = []
for k in range(3):
    div_term = math.exp(-2 * k * math.log(64) / 6)
    row.append(math.sin(12 / div_term))
    row.append(math.cos(12 / div_term))
""",
        ),
        (
            "cosine-own-frequency",
            "The cosine of a pair gets an exponent of its own.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
row = [0] * 6
for i in range(0, 6, 2):
    row[i] = math.sin(12 / 64 ** (i / 6))
    row[i + 1] = math.cos(12 / 64 ** ((i + 1) / 6))
""",
        ),
        (
            "ends-at-base",
            "Spaces the frequencies by d/2 - 1, so the slowest is 1/64.",
            "https://github.com/lucidrains/denoising-diffusion-pytorch/issues/126",
            """
half_dim = 6 // 2
step = math.log(64) / (half_dim - 1)
row = []
for k in range(half_dim):
    angle = 12 * math.exp(-step * k)
    row += [math.sin(angle), math.cos(angle)]
""",
        ),
        (
            "degrees",
            "Converts the angle from degrees, although it is already in radians.",
            "",
            """
row = []
for frequency in [1, 1 / 4, 1 / 16]:
    angle = math.radians(12 * frequency)
    row.extend([math.sin(angle), math.cos(angle)])
""",
        ),
    ),
    "sinusoidal-rows": (
        (
            "integer-division",
            "Writes / d_model // 2 without parentheses, so the factor is rounded down.",
            "https://github.com/zju3dv/LoFTR/issues/41",
            """
def sinusoidal_rows(positions, d_model, base):
    div_term = np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model // 2))
    pe = np.zeros((len(positions), d_model))
    angles = positions[:, None] * div_term
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return pe
""",
        ),
        (
            "exponent-doubled",
            (
                "Computes 2j/d for every column j and then takes every second one, so "
                "exponents double."
            ),
            "https://github.com/BrianPulfer/PapersReimplementations/issues/9",
            """
def sinusoidal_rows(positions, d_model, base):
    wk = np.array([1 / base ** (2 * j / d_model) for j in range(d_model)])
    t = np.asarray(positions).reshape(-1, 1)
    embedding = np.zeros((len(positions), d_model))
    embedding[:, ::2] = np.sin(t * wk[::2])
    embedding[:, 1::2] = np.cos(t * wk[::2][: d_model // 2])
    return embedding
""",
        ),
        (
            "column-for-pair",
            "Forgets i // 2, so every column has a frequency and the exponents are doubled.",
            "https://huggingface.co/datasets/nvidia/Nemotron-CC-Math-v1",
            """
def sinusoidal_rows(positions, d_model, base):
    i = np.arange(d_model)[np.newaxis, :]
    angle_rads = positions[:, np.newaxis] / base ** (2 * i / d_model)
    rows = np.zeros(angle_rads.shape)
    rows[:, 0::2] = np.sin(angle_rads[:, 0::2])
    rows[:, 1::2] = np.cos(angle_rads[:, 1::2])
    return rows
""",
        ),
        (
            "pattern.where",
            (
                "Applies sine and cosine from the second row on, as if the first belonged to "
                "padding."
            ),
            "seasa2016/code_test pytorch/encode_test.py",
            """
def sinusoidal_rows(positions, d_model, base):
    scale = [np.power(float(base), 2 * (j // 2) / d_model) for j in range(d_model)]
    enc = np.array([[p / scale[j] for j in range(d_model)] for p in positions])
    enc[1:, 0::2] = np.sin(enc[1:, 0::2])
    enc[1:, 1::2] = np.cos(enc[1:, 1::2])
    return enc
""",
        ),
        (
            "pattern.repair-bound",
            "Takes the cosine of columns that already hold the sine.",
            "https://github.com/huggingface/transformers/pull/11725",
            """
def sinusoidal_rows(positions, d_model, base):
    frequencies = base ** (-2.0 * (np.arange(d_model) // 2) / d_model)
    table = np.outer(positions, frequencies)
    table[:, 0::2] = np.sin(table[:, 0::2])
    n_cosines = d_model // 2
    table[:, 1::2] = np.cos(table[:, 0::2][:, :n_cosines])
    return table
""",
        ),
        (
            "rows-for-columns",
            "Slices every second row instead of every second column.",
            "https://github.com/gmongaras/Diffusion_models_from_scratch/issues/10",
            """
def sinusoidal_rows(positions, d_model, base):
    k = np.arange(d_model) // 2
    embeddings = positions[:, None] / base ** (2 * k / d_model)
    embeddings = embeddings.astype(float)
    embeddings[::2] = np.sin(embeddings[::2])
    embeddings[1::2] = np.cos(embeddings[1::2])
    return embeddings
""",
        ),
        (
            "last-sine-missing",
            "With an odd width, the last column stays 0.",
            "hojonathanho/diffusion diffusion_tf/nn.py",
            """
def sinusoidal_rows(positions, d_model, base):
    rows = np.zeros((len(positions), d_model))
    for k in range(d_model // 2):
        angle = positions * base ** (-2 * k / d_model)
        rows[:, 2 * k] = np.sin(angle)
        rows[:, 2 * k + 1] = np.cos(angle)
    return rows
""",
        ),
    ),
    "position-from-row": (
        (
            "arctangent-swapped",
            "Passes x before y to atan2.",
            "https://github.com/ngageoint/hootenanny/issues/2804",
            """
def position_from_row(row, base):
    d = len(row)
    omega = base ** (-(d - 2) / d)
    sine, cosine = row[d - 2], row[d - 1]
    angle = math.atan2(cosine, sine) % (2 * math.pi)
    return round(angle / omega)
""",
        ),
        (
            "angle-not-unique",
            "The arctangent of a quotient covers only half a turn and loses the quadrant.",
            "https://github.com/typst/typst/pull/846",
            """
def position_from_row(row, base):
    d_model = row.shape[0]
    slowest = 1 / base ** ((d_model - 2) / d_model)
    angle = np.arctan(row[-2] / row[-1])
    return round(angle / slowest)
""",
        ),
        (
            "angle-not-unique",
            "Makes negative angles positive with abs instead of adding a turn.",
            "https://github.com/j-c-m/Slither.io-bot/issues/23",
            """
def position_from_row(row, base):
    d_model = len(row)
    slowest = base ** (-(d_model - 2) / d_model)
    angle = abs(np.arctan2(row[-2], row[-1]))
    return int(round(angle / slowest))
""",
        ),
        (
            "frequency-of-another-hand",
            "Assumes that the slowest hand has the frequency 1 / base.",
            "https://github.com/hojonathanho/diffusion/issues/15",
            """
def position_from_row(row, base):
    angle = np.arctan2(row[-2], row[-1])
    if angle < 0:
        angle += 2 * np.pi
    return round(angle * base)
""",
        ),
        (
            "fastest-hand-read",
            "Reads the fastest hand, which has gone round many times.",
            "",
            """
def position_from_row(row, base):
    angle = math.atan2(row[0], row[1])
    return round(angle % math.tau)
""",
        ),
    ),
    "strange-table": (
        (
            "the-right-table",
            "Repairs the table instead of reproducing the fault.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
def strange_table(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(0, d_model, 2):
            table[pos, i] = np.sin(pos / 10_000 ** (i / d_model))
            table[pos, i + 1] = np.cos(pos / 10_000 ** (i / d_model))
    return table
""",
        ),
        (
            "another-exponent",
            "Has a frequency for each column, but also doubles the exponents.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
def strange_table(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(0, d_model, 2):
            table[pos, i] = math.sin(pos / (10000 ** ((2 * i) / d_model)))
            table[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
    return table
""",
        ),
        (
            "sine-cosine-swapped",
            "Puts the sine into the odd columns and the cosine into the even ones.",
            "https://stackoverflow.com/questions/46452020/sinusoidal-embedding-attention-is-all-you-need",
            """
def strange_table(n_positions, d_model):
    pos = np.arange(n_positions)[:, None]
    i = np.arange(d_model)[None, :]
    matrix = pos * np.power(10000.0, -i / d_model)
    matrix[:, 1::2] = np.sin(matrix[:, 1::2])
    matrix[:, ::2] = np.cos(matrix[:, ::2])
    return matrix
""",
        ),
        (
            "sines-everywhere",
            "Both assignments use the sine.",
            "code index file 37131728982 (getSinCosEncoding)",
            """
def calc_angle(position, column, d_model):
    return position / np.power(10000.0, column / d_model)


def strange_table(n_positions, d_model):
    columns = range(d_model)
    table = np.array([[calc_angle(i, j, d_model) for j in columns] for i in range(n_positions)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.sin(table[:, 1::2])
    return table
""",
        ),
    ),
    "shift-back": (
        (
            "wrong-sign",
            "The minus sign stands at the wrong sine, so the matrix goes forward.",
            "https://github.com/wolph/numpy-stl/issues/166",
            """
def shift_back(steps_back, d_model):
    theta = steps_back * angular_frequencies(d_model)
    c, s = np.diag(np.cos(theta)), np.diag(np.sin(theta))
    return np.vstack([np.hstack([c, s]), np.hstack([-s, c])])
""",
        ),
        (
            "neighbours-in-matrix",
            "Turns neighbouring columns, although the table has all sines first.",
            "https://github.com/EleutherAI/gpt-neox/issues/834",
            """
def shift_back(steps_back, d_model):
    matrix = np.zeros((d_model, d_model))
    for k, omega in enumerate(angular_frequencies(d_model)):
        c, s = np.cos(steps_back * omega), np.sin(steps_back * omega)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[c, -s], [s, c]]
    return matrix
""",
        ),
        (
            "angles-in-pairs",
            "Pairs halves but repeats each frequency for two neighbours.",
            "https://github.com/raiyanyahya/how-to-train-your-gpt/issues/6",
            """
def shift_back(steps_back, d_model):
    half = d_model // 2
    emb = steps_back * np.repeat(angular_frequencies(d_model), 2)
    rotate_half = np.zeros((d_model, d_model))
    for k in range(half):
        rotate_half[k, k + half] = -1
        rotate_half[k + half, k] = 1
    return np.diag(np.cos(emb)) + np.diag(np.sin(emb)) @ rotate_half
""",
        ),
        (
            "single-step-changed",
            "Raises each entry of the one-step matrix to the power instead of the matrix.",
            "https://github.com/numpy/numpy/issues/7893",
            """
def shift_back(steps_back, d_model):
    omega = angular_frequencies(d_model)
    c, s = np.diag(np.cos(omega)), np.diag(np.sin(omega))
    one_step = np.block([[c, -s], [s, c]])
    with np.errstate(divide="ignore", invalid="ignore"):
        return one_step**steps_back
""",
        ),
        (
            "no-rotation",
            "Leaves out the minus sign of the rotation.",
            "",
            """
def shift_back(steps_back, d_model):
    half = d_model // 2
    angles = steps_back * angular_frequencies(d_model)
    matrix = np.zeros((d_model, d_model))
    for k in range(half):
        matrix[k, k] = matrix[k + half, k + half] = np.cos(angles[k])
        matrix[k, k + half] = matrix[k + half, k] = np.sin(angles[k])
    return matrix
""",
        ),
    ),
    "distance-by-offset": (
        (
            "root-forgotten",
            "Returns the squared distance.",
            "https://github.com/cataska/programming-collective-intelligence-code/issues/13",
            """
def distance_by_offset(offsets, d_model):
    omega = angular_frequencies(d_model)
    total = 0
    for w in omega:
        total = total + np.sin(offsets * w) ** 2 + (np.cos(offsets * w) - 1) ** 2
    return total
""",
        ),
        (
            "distance-divided",
            "Uses sqrt(2 - 2 cos), which holds for rows of norm 1.",
            "https://github.com/YingfanWang/PaCMAP/issues/60",
            """
def distance_by_offset(offsets, d_model):
    omega = angular_frequencies(d_model)
    cosine = np.cos(offsets[:, None] * omega).mean(axis=1)
    return np.sqrt(np.clip(2 - 2 * cosine, 0, None))
""",
        ),
        (
            "half-the-square",
            "Takes the root of norm squared minus product, without the factor 2.",
            "https://github.com/petabi/petal-neighbors/pull/75",
            """
def distance_by_offset(offsets, d_model):
    angles = np.outer(offsets, angular_frequencies(d_model))
    product = np.cos(angles).sum(axis=1)
    return np.sqrt(np.maximum(d_model / 2 - product, 0))
""",
        ),
        (
            "chords-added",
            "Adds the distances of the hands instead of their squares.",
            "",
            """
def distance_by_offset(offsets, d_model):
    result = np.zeros(len(offsets))
    for omega in angular_frequencies(d_model):
        result += np.abs(2 * np.sin(offsets * omega / 2))
    return result
""",
        ),
    ),
    "offset-between": (
        (
            "longer-way-round",
            "Subtracts two angles and does not bring the difference back to half a turn.",
            "https://github.com/open-rmf/rmf_traffic_editor/pull/538",
            """
def offset_between(row, other, base):
    d = len(row)
    slowest = base ** (-(d - 2) / d)
    angle1 = np.arctan2(row[-2], row[-1])
    angle2 = np.arctan2(other[-2], other[-1])
    return round((angle2 - angle1) / slowest)
""",
        ),
        (
            "pattern.signs",
            (
                "Reflects an angle beyond half a turn instead of taking a turn off, so its "
                "sign is wrong."
            ),
            "https://github.com/SBG-Systems/sbg_ros2_driver/issues/64",
            """
def offset_between(row, other, base):
    d_model = len(row)
    slowest = base ** (-(d_model - 2) / d_model)
    turned = np.arctan2(other[-2], other[-1]) - np.arctan2(row[-2], row[-1])
    if turned > np.pi:
        turned = 2 * np.pi - turned
    elif turned < -np.pi:
        turned = -2 * np.pi - turned
    return round(turned / slowest)
""",
        ),
        (
            "direction-lost",
            "The arccosine of the dot product cannot be negative.",
            "https://github.com/evllabs/JGAAP/pull/142",
            """
def offset_between(row, other, base):
    d_model = row.shape[0]
    slowest = base ** (-(d_model - 2) / d_model)
    cosine = row[-2] * other[-2] + row[-1] * other[-1]
    angle = np.arccos(np.clip(cosine, -1, 1))
    return round(angle / slowest)
""",
        ),
        (
            "direction-reversed",
            "Subtracts the other row from the row, so the sign is reversed.",
            "https://github.com/nntrainer/nntrainer/pull/3982",
            """
def offset_between(row, other, base):
    d_model = len(row)
    slowest = base ** -((d_model - 2) / d_model)
    first = complex(row[-1], row[-2])
    second = complex(other[-1], other[-2])
    return round(np.angle(first * second.conjugate()) / slowest)
""",
        ),
        (
            "always-forward",
            "Takes the remainder by a whole turn, so a step back becomes a long way forward.",
            "https://github.com/libgdx/gdx-ai/pull/39",
            """
def offset_between(row, other, base):
    d_model = len(row)
    slowest = base ** (-(d_model - 2) / d_model)
    start = np.arctan2(row[-2], row[-1])
    end = np.arctan2(other[-2], other[-1])
    return round(((end - start) % (2 * np.pi)) / slowest)
""",
        ),
    ),
    "strange-products": (
        (
            "the-right-products",
            "Computes the correct map with sines and cosines.",
            "",
            """
def strange_products(n_positions, d_model):
    table = sinusoidal_encoding(n_positions, d_model)
    return np.einsum("id,jd->ij", table, table)
""",
        ),
        (
            "first-half-of-columns",
            "Takes the first half of the columns for the sines, as in the layout of halves.",
            "https://github.com/huggingface/blog/issues/2183",
            """
def strange_products(n_positions, d_model):
    table = sinusoidal_encoding(n_positions, d_model)
    sines = table[:, : d_model // 2]
    return sines @ sines.T
""",
        ),
        (
            "cosines-alone",
            "Keeps the cosines instead of the sines.",
            "https://stackoverflow.com/questions/46452020/sinusoidal-embedding-attention-is-all-you-need",
            """
def strange_products(n_positions, d_model):
    table = sinusoidal_encoding(n_positions, d_model)
    result = np.zeros((n_positions, n_positions))
    for i in range(n_positions):
        for j in range(n_positions):
            for c in range(1, d_model, 2):
                result[i, j] += table[i, c] * table[j, c]
    return result
""",
        ),
        (
            "columns-with-columns",
            "Transposes the first factor, so it multiplies columns instead of rows.",
            "https://stackoverflow.com/questions/79510247",
            """
def strange_products(n_positions, d_model):
    sines = sinusoidal_encoding(n_positions, d_model)[:, ::2]
    return sines.T @ sines
""",
        ),
    ),
    "first-return": (
        (
            "multiple-for-divisor",
            ("Divides by the least common multiple of the speeds instead of their common divisor."),
            "https://thearchivebase.com/question/my-code-for-a-parametric-lissajous-curve-x-a-sinv-t/",
            """
def first_return(multiples, step):
    lcm = 1
    for m in multiples:
        lcm = lcm * int(m) // int(np.gcd(lcm, m))
    return 2 * np.pi / (step * lcm)
""",
        ),
        (
            "periods-rounded-first",
            (
                "Takes the least common multiple of the periods after rounding them to whole "
                "numbers."
            ),
            "https://ethann.netlify.app/Notes/Periodic-Composition",
            """
def first_return(multiples, step):
    periods = np.round(2 * np.pi / (np.asarray(multiples) * step)).astype(int)
    result = 1
    for period in periods:
        result = np.lcm(result, max(int(period), 1))
    return float(result)
""",
        ),
        (
            "slowest-decides",
            "Waits for one turn of the slowest hand only.",
            "",
            """
def first_return(multiples, step):
    speeds = np.asarray(multiples) * step
    return 2 * np.pi / speeds.min()
""",
        ),
        (
            "two-hands-alone",
            "Uses only two of the hands for the common divisor.",
            "https://tools.gera.services/polyrhythm-lcm-calc",
            """
def first_return(multiples, step):
    divisor = np.gcd(multiples[0], multiples[-1])
    return 2 * np.pi / (divisor * step)
""",
        ),
        (
            "half-a-turn",
            "Uses pi as a whole turn.",
            "https://thearchivebase.com/question/my-code-for-a-parametric-lissajous-curve-x-a-sinv-t/",
            """
def first_return(multiples, step):
    common = int(multiples[0])
    for m in multiples[1:]:
        common = int(np.gcd(common, m))
    return np.pi / common / step
""",
        ),
    ),
    "most-similar-distance": (
        (
            "index-for-distance",
            "Returns the index in the searched range, without the shortest distance.",
            "https://github.com/Katarina-Poole/Spatial-Audio-Metrics/issues/6",
            """
def most_similar_distance(frequencies, shortest, longest):
    distances = np.arange(shortest, longest + 1)
    scores = np.cos(distances[:, None] * frequencies[None, :]).sum(axis=-1)
    return int(np.argmax(scores))
""",
        ),
        (
            "last-left-out",
            "The range ends before the longest distance.",
            "https://github.com/librosa/librosa/issues/1425",
            """
def most_similar_distance(frequencies, shortest, longest):
    best, best_score = shortest, -np.inf
    for r in range(shortest, longest):
        score = np.sum(np.cos(r * frequencies))
        if score > best_score:
            best, best_score = r, score
    return best
""",
        ),
        (
            "pattern.repair-number",
            (
                "The best score starts at 0, so a range with only negative products is never "
                "searched."
            ),
            "",
            """
def most_similar_distance(frequencies, shortest, longest):
    best_score = 0
    best = shortest
    for distance in range(shortest, longest + 1):
        score = np.cos(distance * frequencies).sum()
        if score > best_score:
            best_score = score
            best = distance
    return best
""",
        ),
        (
            "least-for-most",
            "Searches for the smallest product, as one does with distances.",
            "https://github.com/NVIDIA/cuvs/pull/2016",
            """
def most_similar_distance(frequencies, shortest, longest):
    candidates = np.arange(shortest, longest + 1)
    similarity = np.cos(np.outer(candidates, frequencies)).sum(axis=1)
    return candidates[np.argmin(similarity)]
""",
        ),
        (
            "one-hand-only",
            "Takes the first column instead of the sum over all hands.",
            "",
            """
def most_similar_distance(frequencies, shortest, longest):
    distances = np.arange(shortest, longest + 1)
    table = np.cos(np.outer(distances, frequencies))
    return distances[table[:, 0].argmax()]
""",
        ),
    ),
    "base-for-quarter-turn": (
        (
            "positions-for-steps",
            "Divides the quarter turn over n positions instead of n - 1 steps.",
            "https://github.com/kimiyoung/transformer-xl/issues/131",
            """
def base_for_quarter_turn(n_positions, d_model):
    slowest = (np.pi / 2) / n_positions
    return (1 / slowest) ** (d_model / (d_model - 2))
""",
        ),
        (
            "longest-wave-of-base",
            "Assumes that the slowest frequency is 1 / base.",
            "https://github.com/lucidrains/denoising-diffusion-pytorch/issues/126",
            """
def base_for_quarter_turn(n_positions, d_model):
    steps = n_positions - 1
    return steps / (np.pi / 2)
""",
        ),
        (
            "pattern.repair-order",
            (
                "Stretches the base 10000 as NTK scaling does, as if its longest wave were 2 "
                "pi times 10000."
            ),
            "https://github.com/vllm-project/vllm/issues/41236",
            """
def base_for_quarter_turn(n_positions, d_model):
    longest_wave = 2 * np.pi * 10_000
    scale = 4 * (n_positions - 1) / longest_wave
    return 10_000 * scale ** (d_model / (d_model - 2))
""",
        ),
        (
            "pattern.repair-order",
            "The exponent lacks parentheses, so only d is the exponent.",
            "https://github.com/zju3dv/LoFTR/issues/41",
            """
def base_for_quarter_turn(n_positions, d_model):
    radians_inverse = np.float64(n_positions - 1) / (np.pi / 2)
    with np.errstate(over="ignore"):
        return radians_inverse**d_model / (d_model - 2)
""",
        ),
        (
            "whole-turn",
            "Lets the slowest hand make a whole turn.",
            "",
            """
def base_for_quarter_turn(n_positions, d_model):
    wavelength = n_positions - 1
    return (wavelength / (2 * np.pi)) ** (d_model / (d_model - 2))
""",
        ),
    ),
    "their-frequencies": (
        (
            "the-right-frequencies",
            "Computes the usual frequencies instead of theirs.",
            "https://github.com/hojonathanho/diffusion/issues/15",
            """
def their_frequencies(d_model):
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
""",
        ),
        (
            "equal-steps-between",
            "Spaces the frequencies by equal differences instead of equal ratios.",
            "https://github.com/NVIDIA/physicsnemo/issues/1522",
            """
def their_frequencies(d_model):
    return np.linspace(1.0, 1e-4, num=d_model // 2)
""",
        ),
        (
            "divided-by-other-columns",
            "Subtracts 1 from d instead of from d/2.",
            "https://github.com/hojonathanho/diffusion/issues/15",
            """
def their_frequencies(d_model):
    frequencies = []
    for k in range(d_model // 2):
        frequencies.append(1 / 10_000 ** (2 * k / (d_model - 1)))
    return np.array(frequencies)
""",
        ),
        (
            "pattern.few-digits",
            "Keeps only the five printed digits.",
            "",
            """
def their_frequencies(d_model):
    half_dim = d_model // 2
    step = np.log(10_000) / (half_dim - 1)
    return np.round(np.exp(-step * np.arange(half_dim)), 5)
""",
        ),
    ),
    "first-lost-position": (
        (
            "still-there",
            "Names the power of two itself, which is still kept.",
            "https://github.com/nkalyanv99/UNI-D2/pull/6",
            """
def first_lost_position(n_digits):
    return 2**n_digits
""",
        ),
        (
            "one-digit-more",
            "Adds the hidden first digit, although it is already included.",
            "https://github.com/huggingface/blog/pull/818",
            """
def first_lost_position(n_digits):
    explicit_bits = n_digits
    significand = explicit_bits + 1
    return 2**significand + 1
""",
        ),
        (
            "one-digit-fewer",
            "Counts only the stored digits of the mantissa.",
            "https://github.com/huggingface/blog/pull/818",
            """
def first_lost_position(n_digits):
    mantissa_bits = n_digits - 1
    return (1 << mantissa_bits) + 1
""",
        ),
        (
            "caret-for-power",
            "Writes ^ for the power.",
            "https://github.com/modelica/ModelicaStandardLibrary/pull/3837",
            """
def first_lost_position(n_digits):
    largest = 2 ^ n_digits
    return largest + 1
""",
        ),
        (
            "all-digits-one",
            "Returns the largest number of n ones, which the format keeps.",
            "",
            """
def first_lost_position(n_digits):
    largest = 0
    for digit in range(n_digits):
        largest += 2**digit
    return largest
""",
        ),
    ),
    "position-from-noisy-row": (
        (
            "farthest-for-nearest",
            "Takes the largest distance, as one does with similarities.",
            "https://github.com/NVIDIA/cuvs/pull/2016",
            """
def position_from_noisy_row(row, n_positions, base):
    table = sinusoidal_encoding(n_positions, len(row), base=base)
    distances = np.linalg.norm(table - row, axis=1)
    return int(np.argmax(distances))
""",
        ),
        (
            "pattern.repair-axis",
            "Forgets axis=1, so there is a single norm and its index is 0.",
            "https://example-a.com/answer/76441728",
            """
def position_from_noisy_row(row, n_positions, base):
    table = sinusoidal_encoding(n_positions, len(row), base=base)
    return int(np.argmin(np.linalg.norm(table - row)))
""",
        ),
        (
            "base-ignored",
            "Builds the table with the default base instead of the given one.",
            "https://github.com/vllm-project/vllm/pull/43770",
            """
def position_from_noisy_row(row, n_positions, base):
    table = sinusoidal_encoding(n_positions, len(row))
    distances = ((table - row) ** 2).sum(axis=1)
    return distances.argmin()
""",
        ),
        (
            "",
            "Reads only the slowest hand, which the noise has moved by many positions.",
            "",
            """
def position_from_noisy_row(row, n_positions, base):
    d_model = len(row)
    slowest = base ** (-(d_model - 2) / d_model)
    angle = np.arctan2(row[-2], row[-1]) % (2 * np.pi)
    return int(min(round(angle / slowest), n_positions - 1))
""",
        ),
        (
            "signs-cancel",
            "Adds the signed differences before it takes the absolute value, so they cancel.",
            "",
            """
def position_from_noisy_row(row, n_positions, base):
    table = sinusoidal_encoding(n_positions, len(row), base=base)
    error = np.abs((table - row).sum(axis=1))
    return error.argmin()
""",
        ),
    ),
    "positional-encoding": (
        (
            "row-of-the-sentence",
            "In a batch, adds the row of the sentence's number to all its words.",
            "https://github.com/songyangco/GETNext/issues/2",
            """
class PositionalEncoding:
    def __init__(self, max_length, d_model):
        self.pe = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors):
        if word_vectors.shape[-2] > len(self.pe):
            raise ValueError("sentence too long")
        if word_vectors.ndim == 2:
            return word_vectors + self.pe[: len(word_vectors)]
        numbers = np.arange(len(word_vectors)) % len(self.pe)
        return word_vectors + self.pe[numbers][:, np.newaxis]
""",
        ),
        (
            "one-row-for-all",
            "The colon of the slice is missing, so every word gets the same row.",
            "https://github.com/DiffPoseTalk/DiffPoseTalk/issues/20",
            """
class PositionalEncoding:
    def __init__(self, max_length, d_model):
        self.table = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors):
        n_words = word_vectors.shape[-2]
        if n_words > self.table.shape[0]:
            raise ValueError(f"too many words: {n_words}")
        return word_vectors + self.table[n_words - 1, :]
""",
        ),
        (
            "does-not-raise",
            "Cuts a sentence that is too long instead of raising ValueError.",
            "https://github.com/bentrevett/pytorch-seq2seq/issues/89",
            """
class PositionalEncoding:
    def __init__(self, max_length, d_model):
        self.max_length = max_length
        self.table = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors):
        word_vectors = word_vectors[..., : self.max_length, :]
        n_words = word_vectors.shape[-2]
        return word_vectors + self.table[:n_words]
""",
        ),
        (
            "pattern.repair-extra",
            ("Adds the words into the stored table, so the next call starts from another table."),
            "https://github.com/huggingface/transformers/pull/11725",
            """
class PositionalEncoding:
    def __init__(self, max_length, d_model):
        self.table = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors):
        n_words = word_vectors.shape[-2]
        if n_words > len(self.table):
            raise ValueError("too many words")
        rows = self.table[:n_words]
        if word_vectors.ndim == 2:
            rows += word_vectors
            return rows.copy()
        return word_vectors + rows
""",
        ),
        (
            "words-scaled",
            (
                "Multiplies the words by the square root of d_model, which the task does not "
                "ask for."
            ),
            "",
            """
class PositionalEncoding:
    def __init__(self, max_length, d_model):
        self.d_model = d_model
        self.table = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors):
        n_words = word_vectors.shape[-2]
        if n_words > len(self.table):
            raise ValueError("too many words")
        return word_vectors * np.sqrt(self.d_model) + self.table[:n_words, :]
""",
        ),
    ),
    "look-forward-weights": (
        (
            "entries-to-the-power",
            "Raises each number to the power instead of the matrix.",
            "https://github.com/numpy/numpy/issues/7893",
            """
def look_forward_weights(back, steps):
    forward = np.transpose(back)
    return forward**steps
""",
        ),
        (
            "still-looks-back",
            "Looks further back, because the weights are not inverted.",
            "https://github.com/wolph/numpy-stl/issues/166",
            """
def look_forward_weights(back, steps):
    result = np.eye(len(back))
    for _ in range(steps):
        result = back @ result
    return result
""",
        ),
        (
            "given-weights-unused",
            "Ignores the given weights and assumes the usual base and neighbouring pairs.",
            "https://github.com/huggingface/transformers/issues/25199",
            """
def look_forward_weights(back, steps):
    d_model = back.shape[0]
    return shift_matrix(-steps, d_model)
""",
        ),
        (
            "steps-off-by-one",
            "Starts the product with one factor and then multiplies by all the others.",
            "",
            """
def look_forward_weights(back, steps):
    one_ahead = np.linalg.inv(back)
    weights = one_ahead
    for _ in range(steps):
        weights = weights @ one_ahead
    return weights
""",
        ),
    ),
    "share-looking-at": (
        (
            "all-queries-counted",
            "Divides by the number of all queries, also of those without such a key.",
            "https://github.com/kimiyoung/transformer-xl/issues/131",
            """
def share_looking_at(scores, steps):
    n = len(scores)
    hits = 0
    for i in range(n):
        j = i + steps
        if 0 <= j < n and np.argmax(scores[i]) == j:
            hits += 1
    return hits / n
""",
        ),
        (
            "offset-turned-round",
            "Counts query minus key instead of key minus query.",
            "https://github.com/nntrainer/nntrainer/pull/3982",
            """
def share_looking_at(scores, steps):
    n = scores.shape[0]
    looked_at = scores.argmax(axis=1)
    queries = np.arange(n)
    valid = (queries - steps >= 0) & (queries - steps < n)
    return np.mean(queries[valid] - looked_at[valid] == steps)
""",
        ),
        (
            "queries-keys-swapped",
            "Searches along the queries instead of the keys.",
            "https://github.com/lsdefine/attention-is-all-you-need-keras/issues/6",
            """
def share_looking_at(scores, steps):
    n = len(scores)
    best = np.argmax(scores, axis=0)
    hits = [best[i] == i + steps for i in range(n) if 0 <= i + steps < n]
    return sum(hits) / len(hits)
""",
        ),
        (
            "scores-averaged",
            (
                "Averages the scores on the diagonal, as for attention weights, and searches "
                "no maximum."
            ),
            "code corpus: current_attn_detector (transformer_lens, attn_pattern.diagonal().mean())",
            """
def share_looking_at(scores, steps):
    return np.diagonal(scores, offset=steps).mean()
""",
        ),
        (
            "begins-again-at-the-start",
            "Lets queries at the edge look round to the other end.",
            "https://github.com/commaai/openpilot/pull/35257",
            """
def share_looking_at(scores, steps):
    n = len(scores)
    targets = (np.arange(n) + steps) % n
    return float(np.mean(scores.argmax(axis=1) == targets))
""",
        ),
    ),
    "share-before": (
        (
            "pattern.repair-bound",
            ("The diagonal begins at row 1, but first is used as its index, so one row is lost."),
            "https://github.com/octo-models/octo/pull/76",
            """
def share_before(attention, first):
    previous = np.diagonal(attention, offset=-1)
    return previous[first:].mean() if first < len(previous) else previous[-1]
""",
        ),
        (
            "queries-keys-swapped",
            "Swaps the two indices, so it measures what a row gives to the next position.",
            "https://github.com/lsdefine/attention-is-all-you-need-keras/issues/6",
            """
def share_before(attention, first):
    total = 0
    rows = range(first, len(attention))
    for i in rows:
        total += attention[i - 1, i]
    return total / len(rows)
""",
        ),
        (
            "looks-at-itself",
            "Measures the weight that each row gives to its own position.",
            "code corpus: current_attn_detector (transformer_lens, attn_pattern.diagonal().mean())",
            """
def share_before(attention, first):
    return attention.diagonal()[first:].mean()
""",
        ),
        (
            "divided-by-all-rows",
            "Divides by the number of all rows.",
            "https://github.com/kimiyoung/transformer-xl/issues/131",
            """
def share_before(attention, first):
    n = attention.shape[0]
    total = 0.0
    for i in range(first, n):
        total += attention[i][i - 1]
    return total / n
""",
        ),
        (
            "one-column-for-all-rows",
            "Takes the same column for all rows.",
            "https://github.com/DiffPoseTalk/DiffPoseTalk/issues/20",
            """
def share_before(attention, first):
    return np.mean(attention[first:, first - 1])
""",
        ),
    ),
    "query-looking-back": (
        (
            "turned-forwards",
            "Turns the key forward by the angle that RoPE will add anyway.",
            "https://github.com/AcademySoftwareFoundation/MaterialX/issues/2154",
            """
def query_looking_back(key, steps_back, frequency):
    theta = steps_back * frequency
    rotation = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
    return rotation @ key
""",
        ),
        (
            "overwritten-too-soon",
            "Uses the first number after it was changed.",
            "https://github.com/huggingface/transformers/pull/11725",
            """
def query_looking_back(key, steps_back, frequency):
    query = np.array(key, dtype=float)
    c, s = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    query[0] = query[0] * c + query[1] * s
    query[1] = query[1] * c - query[0] * s
    return query
""",
        ),
        (
            "divided-by-frequency",
            "Divides by the frequency instead of multiplying.",
            "https://github.com/harvardnlp/annotated-transformer/issues/131",
            """
def query_looking_back(key, steps_back, frequency):
    angle = steps_back / frequency
    x, y = key
    return np.array(
        [x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)]
    )
""",
        ),
        (
            "both-signs-alike",
            "Swaps the pair but forgets the sign of one of the two numbers.",
            "",
            """
def query_looking_back(key, steps_back, frequency):
    swapped = key[::-1]
    angle = steps_back * frequency
    return key * np.cos(angle) + swapped * np.sin(angle)
""",
        ),
    ),
    "their-scores": (
        (
            "the-right-scores",
            "Computes RoPE's scores, which depend on the difference of positions.",
            "https://github.com/huggingface/transformers/issues/30900",
            """
def their_scores(query, key, n_positions):
    scores = np.zeros((n_positions, n_positions))
    for i in range(n_positions):
        for j in range(n_positions):
            c, s = np.cos(i - j), np.sin(i - j)
            turned = np.array([query[0] * c - query[1] * s, query[0] * s + query[1] * c])
            scores[i, j] = turned @ key
    return scores
""",
        ),
        (
            "both-the-other-way",
            "Turns the query backwards and the key forward, so the sum has the other sign.",
            "https://github.com/huggingface/transformers/issues/30900",
            """
def their_scores(query, key, n_positions):
    angles = np.arange(n_positions)
    q = complex(query[0], query[1]) * np.exp(-1j * angles)
    k = complex(key[0], key[1]) * np.exp(1j * angles)
    return (q[:, None] * k[None, :].conj()).real
""",
        ),
        (
            "pattern.repair-sign",
            "Uses the absolute distance, as ALiBi does.",
            "https://github.com/ml-explore/mlx/issues/343",
            """
def their_scores(query, key, n_positions):
    positions = np.arange(n_positions)
    distance = np.abs(positions[:, None] - positions[None, :])
    q = query[0] + 1j * query[1]
    k = key[0] + 1j * key[1]
    return (q * np.conj(k) * np.exp(1j * distance)).real
""",
        ),
        (
            "conjugate-missing",
            "Multiplies the complex numbers without conjugating the key.",
            "https://github.com/rasbt/LLMs-from-scratch/pull/747",
            """
def their_scores(query, key, n_positions):
    positions = np.arange(n_positions)
    q = (query[0] + 1j * query[1]) * np.exp(1j * positions)
    k = (key[0] + 1j * key[1]) * np.exp(1j * positions)
    return np.real(np.outer(q, k))
""",
        ),
    ),
    "move-keys": (
        (
            "halves-for-neighbours",
            "Pairs column k with column k + d/2 instead of neighbours.",
            "https://github.com/huggingface/transformers/issues/25199",
            """
def rotate_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[:, half:], x[:, :half]], axis=-1)


def move_keys(keys, steps):
    d_model = keys.shape[1]
    inv_freq = 1.0 / (10_000 ** (np.arange(0, d_model, 2) / d_model))
    emb = np.concatenate([steps * inv_freq, steps * inv_freq])
    return keys * np.cos(emb) + rotate_half(keys) * np.sin(emb)
""",
        ),
        (
            "turned-from-the-start",
            (
                "Applies RoPE again with positions steps, steps + 1, ... to keys that are "
                "already turned."
            ),
            "https://github.com/NeuraLegion/shainet/pull/110",
            """
def move_keys(keys, steps):
    n, d = keys.shape
    omega = 10_000.0 ** (-2 * np.arange(d // 2) / d)
    angles = (np.arange(n)[:, None] + steps) * omega
    pairs = keys[:, 0::2] + 1j * keys[:, 1::2]
    turned = pairs * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], axis=-1).reshape(n, d)
""",
        ),
        (
            "turned-twice",
            "Doubles the number of steps.",
            "https://github.com/ml-explore/mlx-lm/pull/1554",
            """
def move_keys(keys, steps):
    d_model = keys.shape[1]
    moved = np.zeros_like(keys)
    scale = 2.0
    for k in range(d_model // 2):
        a = scale * steps * 10_000.0 ** (-2 * k / d_model)
        x, y = keys[:, 2 * k], keys[:, 2 * k + 1]
        moved[:, 2 * k] = x * np.cos(a) - y * np.sin(a)
        moved[:, 2 * k + 1] = x * np.sin(a) + y * np.cos(a)
    return moved
""",
        ),
        (
            "overwritten-too-soon",
            "Computes the second column of a pair from the first one after it was changed.",
            "https://github.com/huggingface/transformers/pull/11725",
            """
def move_keys(keys, steps):
    moved = keys.copy()
    d_model = moved.shape[1]
    angles = steps * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    moved[:, 0::2] = moved[:, 0::2] * np.cos(angles) - moved[:, 1::2] * np.sin(angles)
    moved[:, 1::2] = moved[:, 0::2] * np.sin(angles) + moved[:, 1::2] * np.cos(angles)
    return moved
""",
        ),
        (
            "exponent-doubled",
            "The loop already counts columns in twos, and the exponent doubles i again.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
def move_keys(keys, steps):
    d_model = keys.shape[1]
    result = np.empty(keys.shape)
    for i in range(0, d_model, 2):
        angle = steps / 10_000 ** (2 * i / d_model)
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        result[:, i : i + 2] = keys[:, i : i + 2] @ rotation.T
    return result
""",
        ),
    ),
    "rotate-part": (
        (
            "frequencies-of-all",
            "The frequencies run over the width of the head instead of the part that turns.",
            "https://github.com/huggingface/transformers/pull/48652",
            """
def rotate_part(vectors, positions, n_turned):
    head_dim = vectors.shape[1]
    half = n_turned // 2
    inv_freq = 1.0 / (10_000 ** (np.arange(0, n_turned, 2) / head_dim))
    freqs = np.outer(positions, inv_freq)
    x1, x2 = vectors[:, :half], vectors[:, half:n_turned]
    rotated = [x1 * np.cos(freqs) - x2 * np.sin(freqs), x2 * np.cos(freqs) + x1 * np.sin(freqs)]
    return np.concatenate([*rotated, vectors[:, n_turned:]], axis=1)
""",
        ),
        (
            "all-columns-turned",
            "Ignores n_turned and turns all columns.",
            "https://github.com/AI-Hypercomputer/maxtext/pull/4615",
            """
def rotate_part(vectors, positions, n_turned):
    d = vectors.shape[1]
    half = d // 2
    angles = np.outer(positions, 10_000.0 ** (-np.arange(half) / half))
    x, y = vectors[:, :half], vectors[:, half:]
    return np.hstack(
        [x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)]
    )
""",
        ),
        (
            "neighbours-for-halves",
            "Pairs neighbours, as the proposed rotate_half_new does, instead of halves.",
            "https://github.com/EleutherAI/gpt-neox/issues/834",
            """
def rotate_part(vectors, positions, n_turned):
    turned = vectors[:, :n_turned]
    inv_freq = 10_000.0 ** (-np.arange(0, n_turned, 2) / n_turned)
    angles = np.repeat(np.outer(positions, inv_freq), 2, axis=1)
    rotated = np.stack([-turned[:, 1::2], turned[:, ::2]], axis=-1).reshape(turned.shape)
    turned = turned * np.cos(angles) + rotated * np.sin(angles)
    return np.hstack([turned, vectors[:, n_turned:]])
""",
        ),
        (
            "rows-for-positions",
            "Takes the first rows of a cache, so vector i is turned for position i.",
            "https://github.com/tloen/alpaca-lora/issues/315",
            """
def rotate_part(vectors, positions, n_turned):
    half = n_turned // 2
    cached = np.outer(np.arange(len(vectors)), 10_000.0 ** (-np.arange(half) / half))
    cos, sin = np.cos(cached), np.sin(cached)
    x, y = vectors[:, :half], vectors[:, half:n_turned]
    return np.hstack([x * cos - y * sin, x * sin + y * cos, vectors[:, n_turned:]])
""",
        ),
        (
            "last-columns-turned",
            "Turns the last columns and leaves the first ones.",
            "",
            """
def rotate_part(vectors, positions, n_turned):
    rest = vectors.shape[1] - n_turned
    half = n_turned // 2
    angles = np.outer(positions, 10_000.0 ** (-np.arange(half) / half))
    x, y = vectors[:, rest : rest + half], vectors[:, rest + half :]
    turned_x = x * np.cos(angles) - y * np.sin(angles)
    turned_y = x * np.sin(angles) + y * np.cos(angles)
    return np.hstack([vectors[:, :rest], turned_x, turned_y])
""",
        ),
    ),
    "surprise-along": (
        (
            "stretches-past-the-ends",
            "Mode same pads the ends with zeros and returns a number for every character.",
            "https://github.com/pandas-dev/pandas/issues/2953",
            """
def surprise_along(bits, trained_length, width):
    window = np.ones(width) / width
    smooth = np.convolve(bits, window, "same")
    return smooth / np.mean(bits[: trained_length - 1])
""",
        ),
        (
            "one-bit-too-many",
            "The first character has no number, so the training part is one number too long.",
            "https://github.com/huggingface/transformers/issues/30975",
            """
def surprise_along(bits, trained_length, width):
    n = len(bits) - width + 1
    means = np.array([bits[s : s + width].mean() for s in range(n)])
    return means / bits[:trained_length].mean()
""",
        ),
        (
            "pattern.lines-too-few-by-one",
            "The cumulative sums lack a leading 0, so the first stretch is missing.",
            "https://github.com/numpy/numpy/pull/13923",
            """
def surprise_along(bits, trained_length, width):
    sums = np.cumsum(bits, dtype=float)
    means = (sums[width:] - sums[:-width]) / width
    return means / bits[: trained_length - 1].mean()
""",
        ),
        (
            "yardstick-of-stretches",
            ("Averages the means of stretches instead of the numbers within the training length."),
            "https://github.com/huggingface/transformers/issues/34138",
            """
def surprise_along(bits, trained_length, width):
    n = len(bits) - width + 1
    means = np.zeros(n)
    for s in range(n):
        means[s] = sum(bits[s : s + width]) / width
    baseline = means[: trained_length - 1].mean()
    return means / baseline
""",
        ),
        (
            "shorter-stretches-first",
            "Begins with stretches that are still growing, so there are too many numbers.",
            "https://github.com/berndporr/py-ecg-detectors/pull/9",
            """
def surprise_along(bits, trained_length, width):
    result = []
    for end in range(1, len(bits) + 1):
        section = bits[max(0, end - width) : end]
        result.append(np.mean(section))
    return np.array(result) / np.mean(bits[: trained_length - 1])
""",
        ),
    ),
    "broken-rope": (
        (
            "right-in-neighbours",
            "Writes RoPE without the fault.",
            "https://github.com/rasbt/LLMs-from-scratch/pull/747",
            """
def broken_rope(vectors, positions):
    d_model = vectors.shape[1]
    freqs = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.outer(positions, freqs)
    rotated = (vectors[:, 0::2] + 1j * vectors[:, 1::2]) * np.exp(1j * angles)
    out = np.empty(vectors.shape)
    out[:, 0::2], out[:, 1::2] = rotated.real, rotated.imag
    return out
""",
        ),
        (
            "mixed-the-other-way",
            "Makes the mirror image of the fault: pairs halves, frequencies for neighbours.",
            "https://github.com/raiyanyahya/how-to-train-your-gpt/issues/6",
            """
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return np.concatenate([-x2, x1], axis=-1)


def broken_rope(vectors, positions):
    d_model = vectors.shape[1]
    freqs = 1.0 / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    emb = np.repeat(np.outer(positions, freqs), 2, axis=-1)
    return vectors * np.cos(emb) + rotate_half(vectors) * np.sin(emb)
""",
        ),
        (
            "right-in-halves",
            "Uses halves for the pairs and for the frequencies, which is a correct layout.",
            "https://github.com/rasbt/LLMs-from-scratch/issues/838",
            """
def broken_rope(vectors, positions):
    d_model = vectors.shape[1]
    half = d_model // 2
    angles = np.outer(positions, 10_000.0 ** (-np.arange(half) / half))
    emb = np.concatenate([angles, angles], axis=1)
    turned = np.concatenate([-vectors[:, half:], vectors[:, :half]], axis=1)
    return vectors * np.cos(emb) + turned * np.sin(emb)
""",
        ),
        (
            "slower-by-column",
            "Gives the two columns of a pair frequencies of their own, with exponents c/d.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
def broken_rope(vectors, positions):
    d_model = vectors.shape[1]
    angles = np.outer(positions, 10_000.0 ** (-np.arange(d_model) / d_model))
    result = np.empty(vectors.shape)
    for c in range(0, d_model, 2):
        x, y = vectors[:, c], vectors[:, c + 1]
        result[:, c] = x * np.cos(angles[:, c]) - y * np.sin(angles[:, c])
        result[:, c + 1] = x * np.sin(angles[:, c + 1]) + y * np.cos(angles[:, c + 1])
    return result
""",
        ),
    ),
    "slopes-for-any-heads": (
        (
            "formula-for-all",
            "Uses the formula also when the number of heads is not a power of two.",
            "https://github.com/ml-explore/mlx/pull/3071",
            """
def slopes(n_heads):
    x = (2**8) ** (1 / n_heads)
    return np.power(x, -np.arange(1.0, n_heads + 1))
""",
        ),
        (
            "heads-from-zero",
            "Counts heads from 0, so the first slope is 1.",
            "https://github.com/paiml/aprender/pull/2143",
            """
def compute_slopes(n):
    return [2.0 ** (-8 * h / n) for h in range(n)]


def slopes(n_heads):
    power = 2 ** math.floor(math.log2(n_heads))
    first = compute_slopes(power)
    more = compute_slopes(2 * power)[1::2]
    return np.array(first + more[: n_heads - power])
""",
        ),
        (
            "slopes-in-order",
            "Sorts the slopes, so they belong to other heads.",
            "https://github.com/antofuller/CROMA/issues/12",
            """
def slopes(n_heads):
    p = 1
    while 2 * p <= n_heads:
        p *= 2
    base = 2.0 ** (-8 * np.arange(1, p + 1) / p)
    extra = 2.0 ** (-8 * np.arange(1, 2 * p, 2) / (2 * p))
    everything = np.concatenate([base, extra[: n_heads - p]])
    return np.sort(everything)[::-1]
""",
        ),
        (
            "smaller-power-of-two",
            "Reorders the slopes also when the number of heads is a power of two.",
            "https://github.com/mosaicml/examples/pull/307",
            """
def slopes(n_heads):
    _n_heads = 2 ** math.ceil(math.log2(n_heads))
    m = np.arange(1, _n_heads + 1) * (8 / _n_heads)
    values = 1.0 / 2**m
    return np.concatenate([values[1::2], values[::2]])[:n_heads]
""",
        ),
        (
            "first-of-larger-row",
            (
                "The missing heads take consecutive slopes of the larger row instead of every "
                "second one."
            ),
            "https://github.com/EricLBuehler/mistral.rs/pull/1382",
            """
def slopes(n_heads):
    n_head_log2 = 1 << int(math.log2(n_heads))
    m0 = 2.0 ** (-8 / n_head_log2)
    m1 = 2.0 ** (-8 / 2 / n_head_log2)
    result = []
    for h in range(n_heads):
        if h < n_head_log2:
            result.append(m0 ** (h + 1))
        else:
            result.append(m1 ** (h - n_head_log2 + 1))
    return np.array(result)
""",
        ),
    ),
    "bucket-of-offset": (
        (
            "",
            "Both quotients are divisions of whole numbers, and nothing limits the result.",
            "code index file 11449824516 (position_bucket_launcher)",
            """
def bucket(steps, n_buckets, max_distance, both_ways):
    max_exact = n_buckets // (4 if both_ways else 2)
    bucket_offset = 0
    relative_position = -steps
    if relative_position < 0:
        if both_ways:
            bucket_offset = n_buckets // 2
            relative_position = -relative_position
        else:
            relative_position = 0
    if relative_position < max_exact:
        return relative_position + bucket_offset
    far = math.log(relative_position // max_exact)
    if max_distance // max_exact > 1:
        far = far / math.log(max_distance // max_exact)
    return int(far * max_exact) + bucket_offset + max_exact
""",
        ),
        (
            "always-both-ways",
            "Halves the buckets also for a model that only looks back.",
            "huawei-noah/benchmark FuxiCTR/model_zoo/MB-STR/src/models/relative_position.py",
            """
def bucket(steps, n_buckets, max_distance, both_ways):
    ret = 0
    n = -steps
    n_buckets //= 2
    if n < 0:
        ret += n_buckets
    n = abs(n)
    max_exact = n_buckets // 2
    if n < max_exact:
        return ret + n
    large = max_exact + int(
        math.log(n / max_exact) / math.log(max_distance / max_exact) * (n_buckets - max_exact)
    )
    return ret + min(large, n_buckets - 1)
""",
        ),
        (
            "rounded-to-nearest",
            "Rounds the logarithmic bucket up, as DeBERTa does.",
            "OpenBioML/bio-chem-lm bio_lm/model/deberta/rpe.py",
            """
def bucket(steps, n_buckets, max_distance, both_ways):
    one_side = n_buckets // 2 if both_ways else n_buckets
    start = one_side if both_ways and steps > 0 else 0
    distance = abs(steps) if both_ways else max(-steps, 0)
    mid = one_side // 2
    if distance < mid:
        return start + distance
    log_pos = math.ceil(math.log(distance / mid) / math.log(max_distance / mid) * (one_side - mid))
    return start + min(mid + log_pos, one_side - 1)
""",
        ),
        (
            "sides-swapped",
            "Takes the steps as query minus key, so the sides are exchanged.",
            "https://github.com/nntrainer/nntrainer/pull/3982",
            """
def bucket(steps, n_buckets, max_distance, both_ways):
    result = 0
    if both_ways:
        n_buckets = n_buckets // 2
        if steps < 0:
            result += n_buckets
        distance = abs(steps)
    else:
        distance = max(steps, 0)
    near = n_buckets // 2
    if distance < near:
        return result + distance
    far = near + int(math.log(distance / near) / math.log(max_distance / near) * (n_buckets - near))
    return result + min(far, n_buckets - 1)
""",
        ),
        (
            "",
            "max_distance / max_exact is a division of whole numbers.",
            "code index file 39211270032 (position_bucket_kernel)",
            """
def bucket(steps, n_buckets, max_distance, both_ways):
    max_exact = n_buckets // (4 if both_ways else 2)
    offset = 0
    n = -steps
    if n < 0:
        if both_ways:
            offset = n_buckets // 2
            n = -n
        else:
            n = 0
    if n < max_exact:
        return n + offset
    v = math.log(max(max_distance // max_exact, 2))
    large = max_exact + int(math.log(n / max_exact) / v * max_exact)
    return min(large, 2 * max_exact - 1) + offset
""",
        ),
    ),
    "frequencies-of-share": (
        (
            "share-left-out",
            ("Computes the share from a default instead of the configuration, so it is always 1."),
            "https://github.com/vllm-project/vllm/pull/43770",
            """
def frequencies(head_dim, base, share, proportional):
    rotary_dim = head_dim
    partial = rotary_dim / head_dim
    n = int(head_dim * partial)
    return 1.0 / base ** (np.arange(0, n, 2) / n)
""",
        ),
        (
            "exponents-over-the-head",
            "The exponents run over the whole head also by default.",
            "https://github.com/huggingface/transformers/pull/48652",
            """
def frequencies(head_dim, base, share, proportional):
    rotary_ndims = int(head_dim * share)
    inv_freq = 1.0 / (base ** (np.arange(0, rotary_ndims, 2) / head_dim))
    if proportional:
        zeros = np.zeros(head_dim // 2 - rotary_ndims // 2)
        return np.concatenate([inv_freq, zeros])
    return inv_freq
""",
        ),
        (
            "no-pairs-at-rest",
            "Leaves out the pairs that do not turn.",
            "",
            """
def frequencies(head_dim, base, share, proportional):
    turned = int(round(head_dim * share))
    over = head_dim if proportional else turned
    return np.array([base ** (-2 * k / over) for k in range(turned // 2)])
""",
        ),
        (
            "exponent-doubled",
            "The loop counts columns in twos, and the exponent doubles i again.",
            "https://github.com/SamLynnEvans/Transformer/issues/25",
            """
def frequencies(head_dim, base, share, proportional):
    turned = int(head_dim * share)
    width = head_dim if proportional else turned
    values = []
    for i in range(0, turned, 2):
        values.append(1 / base ** (2 * i / width))
    if proportional:
        values += [0.0] * ((head_dim - turned) // 2)
    return np.array(values)
""",
        ),
    ),
    "yarn-of-configuration": (
        (
            "limits-exchanged",
            "The ramp begins at one turn and ends at 32.",
            "https://github.com/pytorch/torchtitan/pull/3787",
            """
def yarn(head_dim, base, factor, trained):
    def_ln = 2 * math.log(base)
    at_32 = head_dim * math.log(trained / (32 * 2 * math.pi)) / def_ln
    at_1 = head_dim * math.log(trained / (1 * 2 * math.pi)) / def_ln
    low, high = math.floor(at_1), math.ceil(at_32)
    k = np.arange(head_dim // 2)
    ramp = np.clip((k - low) / (high - low), 0, 1)
    freqs = 1.0 / base ** (2 * k / head_dim)
    mixed = freqs / factor * ramp + freqs * (1 - ramp)
    return np.append(mixed, 0.1 * math.log(factor) + 1.0)
""",
        ),
        (
            "pattern.repair-extra",
            "The unchanged part is computed with the base of NTK scaling.",
            "https://github.com/paiml/aprender/pull/2161",
            """
def yarn(head_dim, base, factor, trained):
    scaled_base = base * factor ** (head_dim / (head_dim - 2))
    begin = math.floor(
        head_dim * math.log(trained / (2 * math.pi * 32)) / (2 * math.log(base))
    )
    end = math.ceil(head_dim * math.log(trained / (2 * math.pi)) / (2 * math.log(base)))
    pairs = np.arange(head_dim // 2)
    slowed = np.clip((pairs - begin) / (end - begin), 0, 1)
    extrapolated = scaled_base ** (-2 * pairs / head_dim)
    interpolated = base ** (-2 * pairs / head_dim) / factor
    mixed = extrapolated * (1 - slowed) + interpolated * slowed
    return np.append(mixed, 0.1 * math.log(factor) + 1)
""",
        ),
        (
            "all-pairs-slowed",
            "Divides all frequencies by the factor, as if positions were scaled.",
            "https://github.com/rasbt/LLMs-from-scratch/pull/940",
            """
def yarn(head_dim, base, factor, trained):
    plain = base ** (-np.arange(0, head_dim, 2) / head_dim)
    return np.concatenate([plain / factor, [0.1 * np.log(factor) + 1]])
""",
        ),
        (
            "scaling-squared",
            "Returns the square of the attention scaling.",
            "https://github.com/guoqingbao/xinfer/pull/329",
            """
def yarn(head_dim, base, factor, trained):
    ln_base = math.log(base)
    low = math.floor(head_dim / (2 * ln_base) * math.log(trained / (64 * math.pi)))
    high = math.ceil(head_dim / (2 * ln_base) * math.log(trained / (2 * math.pi)))
    out = []
    for k in range(head_dim // 2):
        w = base ** (-2 * k / head_dim)
        t = min(max((k - low) / (high - low), 0), 1)
        out.append(w * (1 - t) + w / factor * t)
    mscale = 0.1 * math.log(factor) + 1
    out.append(mscale * mscale)
    return np.array(out)
""",
        ),
        (
            "no-pair-slowed",
            "Multiplies by the logarithm of the base, because 2 ln base lacks parentheses.",
            "https://github.com/zju3dv/LoFTR/issues/41",
            """
def correction_dim(turns, head_dim, base, trained):
    return head_dim * math.log(trained / (turns * 2 * math.pi)) / 2 * math.log(base)


def yarn(head_dim, base, factor, trained):
    low = math.floor(correction_dim(32, head_dim, base, trained))
    high = math.ceil(correction_dim(1, head_dim, base, trained))
    pairs = np.arange(head_dim // 2)
    ramp = np.clip((pairs - low) / (high - low), 0, 1)
    freqs = float(base) ** (-2 * pairs / head_dim)
    mixed = freqs * (1 - ramp) + freqs / factor * ramp
    return np.append(mixed, 0.1 * math.log(factor) + 1)
""",
        ),
    ),
    "positions-in-batch": (
        (
            "padding-counted",
            "Counts the columns and ignores padding and documents.",
            "https://github.com/tloen/alpaca-lora/issues/315",
            """
def positions(documents):
    n_rows, n_tokens = documents.shape
    return np.tile(np.arange(n_tokens), (n_rows, 1))
""",
        ),
        (
            "documents-counted-through",
            "Skips the padding but counts on from document to document.",
            "https://github.com/ndif-team/nnsight/pull/673",
            """
def positions(documents):
    mask = (documents > 0).astype(int)
    position_ids = np.cumsum(mask, axis=-1) - 1
    position_ids[mask == 0] = 0
    return position_ids
""",
        ),
        (
            "pattern.wrong-alike",
            "Treats only the number 1 as text.",
            "https://github.com/hiyouga/LlamaFactory/pull/7754",
            """
def positions(documents):
    result = np.zeros(documents.shape, dtype=int)
    for row in range(len(documents)):
        count = 0
        for column in range(documents.shape[1]):
            if documents[row, column] == 1:
                result[row, column] = count
                count += 1
    return result
""",
        ),
        (
            "tokens-from-one",
            "Counts from 1 and keeps 0 for the padding.",
            "https://github.com/huggingface/transformers/issues/238",
            """
def positions(documents):
    rows = []
    for row in documents:
        found = []
        for column, number in enumerate(row):
            if number == 0:
                found.append(0)
            elif column > 0 and row[column - 1] == number:
                found.append(found[-1] + 1)
            else:
                found.append(1)
        rows.append(found)
    return np.array(rows)
""",
        ),
        (
            "new-only-if-larger",
            "Begins a document only where the number rises.",
            "https://github.com/huggingface/transformers/pull/35861",
            """
def positions(documents):
    result = np.zeros_like(documents)
    for r in range(documents.shape[0]):
        for c in range(1, documents.shape[1]):
            if documents[r, c] == 0 or documents[r, c] > documents[r, c - 1]:
                result[r, c] = 0
            else:
                result[r, c] = result[r, c - 1] + 1
    return result
""",
        ),
    ),
    "shifted-cache": (
        (
            "turned-to-new-only",
            "Turns by the new position, although the keys are already turned by the old one.",
            "https://github.com/NeuraLegion/shainet/pull/110",
            """
def shifted(keys, old, new, frequencies):
    n = len(frequencies)
    cos = np.cos(np.outer(new, frequencies))
    sin = np.sin(np.outer(new, frequencies))
    out = keys.copy()
    out[:, :n] = keys[:, :n] * cos - keys[:, n : 2 * n] * sin
    out[:, n : 2 * n] = keys[:, n : 2 * n] * cos + keys[:, :n] * sin
    return out
""",
        ),
        (
            "shift-without-turning",
            "Only puts the keys into their new slots and does not turn them.",
            "https://github.com/MemTensor/MemOS/issues/2315",
            """
def shifted(keys, old, new, frequencies):
    order = np.argsort(new, kind="stable")
    moved = np.empty_like(keys)
    moved[order] = keys[order]
    return moved
""",
        ),
        (
            "one-shift-for-all-keys",
            "Overwrites the delta in a loop and applies the last one to all keys.",
            "https://github.com/ggml-org/llama.cpp/issues/3825",
            """
def shifted(keys, old, new, frequencies):
    n = len(frequencies)
    delta = 0
    for before, after in zip(old, new):
        delta = after - before
    cos, sin = np.cos(delta * frequencies), np.sin(delta * frequencies)
    x, y = keys[:, :n], keys[:, n : 2 * n]
    return np.hstack([x * cos - y * sin, x * sin + y * cos, keys[:, 2 * n :]])
""",
        ),
        (
            "neighbours-in-halves",
            "Views neighbouring columns as complex numbers instead of halves.",
            "https://github.com/huggingface/transformers/issues/39687",
            """
def shifted(keys, old, new, frequencies):
    n = len(frequencies)
    turn = np.exp(1j * np.outer(new - old, frequencies))
    part = keys[:, : 2 * n].reshape(len(keys), n, 2)
    turned = (part[..., 0] + 1j * part[..., 1]) * turn
    flat = np.stack([turned.real, turned.imag], axis=-1).reshape(len(keys), 2 * n)
    return np.concatenate([flat, keys[:, 2 * n :]], axis=1)
""",
        ),
        (
            "both-positions-added",
            "Adds the old position instead of taking it off.",
            "https://github.com/huggingface/transformers/issues/30900",
            """
def shifted(keys, old, new, frequencies):
    n = len(frequencies)
    angles = np.outer(old + new, frequencies)
    x, y = keys[:, :n], keys[:, n : 2 * n]
    first = x * np.cos(angles) - y * np.sin(angles)
    second = x * np.sin(angles) + y * np.cos(angles)
    return np.hstack([first, second, keys[:, 2 * n :]])
""",
        ),
    ),
    "five-suspects": (
        (
            "suspects-by-fault",
            "Lists the suspect of each fault, which is the inverse of what is asked.",
            "https://github.com/numpy/numpy/issues/19880",
            """
faults = [2, 5, 4, 1, 3]
""",
        ),
        (
            "late-for-layout",
            "Takes the late query for the layout of neighbours and the other way round.",
            "",
            """
faults = [4, 1, 3, 5, 2]
""",
        ),
        (
            "faults-from-zero",
            "Numbers the faults from 0.",
            "",
            """
faults = np.array([4, 1, 5, 3, 2]) - 1
""",
        ),
        (
            "base-for-factor",
            "Takes the other base for an ignored factor and the other way round.",
            "",
            """
faults = [4, 2, 5, 3, 1]
""",
        ),
    ),
    "visible-squares": (
        (
            "divided-by-rows",
            "Divides by the number of rows instead of the number of columns.",
            "https://github.com/leondgarse/keras_cv_attention_models/issues/26",
            """
def square_vectors(squares, n_rows, n_columns, d_model):
    rows = squares // n_rows
    columns = squares % n_rows
    return np.concatenate(
        [encoding_at(rows, d_model // 2), encoding_at(columns, d_model // 2)], axis=1
    )
""",
        ),
        (
            "axes-exchanged",
            "meshgrid returns the columns first, so the first half encodes the column.",
            "https://github.com/facebookresearch/mae/issues/67",
            """
def square_vectors(squares, n_rows, n_columns, d_model):
    grid = np.meshgrid(np.arange(n_columns), np.arange(n_rows))
    emb_h = encoding_at(grid[0].ravel(), d_model // 2)
    emb_w = encoding_at(grid[1].ravel(), d_model // 2)
    return np.concatenate([emb_h, emb_w], axis=1)[squares]
""",
        ),
        (
            "pattern.repair-name",
            "Takes the root of the number of squares as the number of columns.",
            "https://github.com/Mountchicken/Union14M/issues/12",
            """
def square_vectors(squares, n_rows, n_columns, d_model):
    side = int((n_rows * n_columns) ** 0.5)
    vectors = []
    for square in squares:
        row, column = square // side, square % side
        halves = [encoding_at([row], d_model // 2)[0], encoding_at([column], d_model // 2)[0]]
        vectors.append(np.concatenate(halves))
    return np.array(vectors)
""",
        ),
        (
            "exponents-over-both-halves",
            ("Cuts vectors of the full width in half, so their frequencies are those of d_model."),
            "https://github.com/huggingface/diffusers/issues/12538",
            """
def square_vectors(squares, n_rows, n_columns, d_model):
    row, column = np.divmod(squares, n_columns)
    half = d_model // 2
    return np.hstack([encoding_at(row, d_model)[:, :half], encoding_at(column, d_model)[:, :half]])
""",
        ),
        (
            "halves-concatenated",
            "Each half has all sines first and all cosines after them.",
            "facebookresearch/mae util/pos_embed.py",
            """
def get_1d(pos, dim):
    omega = 1.0 / 10000 ** (np.arange(dim // 2) / (dim / 2))
    out = np.einsum("m,d->md", pos, omega)
    return np.concatenate([np.sin(out), np.cos(out)], axis=1)


def square_vectors(squares, n_rows, n_columns, d_model):
    half = d_model // 2
    rows, columns = squares // n_columns, squares % n_columns
    return np.concatenate([get_1d(rows, half), get_1d(columns, half)], axis=1)
""",
        ),
    ),
    "uneven-hours": (
        (
            "gaps-for-positions",
            "Counts from the previous reading instead of the first one.",
            "https://github.com/arshadshk/Last_Query_Transformer_RNN-PyTorch/issues/1",
            """
def vectors_at(hours, per_hour, d_model):
    lag = np.diff(hours, axis=1, prepend=hours[:, :1])
    return encoding_at(lag * per_hour, d_model)
""",
        ),
        (
            "rate-divided",
            "Divides by the positions per hour instead of multiplying.",
            "https://github.com/goodfire-ai/spd/pull/88",
            """
def vectors_at(hours, per_hour, d_model):
    elapsed = hours - hours[:, 0][:, np.newaxis]
    return encoding_at(elapsed / per_hour, d_model)
""",
        ),
        (
            "times-ending-at-one",
            (
                "Brings the time of each row to the range from 0 to 1, where the vectors "
                "hardly differ."
            ),
            "https://github.com/sihyun-yu/REPA/issues/40",
            """
def vectors_at(hours, per_hour, d_model):
    elapsed = hours - hours[:, :1]
    longest = elapsed.max(axis=1, keepdims=True)
    t = elapsed / np.where(longest == 0, 1, longest)
    return encoding_at(t * per_hour, d_model)
""",
        ),
        (
            "one-start-for-all",
            "Takes the earliest reading of all patients as the start of every row.",
            "",
            """
def vectors_at(hours, per_hour, d_model):
    start = hours.min()
    return encoding_at((hours - start) * per_hour, d_model)
""",
        ),
        (
            "rate-for-one-time",
            "Multiplies only the hours and not the start, because parentheses are missing.",
            "",
            """
def vectors_at(hours, per_hour, d_model):
    positions = hours * per_hour - hours[:, :1]
    return encoding_at(positions, d_model)
""",
        ),
    ),
}
"""Finding, mistake, place and cell of each answer, keyed by exercise."""

WRONG = {
    id: tuple((finding, answer_in_cell(id, cell)) for finding, _, _, cell in cells)
    for id, cells in CELLS.items()
}
