"""In the air (R4): `sorties` reads an answer and carries it out, and the others are what it consists of.

    R4.1         sub-turns, standing down       `sorties`; their order: `rules.sequence`
    R4.2, R4.3   flights, zones of control      `flights`
    R4.4         fire at aircraft               `flak`
    R4.5         bombs; dogfights               `bombing`; `dogfights`, fought by `rules.combat`
    R4.6         landing                        `landing`

Standing orders (R4.4) may stand in any answer: `rules.standing`.
"""
