"""Measure the answers to readers' questions, and train what finds them."""
