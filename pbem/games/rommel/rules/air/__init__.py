"""In the air (R4).

R4.1         sub-turns, standing down       `sorties`; their order: `rules.sequence`
R4.2, R4.3   flights, zones of control      `flights`
R4.4         fire at aircraft               `flak`; standing orders, in any answer: `rules.standing`
R4.5         bombs                          `bombing`
             dogfights                      `dogfights`; they are resolved by `rules.combat`
R4.6         landing                        `landing`
"""
