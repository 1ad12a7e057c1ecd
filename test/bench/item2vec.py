"""gensim's skip-gram with negative sampling: folder, dimension, window, negatives, epochs a run, runs, threads."""
import json
import sys
import time

import gensim
import numpy as np
from gensim.models import Word2Vec

folder = sys.argv[1]
dimension, window, negatives, epochs, runs, threads = (int(value) for value in sys.argv[2:8])
offsets, tokens = np.load(f"{folder}/offsets.npy"), np.load(f"{folder}/columns.npy")
words = [str(word) for word in range(int(tokens.max()) + 1)]
sentences = [[words[token] for token in tokens[a:b]] for a, b in zip(offsets[:-1], offsets[1:])]
seconds = []
for run in range(runs + 1):
    model = Word2Vec(
        vector_size=dimension, window=window, negative=negatives, sg=1, hs=0, sample=0, min_count=1, workers=threads, alpha=0.025,
        min_alpha=0.0001, shrink_windows=True, seed=run + 1, batch_words=10_000,
    )
    model.build_vocab(sentences)
    started = time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=epochs)
    if run > 0:
        seconds.append((time.perf_counter() - started) / epochs)
print(json.dumps({"seconds": seconds, "gensim": gensim.__version__}))
