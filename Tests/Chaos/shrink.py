"""Makes the list of operations of a failing seed short: delta debugging, and fewer cards in what is left."""
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import worker
from worker import Job, Result


@dataclass
class Shrinker:
    """Looks for the same kind of violation again. A run depends on time, so each list gets several tries."""
    job: Job
    kind: str
    seconds: float = 120.0
    tries: int = 2
    runs: int = 0
    last: Result | None = None

    def shrink(self, operations: list[dict], at: int | None) -> tuple[list[dict], Result | None]:
        """The shortest list found, and what it violates; the result is None when it did not fail again."""
        end = time.monotonic() + self.seconds
        if at is not None:
            operations = operations[:at + 1]
        if not (self._fails(operations) or self._fails(operations)):
            return operations, None
        operations = self._fewer(operations, end)
        operations = self._fewer_cards(operations, end)
        return self._fewer(operations, end), self.last

    def _fails(self, operations: list[dict]) -> bool:
        with ThreadPoolExecutor(self.tries) as pool:
            # Known to differ for good: half the patience is enough.
            jobs = [replace(self.job, operations=operations, only=[self.kind], patience=self.job.patience / 2)
                    for _ in range(self.tries)]
            results = list(pool.map(worker.run, jobs))
        self.runs += self.tries
        for result in results:
            if self.kind in result.kinds:
                self.last = result
                return True
        return False

    def _fewer(self, operations: list[dict], end: float) -> list[dict]:
        size = max(len(operations) // 2, 1)
        while time.monotonic() < end:
            start, smaller = 0, False
            while start < len(operations) and time.monotonic() < end:
                candidate = operations[:start] + operations[start + size:]
                if candidate and self._fails(candidate):
                    operations, smaller = candidate, True
                else:
                    start += size
            if size == 1 and not smaller:
                break
            size = max(size // 2, 1)
        return operations

    def _fewer_cards(self, operations: list[dict], end: float) -> list[dict]:
        for index, operation in enumerate(operations):
            for key in ("cards", "steps"):
                while len(operation.get(key, [])) > 1 and time.monotonic() < end:
                    half = len(operation[key]) // 2
                    for part in (operation[key][:half], operation[key][half:]):
                        candidate = [*operations[:index], operation | {key: part}, *operations[index + 1:]]
                        if self._fails(candidate):
                            operations, operation = candidate, operation | {key: part}
                            break
                    else:
                        break
        return operations
