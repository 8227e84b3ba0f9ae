"""Tables as they are given: columns, order, places they are read from."""
