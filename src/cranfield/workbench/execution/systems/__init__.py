"""One system on one test part: fitted or read, ranked, scored."""
