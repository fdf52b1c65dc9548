"""The rulebook, a module per chapter. RULES.md has the rules in words, under the same numbers.

    M1          state           counters, their two faces (M1.1, M1.2), and all else that a game is
    M2          setup           the first state, and the US placement (M2.1, M2.2)
    M3.1, M3.2  sequence        a turn, card by card; M3.8: the order in which a list is carried out
    M3.3, M3.4  allowance       what a card allows; M3.7: when Tiger 102 is free
    M3.5-M3.8   activation      the list that answers a card; M9.2, M9.3: which refusal comes first
    M3.9        offers          whether a seat is asked, and what it is offered: made in `drafts`, `placing`
    M4          movement        moves, entries, exits, stacking
    M5.1-M5.3   fire            who may fire at whom
    M5.4-M5.8   combat          strength, modifiers and cards of an attack, by support too (M6.3)
    M6          support         air and artillery: when, on what, and suppression (M6.4)
    M7          end_of_turn     the joker (M7.1, M7.2), the last card (M7.3), the next turn (M7.4)
    M8          victory         who has won, and when it can no longer change
    M9.1        orders          orders, plain and typed; M9.4: `position`, what is public

What cards mean (M3.1 to M3.4), and what units reach and see (M5.2, M5.3), is printed: see `terms`. What the
rules tell is in `events`.
"""
