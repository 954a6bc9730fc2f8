"""What others have written of characters: read, matched with books, filtered, split, counted."""
