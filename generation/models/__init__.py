"""Language models behind one small protocol: messages in, text out, with its cost."""
