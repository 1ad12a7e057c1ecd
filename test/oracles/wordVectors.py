"""Reference values of CBOW and PV-DM, for test/oracles/wordVectors.test.ts.

    python3 test/oracles/wordVectors.py > test/oracles/wordVectors.json

Plain numpy in double precision, by the formulas of word2vec.c (Mikolov et al. 2013): the context is averaged, and its error is
added whole to each of its vectors, or, where `divided`, over their number. Where gensim is installed it trains from the same
vectors, and must agree with the whole errors where these read their sigmoids from a table, as it does. So that nothing is left to chance there is
one sentence, the window does not shrink, and the power of the negatives' counts is so large that each negative is word 0.
"""

import json
import sys

import numpy as np

SENTENCE = [0, 1, 0, 2, 3, 0, 4, 0, 1, 0, 2, 0]
WORDS, DIMENSION, WINDOW, RATE, EPOCHS, POWER = 5, 6, 2, 0.5, 3, 200


def start(rows):
    """Vectors of a size at which slopes are not all alike."""
    entries = np.arange(rows * DIMENSION, dtype=np.float64)
    return np.round(0.8 * np.cos(1 + entries**1.5), 4).reshape(rows, DIMENSION)


def exact(score):
    return 1 / (1 + np.exp(-score))


def from_table(score):
    """Gensim's and word2vec.c's: a thousand values from -6 to 6, found by the whole-number quotient 1000 / 6 / 2."""
    return exact((int((score + 6) * 83) / 1000 * 2 - 1) * 6)


def train(model, divided, sigmoid=exact):
    inputs = start(WORDS + (1 if model == "pv-dm" else 0))
    outputs = np.round(0.6 * np.sin(2 + np.arange(WORDS * DIMENSION) ** 1.3), 4).reshape(WORDS, DIMENSION)
    first = inputs.copy(), outputs.copy()
    for _ in range(EPOCHS):
        for place, word in enumerate(SENTENCE):
            near = range(max(0, place - WINDOW), min(len(SENTENCE), place + WINDOW + 1))
            context = [SENTENCE[at] for at in near if at != place] + ([WORDS] if model == "pv-dm" else [])
            mean = inputs[context].mean(axis=0)
            error = np.zeros(DIMENSION)
            for target, label in [(word, 1.0)] + ([(0, 0.0)] if word != 0 else []):
                step = RATE * (label - sigmoid(outputs[target] @ mean))
                error += step * outputs[target]
                outputs[target] += step * mean
            for row in context:
                inputs[row] += error / (len(context) if divided else 1)
    return first, inputs, outputs


def with_gensim(model, first):
    from gensim.models import Doc2Vec, Word2Vec
    from gensim.models.doc2vec import TaggedDocument

    common = dict(vector_size=DIMENSION, window=WINDOW, shrink_windows=False, negative=1, ns_exponent=POWER, sample=0)
    common |= dict(alpha=RATE, min_alpha=RATE, min_count=1, epochs=EPOCHS, workers=1, seed=1)
    words = [str(word) for word in SENTENCE]
    if model == "cbow":
        trained, corpus = Word2Vec(sg=0, **common), [words]
    else:
        trained, corpus = Doc2Vec(dm=1, **common), [TaggedDocument(words, [0])]
    trained.build_vocab(corpus)
    order = [trained.wv.key_to_index[str(word)] for word in range(WORDS)]
    trained.wv.vectors[order] = first[0][:WORDS]
    trained.syn1neg[order] = first[1]
    if model == "pv-dm":
        trained.dv.vectors[0] = first[0][WORDS]
    trained.train(corpus, total_examples=1, epochs=EPOCHS, start_alpha=RATE, end_alpha=RATE)
    documents = trained.dv.vectors if model == "pv-dm" else np.zeros((0, DIMENSION))
    return np.vstack([trained.wv.vectors[order], documents]), trained.syn1neg[order]


def main():
    cases = []
    for model in ["cbow", "pv-dm"]:
        for divided in [False, True]:
            first, inputs, outputs = train(model, divided)
            case = dict(model=model, contextUpdate="divided" if divided else "whole")
            case |= dict(inputs0=first[0].tolist(), outputs0=first[1].tolist())
            cases.append(case | dict(inputs=inputs.tolist(), outputs=outputs.tolist()))
            if not divided:
                try:
                    found = with_gensim(model, first)
                except ImportError:
                    print("gensim is not installed: not compared", file=sys.stderr)
                    continue
                _, *tabled = train(model, divided, from_table)
                apart = max(np.abs(ours - theirs).max() for ours, theirs in zip(tabled, found))
                print(f"{model}: gensim is {apart:.1e} off, vectors moved {np.abs(inputs - first[0]).max():.2f}", file=sys.stderr)
                assert apart < 1e-5
    settings = dict(window=WINDOW, dimension=DIMENSION, learningRate=RATE, epochs=EPOCHS, negativePower=POWER)
    print(json.dumps(dict(sentence=SENTENCE, words=WORDS, settings=settings, cases=cases)))


main()
