"""Judges: does the book bear a claim out?"""
