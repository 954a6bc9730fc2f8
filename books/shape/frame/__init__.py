"""Text around or inside the story that is not part of it: licences, notes, page numbers and remarks."""
