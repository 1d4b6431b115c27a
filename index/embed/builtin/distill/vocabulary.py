"""Runs every vocabulary token through a teacher alone: the start of the recipe."""
import sys

import numpy as np
from teacher import INPUTS, Teacher

for name in sys.argv[1:]:
    t = Teacher(name)
    rows = [[t.cls, i, t.sep] for i in range(len(t.vocab))]
    out = np.concatenate([t.forward(rows[i:i + 1024]) for i in range(0, len(rows), 1024)])
    np.save('%s/vocab-%s.npy' % (INPUTS, name), out)
    print(name, out.shape)
