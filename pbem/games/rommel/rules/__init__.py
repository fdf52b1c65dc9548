"""The rulebook, a module per chapter. RULES.md has each rule in words under its number.

    R1.1         state          counters, their factors and two faces, and the rest of a game's state
    R1.2         terms.setting  the die
    R1.3         victory        losses: the effect of a hit or a lost combat
    R1.4         weather        halves are rounded down: an aircraft's flight in dust
    R2.1-R2.4    setup          the first state, and the placements, ready-made ones too
    R2.5         sequence       a turn, question by question
    R3.1-R3.4    weather        the throw, and its effect on movement and ranges
    R4.1         air            one side's part of a sub-turn, standing down
    R4.2-R4.3    flights        paths of aircraft, zones of control
    R4.4         flak           fire at aircraft, and standing orders
    R4.5-R4.6    air            bombs, dogfights, landing
    R5.1-R5.7    movement       moves, allowances, roads, supply, zones of control, mines
    R6.1-R6.6    combat         combat on the ground, and of aircraft
    R7.1-R7.3    fire           who may fire at whom, and what hits
    R8.1-R8.3    victory        who has won
    R9.1-R9.2    orders         the nationalities, each of which may have a commander; how many commanders
    R10.1-R10.2  orders         orders, plain and typed, and whose units they may name

The simple legal answers offered to players are in `sequence`, the events that the rules report in `events`,
the exact chances of combats, shots and guns in `combat`.
"""
