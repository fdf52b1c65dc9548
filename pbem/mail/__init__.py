"""Mail: IMAP, SMTP, MIME, providers, settings; it knows no game. Nothing else opens a mail connection."""
