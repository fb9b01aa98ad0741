"""What people and the assistant say in the generated conversations: fillers, and the sentences to be remembered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SUBJECTS = (
    "the portrait", "the harbour at night", "the mountain hut", "the product shot", "the poster", "the old tram",
    "the greenhouse", "the knight", "the ceramic bowl", "the street market", "the fox", "the reading room",
)  # fmt: skip
PLACES = (
    "in the sky",
    "around the eyes",
    "near the left edge",
    "in the shadows",
    "on the glass",
    "behind the door",
)
QUALITIES = (
    "soft",
    "noisy",
    "flat",
    "too bright",
    "washed out",
    "crisp",
    "muddy",
    "plastic",
    "grainy",
    "dark",
)
SAMPLERS = ("euler", "dpmpp_2m", "dpmpp_3m_sde", "uni_pc", "heun", "lms", "ddim", "res_multistep")
SCHEDULERS = ("karras", "normal", "simple", "beta", "exponential", "sgm_uniform")
NODES = (
    "KSampler", "CLIPTextEncode", "VAEDecode", "LoraLoader", "ControlNetApply", "ImageScale", "LatentUpscale",
    "SaveImage", "LoadImage", "CheckpointLoaderSimple", "MaskComposite", "ImageBlend", "FaceDetailer",
)  # fmt: skip
COLOURS = ("teal", "ochre", "crimson", "slate", "ivory", "olive", "magenta", "amber")
_OPENINGS = (
    "", "", "", "Hi, ", "OK, ", "Thanks. ", "Hm, ", "One more thing: ", "Next: ", "Right, ", "So ", "Good. ",
)  # fmt: skip


def goal(random: Random, number: int) -> str:
    """Something that the person asks for and expects to hold from now on. `number` makes it unlike all others."""
    subject, colour = random.choice(SUBJECTS), random.choice(COLOURS)
    width, height = 8 * random.randint(64, 256), 8 * random.randint(64, 256)
    wish = random.choice(
        (
            f"the final image of {subject} has to be {width}x{height} with {number} pixels of margin",
            f"keep seed {number}{random.randint(100, 999)} for {subject} in every run",
            f"please save everything under the prefix {colour}_{number} from now on",
            f"never go above {random.randint(12, 60)} steps, the limit of batch {number} is a hard one",
            f"I want {subject} in {colour}, variant {number}, and no text in the picture",
            f"do not touch node {number}{random.randint(10, 99)}, it belongs to a colleague",
            f"use the {colour} palette number {number} for {subject}",
            f"{subject} should look as it did in draft {number}, only without the people",
            f"our client needs the {colour} version as file {number} by tonight",
            f"for {subject} I need a depth of {number}.{random.randint(1, 9)} metres in the background",
        )
    )
    return f"{random.choice(('', '', 'And ', 'What matters: ', 'As I said, '))}{wish}.".lstrip()


def decision(random: Random, number: int) -> str:
    """A choice of the assistant with its reason and its figures."""
    subject, quality, place = random.choice(SUBJECTS), random.choice(QUALITIES), random.choice(PLACES)
    sampler, other = random.sample(SAMPLERS, 2)
    scheduler, node = random.choice(SCHEDULERS), random.choice(NODES)
    share = random.randint(15, 95)
    return random.choice(
        (
            f"I chose {sampler} with {number} steps because {other} left {subject} {quality} {place}.",
            f"I set the denoise of node {number} to 0.{share}, since anything higher changed {subject}.",
            f"The upscale now happens before {node} {number}, at {share} % of the size, because the detail {place} "
            "was lost otherwise.",
            f"We stay with the {scheduler} scheduler and a CFG of {random.randint(2, 9)}.{random.randint(1, 9)} for "
            f"batch {number}, as {subject} came out {quality} with the others.",
            f"Instead of a second {node} I reused node {number}, which saves {share} s per run.",
            f"I replaced {node} {number} by {random.choice(NODES)}: the old one cannot take {share} frames at once.",
            f"The LoRA strength is 0.{share} in node {number} now; at full strength {subject} looked {quality}.",
            f"I decided against tiling in step {number}, because the seams {place} took {share} pixels.",
            f"Node {number} keeps fp16, since bf16 made {subject} {quality} and saved only {share} MB.",
        )
    )


def user_filler(random: Random) -> str:
    subject, quality, place = random.choice(SUBJECTS), random.choice(QUALITIES), random.choice(PLACES)
    return random.choice(
        (
            f"I looked at {subject} again this morning and it is still a bit {quality} {place}.",
            f"A friend of mine says that {subject} reminds her of an old film, which I like.",
            f"I am not sure whether it is the model or the prompt that makes {subject} look {quality}.",
            f"Yesterday it took {random.randint(20, 400)} seconds, which was fine with me.",
            f"Could you have a look at what happens {place}?",
            f"The last one came out {quality}, the one before was better in that respect.",
            f"By the way, I tried {random.choice(SAMPLERS)} on my own and saw no difference to speak of.",
            f"My card has {random.choice((8, 12, 16, 24))} GB, and the fans were loud all the time.",
            f"It does not have to be perfect, {subject} is only the first of several pictures.",
            f"I have read about {random.choice(NODES)} somewhere but never used it.",
            f"You can see it best when you zoom in {place}, at about {random.randint(2, 8) * 100} %.",
            "Tell me if I am asking for something silly here.",
            f"What I have in mind is something {random.choice(QUALITIES)}, a little like {random.choice(SUBJECTS)} "
            "that we made before.",
        )
    )


def answer_filler(random: Random) -> str:
    subject, quality, place = random.choice(SUBJECTS), random.choice(QUALITIES), random.choice(PLACES)
    node, number = random.choice(NODES), random.randint(1, 400)
    return random.choice(
        (
            f"Node {number} ({node}) is connected to {random.choice(NODES)} {random.randint(1, 400)} and gets its "
            "latent from there.",
            f"The run took {random.randint(4, 300)} s and gave {random.randint(1, 4)} images.",
            f"In the newest picture {subject} is less {quality} {place} than before.",
            f"{node} takes an image and a mask; the mask is optional.",
            f"The workflow has {random.randint(9, 120)} nodes now, and all required inputs are connected.",
            "I checked the links afterwards, and there is nothing left over.",
            f"You may see a short pause while the model is loaded, about {random.randint(3, 40)} s on the first run.",
            f"If {subject} is still {quality}, the prompt is the next place to look at.",
            "The values of the other nodes are as they were.",
            f"A higher value {place} makes the picture {quality}, a lower one has hardly any effect.",
            f"The image is in the output folder as picture_{random.randint(1, 9999):05}_.png.",
            f"What {node} does is described in its own help, which I can show you.",
            "Let me know whether that is the direction you had in mind.",
            f"{subject.capitalize()} is in the middle of the frame, because the prompt names it first.",
        )
    )


def before_calls(random: Random) -> str:
    return random.choice(
        (
            f"Let me read the workflow around node {random.randint(1, 400)} first.",
            f"I look for the inputs of {random.choice(NODES)}.",
            "Now I run it and look at the result.",
            "That failed; I look at what the node really has.",
            "One moment, I check which files are installed.",
        )
    )


def text_of_words(random: Random, words: int, filler: Callable[[Random], str], remembered: str | None) -> str:
    """Sentences of about `words` words in all, with the one to be remembered at a random place among them."""
    room = words - (len(remembered.split()) if remembered else 0)
    sentences: list[str] = []
    while room > 0:
        sentences.append(filler(random))
        room -= len(sentences[-1].split())
    if remembered:
        sentences.insert(random.randint(0, len(sentences)), remembered)
    return " ".join(sentences)


def opening(random: Random) -> str:
    return random.choice(_OPENINGS)
