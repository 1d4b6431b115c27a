"""Trains a static table toward a teacher's vectors of the corpus (after Tokenlearn), and scores it.

usage: train.py NAME [key=value ...]     the settings without any are those of the committed table

Two losses. Relations: in a batch, the softmax over a text's similarities to the others is to be the teacher's; this is
what search asks for, and holds whatever the dimension. Place: the vector is to point where the teacher's does after PCA;
this keeps tokens that training sees seldom in step with the rest. Half of the batches hold neighbours (texts sorted along
a random direction of the teacher's space), so that fine differences are learned and not only topics.
"""
import glob
import json
import sys
import time

import evaluate
import numpy as np
import torch
from static import Static, bags, frequent_pairs, pca, zipf
from teacher import INPUTS, PATHS
from tokenizers import Tokenizer

torch.set_num_threads(1)


def settings(args):
    s = dict(teachers='bge-small+minilm', dim=256, sif=1e-4, epochs=5, batch=512, lr=1e-2, tau_t=.1, tau_s=.1, place=5.0,
             near=.5, texts=60000, seed=1, train=1, pairs=0)
    for a in args:
        k, v = a.split('=')
        s[k] = type(s[k])(float(v)) if isinstance(s[k], (int, float)) else v
    return s


def tokenizer():
    tok = Tokenizer.from_file('%s/%s/tokenizer.json' % (INPUTS, PATHS['minilm']))
    tok.no_truncation()
    tok.no_padding()
    return tok


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def load(s):
    """Texts and what the teachers say of them: with several teachers the similarity is the mean of theirs."""
    files = {t: sorted(glob.glob('%s/vec/%s-???.npy' % (INPUTS, t))) for t in s['teachers'].split('+')}
    n = min(len(f) for f in files.values())
    parts = [np.concatenate([np.load(f) for f in fs[:n]]).astype(np.float32) for fs in files.values()]
    # Teachers spread their similarities differently; centring makes them comparable and widens a narrow cone.
    parts = [unit(p - p.mean(0)) for p in parts]
    target = np.concatenate(parts, 1) / len(parts) ** .5
    lines = [json.loads(l) for l in open(INPUTS + '/corpus.jsonl')][:len(target)]
    m = min(s['texts'], len(lines))
    return lines[:m], target[:m]


def vocabulary(s, rows):
    """Vocabulary vectors of the teachers, side by side, in the order of BERT's vocabulary."""
    out = []
    for t in s['teachers'].split('+'):
        v = np.load('%s/vocab-%s.npy' % (INPUTS, t))
        v = v[4:4 + rows] if t == 'mpnet' else v
        out.append(unit(v - v.mean(0)))
    return np.concatenate([o[:rows] for o in out], 1)


def start(s, target):
    v = vocabulary(s, 30522)
    _, p = pca(np.concatenate([v, target[:60000]]), s['dim'])
    return (v @ p.T) * zipf(len(v), s['sif'])[:, None], p


def order(rnd, target, n, near, batch):
    """Batches of indices: some at random, some of neighbours along a random direction."""
    perm = rnd.permutation(n)
    cut = int(n * near) // batch * batch
    close, far = perm[:cut], perm[cut:]
    out = [far[i:i + batch] for i in range(0, len(far) - batch + 1, batch)]
    for part in np.array_split(close, max(1, cut // (batch * 32))):
        # Split the part in two along random directions until a leaf is a batch.
        stack = [part]
        while stack:
            p = stack.pop()
            if len(p) < 2 * batch:
                out.append(p[:batch])
                continue
            a, b = target[rnd.choice(p)], target[rnd.choice(p)]
            side = np.argsort(target[p] @ (a - b))
            stack += [p[side[:len(p) // 2]], p[side[len(p) // 2:]]]
    rnd.shuffle(out)
    return out


def train(s, log=print):
    tok = tokenizer()
    lines, target = load(s)
    rows, p = start(s, target)
    if not s['train']:
        return tok, rows, ()
    texts = [l['t'] for l in lines]
    pairs = frequent_pairs(tok, texts, s['pairs']) if s['pairs'] else ()
    rows = np.concatenate([rows, np.zeros((len(pairs), s['dim']))]) if s['pairs'] else rows
    torch.manual_seed(s['seed'])
    rnd = np.random.default_rng(s['seed'])
    bag = bags(tok, texts, len(rows), pairs=pairs)
    place = torch.tensor(unit(target @ p.T), dtype=torch.float32)
    rows = (rows / np.linalg.norm(rows[:30522], axis=1).mean()).astype(np.float32)
    table = torch.nn.Parameter(torch.tensor(rows))
    opt = torch.optim.Adam([table], lr=s['lr'])
    steps = s['epochs'] * (len(lines) // s['batch'])
    step, began = 0, time.time()
    diag = torch.eye(s['batch'], dtype=torch.bool)
    for epoch in range(s['epochs']):
        sums = np.zeros(2)
        batches = order(rnd, target, len(lines), s['near'], s['batch'])
        for idx in batches:
            if len(idx) < s['batch']:
                continue
            for g in opt.param_groups:
                g['lr'] = s['lr'] * max(.02, 1 - step / steps) * min(1, (step + 1) / 50)
            b = bag[idx]
            x = torch.nn.functional.embedding_bag(
                torch.tensor(b.indices, dtype=torch.long), table, torch.tensor(b.indptr[:-1], dtype=torch.long), mode='sum',
                per_sample_weights=torch.tensor(b.data))
            x = torch.nn.functional.normalize(x, dim=1)
            t = torch.tensor(target[idx])
            want = torch.log_softmax((t @ t.T / s['tau_t']).masked_fill(diag, -1e4), 1)
            have = torch.log_softmax((x @ x.T / s['tau_s']).masked_fill(diag, -1e4), 1)
            relation = (want.exp() * (want - have)).sum(1).mean()
            placed = (1 - (x * place[idx]).sum(1)).mean()
            loss = relation + s['place'] * placed
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += [relation.item(), placed.item()]
            step += 1
        log('epoch %d: relation %.4f place %.4f, %d texts, %.0f s' % (epoch, *sums / len(batches), len(lines), time.time() - began))
    return tok, table.detach().numpy(), pairs


if __name__ == '__main__':
    name = sys.argv[1]
    s = settings(sys.argv[2:])
    with open(INPUTS + '/results.txt', 'a') as out:
        print('#', name, ' '.join(sys.argv[2:]), file=out)
        tok, rows, pairs = train(s, lambda m: print(m, flush=True))
        np.save('%s/table-%s.npy' % (INPUTS, name), rows.astype(np.float32))
        np.save('%s/pairs-%s.npy' % (INPUTS, name), np.array(pairs, np.int64))
        evaluate.report(evaluate.load(), Static(tok, rows, pairs).encode, name, out)
