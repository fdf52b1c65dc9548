"""The signed file (FORMAT): its YAML, its entries and their canonical form, keys and signatures, draws.

It knows no game. `document` is the file as a whole, `entries` its log, `canonical` the bytes that are hashed
and signed; `yaml_reader` and `yaml_writer` turn text into plain data and back; `keys` and `key_file` are for
Ed25519 keys, `draws` for the dice and cards that neither player can choose, `encrypted_boxes` for hidden
orders.
"""
