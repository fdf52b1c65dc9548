"""The player's settings for mail, read from `config.yaml` in his pbem folder."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import FileError
from pbem.journal.strict import read_yaml
from pbem.mail import config
from pbem.mail.config import Config


def read_config(home: Path) -> Config:
    """The settings in the folder `home`; none where there is no file. Raises `FileError` with the place."""
    path = home / "config.yaml"
    try:
        plain = read_yaml(path.read_bytes())
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", where=str(path)) from None
    except FileError as error:
        raise FileError(error.problem, where=f"{path}: {error.where}", hint=error.hint) from None
    return config.read(plain, str(path))
