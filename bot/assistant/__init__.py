"""The LangChain agent. Knows nothing of Telegram."""
