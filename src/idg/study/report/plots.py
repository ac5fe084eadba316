"""The plots of a report, as SVG texts that take the colours of the page around them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from idg.study.analysis.figures import KINDS
from idg.study.analysis.results import GRID_SECONDS, KindsResult, ProveResult, SurvivalResult, WinRateResult

INK = "#123456"
"""Stands for the colour of the page's text in what matplotlib writes."""
COLOURS = ("#2f7ed8", "#d9822b")
"""The colours of the two arms: blue and orange, which people who see no red or green tell apart, on a light and on a dark page."""
STYLES = ("-", "--")
"""The dashes of the two arms' lines, so that they can be told apart in print."""
HATCHES = ("", "///")
WIDTH, HEIGHT = 7.2, 3.6
"""The size of a plot, in inches."""
TEXT_SIZE = 9
"""The size of the letters, in points."""


def win_plot(win: WinRateResult) -> str:
    figure, axes = _axes("active time (s)", "share of attempted levels solved")
    for index, arm in enumerate(win.arms):
        if arm.attempted:
            times = [0.0, *(time for time in arm.times if time <= GRID_SECONDS), float(GRID_SECONDS)]
            shares = [0.0, *((number + 1) / arm.attempted for number in range(len(times) - 2))]
            shares.append(shares[-1])
            axes.step(times, shares, where="post", color=COLOURS[index], linestyle=STYLES[index], label=arm.arm, linewidth=1.8)
    axes.set_xlim(0, GRID_SECONDS)
    axes.set_ylim(0, 1)
    _legend(axes)
    return _svg(figure, "win")


def survival_plot(survival: SurvivalResult) -> str:
    figure, axes = _axes("active time (s)", "estimated share not solved yet")
    for index, curve in enumerate(survival.curves):
        if curve is not None:
            times, colour = [0.0, *curve.times], COLOURS[index]
            axes.step(
                times, [1.0, *curve.unsolved], where="post", color=colour, linestyle=STYLES[index], label=curve.arm, linewidth=1.8
            )
            axes.fill_between(times, [1.0, *curve.low], [1.0, *curve.high], step="post", color=colour, alpha=0.18, linewidth=0)
    axes.set_ylim(0, 1)
    axes.set_xlim(left=0)
    _legend(axes)
    return _svg(figure, "survival")


def kinds_plot(kinds: KindsResult) -> str:
    figure, axes = _axes("", "share of proposals")
    _bars(axes, [arm.shares for arm in kinds.arms], [arm.arm for arm in kinds.arms], KINDS)
    return _svg(figure, "kinds")


def prove_plot(prove: ProveResult) -> str:
    figure, axes = _axes("", "solved / attempted")

    def ratio(solved: int, attempted: int) -> float | None:
        return solved / attempted if attempted else None

    asked = [ratio(level.with_solved, level.with_attempted) for level in prove.levels]
    others = [ratio(level.without_solved, level.without_attempted) for level in prove.levels]
    _bars(axes, [asked, others], ["with a trace request", "without"], [level.level for level in prove.levels])
    axes.set_ylim(0, 1.05)
    return _svg(figure, "prove")


def _bars(axes: Any, groups: Sequence[Sequence[float | None] | None], labels: Sequence[str], names: Sequence[str]) -> None:
    """Bars side by side; 'no data' where there is no value."""
    wide = 0.38
    for index, (values, label) in enumerate(zip(groups, labels, strict=True)):
        places = [place + (index - 0.5) * wide for place in range(len(names))]
        known = [value or 0.0 for value in values] if values is not None else [0.0] * len(names)
        axes.bar(places, known, wide * 0.94, color=COLOURS[index], hatch=HATCHES[index], edgecolor=INK, linewidth=0.4, label=label)
        for place, value in zip(places, values or [None] * len(names), strict=True):
            if value is None:
                axes.text(place, 0.01, "no data", rotation=90, ha="center", va="bottom", fontsize=TEXT_SIZE - 2, color=INK)
    axes.set_xticks(range(len(names)), names, rotation=30 if len(names) > 4 else 0, ha="right" if len(names) > 4 else "center")
    _legend(axes)


def _axes(across: str, up: str) -> tuple[Figure, Any]:
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(across, color=INK, fontsize=TEXT_SIZE)
    axes.set_ylabel(up, color=INK, fontsize=TEXT_SIZE)
    axes.tick_params(colors=INK, labelsize=TEXT_SIZE)
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.patch.set_alpha(0)
    figure.patch.set_alpha(0)
    for name, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(name in ("left", "bottom"))
    return figure, axes


def _legend(axes: Any) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, labelcolor=INK, fontsize=TEXT_SIZE, loc="best")


def _svg(figure: Figure, name: str) -> str:
    """The plot as an SVG element. Ids get the plot's name in front, because several plots stand on one page."""
    file = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = file.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    return text.strip()
