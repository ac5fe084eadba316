"""The look of a report: light and dark as the reader's system wants it, and black on white in print."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa;
  --warn: #fff4d6; --warn-ink: #5c4300; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e6e9ec; --soft: #a3adb8; --line: #3a424b; --panel: #1d2226;
  --warn: #3b2f0a; --warn-ink: #ffe3a1; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.note { color: var(--soft); font-size: .9rem; }
.warning { background: var(--warn); color: var(--warn-ink); padding: .5rem .75rem; border-radius: .35rem; }
.wide { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; min-width: 50%; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
.number { white-space: nowrap; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 500; }
figure { margin: 1rem 0; }
figure svg { width: 100%; height: auto; max-width: 50rem; color: var(--ink); }
figcaption { color: var(--soft); font-size: .9rem; max-width: 50rem; }
li { margin: .25rem 0; }
code { background: var(--panel); padding: .1rem .3rem; border-radius: .25rem; }
@media print {
  :root { color-scheme: light; --page: #fff; --ink: #000; --soft: #333; --line: #bbb; --panel: #fff;
    --warn: #fff; --warn-ink: #000; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  figure, tr, .warning { break-inside: avoid; }
  .wide { overflow: visible; }
  table { font-size: 8.5pt; }
  details > summary { display: none; }
}
"""
