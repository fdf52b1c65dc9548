"""The rulebook, a module per chapter. RULES.md has each rule in words under its number.

    M1.1-M1.2   state         counters and their two faces, and the rest of a game's state
    M2.1-M2.2   setup         the first state, and how the US places its units
    M3.1-M3.2   sequence      a turn, card by card
    M3.3-M3.4   allowance     how many units a card activates
    M3.5-M3.6   activation    the list of orders that answers a card, and who acts in it
    M3.7        allowance     Tiger 102
    M3.8        activation    the order of a list; `sequence` carries it out
    M3.9        sequence      whether a seat is asked, and what it is offered; see `activation_builder`
    M4.1-M4.5   movement      moves, stacking, entries, exits
    M5.1-M5.8   fire          who may fire at whom; strength, modifiers and cards of an attack
    M6.1-M6.5   support       air and artillery: when, on what, and suppression
    M7.1-M7.4   end_of_turn   the joker, the last card, the next turn
    M8.1-M8.3   victory       who has won, and when the outcome can no longer change
    M9.1        orders        orders, plain and typed
    M9.2-M9.3   activation    whose units may be named, and which refusal comes first
    M9.4        state         what is public

The meaning of cards (M3.1 to M3.4), ranges and lines of sight (M5.2, M5.3) are in `terms`, the events that
the rules report in `events`.
"""
