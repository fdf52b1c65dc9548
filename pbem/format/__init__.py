"""The signed file (FORMAT): its YAML, its entries and their canonical form, keys and signatures, draws.

It knows no game. `document` is the file as a whole, `entries` and `shapes` its log; `yaml_reader` and
`yaml_writer` turn text into plain data and back; `keys` and `signatures` are Ed25519; `secret_chains` and
`draws` the dice and cards that neither player can choose.
"""
