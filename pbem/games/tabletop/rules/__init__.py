"""The rulebook, a module per chapter. RULES.md has each rule in words under its number.

    T1-T3       state        what is on the table, and what both may see; `terms` reads the scenario
    T4          sequence     what a side may order, in which sequence, and who has the table
    T5          orders       dice and cards: the forms of all orders; `sequence` throws and draws
    T6          hands        own decks and hidden hands: what is sealed, known, claimed and proven
    T7          sequence     notes and tracks
    T8          sequence     a result, and the end of the game
    T9          orders       how many exchanges with dice or cards a game has

The events that the rules report are in `events`.
"""
