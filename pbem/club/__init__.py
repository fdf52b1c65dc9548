"""A club: the games in some folders, and standings that every member can recompute from them.

`collect` verifies, `results` says which games count and how each ended, `standings` rates; `table_files`,
`table_text` and `pbem.web` present it. No table depends on the clock, the language, or the order of files.
"""
