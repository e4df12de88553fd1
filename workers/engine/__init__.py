"""Language models and how to ask them. Knows no database, no Django and no probe.

    reference --locate--> Checkpoint --load--> MaskedModel | CausalModel
                              |                        |
                          tokenizer                log_probabilities(queries), distances(queries)
                              |                        |
    Sentence --encode--> Encoded (token range of each slot) --> queries

`loading` resolves, checks and loads; `checkpoint` says what was found (kind, digests, tokenizer); `hub`, `gguf` and
`assembled` bring files here, and `bundled` knows the models that come along; `sentences` finds words among tokens;
`spelling` says how words are spelled there; `weights` reads the headers of weight files; `vocabulary` sorts tokens
into classes; `masked` and `causal` answer queries, `options` asks how likely texts are to a causal model,
`multiple_choice` and `text_to_text` answer questions, `remote` asks an endpoint and remembers what it was told
(`remembered`), `stored` stands for answers that were given elsewhere; `filling` says what a masked model would put in
a mask's place; `heads`, `packed` and `trees` make them quick; `output` is a causal model's last layer, and
`least_change` says how little must change in a last layer to put a word on top; `batching` fills batches and halves
them when memory runs out; `attention` keeps the answers independent of the batch; `kept` holds what a masked model's
body said, for the next method that asks it.

To add a family of masked language models: one entry in `heads.FAMILIES` (where its transform and its decoder are), and
one line for a tiny model in `tests/workers/engine/conftest.py`; the tests there hold it against the plain forward pass.
A family without an entry is run whole, which is slower and right all the same. A causal family needs nothing: at
loading, `trees` asks the model itself whether many continuations can be read in one pass.

To add a kind: a member of `checkpoint.Kind` with its suffix of architecture names, a module with a query (a frozen
dataclass) and a model class (`log_probabilities`, or the kind's own verb), and a line in `loading.load`. Batches go
through `batching.in_batches`, so that a kind need not know about memory: what asks the model returns its answers, and
only those of whole batches are kept. Bump `loading.ENGINE_VERSION` whenever a
number changes by more than rounding: it is part of every shard's content key.
"""
