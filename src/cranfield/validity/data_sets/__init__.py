"""Over several data sets: how large a difference is, how far it varies, and where it holds."""
