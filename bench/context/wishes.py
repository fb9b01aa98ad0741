"""Conversations full of wishes: in messages of all lengths, in several languages, some said anew with other figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from .conversations import Conversation, Planted, Writer
from .sentences import COLOURS, NODES, SAMPLERS, goal, text_of_words, user_filler

_SHARE_WITH_WISH = 0.6
_SHARE_SAID_ANEW = 0.1
_LENGTHS = ((10, 45), (45, 200), (200, 800), (800, 3_000))
_LENGTH_WEIGHTS = (55, 28, 12, 5)


@dataclass(frozen=True)
class Language:
    """How somebody writes: wishes around one number, and what is said beside them.

    `words` is how many words it takes to fill one between blanks.
    """

    name: str
    wish: Callable[[Random, int], str]
    filler: Callable[[Random], str]
    words: int = 1


def _german_wish(random: Random, number: int) -> str:
    colour, node = random.choice(COLOURS), random.choice(NODES)
    return random.choice(
        (
            f"Das fertige Bild muss {8 * number} Pixel breit sein, mit Rand.",
            f"Bitte speichere alles unter dem Namen {colour}_{number}.",
            f"Fass den Knoten {number} nicht an, er gehört einer Kollegin.",
            f"Der Hintergrund soll {colour} bleiben, wie in Entwurf {number}.",
            f"Nimm für {node} immer den Seed {number}77.",
            f"Ich brauche die Fassung {number} ohne Menschen im Bild.",
        )
    )


def _german_filler(random: Random) -> str:
    return random.choice(
        (
            "Ich habe es mir heute früh noch einmal angesehen und es wirkt noch etwas flach.",
            f"Gestern hat es {random.randint(20, 400)} Sekunden gedauert, das war in Ordnung.",
            f"Meine Karte hat {random.choice((8, 12, 16, 24))} GB, und die Lüfter waren laut.",
            f"Von {random.choice(NODES)} habe ich irgendwo gelesen.",
            "Eine Freundin sagt, es erinnert sie an einen alten Film, was mir gefällt.",
            "Kannst du nachsehen, was am linken Rand passiert?",
            f"Übrigens habe ich {random.choice(SAMPLERS)} ausprobiert und kaum einen Unterschied gesehen.",
        )
    )


def _chinese_wish(random: Random, number: int) -> str:
    colour, node = random.choice(COLOURS), random.choice(NODES)
    return random.choice(
        (
            f"最终图片的宽度必须是{8 * number}像素。",
            f"请把所有文件保存为{colour}_{number}。",
            f"不要动节点{number}，那是同事的。",
            f"以后{node}一直用种子{number}77。",
            f"我想要第{number}版，画面里不要有人。",
        )
    )


def _chinese_filler(random: Random) -> str:
    return random.choice(
        (
            "今天早上我又看了一遍，还是觉得有点平。",
            f"昨天花了{random.randint(20, 400)}秒，我觉得还可以。",
            f"我的显卡有{random.choice((8, 12, 16, 24))} GB，风扇一直很响。",
            "朋友说这让她想起一部老电影。",
            "你能看看左边发生了什么吗？",
            f"顺便说一下，我自己试过{random.choice(SAMPLERS)}，看不出区别。",
        )
    )


def _finnish_wish(random: Random, number: int) -> str:
    colour, node = random.choice(COLOURS), random.choice(NODES)
    return random.choice(
        (
            f"Valmiin kuvan leveys on {8 * number} pikseliä.",
            f"Tallenna kaikki nimellä {colour}_{number}.",
            f"Älä koske solmuun {number}, se on työkaverin.",
            f"Käytä solmussa {node} aina siementä {number}77.",
            f"Tausta pysyy värissä {colour}, kuten luonnoksessa {number}.",
        )
    )


def _finnish_filler(random: Random) -> str:
    return random.choice(
        (
            "Katsoin sitä aamulla uudelleen, ja se näyttää vielä vähän latteelta.",
            f"Eilen siihen meni {random.randint(20, 400)} sekuntia, mikä oli ihan hyvä.",
            f"Koneessani on {random.choice((8, 12, 16, 24))} gigatavua, ja tuulettimet olivat äänekkäät.",
            "Ystävä sanoi, että se muistuttaa vanhaa elokuvaa.",
            "Voisitko katsoa, mitä vasemmassa reunassa tapahtuu?",
            f"Kokeilin muuten itse {random.choice(SAMPLERS)} enkä huomannut eroa.",
        )
    )


ENGLISH = Language("English", goal, user_filler)
LANGUAGES = (
    ENGLISH,
    Language("German", _german_wish, _german_filler),
    ENGLISH,
    Language("Chinese", _chinese_wish, _chinese_filler, words=8),
    Language("Finnish", _finnish_wish, _finnish_filler),
)
"""By turns of the seed. Finnish stands for those of which no rule knows a word."""


def wishful_conversation(seed: int, turns: int) -> Conversation:
    random = Random(f"wishes {seed}")
    return _WishfulWriter(random, LANGUAGES[seed % len(LANGUAGES)]).write(turns)


class _WishfulWriter(Writer):
    def __init__(self, random: Random, language: Language) -> None:
        super().__init__(random)
        self._language = language
        self._wish_numbers: list[int] = []

    def user_text(self) -> str:
        random, wish = self.random, None
        if random.random() < _SHARE_WITH_WISH:
            number = next(self.numbers)
            wish = self._said_anew(number) or self._language.wish(random, number)
            self.goals.append(Planted(wish, self.requests))
            self._wish_numbers.append(number)
        words = random.randint(*random.choices(_LENGTHS, _LENGTH_WEIGHTS)[0]) // self._language.words
        return text_of_words(random, words, self._language.filler, wish)

    def _said_anew(self, number: int) -> str | None:
        """An earlier wish with another number, which then holds in its place."""
        standing = [index for index, wish in enumerate(self.goals) if wish.until > self.requests]
        if not standing or self.random.random() >= _SHARE_SAID_ANEW:
            return None
        index = self.random.choice(standing)
        wish, old_number = self.goals[index], str(self._wish_numbers[index])
        if old_number not in wish.text:
            return None
        self.goals[index] = replace(wish, until=self.requests)
        return wish.text.replace(old_number, str(number))
