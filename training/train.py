"""Train the reader on the data of `prepare.py`, on a GPU, or a few steps on a CPU as a test.

python train.py --minutes 9 --start WEIGHTS   continues from weights; default: init.npz
python train.py --steps 20 --small            tests everything on a CPU

Writes the weights in parts, the metrics and the log to $OUT."""

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
from batches import Batches, Builder, Data, feed
from labels import RELATIONS, TAGS
from network import Rounding, load_reader, save_reader
from torch import Tensor
from torch.nn import functional

HERE = Path(__file__).parent
# Sources of the first English reader's metrics, and those that have metrics of their own.
BASE = (
    "squad", "squad_sent", "qamr", "fairy", "fairy_sec", "selqa", "friends", "molweni", "qmsum",
    "nq", "tweetqa", "boolq", "cosmos", "chitchat", "synth", "doqa", "iirc",
)  # fmt: skip
SHOWN = (
    "written",
    "jotted",
    "people",
    "people_lines",
    "asked-ja",
    "asked-zh",
    "asked-ru",
    "asked-ar",
    "asked-fr",
)
REFUSED = (
    "swapped", "unsaid", "untalked", "unnoted", "unwritten", "unjotted", "unpeople",
    "people_prompts", "unasked-ja", "unasked-zh", "unasked-ru", "unasked-ar", "unasked-fr",
)  # fmt: skip
WARM_UP = 200
# Without the weights of an earlier training; of the relations, one is new.
NEW_HEADS, NEW_HEADS_TIMES = ("tag.", "worth.", "relation_out."), 10.0
OUT = Path(os.environ.get("OUT", HERE / "out"))

Sums = collections.Counter[str]


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
    parser.add_argument("--notes", type=int, default=96)
    parser.add_argument("--start", type=Path, default=HERE / "init.npz")
    parser.add_argument(
        "--words", type=Path, help="weights with the word vectors, if others than start"
    )
    parser.add_argument(
        "--rounded", type=float, default=0.6, help="round as in int8 after this share of the time"
    )
    parser.add_argument(
        "--only", choices=("reading", "judging"), help="train only one, freeze the other"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="faster layers, with a C compiler")
    return parser.parse_args()


class Trainer:
    def __init__(self, settings: argparse.Namespace) -> None:
        self.settings, self.began = settings, time.time()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(settings.seed)
        OUT.mkdir(parents=True, exist_ok=True)
        self.log = (OUT / "log.txt").open("a")
        self.data = Data()
        self.network = load_reader(settings.start, settings.words).to(self.device)
        self.mean = copy.deepcopy(self.network).eval()
        if settings.only:
            self.network.train_only(settings.only)
        if settings.compile:
            for layer in (*self.network.reading.layers, *self.network.judging.layers):
                layer.compile(dynamic=True)
        self.builder = Builder(self.data, settings, settings.seed)

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
        optimizer = torch.optim.AdamW(
            self.weight_groups(),
            lr=self.settings.rate,
            betas=(0.9, 0.98),
            fused=self.device == "cuda",
        )
        next_batch, stop = self.batches()
        started, step, sums = time.time(), 0, collections.Counter()
        while (progress := self.done(step, started)) < 1:
            rate = self.settings.rate * min(1, (step + 1) / WARM_UP) * max(0.02, 1 - progress)
            for group in optimizer.param_groups:
                group["lr"] = rate * group["times"]
            Rounding.on = progress >= self.settings.rounded
            optimizer.zero_grad(set_to_none=True)
            self.loss(*next_batch(), sums).backward()
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

    def weight_groups(self) -> list[dict[str, Any]]:
        """The weights with their decay; heads that begin untrained learn faster."""
        groups: dict[tuple[float, float], list[Tensor]] = collections.defaultdict(list)
        for name, weight in self.network.named_parameters():
            if weight.requires_grad:
                times = NEW_HEADS_TIMES if name.startswith(NEW_HEADS) else 1.0
                groups[times, 0.01 if weight.ndim > 1 else 0.0].append(weight)
        return [
            {"params": weights, "weight_decay": decay, "times": times}
            for (times, decay), weights in groups.items()
        ]

    def loss(self, groups: Batches, pairs: Batches, notes: Batches, sums: Sums) -> Tensor:
        reading = self.group_loss(groups, sums) if groups else 0
        judging = self.pair_loss(pairs, sums) if pairs else 0
        return reading + 0.7 * judging + (self.note_loss(notes, sums) if notes else 0)

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

    def pair_loss(self, parts: Batches, sums: Sums) -> Tensor:
        logits = torch.cat([self.run(part, self.network.judge) for part in parts])
        relation = np.concatenate([part["relation"] for part in parts])
        label_loss = functional.cross_entropy(
            logits, torch.from_numpy(relation).to(self.device), label_smoothing=0.05
        )
        sums["relation"] += label_loss.detach()
        return label_loss

    def note_loss(self, parts: Batches, sums: Sums) -> Tensor:
        """The loss for the tags of words, and for what lines are worth."""
        losses = []
        for part in parts:
            tags, worth = self.run(part, self.network.note)
            known = torch.from_numpy(part["tags"]).to(self.device)
            tagged = functional.cross_entropy(
                tags.view(-1, TAGS), known.view(-1), ignore_index=-1, label_smoothing=0.02
            )
            kept, kind = self.line_logits(worth, part["lines"])
            category = torch.from_numpy(part["lines"][:, 3]).to(self.device)
            worthy = functional.binary_cross_entropy_with_logits(kept, (category >= 0).float())
            called = functional.cross_entropy(kind, category, ignore_index=-1)
            for name, value in (("tags", tagged), ("worth", worthy), ("category", called)):
                sums[name] += value.detach()
            losses.append(tagged + 0.5 * worthy + 0.3 * called)
        return sum(losses) / len(losses)

    def line_logits(self, worth: Tensor, lines: np.ndarray) -> tuple[Tensor, Tensor]:
        """What each line is worth: the mean of its words."""
        row, first, last, _ = torch.from_numpy(lines).to(self.device).unbind(1)
        total = functional.pad(worth.cumsum(1), (0, 0, 1, 0))
        mean = (total[row, last + 1] - total[row, first]) / (last + 1 - first)[:, None]
        return mean[:, 0], mean[:, 1:]

    def group_loss(self, parts: Batches, sums: Sums) -> Tensor:
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
        base = [name for name in ranks if name in BASE]
        return {
            "mrr": mean([value for name in base for value in ranks[name]]),
            "mrr_by_source": {name: mean(values) for name, values in ranks.items()},
            **{name: mean(values) for name, values in answers.items()},
            "relation": {name: mean(values) for name, values in right.items()},
            **self.evaluate_changes(),
            **self.evaluate_notes(),
        }

    def evaluate_changes(self) -> dict[str, Any]:
        """What the judge calls the changes of held-out people."""
        source = self.data.sources.index("people")
        chosen = self.data.chosen("pair", dev=True)
        chosen = chosen[self.data.all["pair_source"][chosen] == source]
        logits = self.run(self.builder.pair_batch(chosen.tolist()), self.mean.judge)
        guesses, called = logits.argmax(1).tolist(), collections.Counter[str]()
        for pair, guess in zip(chosen, guesses, strict=True):
            called[f"{RELATIONS[self.data.all['relation'][pair]]}: {RELATIONS[guess]}"] += 1
        return {"changes": dict(sorted(called.items()))}

    def evaluate_notes(self) -> dict[str, Any]:
        held = self.data.chosen("note", dev=True).tolist()
        counts = collections.Counter[str]()
        for at in range(0, len(held), 64):
            batch = self.builder.note_batch(held[at : at + 64])
            tags, worth = self.run(batch, self.mean.note)
            count_tags(counts, batch["tags"], tags.argmax(-1).cpu().numpy())
            if len(batch["lines"]):
                kept, kind = self.line_logits(worth, batch["lines"])
                category = batch["lines"][:, 3]
                is_kept = (kept > 0).cpu().numpy()
                for name, rows in (("keep", category >= 0), ("leave", category < 0)):
                    counts[name] += int(rows.sum())
                    counts[f"{name} right"] += int((is_kept == (category >= 0))[rows].sum())
                right = kind.argmax(1).cpu().numpy() == category
                counts["category right"] += int(right[category >= 0].sum())
        return {"notes": dict(counts)}

    def _note_answer(
        self, answers: Any, source: str, start: np.ndarray, end: np.ndarray, row: np.ndarray
    ) -> None:
        if row[2] == 0 and source in REFUSED:
            best, _, _ = best_span(start, end)
            answers[f"{source}_refused"].append(float(start[0] + end[0] >= best))
        if row[2] == -2 or (source not in BASE and source not in SHOWN):
            return
        own = f"{source}_" if source in SHOWN else ""
        best, first, last = best_span(start, end)
        refused = start[0] + end[0] >= best
        if row[2] == 0:
            answers[f"{own}unanswerable_refused"].append(float(refused))
            return
        answers[f"{own}answerable_kept"].append(float(not refused))
        shared = max(0, min(last, row[3]) - max(first, row[2]) + 1)
        overlap = 2 * shared / (last - first + 1 + row[3] - row[2] + 1)
        answers[f"{own}span_overlap_f1"].append(overlap)
        answers[f"{own}exact"].append(float((first, last) == (row[2], row[3])))


def mean(values: list[float]) -> float:
    return round(100 * float(np.mean(values)), 1)


def count_tags(counts: Sums, known: np.ndarray, found: np.ndarray) -> None:
    """Count whole phrases: in the notes, found, and both."""
    for right, guess in zip(known, found, strict=True):
        if (right >= 0).any():
            wanted, given = phrases(right), phrases(np.where(right >= 0, guess, -1))
            counts["phrases"] += len(wanted)
            counts["phrases found"] += len(given)
            counts["phrases right"] += len(wanted & given)


def phrases(tags: np.ndarray) -> set[tuple[int, int, int]]:
    """The kind, first and last token of each phrase."""
    found, start = set[tuple[int, int, int]](), None
    for place, tag in enumerate([*tags.tolist(), 0]):
        kind = (tag - 1) // 2 if tag > 0 else -1
        if start is not None and (kind != start[0] or tag % 2 == 1):
            found.add((*start, place - 1))
            start = None
        if tag > 0 and start is None:
            start = (kind, place)
    return found


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
        settings.groups, settings.pairs, settings.notes, settings.workers = 6, 8, 6, 0
    trainer = Trainer(settings)
    trainer.train()
    save_reader(trainer.mean, OUT)
    (OUT / "done").touch()
    metrics = trainer.evaluate(48 if settings.small else 10**9)
    trainer.write_log(json.dumps(metrics))
    (OUT / "metrics.json").write_text(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
