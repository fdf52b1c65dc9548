"""The rulebook, a module per chapter. RULES.md has each rule in words under its number.

    R1.1         state          counters, their factors and their two faces, and all else that a game is
    R1.2         terms.setting  the die
    R1.3         casualties     what a hit or a lost combat does
    R1.4         weather        a half is rounded down: an aircraft's flight in dust
    R2.1-R2.4    setup          the first state, and the placements; `ready` has ready-made ones
    R2.5         sequence       a turn, question by question
    R3.1-R3.4    weather        the throw, and what it does to movement and to ranges
    R4.1-R4.6    air            a package with a table of its own; R4.4, standing orders: `standing`
    R5.1-R5.5    movement       moves, allowances, roads, supply, zones of control
    R5.6-R5.7    mines          who enters mined hexes, and how they are cleared
    R6.1-R6.6    combat         combat on the ground, and of aircraft
    R7.1-R7.3    fire           who may fire at whom, and what hits
    R8.1-R8.3    victory        who has won
    R9.1-R9.2    sharing        the nations, each of which may have a commander; how many commanders
    R10.1-R10.2  orders         orders, plain and typed, and whose units they may name

What a player is offered is in `offers`, what is public in `position`, what the rules tell in `events`,
the chances of combats, shots and guns in `chances`.
"""
