"""A club: the games that lie in some folders, and the standings that every member can make again from them.

`gather` verifies, `counted` says which games count and how each ended, `standings` rates; `sheets`, `summary`
and `pbem.web.club` show it. Nothing here depends on clock, language, or the order of files.
"""
