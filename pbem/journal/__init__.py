"""The signed YAML file: strict reader, writer, entries, canonical form, links. It knows no game, no key."""
