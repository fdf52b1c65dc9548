"""Mail: IMAP, SMTP, MIME, providers, settings. It knows no game, and only it opens mail connections."""
