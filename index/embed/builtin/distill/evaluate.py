"""Scores embeddings on retrieval sets in the BEIR layout: vectors alone, and fused with BM25 by reciprocal ranks.

The sets are only measured, never trained on.
"""
import collections
import json
import math
import os
import re

import numpy as np

ROOT = os.environ.get('RETRIEVAL', '../../../../../shared/data/retrieval')
STOP = set('a an the of to in on at for and or is are was were be been do did does i you he she it we they my your his her '
           'their our me him them this that with as by from what when where who which how why has have had not about into '
           'will would can could should there'.split())
# family, level, metric: what ANCHORS.md of the project states for each family.
WANTED = [('locomo', 'doc', 'frac@10'), ('locomo', 'group', 'any@5'), ('realtalk', 'doc', 'frac@10'),
          ('beam-100k', 'group', 'any@5'), ('beam-100k', 'group', 'frac@10'), ('longmemeval-pool', 'doc', 'all@5'),
          ('longmemeval-pool', 'doc', 'any@5')]


def stem(w):
    for s in ('ing', 'edly', 'ed', 'ies', 'es', 's', 'ly'):
        if w.endswith(s) and len(w) - len(s) >= 3:
            return w[:-len(s)] + ('y' if s == 'ies' else '')
    return w


def terms(text):
    return [stem(w) for w in re.findall(r'[a-z0-9]+', text.lower()) if w not in STOP]


class Set:
    def __init__(self, folder):
        self.family = os.path.relpath(folder, ROOT).split('/')[0]
        docs = [json.loads(l) for l in open(folder + '/corpus.jsonl')]
        self.ids = [d['_id'] for d in docs]
        self.group = [d['metadata'].get('group', d['_id']) for d in docs]
        self.texts = [((d['metadata'].get('speaker') or '') + ': ' + d['text']).lstrip(': ') for d in docs]
        queries = [json.loads(l) for l in open(folder + '/queries.jsonl')]
        self.qids, self.queries = [q['_id'] for q in queries], [q['text'] for q in queries]
        self.gold = collections.defaultdict(set)
        where = {d: i for i, d in enumerate(self.ids)}
        for line in list(open(folder + '/qrels/test.tsv'))[1:]:
            q, d, s = line.rstrip('\n').split('\t')
            if int(s) > 0:
                self.gold[q].add(where[d])
        self.bm25 = self.keyword()

    def keyword(self):
        tf = [collections.Counter(terms(t)) for t in self.texts]
        length = np.array([sum(c.values()) for c in tf], float)
        postings = collections.defaultdict(list)
        for i, c in enumerate(tf):
            for w, n in c.items():
                postings[w].append((i, n))
        out = np.zeros((len(self.queries), len(tf)), np.float32)
        for q, text in enumerate(self.queries):
            for w in set(terms(text)):
                p = postings.get(w, ())
                idf = math.log(1 + (len(tf) - len(p) + .5) / (len(p) + .5))
                for i, n in p:
                    out[q, i] += idf * n * 2.2 / (n + 1.2 * (.25 + .75 * length[i] / length.mean()))
        return out


def load():
    return [Set(f) for f, _, files in sorted(os.walk(ROOT)) if 'corpus.jsonl' in files]


def fuse(a, b, k=60, top=100):
    """Reciprocal rank fusion of two score matrices; what scores nothing by keyword gets no vote from there."""
    out = np.zeros_like(a)
    for s in (a, b):
        order = np.argsort(-s, axis=1)[:, :top]
        for q in range(len(s)):
            seen = order[q][s[q, order[q]] > 0]
            out[q, seen] += 1 / (k + 1 + np.arange(len(seen)))
    return out


def context(s, set_):
    """A turn is found through its conversation: scores raised by neighbours and by the best of the session."""
    s = np.maximum(s - np.quantile(s, .5, axis=1, keepdims=True), 0)
    out = s.copy()
    g = np.array(set_.group)
    for d, w in ((1, .3), (2, .15)):
        same = (g[d:] == g[:-d])
        out[:, d:] += w * s[:, :-d] * same
        out[:, :-d] += w * s[:, d:] * same
    for name in set(set_.group):
        m = g == name
        out[:, m] += .3 * s[:, m].max(1, keepdims=True)
    return out


def measure(sets, scores):
    sums = collections.defaultdict(lambda: [0, 0])

    def add(key, v):
        sums[key][0] += v
        sums[key][1] += 1
    for set_, m in zip(sets, scores):
        order = np.argsort(-m, axis=1, kind='stable')[:, :200]
        for q, qid in enumerate(set_.qids):
            docs = [i for i in order[q] if m[q, i] > 0 or True]
            groups = list(dict.fromkeys(set_.group[i] for i in docs))
            gold = set_.gold[qid]
            ggold = {set_.group[i] for i in gold}
            for level, ranked, want in (('doc', docs, gold), ('group', groups, ggold)):
                for k in (5, 10, 50):
                    hits = len(want & set(ranked[:k]))
                    add((set_.family, level, 'any@%d' % k), hits > 0)
                    add((set_.family, level, 'frac@%d' % k), hits / len(want))
                    add((set_.family, level, 'all@%d' % k), hits == len(want))
    return {k: a / n for k, (a, n) in sums.items()}


def report(sets, embed, name, out=None):
    """embed(texts, query) gives unit vectors. Prints one line: vector, fused, and both with conversation context."""
    vec = []
    for s in sets:
        vec.append(embed(s.queries, True) @ embed(s.texts, False).T)
    bm = [s.bm25 for s in sets]
    cv = [context(v, s) for v, s in zip(vec, sets)]
    cb = [context(b, s) for b, s in zip(bm, sets)]
    rows = {'vector': vec, 'hybrid': [fuse(v, b) for v, b in zip(vec, bm)],
            'vector+context': cv, 'hybrid+context': [fuse(v, b) for v, b in zip(cv, cb)]}
    result = {}
    for kind, m in rows.items():
        r = measure(sets, m)
        vals = [r[w] for w in WANTED]
        result[kind] = vals
        line = '%-34s %-15s %s  mean %.4f' % (name, kind, ' '.join('%.3f' % v for v in vals), np.mean(vals))
        print(line, flush=True)
        if out:
            print(line, file=out, flush=True)
    return result


if __name__ == '__main__':
    import sys
    from teacher import Teacher
    sets = load()
    for kind, ms in (('bm25', [s.bm25 for s in sets]), ('bm25+context', [context(s.bm25, s) for s in sets])):
        r = measure(sets, ms)
        print('%-34s %-15s %s  mean %.4f' % ('floor', kind, ' '.join('%.3f' % r[w] for w in WANTED), np.mean([r[w] for w in WANTED])))
    for name in sys.argv[1:]:
        t = Teacher(name)
        report(sets, lambda x, q: t.encode(x, query=q), name)
