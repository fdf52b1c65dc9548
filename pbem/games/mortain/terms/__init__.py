"""The terms agreed or printed before the first move: options, scenario, map, counters, cards."""
