"""Workers: processes and nodes that fill the store, from which the one road then takes all."""
