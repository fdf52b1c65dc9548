"""The terms agreed or printed before the first move: options, map, counters, tables. See RULES.md."""
