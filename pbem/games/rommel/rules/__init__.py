"""The rulebook, by the numbers of RULES.md. Nothing here imports `view` or `players`.

    R1    counters and dice         `state`; R1.1, R1.2 `terms.setting`; R1.3 `casualties`
    R2    setting up                `setup`; ready-made set-ups: `ready`
    R3    weather                   `weather`
    R4    in the air                `air`, a package with a list of its own; R4.4 standing orders: `standing`
    R5    ground movement           `movement`; R5.6, R5.7 `mines`
    R6    combat                    `combat`
    R7    fire                      `fire`
    R8    victory                   `victory`
    R9    two to four players       nothing to adjudicate: nations are in `terms.setting`
    R10   questions and orders      `sequence`; R10.1, R10.2 `orders`; what a player is offered: `offers`

The position is `state`, as others see it `position`; what happens is told by `events`.
"""
