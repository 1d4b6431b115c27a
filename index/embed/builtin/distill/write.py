"""Writes a trained table as the file that the Go package embeds, and scores what is written.

usage: write.py NAME OUT     NAME as given to train.py; table.go of the Go package states the layout of OUT

Beside OUT, testdata/vectors.json keeps a few texts with the vectors that the Go package must give them.
"""
import json
import os
import struct
import sys

import numpy as np

MAGIC = b'memsync static 1'


def fnv(piece, continues):
    h = 2166136261
    if continues:
        h = ((h ^ ord('#')) * 16777619) & 0xffffffff
    for b in piece:
        h = ((h ^ b) * 16777619) & 0xffffffff
    return h


def quantize(rows):
    """int8 rows, each under a scale of its own."""
    scale = np.abs(rows).max(1) / 127
    return np.round(rows / np.maximum(scale, 1e-12)[:, None]).astype(np.int8), scale.astype(np.float32)


def write(path, vocab, rows):
    """Rows of pieces that no text can give ([CLS], [unused7]) are left out."""
    keep = [i for i, p in enumerate(vocab) if not (len(p) > 2 and p[0] in '[<' and p[-1] in ']>')]
    pieces = [vocab[i].encode() for i in keep]
    cells, scale = quantize(np.asarray(rows, np.float32)[keep])
    slots = 1
    while slots < 2 * len(pieces):
        slots *= 2
    table = [0] * slots
    for i, p in enumerate(pieces):
        continues = len(p) > 2 and p.startswith(b'##')
        at = fnv(p[2:] if continues else p, continues) & (slots - 1)
        while table[at]:
            at = (at + 1) & (slots - 1)
        table[at] = i + 1
    with open(path, 'wb') as f:
        f.write(MAGIC + struct.pack('<4I', len(pieces), cells.shape[1], slots, max(map(len, pieces))))
        f.write(scale.tobytes())
        f.write(np.cumsum([len(p) for p in pieces]).astype('<u4').tobytes())
        f.write(np.array(table, '<u4').tobytes())
        f.write(cells.tobytes())
        f.write(b''.join(pieces))
    return len(pieces)


def main(name, out):
    import evaluate
    from static import Static
    from teacher import INPUTS
    from train import tokenizer
    tok = tokenizer()
    vocab = tok.get_vocab()
    rows = np.load('%s/table-%s.npy' % (INPUTS, name))
    print(write(out, sorted(vocab, key=vocab.get), rows), 'pieces of', rows.shape[1], 'components')
    cells, scale = quantize(rows)
    model = Static(tok, cells * scale[:, None])
    texts = ['kayak', 'When did Anna buy the red kayak?', 'Die Straße nach İstanbul', 'x = fetch_user(42)  # naïve']
    with open(os.path.join(os.path.dirname(out), 'testdata/vectors.json'), 'w') as f:
        for t, v in zip(texts, model.encode(texts)):
            f.write(json.dumps({'text': t, 'vector': [round(float(x), 5) for x in v]}) + '\n')
    evaluate.report(evaluate.load(), model.encode, name + ' int8')


if __name__ == '__main__':
    main(*sys.argv[1:])
