"""A static embedding: one row a token, a text is the weighted mean of its tokens' rows, brought to unit length."""
import numpy as np
import scipy.sparse as sp


class Static:
    def __init__(self, tok, rows):
        """rows carry the weight of their token in their length."""
        self.tok, self.rows = tok, rows.astype(np.float32)
        self.tok.no_truncation()
        self.tok.no_padding()

    def bags(self, texts, cap=None):
        return bags(self.tok, texts, len(self.rows), cap)

    def encode(self, texts, query=False):
        v = self.bags(texts) @ self.rows
        return v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-9)


def bags(tok, texts, width, cap=None):
    """A sparse row of token counts a text."""
    at, cols = [0], []
    for e in tok.encode_batch(texts, add_special_tokens=False):
        cols.extend(e.ids[:cap] if cap else e.ids)
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
