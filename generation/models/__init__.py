"""Language models behind one small protocol: messages in, text out, and what it cost."""
