"""The settings: what may stand in config.yaml, and the one line for whatever else does."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.mail.settings import Account, Config, MailSettings, parse_config, read_config
from support.markers import WINDOWS

SCHEMA = Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "schemas" / "config.schema.json").read_text("utf-8"))
)
DRIVE = "C:" if WINDOWS else ""
WHOLE = f"""
mail:
  address: anna@example.org
  name: Anna
  smtp: {{host: smtp.example.org, port: 465, security: tls, user: anna, password_command: [pass, show, mail]}}
  imap: {{host: "::1", port: 143, security: starttls, user: anna@example.org, ca: {DRIVE}/etc/own-ca.pem}}
  maildir: ~/Mail/games
  folder: Games/pbem
"""


def whole() -> dict[str, Any]:
    plain = parse_yaml(WHOLE.encode())
    assert isinstance(plain, dict)
    return plain


def changed(path: str, value: Any) -> dict[str, Any]:
    """The settings with another value at a path such as `mail.smtp.port`."""
    plain = whole()
    *inside, last = path.split(".")
    part = plain
    for key in inside:
        part = part[key]
    part[last] = value
    return plain


class TestGood:
    """What is written is what is read, in the shape that the schema describes."""

    def test_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/home/anna")
        monkeypatch.setenv("USERPROFILE", f"{DRIVE}/home/anna")
        SCHEMA.validate(whole())
        assert parse_config(whole(), "config.yaml") == Config(
            mail=MailSettings(
                address="anna@example.org",
                name="Anna",
                smtp=Account(
                    host="smtp.example.org",
                    port=465,
                    security="tls",
                    user="anna",
                    password_command=["pass", "show", "mail"],
                ),
                imap=Account(
                    host="::1",
                    port=143,
                    security="starttls",
                    user="anna@example.org",
                    ca=f"{DRIVE}/etc/own-ca.pem",
                ),
                maildir=f"{DRIVE}/home/anna/Mail/games",
                folder="Games/pbem",
            )
        )

    def test_the_least(self) -> None:
        config = parse_config({"mail": {"address": "anna@example.org"}}, "config.yaml")
        assert config == Config(
            mail=MailSettings(address="anna@example.org", smtp=None, imap=None, folder="INBOX")
        )

    @pytest.mark.parametrize("plain", [{}, {"mail": None}])
    def test_nothing(self, plain: dict[str, Any]) -> None:
        SCHEMA.validate(plain)
        assert parse_config(plain, "config.yaml") == Config()

    def test_no_account_shares_its_words_with_another(self) -> None:
        one, other = (Account(host="h", port=1, security="tls", user="u") for _ in range(2))
        one.password_command.append("word")
        assert other.password_command == []


FAULTS = [
    (
        "mail",
        "anna",
        "mail: must be a mapping of address, name, smtp, imap, maildir, folder, sent_copy, "
        "microsoft_client_id, resend_after, not 'anna'",
    ),
    ("mail", {}, "mail: the key 'address' is missing"),
    (
        "mail",
        [],
        "mail: must be a mapping of address, name, smtp, imap, maildir, folder, sent_copy, "
        "microsoft_client_id, resend_after, not an empty list",
    ),
    ("mial", {}, "there is no key 'mial'"),
    (
        "mail.address",
        "anna",
        "mail.address: 'anna' is not a mail address such as anna@example.org",
    ),
    (
        "mail.address",
        "a@x.org, b@x.org",
        "mail.address: 'a@x.org, b@x.org' is not a mail address such as anna@example.org",
    ),
    ("mail.address", 3, "mail.address: must be a mail address, not 3"),
    (
        "mail.name",
        "n" * 65,
        f"mail.name: must be your name, at most 64 characters, not '{'n' * 30}'… (65 characters)",
    ),
    (
        "mail.folder",
        "",
        "mail.folder: must be the name of a folder on the server, 1 to 250 characters, not ''",
    ),
    ("mail.maildir", True, "mail.maildir: must be the path of a Maildir folder, not true"),
    (
        "mail.maildir",
        "Mail",
        "mail.maildir: 'Mail' is not a full path: begin with / or ~/, or on Windows with a drive or ~/",
    ),
    (
        "mail.imap.ca",
        "ca.pem",
        "mail.imap.ca: 'ca.pem' is not a full path: begin with / or ~/, or on Windows with a drive or ~/",
    ),
    (
        "mail.smtp",
        "x",
        "mail.smtp: must be a mapping of host, port, security, user, auth, password_command, "
        "token_command, ca, not 'x'",
    ),
    ("mail.smtp.ports", 25, "mail.smtp: there is no key 'ports'"),
    ("mail.smtp.port", 0, "mail.smtp.port: must be a whole number from 1 to 65535, not 0"),
    ("mail.smtp.port", 65536, "mail.smtp.port: must be a whole number from 1 to 65535, not 65536"),
    ("mail.smtp.port", "465", "mail.smtp.port: must be a whole number from 1 to 65535, not '465'"),
    ("mail.smtp.port", True, "mail.smtp.port: must be a whole number from 1 to 65535, not true"),
    (
        "mail.smtp.host",
        "a b",
        "mail.smtp.host: must be the name of a server, such as smtp.example.org, not 'a b'",
    ),
    (
        "mail.smtp.host",
        None,
        "mail.smtp.host: must be the name of a server, such as smtp.example.org, not null",
    ),
    (
        "mail.smtp.user",
        "",
        "mail.smtp.user: must be your user name on the server, 1 to 254 characters, not ''",
    ),
    ("mail.smtp.security", "none", "mail.smtp.security: must be tls or starttls, not 'none'"),
    ("mail.smtp.security", "ssl", "mail.smtp.security: must be tls or starttls, not 'ssl'"),
]
"""A path, another value there, and what is said after the file's name."""


class TestFaults:
    """Whatever has another shape is refused in one line with its path, and by the schema as well."""

    @pytest.mark.parametrize(("path", "value", "words"), FAULTS)
    def test_fault(self, path: str, value: Any, words: str) -> None:
        plain = changed(path, value)
        with pytest.raises(FileError) as caught:
            parse_config(plain, "config.yaml")
        assert str(caught.value) == f"config.yaml: {words}"
        assert not SCHEMA.is_valid(plain)

    @pytest.mark.parametrize("plain", [None, 3, "mail", ["mail"]])
    def test_no_mapping(self, plain: Any) -> None:
        with pytest.raises(
            FileError, match=r"^config\.yaml: must be a mapping of lang, name, get_it, mail, not .*$"
        ):
            parse_config(plain, "config.yaml")
        assert not SCHEMA.is_valid(plain)

    @pytest.mark.parametrize("key", ["host", "port", "security", "user"])
    def test_what_every_account_needs(self, key: str) -> None:
        plain = whole()
        del plain["mail"]["imap"][key]
        with pytest.raises(FileError, match=rf"^config\.yaml: mail\.imap: the key '{key}' is missing$"):
            parse_config(plain, "config.yaml")
        assert not SCHEMA.is_valid(plain)

    def test_a_slip_of_the_typist_is_guessed(self) -> None:
        with pytest.raises(FileError) as caught:
            parse_config(changed("mail.smtp.pasword_command", []), "config.yaml")
        assert caught.value.hint == "did you mean 'password_command'?"

    @pytest.mark.parametrize("key", ["x` - at `$.mail.smtp", "x` - at `$.foo", "Port", "a\nb", "smtp[0]"])
    def test_a_key_unlike_any_of_ours(self, key: str) -> None:
        with pytest.raises(FileError) as caught:
            parse_config({"mail": {"address": "anna@example.org", key: 1}}, "config.yaml")
        assert str(caught.value) == f"config.yaml: mail: there is no key {key!r}"

    @pytest.mark.parametrize("text", ["a\nb", "a\0b", "a\x1b[31mb", "a\u202eb"])
    @pytest.mark.parametrize("path", ["mail.name", "mail.smtp.user", "mail.folder", "mail.imap.ca"])
    def test_what_cannot_be_printed(self, path: str, text: str) -> None:
        with pytest.raises(FileError) as caught:
            parse_config(changed(path, text), "config.yaml")
        assert str(caught.value) == f"config.yaml: {path}: has a character that cannot be printed"

    def test_no_setting_for_less_than_verified_tls(self) -> None:
        for key in ("verify", "insecure", "tls", "check_hostname"):
            with pytest.raises(FileError, match=f"there is no key '{key}'"):
                parse_config(changed(f"mail.smtp.{key}", False), "config.yaml")


class TestPasswords:
    """A password in clear is refused wherever it stands, and not repeated; the hint says where it belongs."""

    @pytest.mark.parametrize("path", ["password", "mail.passwd", "mail.smtp.pass", "mail.imap.Password"])
    def test_refused(self, path: str) -> None:
        with pytest.raises(FileError) as caught:
            parse_config(changed(path, "hunter2"), "config.yaml")
        assert str(caught.value) == f"config.yaml: {path}: a password must not be in a file as plain text"
        assert caught.value.hint == "delete it, and type: pbem mail setup"

    def test_a_token_is_refused_as_well(self) -> None:
        with pytest.raises(FileError, match=r"mail\.smtp\.token: a token must not be") as caught:
            parse_config(changed("mail.smtp.token", "hunter2"), "config.yaml")
        assert "hunter2" not in str(caught.value)

    @pytest.mark.parametrize("key", ["password_command", "token_command"])
    @pytest.mark.parametrize(
        "value", ["hunter2", ["echo", {"x": "hunter2"}], ["echo", ["hunter2"]], {"word": "hunter2"}]
    )
    def test_a_command_that_is_no_list_of_words_is_not_repeated(self, key: str, value: Any) -> None:
        with pytest.raises(FileError) as caught:
            parse_config(changed(f"mail.smtp.{key}", value), "config.yaml")
        assert str(caught.value).endswith(": must be a list of words")
        assert "hunter2" not in str(caught.value) + caught.value.hint
        assert not SCHEMA.is_valid(changed(f"mail.smtp.{key}", value))


class TestTokens:
    """`auth: xoauth2` goes with a `token_command`, and neither without the other."""

    @pytest.mark.parametrize(
        ("more", "words"),
        [
            ({"auth": "xoauth2"}, "token_command: a command is missing, as a list of words"),
            ({"token_command": ["oama"]}, "token_command: it needs auth: xoauth2 as well"),
            (
                {"auth": "microsoft", "token_command": ["oama"]},
                "token_command: it needs auth: xoauth2 as well",
            ),
            (
                {"auth": "xoauth2", "token_command": ["oama"], "password_command": ["pass"]},
                "password_command: it is not allowed together with a token_command",
            ),
            ({"auth": "oauth"}, "auth: must be one of password, xoauth2, microsoft, not 'oauth'"),
        ],
    )
    def test_refused(self, more: dict[str, Any], words: str) -> None:
        plain = changed("mail.imap", {**whole()["mail"]["imap"], **more})
        with pytest.raises(FileError) as caught:
            parse_config(plain, "config.yaml")
        assert str(caught.value) == f"config.yaml: mail.imap.{words}"
        assert not SCHEMA.is_valid(plain)

    def test_good(self) -> None:
        plain = changed(
            "mail.imap", {**whole()["mail"]["imap"], "auth": "xoauth2", "token_command": ["oama"]}
        )
        SCHEMA.validate(plain)
        mail = parse_config(plain, "config.yaml").mail
        assert mail
        assert mail.imap
        assert mail.imap.token_command == ["oama"]


class TestSchema:
    """The schema and the program agree on which keys there are."""

    def test_valid(self) -> None:
        Draft202012Validator.check_schema(SCHEMA.schema)

    def test_the_same_keys(self) -> None:
        whole_file: Any = SCHEMA.schema
        mail, account = whole_file["properties"]["mail"], whole_file["$defs"]["account"]
        for shape, described in ((Config, whole_file), (MailSettings, mail), (Account, account)):
            assert shape.__struct_fields__ == tuple(described["properties"])
            assert not described["additionalProperties"]
        assert mail["required"] == ["address"]
        assert account["required"] == ["host", "port", "security", "user"]

    def test_a_missing_key_is_missed_by_both(self) -> None:
        """Every key of the whole file taken away in turn."""
        for where in ("mail", "mail.smtp", "mail.imap"):
            for key in list(_at(whole(), where)):
                plain = deepcopy(whole())
                del _at(plain, where)[key]
                assert SCHEMA.is_valid(plain) == _is_read(plain), f"{where}.{key}"


class TestFile:
    """The file in PBEM_HOME: none is no settings; what is wrong is told with the file's path."""

    def test_none(self, tmp_path: Path) -> None:
        assert read_config(tmp_path) == Config()

    def test_one(self, tmp_path: Path) -> None:
        (tmp_path / "config.yaml").write_text(WHOLE)
        config = read_config(tmp_path)
        assert config.mail
        assert config.mail.maildir == os.path.expanduser("~/Mail/games")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("mail:\n\tx: 1\n", "line 2, column 1: "),
            ("mail:\n  address: 3\n", "mail.address: must be a mail address, not 3"),
            ("mail: *a\n", "line 1, column 7: the alias '*a' is not allowed: write the value itself"),
        ],
    )
    def test_wrong(self, text: str, words: str, tmp_path: Path) -> None:
        path = tmp_path / "config.yaml"
        path.write_text(text)
        with pytest.raises(FileError) as caught:
            read_config(tmp_path)
        assert str(caught.value).startswith(f"{path}: {words}")

    def test_a_number_for_a_server_is_told_how(self, tmp_path: Path) -> None:
        (tmp_path / "config.yaml").write_text("mail:\n  smtp:\n    host: 127.0.0.1\n")
        with pytest.raises(FileError, match="needs quotes") as caught:
            read_config(tmp_path)
        assert caught.value.hint == 'put it in double quotes, as in host: "127.0.0.1"'

    def test_unreadable(self, tmp_path: Path) -> None:
        (tmp_path / "config.yaml").mkdir()
        with pytest.raises(FileError, match=r"config\.yaml: cannot be read: "):
            read_config(tmp_path)


def _at(plain: Any, path: str) -> Any:
    for key in path.split("."):
        plain = plain[key]
    return plain


def _is_read(plain: Any) -> bool:
    try:
        parse_config(plain, "config.yaml")
    except FileError:
        return False
    return True
