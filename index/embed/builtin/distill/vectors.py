"""Runs a teacher over the corpus. usage: vectors.py TEACHER CORPUS.jsonl OUT_PREFIX [COUNT]

Writes OUT_PREFIX-NNN.npy of 10,000 float16 vectors each; those that exist are not made again.
"""
import json
import os
import sys
import time

import numpy as np
from teacher import Teacher

name, corpus, prefix = sys.argv[1:4]
texts = [json.loads(l)['t'] for l in open(corpus)]
texts = texts[:int(sys.argv[4])] if len(sys.argv) > 4 else texts
t = Teacher(name)
for n in range(0, len(texts), 10000):
    path = '%s-%03d.npy' % (prefix, n // 10000)
    if os.path.exists(path):
        continue
    start = time.time()
    v = t.encode(texts[n:n + 10000], limit=224)
    np.save(path + '.tmp.npy', v.astype(np.float16))
    os.rename(path + '.tmp.npy', path)
    print(path, '%.0f texts/s' % (len(v) / (time.time() - start)), flush=True)
