"""Train the embedder on the pack of `prepare.py`: its vector of a text in any language is the one
that MiniLM has of the English.

python train.py --pack . --minutes 20         on a GPU
python train.py --pack . --small --steps 3    tests everything on a CPU

Writes the weights in parts and a log to --out, every few minutes."""

import argparse
import collections
import copy
import lzma
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from evaluate import hotpot_found, people_found, xquad_found
from labels import HELD
from mixture import Mixture, read_mixture
from network import Encoder, load_student, load_teacher, save_student, unit
from questions import Questions, questions_of_people, read_foreign, read_people, read_public
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional, utils
from workers import on_all_processors

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TEMPERATURE = 0.05
SHORT_TOKENS, LONG_TOKENS, ANSWER_TOKENS, QUESTION_TOKENS = 160, 256, 192, 96
WARM_UP = 300
# How much each part of the loss counts.
COSINE, SHORT, ENGLISH, PASSAGE, FAR, ASKED = 4.0, 1.0, 2.5, 3.0, 1.5, 0.7
PUBLIC, FOREIGN, PEOPLE = 0.4, 0.15, 0.06
EVALUATE_S, LOG_STEPS = 270, 200
# The share of the newest weights in the running mean, which is what is kept.
MEAN_SHARE = 0.002
TOKENIZED_AT_ONCE = 20_000


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", type=Path, default=Path())
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--steps", type=int, default=0, help="stop after these; not by time")
    parser.add_argument("--small", action="store_true", help="a hundredth of everything")
    parser.add_argument("--size", type=float, default=1.0, help="share of the generated texts")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--rate", type=float, default=2.5e-4)
    parser.add_argument("--words-rate", type=float, default=5e-4)
    parser.add_argument("--compile", action="store_true", help="faster layers, with a C compiler")
    return parser.parse_args()


class Texts:
    """Texts as token ids in one array on the device."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str], limit: int) -> None:
        def tokenized(start: int) -> tuple[np.ndarray, np.ndarray]:
            cut = [text[: limit * 8] for text in texts[start : start + TOKENIZED_AT_ONCE]]
            return join_ids(tokenizer, cut, limit)

        starts = range(0, len(texts), TOKENIZED_AT_ONCE)
        few = len(texts) <= TOKENIZED_AT_ONCE
        parts = [tokenized(0)] if few else on_all_processors(tokenized, starts)
        padding = np.zeros(limit + 8, np.int32)
        ids = np.concatenate([*(ids for ids, _ in parts), padding])
        self.ids = torch.from_numpy(ids).to(DEVICE)
        # On the processor, so that the size of a batch is known without waiting for the GPU.
        self.lengths = torch.from_numpy(np.concatenate([lengths for _, lengths in parts]))
        self.starts = self.lengths.cumsum(0) - self.lengths

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        size = (int(self.lengths[numbers].max()) + 7) // 8 * 8
        lengths, starts = on_device(self.lengths[numbers]), on_device(self.starts[numbers])
        places = torch.arange(size, device=DEVICE)[None]
        at = (starts[:, None] + places).clamp(max=len(self.ids) - 1)
        return self.ids[at].long() * (places < lengths[:, None]), lengths


def join_ids(
    tokenizer: Tokenizer, texts: Sequence[str], limit: int
) -> tuple[np.ndarray, np.ndarray]:
    """The token ids of all texts in a row, and how many each has."""
    ids, lengths = list[int](), list[int]()
    for encoding in tokenizer.encode_batch_fast(texts):
        found = encoding.ids
        if len(found) > limit:
            found = [*found[: limit - 1], found[-1]]
        ids += found
        lengths.append(len(found))
    return np.array(ids, np.int32), np.array(lengths, np.int64)


def on_device(numbers: Tensor) -> Tensor:
    return numbers.to(DEVICE, non_blocking=True)


def mixed_precision() -> torch.autocast:
    return torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda")


@torch.no_grad()
def encode(network: Encoder, texts: Texts) -> Tensor:
    order = torch.argsort(texts.lengths)
    vectors = torch.empty(len(texts), 384, device=DEVICE, dtype=torch.float16)
    start = 0
    while start < len(order):
        last = order[min(start + 4_096, len(order)) - 1]
        count = max(1, min(4_096, 400_000 // max(1, int(texts.lengths[last]))))
        numbers = order[start : start + count]
        with mixed_precision():
            vectors[on_device(numbers)] = unit(network(*texts.take(numbers))).half()
        start += count
    return vectors


def batches(lengths: Tensor, draw: Callable[[int], Tensor], size: int) -> Iterator[Tensor]:
    """Batches of texts of about one length, so that little is padded."""
    while True:
        numbers = draw(size * 16)
        noise = torch.rand(len(numbers)) * 4
        pool = list(numbers[torch.argsort(lengths[numbers] + noise)].split(size))
        random.shuffle(pool)
        yield from pool


def divergence(vectors: Tensor, others: Tensor, target: Tensor) -> Tensor:
    """How far the similarities of the vectors are from the target's."""
    similarity = functional.log_softmax(vectors @ others.T / TEMPERATURE, -1)
    return functional.kl_div(similarity, target, reduction="none").sum(-1).mean()


def similarities(vectors: Tensor) -> Tensor:
    return functional.softmax(vectors @ vectors.T / TEMPERATURE, -1)


def distance(vectors: Tensor, targets: Tensor) -> Tensor:
    return (1 - (vectors * targets).sum(-1)).mean()


class Asked:
    """Questions and their texts as tokens, with the teacher's vectors if both are English."""

    def __init__(
        self, questions: Questions, tokenizer: Tokenizer, teach: Callable[[Sequence[str]], Tensor]
    ) -> None:
        self.count = len(questions.asked)
        self.wordings = Texts(tokenizer, questions.wordings, QUESTION_TOKENS)
        self.texts = Texts(tokenizer, questions.texts, ANSWER_TOKENS)
        self.right = torch.tensor(questions.right)
        self.wrong = questions.wrong
        is_english = len(questions.wordings) > self.count
        self.asked = teach(questions.asked) if is_english else None
        self.answers = teach(questions.texts) if is_english else None

    def loss(self, network: Encoder, size: int, negatives: int) -> tuple[Tensor, Tensor]:
        """The contrast of a batch, and the distance from the teacher."""
        chosen = random.sample(range(self.count), min(self.count, size))
        wrong = [number for at in chosen for number in self._negatives(at, negatives)]
        numbers = torch.tensor(chosen)
        texts = torch.cat([self.right[numbers], torch.tensor(wrong)])
        wording = torch.randint(0, len(self.wordings) // self.count, (len(chosen),))
        with mixed_precision():
            questions = network(*self.wordings.take(numbers + wording * self.count))
            answers = network(*self.texts.take(texts))
        questions, answers = unit(questions), unit(answers)
        scores = questions @ answers.T / TEMPERATURE
        target = torch.arange(len(chosen), device=DEVICE)
        is_same = texts[None] == self.right[numbers][:, None]
        is_target = functional.one_hot(torch.arange(len(chosen)), len(texts)).bool()
        shut = on_device(is_same & ~is_target)
        contrast = functional.cross_entropy(scores.masked_fill(shut, -1e4), target)
        if self.asked is None or self.answers is None:
            return contrast, contrast * 0
        taught = distance(questions, self.asked[on_device(numbers)].float())
        return contrast, taught + distance(answers, self.answers[on_device(texts)].float())

    def _negatives(self, at: int, count: int) -> list[int]:
        return random.sample(self.wrong[at], min(count, len(self.wrong[at])))


class Trainer:
    def __init__(self, settings: argparse.Namespace) -> None:
        self.settings, self.began = settings, time.time()
        self.pack: Path = settings.pack
        settings.out.mkdir(parents=True, exist_ok=True)
        self.log_file = (settings.out / "log.txt").open("a")
        random.seed(settings.seed)
        np.random.seed(settings.seed)
        torch.manual_seed(settings.seed)
        packed = (self.pack / "tokenizer.json.xz").read_bytes()
        self.tokenizer = Tokenizer.from_str(lzma.decompress(packed).decode())
        self.teacher_tokenizer = Tokenizer.from_file(str(self.pack / "bert-tokenizer.json"))
        self.teacher_tokenizer.no_padding()
        self.teacher_tokenizer.no_truncation()
        self.teacher = load_teacher(self.pack / "minilm.npz").to(DEVICE).requires_grad_(False)
        self.student = load_student(self.pack / "start.npz").to(DEVICE)
        self.mean = copy.deepcopy(self.student).requires_grad_(False)
        if settings.compile:
            for layer in self.student.layers:
                layer.compile(dynamic=True)
        people = read_people(self.pack)
        self.held = [person for person in people if person["who"] in HELD]
        self.batch = 20 if settings.small else 1_536
        self._read([person for person in people if person not in self.held])

    def log(self, *words: object) -> None:
        line = f"[{time.time() - self.began:6.1f}] " + " ".join(map(str, words))
        print(line, flush=True)
        print(line, file=self.log_file, flush=True)

    def _teach(self, texts: Sequence[str], limit: int = LONG_TOKENS) -> Tensor:
        return encode(self.teacher, Texts(self.teacher_tokenizer, texts, limit))

    def _read(self, people: list[dict]) -> None:
        small = self.settings.small
        mixture, translations = read_mixture(self.pack, 0.001 if small else self.settings.size)
        if small:
            mixture = _shrink(mixture)
        public = read_public(self.pack, translations, 30 if small else None)
        self.log("texts", len(mixture.english), len(mixture.passages), len(mixture.far))
        self.english_taught = self._teach(mixture.english, SHORT_TOKENS)
        self.passages_taught = self._teach(mixture.passages)
        self.far_taught = self._teach([english for _, english in mixture.far])
        self.english = Texts(self.tokenizer, mixture.english, SHORT_TOKENS)
        self.passages = Texts(self.tokenizer, mixture.passages, LONG_TOKENS)
        self.far = Texts(self.tokenizer, [text for text, _ in mixture.far], LONG_TOKENS)
        pairs = [pair for pairs in mixture.short.values() for pair in pairs]
        self.short = Texts(self.tokenizer, [text for text, _ in pairs], SHORT_TOKENS)
        self.english_of = torch.tensor([number for _, number in pairs])
        self.sizes = [len(pairs) for pairs in mixture.short.values()]
        self.shares = np.array(mixture.shares())
        foreign = read_foreign(self.pack, 30 if small else None)
        self.public = Asked(public, self.tokenizer, self._teach)
        self.foreign = Asked(foreign, self.tokenizer, self._teach)
        self.people = Asked(questions_of_people(people), self.tokenizer, self._teach)

    def _draw_languages(self, count: int) -> Tensor:
        counts = np.random.multinomial(count, self.shares / self.shares.sum())
        starts = np.cumsum([0, *self.sizes[:-1]])
        drawn = [
            torch.randint(0, size, (int(number),)) + int(start)
            for size, number, start in zip(self.sizes, counts, starts, strict=True)
        ]
        return torch.cat(drawn)

    def evaluate(self, name: str) -> None:
        def vectors(texts: Sequence[str]) -> np.ndarray:
            tokens = Texts(self.tokenizer, texts, LONG_TOKENS)
            return encode(self.mean, tokens).float().cpu().numpy()

        held = self.held[:1] if self.settings.small else self.held
        self.log(name, "people", people_found(vectors, held))
        if not self.settings.small:
            self.log(name, "XQuAD", xquad_found(vectors, self.pack / "xqa.txt.xz"))
            self.log(name, "HotpotQA", hotpot_found(vectors, self.pack / "hotpot-dev.json.xz"))

    def train(self) -> None:
        settings, sums, step = self.settings, collections.Counter[str](), 0
        optimizer = torch.optim.AdamW(
            [
                {"params": [self.student.table], "lr": settings.words_rate, "weight_decay": 0.0},
                {"params": self._layers(), "lr": settings.rate, "weight_decay": 0.005},
            ],
            betas=(0.9, 0.98),
            fused=DEVICE == "cuda",
        )
        peaks = [group["lr"] for group in optimizer.param_groups]
        draws = self._batches()
        begun = evaluated = time.time()
        while (done := self._done(step, begun)) < 1:
            rate = min(1.0, (step + 1) / WARM_UP) * (1 - done) ** 0.9
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = peak * max(rate, 0.002)
            parts = self._losses(*map(next, draws))
            optimizer.zero_grad(set_to_none=True)
            sum(parts.values()).backward()
            utils.clip_grad_norm_(self.student.parameters(), 1.0)
            optimizer.step()
            step += 1
            self._average(step)
            for name, part in parts.items():
                sums[name] += part.detach()
            if step % LOG_STEPS == 0 or settings.small:
                means = {name: round(float(total) / LOG_STEPS, 4) for name, total in sums.items()}
                self.log("step", step, f"{done:.2f}", means)
                sums.clear()
            if time.time() - evaluated > EVALUATE_S:
                self.evaluate(f"step {step}")
                save_student(self.mean, settings.out)
                evaluated = time.time()
        save_student(self.mean, settings.out)
        self.evaluate(f"end, step {step}")
        (settings.out / "done").touch()

    @torch.no_grad()
    def _average(self, step: int) -> None:
        share = max(MEAN_SHARE, 1 / (step + 1))
        mean, now = list(self.mean.parameters()), list(self.student.parameters())
        torch._foreach_lerp_(mean, [weights.detach() for weights in now], share)

    def _layers(self) -> list[torch.nn.Parameter]:
        named = self.student.named_parameters()
        return [parameter for name, parameter in named if name != "table"]

    def _done(self, step: int, begun: float) -> float:
        if self.settings.steps:
            return step / self.settings.steps
        return (time.time() - begun) / (60 * self.settings.minutes)

    def _batches(self) -> list[Iterator[Tensor]]:
        def anywhere(texts: Texts) -> Callable[[int], Tensor]:
            return lambda count: torch.randint(0, len(texts), (count,))

        return [
            batches(self.short.lengths, self._draw_languages, self.batch),
            batches(self.passages.lengths, anywhere(self.passages), self.batch // 2),
            batches(self.far.lengths, anywhere(self.far), self.batch // 4),
        ]

    def _losses(self, short: Tensor, passages: Tensor, far: Tensor) -> dict[str, Tensor]:
        english = self.english_of[short]
        with mixed_precision():
            vectors = [
                unit(self.student(*texts.take(numbers)))
                for texts, numbers in (
                    (self.short, short),
                    (self.english, english),
                    (self.passages, passages),
                    (self.far, far),
                )
            ]
        other, same, passage, distant = vectors
        taught = self.english_taught[on_device(english)].float()
        taught_passage = self.passages_taught[on_device(passages)].float()
        taught_far = self.far_taught[on_device(far)].float()
        with torch.no_grad():
            near, near_passage = similarities(taught), similarities(taught_passage)
            near_far = similarities(taught_far)
        public, public_taught = self.public.loss(self.student, self.batch // 5, 1)
        foreign, _ = self.foreign.loss(self.student, self.batch // 5, 1)
        people, _ = self.people.loss(self.student, self.batch // 10, 2)
        return {
            "short": COSINE * SHORT * distance(other, taught),
            "English": COSINE * ENGLISH * distance(same, taught),
            "passages": COSINE * PASSAGE * distance(passage, taught_passage),
            "far": COSINE * FAR * distance(distant, taught_far),
            "asked": COSINE * ASKED * public_taught,
            "relations": divergence(other, taught, near)
            + divergence(taught, other, near)
            + 0.5 * divergence(other, same, near)
            + 0.5 * divergence(other, other, near)
            + divergence(same, taught, near)
            + 1.5 * divergence(passage, taught_passage, near_passage)
            + 1.5 * divergence(distant, taught_far, near_far)
            + 0.5 * divergence(taught_far, distant, near_far),
            "public": PUBLIC * public,
            "foreign": FOREIGN * foreign,
            "people": PEOPLE * people,
        }


def _shrink(mixture: Mixture) -> Mixture:
    """A few texts of each kind, with the English that they need."""
    short = {
        language: random.sample(pairs, min(8, len(pairs)))
        for language, pairs in mixture.short.items()
    }
    used = sorted({number for pairs in short.values() for _, number in pairs})
    numbers = {number: at for at, number in enumerate(used)}
    return Mixture(
        english=[mixture.english[number] for number in used],
        short={
            language: [(text, numbers[number]) for text, number in pairs]
            for language, pairs in short.items()
        },
        far=random.sample(mixture.far, 40),
        passages=random.sample(mixture.passages, 40),
    )


if __name__ == "__main__":
    trainer = Trainer(options())
    trainer.train()
