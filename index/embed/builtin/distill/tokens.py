"""Writes what the teacher's tokenizer makes of texts, to hold the Go tokenizer against it.

usage: tokens.py TEXTS OUT.jsonl [SEED]     {"text", "pieces"} of TEXTS random texts; unknown words are left out
       tokens.py codepoints OUT.txt         one checksum for the words of each block of 256 code points

The texts are made here: English sentences from a small grammar, words in many scripts, and characters drawn at random.
"""
import json
import random
import sys
import zlib

from teacher import INPUTS, PATHS
from tokenizers import Tokenizer

SCRIPTS = [(0x41, 0x7a), (0xc0, 0x24f), (0x300, 0x36f), (0x370, 0x3ff), (0x400, 0x52f), (0x531, 0x587), (0x5d0, 0x5ea),
           (0x600, 0x6ff), (0x900, 0x97f), (0x980, 0x9ff), (0xb80, 0xbff), (0xe01, 0xe5b), (0xf00, 0xfff), (0x10a0, 0x10ff),
           (0x1100, 0x11ff), (0x1e00, 0x1fff), (0x2000, 0x206f), (0x20a0, 0x20bf), (0x2100, 0x218f), (0x2190, 0x22ff),
           (0x2460, 0x24ff), (0x3000, 0x30ff), (0x3400, 0x3500), (0x4e00, 0x9fff), (0xa640, 0xa69f), (0xac00, 0xd7a3),
           (0xe000, 0xe0ff), (0xf900, 0xfaff), (0xfb00, 0xfdff), (0xfe00, 0xffff), (0x1d400, 0x1d7ff), (0x1f300, 0x1faff),
           (0x20000, 0x2a6df), (0x2b740, 0x2ceaf), (0x2f800, 0x2fa1f), (0xe0000, 0xe01ef)]
WORDS = ('I you we she they Anna Jörg went wrote saw liked forgot bought the a my our old café naïve résumé kayak repository '
         'Straße İstanbul ΟΔΥΣΣΕΥΣ Привет мир שלום עולם مرحبا नमस्ते สวัสดี こんにちは 안녕하세요 你好世界 yesterday tomorrow on in 2024-05-17 '
         '3.14 €20 http://example.org/a?b=c#d user@example.org don\'t it\'s re-read C++ C# .NET __init__ snake_case camelCase '
         'ﬁnance ½ ™ … — “quoted” ‘so’ e\u0301clair a\u0308 x\u200by \u00ad soft\u00adhyphen 👩‍👩‍👧 👍🏽 🇩🇪 ①②③ Ⅷ ㍿ ｆｕｌｌ antidisestablishmentarianism '
         'unaffable hypopotomonstrosesquippedaliophobia Donaudampfschifffahrtsgesellschaft qzxwv').split(' ')

# Characters whose decomposition or lower case depends on the version of Unicode; words_test.go leaves out the same.
NEWEST = [(0x1c89, 0x1c89), (0xa7cb, 0xa7dc), (0x10d50, 0x10d65), (0x11938, 0x11938), (0x16ea0, 0x16eb8)]


def text(rnd):
    kind = rnd.random()
    if kind < .45:
        return ' '.join(rnd.choice(WORDS) for _ in range(rnd.randint(0, 14))) + rnd.choice(['', '.', '?', '!\n', '\t', ' \u3000'])
    if kind < .75:
        words = []
        for _ in range(rnd.randint(1, 6)):
            lo, hi = rnd.choice(SCRIPTS)
            words.append(''.join(chr(rnd.randint(lo, hi)) for _ in range(rnd.randint(1, 8))))
        return rnd.choice([' ', '', '\u00a0', '-']).join(words)
    if kind < .9:
        return ''.join(chr(rnd.choice([rnd.randint(0, 127), rnd.randint(0, 0x2fff), rnd.randint(0, 0xd7ff)]))
                       for _ in range(rnd.randint(0, 24)))
    if kind < .95:
        return rnd.choice('aé的') * rnd.randint(95, 105)
    return ''.join(rnd.choice(WORDS)[:rnd.randint(1, 9)] for _ in range(rnd.randint(1, 9)))


def main(what, out, seed='1'):
    tok = Tokenizer.from_file('%s/%s/tokenizer.json' % (INPUTS, PATHS['minilm']))
    tok.no_padding()
    tok.no_truncation()
    with open(out, 'w') as f:
        if what == 'codepoints':
            # Planes 4 to 13 are unassigned, and of 14 and 16 a sample does.
            for block in [*range(0, 0x40000, 256), *range(0xe0000, 0xe0300, 256), 0x10ff00]:
                if 0xd800 <= block < 0xe000:
                    continue
                sum_ = 0
                for c in range(block, block + 256):
                    if any(lo <= c <= hi for lo, hi in NEWEST):
                        continue
                    n = tok.normalizer.normalize_str('a' + chr(c) + 'a')
                    words = [w for w, _ in tok.pre_tokenizer.pre_tokenize_str(n)]
                    sum_ = zlib.crc32(('\x1f'.join(words) + '\n').encode(), sum_)
                f.write('%06x %08x\n' % (block, sum_))
            return
        rnd = random.Random(int(seed))
        for _ in range(int(what)):
            t = text(rnd)
            pieces = [p for p in tok.encode(t, add_special_tokens=False).tokens if not (len(p) > 2 and p[0] == '[' and p[-1] == ']')]
            f.write(json.dumps({'text': t, 'pieces': pieces}, ensure_ascii=True) + '\n')


main(*sys.argv[1:])
