"""Causal models behind a server that gives log probabilities: vLLM and SGLang.

    queries --packing--> requests --protocols--> bodies --link--> server
                                                            |
    log probabilities <-- values by node and token <--------+

- `facts` is what a server says about its model, `finding` asks it and finds the tokenizer.
- `packing` turns queries into few requests, `protocols` writes and reads their bodies, and `link` sends them.
- `model` answers queries with the interface of `CausalModel`, and `canary` checks the server before a run.
"""
