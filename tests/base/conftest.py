"""The options in salads.py are registered when it is imported, which must happen once."""

collect_ignore = ["salads.py"]
