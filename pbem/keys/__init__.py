"""Keys and signatures (FORMAT sections 2 and 4); sealed orders are in `pbem.keys.boxes`."""
