#!/usr/bin/env python3
"""Imports whole exports, searches them through the command line, and says how much of the gold is found.

usage: endtoend.py MEMSYNC DATA      MEMSYNC: the program; DATA: a folder with chatgpt/NN and claude/ID

Each folder holds conversations.json and queries.json: questions with the message ids (gold_node_ids) or the
conversations (gold_conversation_uuids) that hold the answer. Questions without gold are left out.
any@k: some gold in the first k; frac@k: mean share of it; all@k: all of it.
"""
import collections, glob, json, os, subprocess, sys, tempfile

memsync, data = os.path.abspath(sys.argv[1]), sys.argv[2]
home = tempfile.mkdtemp()
env = dict(os.environ, HOME=home, **{'XDG_%s_HOME' % x: os.path.join(home, x) for x in ('CONFIG', 'CACHE', 'STATE', 'DATA')})


def run(*args):
    return subprocess.run([memsync, *args], env=env, capture_output=True, text=True, check=True).stdout


for provider, gold_key, ids_of in (('chatgpt', 'gold_node_ids', lambda h: h['message_ids']),
                                   ('claude', 'gold_conversation_uuids', lambda h: [h['conversation_id']])):
    sums, n = collections.Counter(), 0
    for folder in sorted(glob.glob(os.path.join(data, provider, '*'))):
        vault = os.path.join(home, provider + os.path.basename(folder))
        run('init', vault)
        run('import', os.path.join(folder, 'conversations.json'), '--vault', vault, '--no-synth')
        for q in json.load(open(os.path.join(folder, 'queries.json'))):
            gold = set(q[gold_key])
            if not gold:
                continue
            hits = json.loads(run('search', q['question'], '--vault', vault, '--json', '-n', '50'))['hits']
            ids = list(dict.fromkeys(i for h in hits for i in ids_of(h)))
            n += 1
            for k in (5, 10, 50):
                found = gold & set(ids[:k])
                sums['any@%d' % k] += bool(found)
                sums['frac@%d' % k] += len(found) / len(gold)
                sums['all@%d' % k] += found == gold
    print('%-8s n=%d ' % (provider, n) + ' '.join('%s %.3f' % (m, s / max(n, 1)) for m, s in sums.items()))
