"""What a book says about its characters: relations, attitudes, attributes, events and company, with
citations.
"""
