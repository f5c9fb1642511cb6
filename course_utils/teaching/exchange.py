"""What is handed in over the exchange, and which submission is collected from it."""

import json
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeSubmit

from ..notebook.storage import first_guesses, guesses_are_handed_in

GUESSES = "guesses.json"


class SubmitWithGuesses(ExchangeSubmit):
    """Submits a lab together with the first guesses, for students who ticked the box for that."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy the lab, and a file that says of each guess whether it was right."""
        super().do_copy(src, dest, log)
        file = Path(dest, GUESSES)
        file.unlink(missing_ok=True)  # nothing but what the box stands for
        if guesses_are_handed_in():
            try:
                file.write_text(json.dumps(first_guesses()), encoding="utf-8")
            except (OSError, RuntimeError) as error:
                self.log.warning("Without guesses: %s", error)  # the lab goes first


class CollectWhole(ExchangeCollect):
    """Collects the newest whole submission, not one that a full disk cut or that is arriving."""

    def _sort_by_timestamp(self, records: list[dict]) -> list[dict]:
        return sorted(
            records, key=lambda each: (self._is_whole(each), each["timestamp"]), reverse=True
        )

    def _is_whole(self, record: dict) -> bool:
        secret = Path(self.inbound_path, record["filename"], "submission_secret.txt")
        return secret.exists() and secret.stat().st_size > 0  # nbgrader writes it last
