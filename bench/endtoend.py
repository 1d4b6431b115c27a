#!/usr/bin/env python3
"""Imports whole exports, searches them through the command line, and says how much of the gold is found.

usage: endtoend.py MEMSYNC DATA      MEMSYNC: the program; DATA: a folder with chatgpt/NN and claude/ID

Each folder holds conversations.json and queries.json: questions with the message ids (gold_node_ids) or the
conversations (gold_conversation_uuids) that hold the answer. Questions without gold are left out.
any@k: some gold in the first k; frac@k: mean share of it; all@k: all of it. A message that was found stands for itself, and in
the second line of ChatGPT's for its exchange, a message of the person's with the answers to it, as the retrieval sets count.
"""
import collections, glob, json, os, subprocess, sys, tempfile

memsync, data = os.path.abspath(sys.argv[1]), sys.argv[2]
home = tempfile.mkdtemp()
env = dict(os.environ, HOME=home, **{'XDG_%s_HOME' % x: os.path.join(home, x) for x in ('CONFIG', 'CACHE', 'STATE', 'DATA')})


def run(*args):
    return subprocess.run([memsync, *args], env=env, capture_output=True, text=True, check=True).stdout


def exchanges(folder):
    """The message of the person's that each message of a ChatGPT export belongs to."""
    first = {}
    for conversation in json.load(open(os.path.join(folder, 'conversations.json'))):
        nodes = conversation.get('mapping', {})
        for node in nodes:
            at = node
            while at and (nodes[at].get('message') or {}).get('author', {}).get('role') != 'user' and nodes[at].get('parent'):
                at = nodes[at]['parent']
            first[node] = at
    return first


class Score:
    def __init__(self):
        self.sums, self.n = collections.Counter(), 0

    def add(self, gold, ids):
        ids, self.n = list(dict.fromkeys(ids)), self.n + 1
        for k in (5, 10, 50):
            found = gold & set(ids[:k])
            self.sums['any@%d' % k] += bool(found)
            self.sums['frac@%d' % k] += len(found) / len(gold)
            self.sums['all@%d' % k] += found == gold

    def show(self, what):
        if self.n:
            print('%-18s n=%d ' % (what, self.n) + ' '.join('%s %.3f' % (m, s / self.n) for m, s in self.sums.items()))


for provider, gold_key, ids_of in (('chatgpt', 'gold_node_ids', lambda h: h['message_ids']),
                                   ('claude', 'gold_conversation_uuids', lambda h: [h['conversation_id']])):
    single, paired = Score(), Score()
    for folder in sorted(glob.glob(os.path.join(data, provider, '*'))):
        vault = os.path.join(home, provider + os.path.basename(folder))
        run('init', vault)
        run('import', os.path.join(folder, 'conversations.json'), '--vault', vault, '--no-synth')
        first = exchanges(folder) if provider == 'chatgpt' else None
        for q in json.load(open(os.path.join(folder, 'queries.json'))):
            gold = set(q[gold_key])
            if not gold:
                continue
            hits = json.loads(run('search', q['question'], '--vault', vault, '--json', '-n', '50'))['hits']
            ids = [i for h in hits for i in ids_of(h)]
            single.add(gold, ids)
            if first:
                paired.add({first.get(g, g) for g in gold}, [first.get(i, i) for i in ids])
    single.show(provider)
    paired.show(provider + ' exchanges')
