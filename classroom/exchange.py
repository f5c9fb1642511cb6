"""Collection of complete submissions from nbgrader's exchange."""

from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect


class CollectWhole(ExchangeCollect):
    """Collector that selects the newest complete submission."""

    def _sort_by_timestamp(self, records: list[dict]) -> list[dict]:
        return sorted(
            records, key=lambda each: (self._is_whole(each), each["timestamp"]), reverse=True
        )

    def _is_whole(self, record: dict) -> bool:
        secret = Path(self.inbound_path, record["filename"], "submission_secret.txt")
        return secret.exists() and secret.stat().st_size > 0  # nbgrader writes this file last.
