"""Gathers the texts on which the table is trained. usage: corpus.py OUT.jsonl

One line a text: {"s": source, "t": text, "p": pair}; texts with the same pair id stand in one conversation or define one
word. None comes from a retrieval benchmark. README.md lists the packages and their licences.
"""
import ast
import glob
import html
import json
import os
import random
import re
import sys
import sysconfig
import zipfile

from teacher import INPUTS

rnd = random.Random(7)
NAMES = ('Anna Ben Carla David Elena Felix Grace Hannah Ivan Julia Kofi Laura Marco Nadia Oscar Priya Quentin Rosa Samir Tara Uma '
         'Victor Wendy Xavier Yuki Zoe Aisha Bruno Chloe Diego Emma Farid Gita Hugo Ines Jonas Keiko Liam Mina Noah Olga Paul').split()
KIN = ('mother father sister brother wife husband son daughter friend boss colleague neighbour cousin aunt uncle grandmother '
       'roommate girlfriend boyfriend teacher doctor landlord').split()
WHEN = ('yesterday|last week|last weekend|in March|two years ago|on Friday|this morning|next month|in the summer of 2019|on 14 June|'
        'tomorrow|when I was a child|last year|recently|on my birthday|at Christmas').split('|')
FEEL = 'happy sad excited nervous proud tired grateful worried angry relieved surprised lonely stressed calm bored'.split()
STATEMENTS = '''
{n}: I bought a new {artifact} {w} and I am really {feel} about it.
{n}: My {kin} gave me a {artifact} {w}.
{n}: I have been learning {act} since {w}.
{n}: We had {food} for dinner {w}, my {kin} cooked it.
{n}: I am allergic to {food}, so I never eat it.
{n}: We went to the {location} {w} with my {kin}.
{n}: My {animal} got sick {w} and we took it to the vet.
{n}: I started a new job at a {group} {w}.
{n}: I have to finish the {communication} before {w}.
{n}: The {event} {w} was amazing, everybody came.
{n}: I was diagnosed with {state} {w}.
{n}: My {kin} is moving to {location} {w}.
{n}: I really love {act}, it makes me feel {feel}.
{n}: I planted {plant} in the garden {w}.
{n}: I hurt my {body} while {act} {w}.
{n}: Thanks, that means a lot! I felt so {feel} {w}.
{n}: Haha, that is so funny. I can't wait to see you!
{n}: Wow, congratulations! How did it go?
{n}: I read a {communication} about {act} {w} and it was great.
{n}: I lost my {artifact} at the {event} {w}.
{n}: I decided to give up {food} {w}.
{n}: We are planning a trip to {location} {w}.
{n}: I want to become a {person} one day.
{n}: My {kin} works as a {person} in {location}.
{n}: I spent {num} dollars on a {artifact} {w}.
{n}: I run {num} miles every week to prepare for the {event}.
{n}: I have {num} {animal}s at home.
{n}: I prefer {food} to {food2} these days.
{n}: I joined a {group} for {act} {w}.
{n}: I sold my old {artifact} to a {person} for {num} euros.
user: I am working on a {communication} about {act}, can you help me with it?
user: I need a plan for {act} with a deadline {w}.
assistant: Certainly! Here are some ideas for {act}: first choose a {artifact}, then talk to a {person}.
assistant: That sounds like a great {event}. Would you like tips about {food} or {act}?
'''.strip().split('\n')
QUESTIONS = '''
What did {n} buy {w}?
When did {n} get the {artifact}?
Who gave {n} the {artifact}?
What is {n} allergic to?
What did {n} cook for dinner?
Where did {n} go with her {kin}?
What happened to {n}'s {animal}?
How many {animal}s does {n} have?
Where does {n} work?
When is the deadline of the {communication}?
How did {n} feel about the {event}?
What illness does {n}'s {kin} have?
Why did {n} decide to give up {food}?
When did {n} start {act}?
What hobby does {n} enjoy?
Which {location} is {n} planning to visit?
What does {n}'s {kin} do for a living?
How much did I pay for the {artifact}?
What {communication} did {n} read?
How long has {n} been {act}?
What did I say about my {artifact}?
Did {n} attend the {event}?
What is the name of my {animal}?
What kind of {food} do I prefer?
Which did I do first, {act} or {act2}?
How many days passed between the {event} and the {event2}?
What would {n} likely do about the {state}?
Who supports {n} when she feels {feel}?
What are my plans for the {event} {w}?
Can you remind me what I told you about {act}?
Where did I leave my {artifact}?
What advice did the assistant give about {act}?
'''.strip().split('\n')


def wordnet():
    """Glosses, examples, and the common nouns of each field for the grammar."""
    folder = INPUTS + '/x/wordnet-base/usr/share/wordnet'
    fields = {5: 'animal', 6: 'artifact', 4: 'act', 8: 'body', 10: 'communication', 11: 'event', 13: 'food', 14: 'group',
              15: 'location', 18: 'person', 20: 'plant', 26: 'state'}
    first = {}
    for line in open(folder + '/index.noun'):
        if line.startswith(' '):
            continue
        part = line.split()
        senses = int(part[2])
        tagged = int(part[-senses - 1])
        if tagged:
            first[part[-senses]] = part[0].replace('_', ' ')
    slots, glosses, examples = {}, [], []
    for kind in ('noun', 'verb', 'adj', 'adv'):
        for line in open(folder + '/data.' + kind):
            if line.startswith(' '):
                continue
            head, gloss = line.split(' | ', 1)
            part = head.split()
            words = [w.split('(')[0].replace('_', ' ') for w in part[4:4 + 2 * int(part[3], 16):2]]
            said = re.findall(r'"([^"]{12,})"', gloss)
            what = gloss.split('; "')[0].strip()
            glosses.append((', '.join(words[:3]), what))
            examples.extend((words[0], e) for e in said)
            field = fields.get(int(part[1]))
            if kind == 'noun' and field and part[0] in first:
                slots.setdefault(field, []).append(first[part[0]])
    return slots, glosses, examples


def fill(template, slots):
    def one(m):
        key = m.group(1)
        if key == 'n':
            return rnd.choice(NAMES)
        if key == 'kin':
            return rnd.choice(KIN)
        if key == 'w':
            return rnd.choice(WHEN)
        if key == 'feel':
            return rnd.choice(FEEL)
        if key == 'num':
            return str(rnd.choice([2, 3, 4, 5, 12, 20, 35, 50, 120, 300, 1500]))
        return rnd.choice(slots[key.rstrip('2')])
    return re.sub(r'\{(\w+)\}', one, template)


def docstrings():
    """Paragraphs of the documentation of Python's standard library and of the packages that train the table."""
    roots = [sysconfig.get_paths()['stdlib']]
    site = sysconfig.get_paths()['purelib']
    roots += [os.path.join(site, p) for p in ('numpy', 'scipy', 'torch', 'transformers', 'sklearn', 'sympy', 'networkx', 'jinja2')]
    for root in roots:
        for path in sorted(glob.glob(root + '/**/*.py', recursive=True)):
            if '/test' in path or 'site-packages' in path and root == roots[0]:
                continue
            try:
                tree = ast.parse(open(path, encoding='utf-8').read())
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                    doc = ast.get_docstring(node)
                    for para in (doc or '').split('\n\n'):
                        para = ' '.join(para.split())
                        if len(para) > 60 and '>>>' not in para and para.count(' ') > 8:
                            yield path, para[:900]


def main(out):
    texts = []

    def add(source, text, pair):
        text = ' '.join(html.unescape(text).split())
        if len(text) >= 8:
            texts.append({'s': source, 't': text, 'p': pair})

    chats = json.load(zipfile.ZipFile(glob.glob(INPUTS + '/txt/chitchat_dataset-*.whl')[0]).open('chitchat_dataset/dataset.json'))
    for key, chat in chats.items():
        turns = [' '.join(m['text'] for m in turn) for turn in chat['messages']]
        for i, t in enumerate(turns):
            if t.count(' ') >= 3:
                who = rnd.choice(['', '', rnd.choice(NAMES) + ': '])
                add('chitchat', who + t, 'c%s/%d' % (key, i // 2))
        for i in range(0, len(turns) - 3, 3):
            add('chitchat-window', '\n'.join(turns[i:i + rnd.randint(2, 6)]), 'c%s' % key)
    slots, glosses, examples = wordnet()
    for i, (words, what) in enumerate(glosses):
        if rnd.random() < .45:
            add('wordnet', rnd.choice(['%s: %s', '%s is %s', '%s means %s']) % (words, what), 'w%d' % i)
    for i, (word, said) in enumerate(examples):
        add('wordnet-example', said, 'e%d' % i)
    for i in range(40000):
        add('grammar', fill(rnd.choice(STATEMENTS), slots), 'g%d' % i)
    for i in range(30000):
        add('grammar-question', fill(rnd.choice(QUESTIONS), slots), 'q%d' % i)
    for i in range(8000):
        add('grammar-long', '\n'.join(fill(rnd.choice(STATEMENTS), slots) for _ in range(rnd.randint(3, 8))), 'l%d' % i)
    docs = sorted(set(docstrings()))
    rnd.shuffle(docs)
    for path, para in docs[:40000]:
        add('docstrings', para, 'd' + path)
    for path in glob.glob(INPUTS + '/txt2/hutto_ICWSM_2014/*_GroundTruth.txt'):
        for i, line in enumerate(open(path, encoding='utf-8', errors='replace')):
            add('snippets', line.rstrip('\n').split('\t')[-1], 's%s%d' % (os.path.basename(path)[:3], i // 3))
    seen, kept = set(), []
    for t in texts:
        if t['t'] not in seen:
            seen.add(t['t'])
            kept.append(t)
    rnd.shuffle(kept)
    with open(out, 'w') as f:
        for t in kept:
            f.write(json.dumps(t) + '\n')
    count = {}
    for t in kept:
        count[t['s']] = count.get(t['s'], 0) + 1
    print(len(kept), count)


if __name__ == '__main__':
    main(*sys.argv[1:])
