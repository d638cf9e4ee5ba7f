"""The style sheet of the report: its colours, light and dark, and one column, on paper and on a phone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Final

COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "paper": ("#fdfcfa", "#14181b"),
    "sheet": ("#ffffff", "#1b2024"),
    "shade": ("#f3f1ec", "#23292e"),
    "line": ("#dcd8cf", "#363e45"),
    "ink": ("#1f2326", "#e9e6e0"),
    "quiet": ("#565d63", "#a9b1b8"),
    "accent": ("#0f5c63", "#7fd0cf"),
    "good": ("#1d6339", "#8fd6a8"),
    "good-back": ("#e6f2ea", "#173023"),
    "warn": ("#7a4a00", "#f0c274"),
    "warn-back": ("#fdf1dc", "#352812"),
    "bad": ("#9c1c1c", "#ff9d94"),
    "bad-back": ("#fbe9e7", "#3d1a19"),
    "curve": ("#0f6f78", "#63c5c4"),
    "under": ("#d9ecec", "#1f3b3e"),
    "axis": ("#8a9096", "#7f888f"),
}
"""Each colour in light and in dark."""

_SHEET = """
:root{--serif:Charter,"Bitstream Charter",Georgia,Cambria,"Liberation Serif",serif;
--sans:"Segoe UI","Helvetica Neue",Helvetica,"Liberation Sans",Arial,system-ui,sans-serif}
*,*::before,*::after{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.6;font-size:1.0625rem;
font-family:var(--sans);overflow-wrap:break-word}
header,main,nav,footer{max-width:50rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2rem)}
header{padding-top:clamp(1.5rem,5vw,3.5rem)}
p,ul,ol,dl,pre,figure{margin:0 0 1rem}
h1,h2,h3{font-family:var(--serif);font-weight:600;line-height:1.2;
text-wrap:balance}
h1{font-size:clamp(1.75rem,1.3rem + 2.2vw,2.6rem);margin:.6rem 0 .5rem;letter-spacing:-.01em}
h2{font-size:1.55rem;margin:3.25rem 0 1rem;padding-top:1.1rem;border-top:1px solid var(--line);scroll-margin-top:1rem}
h3{font-size:1.18rem;margin:2rem 0 .6rem}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:3px}
code,pre,.rule{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
code{overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.85rem 1rem;background:var(--shade);border-radius:8px;line-height:1.5}
.lead{font-size:1.15rem;color:var(--quiet);margin-bottom:1.25rem}
main li+li{margin-top:.3rem}
ol.tree li+li,.figures li+li,ul.rules li+li{margin-top:0}
strong{font-weight:650}
.quiet{color:var(--quiet)}
.released{font-size:1.2rem;margin:1rem 0 1.5rem}
.released p,.released ul{margin:0 0 .35rem}
ol.taken{padding-left:1.6rem}
ol.taken p{margin:0 0 .2rem}
.node a.rule{color:inherit;text-decoration-color:var(--line)}
.small{font-size:.9rem}
.number{white-space:nowrap}
sup,sub{line-height:0;font-size:.72em}
.badge{display:inline-block;font-weight:600;font-size:.9rem;line-height:1.4;padding:.28rem .8rem;border-radius:99px;
color:var(--good);background:var(--good-back)}
.badge.bad{color:var(--bad);background:var(--bad-back)}
.note{border-left:4px solid var(--warn);background:var(--warn-back);padding:.8rem 1.1rem;border-radius:0 8px 8px 0;
margin:0 0 1rem}
.note.bad{border-color:var(--bad);background:var(--bad-back)}
.note strong:first-child{color:var(--warn)}
.note.bad strong:first-child{color:var(--bad)}
.note :last-child{margin-bottom:0}
.note ul{padding-left:1.2rem}
nav ol{list-style:none;padding:.9rem 0;margin:1.75rem 0 0;border-block:1px solid var(--line);display:flex;flex-wrap:wrap;
gap:.35rem 1.5rem;font-size:.95rem}
nav a{display:inline-block;padding:.15rem 0;text-decoration:none}
nav a:hover{text-decoration:underline}
main>section:first-child>h2{border-top:0;margin-top:1.5rem}
.claim{background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:clamp(1.1rem,3vw,1.75rem);
margin:0 0 1.25rem}
.claim .figures{display:flex;flex-wrap:wrap;gap:.4rem 2.5rem;margin:0 0 .5rem;padding:0;list-style:none;
font-family:var(--serif);
font-size:clamp(1.7rem,1.2rem + 2.4vw,2.5rem);line-height:1.3;color:var(--accent);
font-variant-numeric:lining-nums tabular-nums}
.claim .points{display:block;font-size:1.35rem}
.claim p:last-child,.claim dl:last-child{margin-bottom:0}
dl{display:grid;grid-template-columns:minmax(6.5rem,auto) 1fr;gap:.35rem 1.25rem}
dt{color:var(--quiet)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
.wide{overflow-x:auto;margin:0 0 1.25rem}
table{border-collapse:collapse;width:100%;font-size:.95rem;font-variant-numeric:lining-nums tabular-nums}
caption{text-align:left;color:var(--quiet);font-size:.9rem;padding-bottom:.5rem}
th,td{text-align:left;vertical-align:top;padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}
thead th{color:var(--quiet);font-size:.85rem;border-bottom:2px solid var(--line)}
tbody th{font-weight:500;min-width:9rem;overflow-wrap:anywhere}
.figures-table td,.figures-table th{white-space:nowrap}
.side{display:grid;gap:1.25rem 2.25rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:46rem){.side{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);align-items:start}}
figure svg{display:block;width:100%;max-width:27rem;height:auto}
figcaption{font-size:.9rem;color:var(--quiet);max-width:27rem}
svg text{fill:var(--quiet);font:500 12.5px var(--sans)}
svg .under{fill:var(--under)}
svg .back{fill:var(--sheet)}
svg .grid{stroke:var(--line);stroke-width:1}
svg .frame{stroke:var(--axis);stroke-width:1;fill:none}
svg .guess{stroke:var(--axis);stroke-width:1.5;stroke-dasharray:5 4}
svg .curve{stroke:var(--curve);stroke-width:2.5;fill:none;stroke-linejoin:round}
svg .mark{fill:var(--sheet);stroke:var(--curve);stroke-width:2}
.key{display:inline-block;width:1.6em;height:0;vertical-align:.28em;border-top:3px solid var(--curve);margin-right:.35em}
.key.guess{border-top:2px dashed var(--axis)}
.key.area{height:.8em;vertical-align:-.08em;border:0;background:var(--under)}
ol.tree,ol.tree ol{list-style:none;padding:0;margin:0}
ol.tree ol{padding-left:clamp(.6rem,2.4vw,1.4rem);border-left:2px solid var(--line);margin-left:.35rem}
ol.tree ol ol ol ol ol ol ol{padding-left:0;border-left:0;margin-left:0}
.node{padding:.7rem 0 .75rem}
.node .top{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;justify-content:space-between}
.node .rule{font-weight:600;font-size:.95rem;overflow-wrap:anywhere}
.node .value{font-variant-numeric:lining-nums tabular-nums}
.node .times{color:var(--quiet);font-size:.9rem}
.node .states{color:var(--quiet);font-size:.93rem;margin:.15rem 0 0}
.node .given{font-size:.9rem;margin:.3rem 0 0;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;color:var(--quiet)}
.node .given div{min-width:0;overflow-wrap:anywhere}
.node .given dt,.node .given dd{display:inline}
.node .given dd{color:var(--ink)}
.node .given dt::after{content:" "}
.formula{overflow-x:auto;overflow-y:hidden;padding:.35rem 0;margin:0}
.formula>div{padding:.1rem 0;width:max-content}
math{font-size:1.12em;font-family:"Latin Modern Math","STIX Two Math","Cambria Math","DejaVu Math TeX Gyre",math,serif}
details{margin:0 0 .75rem}
summary{cursor:pointer;color:var(--accent);padding:.25rem 0}
summary:hover{text-decoration:underline}
ul.rules{list-style:none;padding:0}
ul.rules li{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:.15rem 1.5rem;padding:.75rem 0;
border-top:1px solid var(--line)}
ul.rules p{margin:0 0 .15rem}
ul.rules .rule{display:block;font-weight:600;overflow-wrap:anywhere}
.status{font-size:.9rem;white-space:nowrap;font-weight:600}
.status.proved,.status.derived{color:var(--good)}
.status.assumed{color:var(--warn)}
footer{margin-top:4rem;padding-block:1.5rem 3rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.9rem}
footer p{margin-bottom:.35rem}
@media (max-width:30rem){dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.55rem}
.node .given{display:block}ul.rules li{grid-template-columns:minmax(0,1fr)}th,td{padding-right:.7rem}}
@page{margin:18mm 16mm}
@media print{html{font-size:9.5pt}body{background:#fff;line-height:1.45}
header,main,nav,footer{max-width:none;padding-inline:0}header{padding-top:0}
nav{display:none}h2{margin-top:1.6rem;font-size:14pt}h1{font-size:21pt}h2,h3,summary,.node .top{break-after:avoid}
.claim,figure,tr,.note,.node,.side{break-inside:avoid}a{color:inherit;text-decoration:none}
.side{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}
.wide,pre,.formula{overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}
details.fold::details-content{content-visibility:visible;display:block;block-size:auto}
details.many summary::after{content:" (not printed)"}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""


def _palette(shade: int) -> str:
    return ":root{" + "".join(f"--{name}:{shades[shade]};" for name, shades in COLOURS.items()) + "}"


STYLE: Final = f"{_palette(0)}@media screen and (prefers-color-scheme:dark){{{_palette(1)}}}" + _SHEET.replace("\n", "")
"""All of it. On paper it is light, whatever the screen is."""

DIGEST: Final = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
"""By which the page allows this style sheet and no other."""
