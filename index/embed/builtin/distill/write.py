"""Writes a table as the file that the Go package embeds; table.go of that package states the layout."""
import struct

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
