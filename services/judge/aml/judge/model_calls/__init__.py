"""Calls to a chat model over an OpenAI-compatible endpoint, with bounded retries that are counted apart."""
