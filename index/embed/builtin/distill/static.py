"""A static embedding: one row a token, a text is the weighted mean of its tokens' rows, brought to unit length."""
import numpy as np
import scipy.sparse as sp


class Static:
    def __init__(self, tok, rows, pairs=()):
        """rows carry the weight of their token in their length; rows past the vocabulary belong to pairs of tokens."""
        self.tok, self.rows, self.pairs = tok, rows.astype(np.float32), pairs
        self.tok.no_truncation()
        self.tok.no_padding()

    def bags(self, texts, cap=None):
        return bags(self.tok, texts, len(self.rows), cap, self.pairs)

    def encode(self, texts, query=False):
        v = self.bags(texts) @ self.rows
        return v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-9)


def frequent_pairs(tok, texts, count):
    """The most frequent pairs of neighbouring tokens, as a*2^16+b, in order of their value."""
    ids = [np.array(e.ids, np.int64) for e in tok.encode_batch(texts, add_special_tokens=False)]
    both = np.concatenate([(a[:-1] << 16) + a[1:] for a in ids if len(a) > 1])
    value, n = np.unique(both, return_counts=True)
    return np.sort(value[np.argsort(-n, kind='stable')[:count]])


def bags(tok, texts, width, cap=None, pairs=()):
    """A sparse row of token counts a text."""
    at, cols = [0], []
    base = width - len(pairs)
    for e in tok.encode_batch(texts, add_special_tokens=False):
        ids = e.ids[:cap] if cap else e.ids
        cols.extend(ids)
        if len(pairs) and len(ids) > 1:
            a = np.array(ids, np.int64)
            both = (a[:-1] << 16) + a[1:]
            where = np.minimum(np.searchsorted(pairs, both), len(pairs) - 1)
            cols.extend(base + where[pairs[where] == both])
        at.append(len(cols))
    m = sp.csr_matrix((np.ones(len(cols), np.float32), cols, at), (len(texts), width))
    m.sum_duplicates()
    return m


def zipf(n, a=1e-3):
    """SIF weights when only the frequency rank of a token is known, as WordPiece vocabularies are ordered by it."""
    rank = np.arange(2, n + 2)
    p = 1 / rank
    p /= p.sum()
    return a / (a + p)


def pca(x, dim):
    mean = x.mean(0)
    _, s, vt = np.linalg.svd((x - mean).astype(np.float64).T @ (x - mean).astype(np.float64))
    return mean, vt[:dim].astype(np.float32)
