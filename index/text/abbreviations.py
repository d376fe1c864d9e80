"""Abbreviations of the field that one text writes and another spells out."""

from __future__ import annotations

ABBREVIATIONS = {
    "ai": "artificial intelligence", "cnn": "convolutional neural network", "cot": "chain of thought",
    "cv": "computer vision", "ddim": "denoising diffusion implicit", "dl": "deep learning",
    "gan": "generative adversarial network", "gnn": "graph neural network", "gr": "generative retrieval",
    "icl": "in-context learning", "ir": "information retrieval", "kl": "kullback leibler",
    "lm": "language model", "llm": "large language model", "lrm": "large reasoning model",
    "mdp": "markov decision process", "ml": "machine learning", "moe": "mixture of experts",
    "mri": "magnetic resonance imaging", "nlp": "natural language processing",
    "ode": "ordinary differential equation", "ood": "out of distribution",
    "peft": "parameter efficient fine tuning", "rag": "retrieval augmented generation",
    "rl": "reinforcement learning", "rlhf": "reinforcement learning from human feedback",
    "rnn": "recurrent neural network", "sde": "stochastic differential equation",
    "sft": "supervised fine tuning", "slm": "small language model", "ssl": "self supervised learning",
    "ssm": "state space model", "t2i": "text to image", "ttft": "time to first token",
    "vae": "variational autoencoder", "lvlm": "large vision language model", "mllm": "multimodal large language model",
    "dllm": "diffusion large language model", "genfm": "generative foundation model",
    "vla": "vision language action", "vlm": "vision language model",
}  # fmt: skip
"""Short form, in lower case, and what it stands for."""
