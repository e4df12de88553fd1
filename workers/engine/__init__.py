"""Language models and queries to them, without a database, Django or a probe.

    reference --locate--> Checkpoint --load--> MaskedModel | CausalModel
                              |                        |
                          tokenizer                log_probabilities(queries), distances(queries)
                              |                        |
    Sentence --encode--> Encoded (token range of each slot) --> queries

- `loading` resolves, checks and loads a reference; `memory` checks first whether its weights fit.
- `checkpoints/`: `checkpoint` describes what is loaded (kind, digests, tokenizer). `hub`, `gguf` and `head_assembly`
  provide files; `bundled` knows the models that come with the installation, and `variants` finds models made of other
  models. `weights` reads the headers of weight files.
- `projection` reads the map of a layer's states, and `projecting` applies it.
- `sentences` finds words among tokens, `spelling` reports how words are spelled, `vocabulary` classifies tokens.
- `self_debias` reweights a distribution by descriptions of a bias; `self_debiased` asks masked and causal models so.
- `masked` and `causal` answer queries; `options` scores texts by a causal model; `filling` returns the likeliest tokens
  in a mask's place; `multiple_choice` and `text_to_text` answer questions; `local_chat` does so in a chat.
- `endpoints/`: `remote` queries an endpoint by `chat_completion` and keeps its replies in a store that the executing
  run provides; `batch_client` sends batches; `retries` repeats requests. `stored_answers` represents answers given
  elsewhere.
- `servers/` asks models behind vLLM and SGLang for log probabilities.
- `heads`, `packed` and `trees` make models fast. `batching` fills batches and halves them when memory runs out.
  `attention` makes answers independent of the batch. `state_cache` keeps hidden states for the next method.
- `output` is a causal model's last layer, and `least_change` computes how little a last layer must change to put a
  word on top.

To add a family of masked language models, add an entry to `heads.FAMILIES` (the places of its transform and its
decoder) and a line for a tiny model to `tests/workers/engine/conftest.py`. The tests there compare it with the plain
forward pass. A family without an entry is run whole, which is slower and equally right. A causal family needs nothing:
at loading, `trees` tests whether the model can read many continuations in one pass.

To add a kind, add a member to `checkpoints.checkpoint.Kind` with its suffix of architecture names, a module with a
query (a frozen dataclass) and a model class (`log_probabilities`, or the kind's own verb), and a case to
`loading.load`. Batches go through `batching.in_batches`, so that a kind need not manage memory. Raise
`loading.ENGINE_VERSION` whenever a number changes by more than rounding, because it is part of every shard's content
key.
"""
