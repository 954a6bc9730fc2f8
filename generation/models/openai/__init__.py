"""Language models on any server with OpenAI's chat API: vLLM, Ollama, llama.cpp, `transformers serve`."""
