"""Train the reader on the data of `prepare.py`, on a GPU, or a few steps on a CPU as a test.

python train.py --minutes 9 --start FOLDER    continues from exported models; default: init.npz
python train.py --steps 20 --small            tests everything on a CPU

Writes the models in parts, the metrics and the log to $OUT."""

import argparse
import collections
import copy
import json
import multiprocessing
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from batches import Builder, Data, feed
from network import Reader, Rounding, load_start, load_state
from torch import Tensor
from torch.nn import functional

HERE = Path(__file__).parent
# Sources that are not in the baseline's metrics.
WRITTEN = ("written", "jotted")
REFUSED = ("swapped", "unsaid", "untalked", "unnoted", "unwritten", "unjotted")
APART = (
    *REFUSED, *WRITTEN, "grammar", "notes", "noted", "hotpot", "2wiki", "hotpot-para",
    "2wiki-para",
)  # fmt: skip
OUT = Path(os.environ.get("OUT", HERE / "out"))


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument(
        "--steps", type=int, default=0, help="stop after this number of steps; ignores --minutes"
    )
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--groups", type=int, default=128)
    parser.add_argument("--candidates", type=int, default=8)
    parser.add_argument("--others", type=int, default=99, help="how many of the negatives to use")
    parser.add_argument("--pairs", type=int, default=384)
    parser.add_argument("--rate", type=float, default=1.0e-4)
    parser.add_argument("--workers", type=int, default=13)
    parser.add_argument(
        "--start",
        type=Path,
        nargs="*",
        help="exported models to continue from; several: their mean",
    )
    parser.add_argument(
        "--rounded", type=float, default=0.6, help="round as in int8 after this share of the time"
    )
    parser.add_argument(
        "--only", choices=("reading", "judging"), help="train only one, freeze the other"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Trainer:
    def __init__(self, settings: argparse.Namespace) -> None:
        self.settings, self.began = settings, time.time()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(settings.seed)
        OUT.mkdir(parents=True, exist_ok=True)
        self.log = (OUT / "log.txt").open("a")
        self.data = Data()
        self.network = Reader().to(self.device)
        self.write_log("begin anew:", self.begin())
        self.mean = copy.deepcopy(self.network).eval()
        if settings.only == "reading":
            self.network.train_reading()
        elif settings.only == "judging":
            self.network.train_judging()
        self.builder = Builder(self.data, settings, settings.seed)

    def begin(self) -> list[str]:
        if not self.settings.start:
            return load_start(self.network, str(HERE / "init.npz"))
        from start import mean_weights

        return load_state(self.network, mean_weights([(path, 1) for path in self.settings.start]))

    def write_log(self, *words: Any) -> None:
        line = f"[{time.time() - self.began:6.1f}] " + " ".join(map(str, words))
        print(line, flush=True)
        self.log.write(line + "\n")
        self.log.flush()

    def run(self, batch: dict[str, np.ndarray], network: Any) -> Any:
        inputs = [
            torch.from_numpy(batch[name]).to(self.device, non_blocking=True).long()
            for name in ("ids", "kinds", "mask")
        ]
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.device == "cuda"):
            return network(*inputs)

    def train(self) -> None:
        trained = [p for p in self.network.parameters() if p.requires_grad]
        decayed = [p for p in trained if p.ndim > 1]
        plain = [p for p in trained if p.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(
            groups, lr=self.settings.rate, betas=(0.9, 0.98), fused=self.device == "cuda"
        )
        next_batch, stop = self.batches()
        started, step, sums = time.time(), 0, collections.Counter()
        while (progress := self.done(step, started)) < 1:
            rate = self.settings.rate * min(1, (step + 1) / 300) * max(0.02, 1 - progress)
            for group in optimizer.param_groups:
                group["lr"] = rate
            Rounding.on = progress >= self.settings.rounded
            optimizer.zero_grad(set_to_none=True)
            groups, pairs = next_batch()
            self.loss(groups, pairs, sums).backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            optimizer.step()
            step += 1
            self.average(step)
            if step % 100 == 0:
                shown = {name: round(float(value) / 100, 3) for name, value in sums.items()}
                self.write_log(
                    "step", step, f"rate {rate:.1e}", shown, f"{time.time() - started:.0f} s"
                )
                sums.clear()
        stop()
        self.write_log("trained", step, "steps")

    def loss(self, groups: Any, pairs: Any, sums: collections.Counter) -> Tensor:
        if self.settings.only == "reading":
            return self.group_loss(groups, sums)
        if self.settings.only == "judging":
            return self.pair_loss(pairs, sums)
        return self.group_loss(groups, sums) + 0.7 * self.pair_loss(pairs, sums)

    def done(self, step: int, started: float) -> float:
        if self.settings.steps:
            return step / self.settings.steps
        return (time.time() - started) / (60 * self.settings.minutes)

    def average(self, step: int) -> None:
        """Update the running mean of the weights, which performs better than the last weights."""
        share = min(0.999, step / (step + 20))
        with torch.no_grad():
            pairs = zip(self.mean.parameters(), self.network.parameters(), strict=True)
            mean, now = zip(*pairs, strict=True)
            torch._foreach_lerp_(list(mean), list(now), 1 - share)

    def batches(self) -> tuple[Any, Any]:
        if self.settings.workers == 0 or self.device == "cpu":
            return self.builder.batch, lambda: None
        context = multiprocessing.get_context("fork")
        queue = context.Queue(64)
        workers = [
            context.Process(
                target=feed,
                args=(queue, self.data, self.settings, 100 * self.settings.seed + n),
                daemon=True,
            )
            for n in range(self.settings.workers)
        ]
        for worker in workers:
            worker.start()
        return queue.get, lambda: [worker.terminate() for worker in workers]

    def pair_loss(self, parts: list[dict[str, np.ndarray]], sums: collections.Counter) -> Tensor:
        logits = torch.cat([self.run(part, self.network.judge) for part in parts])
        relation = np.concatenate([part["relation"] for part in parts])
        label_loss = functional.cross_entropy(
            logits, torch.from_numpy(relation).to(self.device), label_smoothing=0.05
        )
        sums["relation"] += label_loss.detach()
        return label_loss

    def group_loss(self, parts: list[dict[str, np.ndarray]], sums: collections.Counter) -> Tensor:
        """The loss for which text of a question answers it, whether each text does, and where."""
        total = sum(len(part["at"]) for part in parts)
        at = torch.from_numpy(np.concatenate([part["at"] for part in parts])).to(self.device)
        rows = torch.from_numpy(np.concatenate([part["rows"] for part in parts])).to(self.device)
        outputs = [self.run(part, self.network) for part in parts]
        order = torch.empty_like(at)
        order[at] = torch.arange(total, device=self.device)
        relevance = torch.cat([output[0] for output in outputs])[order]
        span = self.span_loss(outputs, parts)
        rows = rows[order]
        count = self.settings.candidates
        scores, labels = relevance.view(-1, count), rows[:, 1].view(-1, count)
        answered = labels[:, 0] == 1
        chosen = functional.log_softmax(scores[answered], dim=1).masked_fill(
            labels[answered] != 1, -1e9
        )
        listed = (
            -torch.logsumexp(chosen, dim=1).mean() if bool(answered.any()) else relevance.sum() * 0
        )
        known = (labels >= 0).float()
        single = functional.binary_cross_entropy_with_logits(
            scores, labels.clamp(min=0).float(), reduction="none"
        )
        single = (single * torch.where(labels == 1, 3.0, 1.0) * known).sum() / known.sum()
        for name, value in (("listed", listed), ("each", single), ("span", span)):
            sums[name] += value.detach()
        return listed + 0.4 * single + 0.5 * span

    def span_loss(self, outputs: list[Any], parts: list[dict[str, np.ndarray]]) -> Tensor:
        losses, weights = [], []
        for (_, starts, ends), part in zip(outputs, parts, strict=True):
            rows = torch.from_numpy(part["rows"]).to(self.device)
            at = torch.from_numpy(part["at"]).to(self.device)
            is_asked = rows[:, 2] >= 0
            own = torch.where(at % self.settings.candidates == 0, 1.0, 0.15)
            # Rows without a label have weight 0, and any valid position.
            first, last = rows[:, 2].clamp(min=0), rows[:, 3].clamp(min=0)
            loss = functional.cross_entropy(starts, first, reduction="none")
            loss = loss + functional.cross_entropy(ends, last, reduction="none")
            losses.append(loss)
            weights.append(own * is_asked)
        weight = torch.cat(weights)
        return (torch.cat(losses) * weight).sum() / weight.sum()

    @torch.no_grad()
    def evaluate(self, most: int) -> dict[str, Any]:
        """Metrics on the held-out documents, as for the baseline."""
        groups = self.data.chosen("group", dev=True)
        random.Random(3).shuffle(groups)
        ranks: dict[str, list[float]] = collections.defaultdict(list)
        answers: dict[str, list[float]] = collections.defaultdict(list)
        for at in range(0, min(most, len(groups)), 24):
            batch = self.builder.group_batch(groups[at : at + 24].tolist())
            relevance, starts, ends = (
                value.float().cpu().numpy() for value in self.run(batch, self.mean)
            )
            rows = batch["rows"]
            for group in dict.fromkeys(rows[:, 0].tolist()):
                own_rows = np.flatnonzero(rows[:, 0] == group)
                source = self.data.sources[self.data.all["group_source"][group]]
                if rows[own_rows[0], 1] == 1 and len(own_rows) > 1:
                    ranks[source].append(
                        1 / (1 + (relevance[own_rows[1:]] > relevance[own_rows[0]]).sum())
                    )
                self._note_answer(
                    answers, source, starts[own_rows[0]], ends[own_rows[0]], rows[own_rows[0]]
                )
        pairs = self.data.chosen("pair", dev=True)
        right: dict[str, list[float]] = collections.defaultdict(list)
        for at in range(0, min(len(pairs), most), 256):
            chosen = pairs[at : at + 256]
            guess = (
                self.run(self.builder.pair_batch(chosen.tolist()), self.mean.judge)
                .argmax(1)
                .cpu()
                .numpy()
            )
            for pair, relation in zip(chosen, guess, strict=True):
                right[self.data.sources[self.data.all["pair_source"][pair]]].append(
                    float(relation == self.data.all["relation"][pair])
                )
        base = [name for name in ranks if name not in (*APART, "adjacent")]
        return {
            "mrr": mean([value for name in base for value in ranks[name]]),
            "mrr_by_source": {name: mean(values) for name, values in ranks.items()},
            **{name: mean(values) for name, values in answers.items()},
            "relation": {name: mean(values) for name, values in right.items()},
        }

    def _note_answer(
        self, answers: Any, source: str, start: np.ndarray, end: np.ndarray, row: np.ndarray
    ) -> None:
        if row[2] == 0 and source in REFUSED:
            best, _, _ = best_span(start, end)
            answers[f"{source}_refused"].append(float(start[0] + end[0] >= best))
        if row[2] == -2 or source in set(APART) - set(WRITTEN):
            return
        own = f"{source}_" if source in WRITTEN else ""
        best, first, last = best_span(start, end)
        refused = start[0] + end[0] >= best
        if row[2] == 0:
            answers["unanswerable_refused"].append(float(refused))
            return
        answers[f"{own}answerable_kept"].append(float(not refused))
        shared = max(0, min(last, row[3]) - max(first, row[2]) + 1)
        overlap = 2 * shared / (last - first + 1 + row[3] - row[2] + 1)
        answers[f"{own}span_overlap_f1"].append(overlap)
        answers[f"{own}exact"].append(float((first, last) == (row[2], row[3])))


def mean(values: list[float]) -> float:
    return round(100 * float(np.mean(values)), 1)


def best_span(start: np.ndarray, end: np.ndarray, widest: int = 30) -> tuple[float, int, int]:
    best = (-1e9, 0, 0)
    for first in np.argsort(-start)[:12].tolist():
        for last in np.argsort(-end)[:12].tolist():
            if 0 < first <= last < first + widest:
                best = max(best, (float(start[first] + end[last]), first, last))
    return best


def main() -> None:
    settings = options()
    if settings.small:
        settings.groups, settings.pairs, settings.workers = 6, 8, 0
    trainer = Trainer(settings)
    trainer.train()
    from export import write_parts

    state = {
        name: value.detach().float().cpu().numpy()
        for name, value in trainer.mean.state_dict().items()
    }
    for line in write_parts(state, OUT):
        trainer.write_log(line)
    metrics = trainer.evaluate(48 if settings.small else 10**9)
    trainer.write_log(json.dumps(metrics))
    (OUT / "metrics.json").write_text(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
