import { brand_color_default, inkOn, readableOn } from "./BrandColor.ts"

/** The darkest background of text in the light scheme, and the lightest one in the dark scheme. */
const light_ground = "#f3f5f8"
const dark_paper = "#1a222c"

/** Replaces the accent by the colour of a business: exactly on buttons, and in a readable shade for text. */
export const brandStyle = (color: string): string => `
:root { --accent: ${readableOn(color, light_ground)}; --accent-soft: ${light_ground}; --button: ${color}; --button-ink: ${inkOn(color)}; }
@media (prefers-color-scheme: dark) { :root { --accent: ${readableOn(color, dark_paper)}; --accent-soft: #11171e; } }
body { border-top: .3rem solid var(--button); }
`

/** The stylesheet of all pages. It is part of each page, so that a page needs no other files. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ink: #16202b; --muted: #56657a; --line: #d9e0e8; --paper: #fff; --ground: #f3f5f8;
  --accent: ${brand_color_default}; --accent-ink: #fff; --accent-soft: #e6effa; --bad: #b3261e; --bad-soft: #fcebea; --good: #1b6e3c;
  --good-soft: #e7f4ec; --shadow: 0 1px 2px #1620280f, 0 8px 28px #16202814;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8edf3; --muted: #9fb0c3; --line: #33404f; --paper: #1a222c; --ground: #11171e;
    --accent: #7db3f5; --accent-ink: #0c1a2b; --accent-soft: #1e3148; --bad: #ff9d96; --bad-soft: #40211f;
    --good: #85d6a3; --good-soft: #1a3526; --shadow: 0 0 0 1px #33404f;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between;
  max-width: 60rem; margin: 0 auto; padding: 1.25rem 1rem; }
.brand { display: inline-flex; gap: .6rem; align-items: center; color: inherit; font-weight: 650; text-decoration: none; }
.brand::before { content: ""; width: 1.1rem; height: 1.35rem; border-radius: .2rem; border: .14rem solid var(--accent);
  background: linear-gradient(var(--accent), var(--accent)) center .28rem / 60% .14rem no-repeat,
    linear-gradient(var(--accent), var(--accent)) center .62rem / 60% .14rem no-repeat; }
main { max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: anywhere; }
.narrow main { max-width: 27rem; padding-top: 4vh; }
.card { background: var(--paper); border-radius: .9rem; box-shadow: var(--shadow); padding: 1.5rem; margin: 0 0 1.25rem; }
/* Forced colours hide shadows and backgrounds, and draw transparent outlines. */
.card, .tag, .notice { outline: 1px solid transparent; }
@media (min-width: 34rem) { .card { padding: 2rem; } }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; } .lead { font-size: 1.1rem; }
.muted, small { color: var(--muted); } small { font-size: .875rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: .18rem solid var(--accent); outline-offset: .15rem; border-radius: .3rem; }
label { display: block; font-weight: 600; margin: 0 0 .35rem; }
input, select { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted);
  border-radius: .5rem; padding: .6rem .75rem; margin: 0 0 1rem; height: 2.9rem; }
input[aria-invalid="true"] { border-color: var(--bad); }
button, .button { display: inline-block; font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--accent);
  background: var(--button, var(--accent)); color: var(--button-ink, var(--accent-ink)); border-radius: .5rem; padding: .6rem 1.1rem; min-height: 2.75rem;
  text-align: center; text-decoration: none; }
button.wide { width: 100%; }
button.quiet, .button.quiet { background: transparent; color: var(--accent); border-color: var(--line); }
button.danger { background: transparent; color: var(--bad); border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.06); } button.quiet:hover, .button.quiet:hover, button.danger:hover { background: var(--ground); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; } .actions > * { flex: 1 1 auto; min-width: 9rem; }
.actions > .button { display: inline-flex; align-items: center; justify-content: center; gap: 0 .75em; flex-wrap: wrap; }
.actions + p, button.wide + p, ul.plain + p { margin-top: 1rem; } .card > :last-child { margin-bottom: 0; }
ul.plain + form { border-top: 1px solid var(--line); margin-top: .5rem; padding-top: 1.25rem; }
.notice { border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; border-inline-start: .25rem solid; overflow-wrap: anywhere; }
.notice.bad { background: var(--bad-soft); color: var(--bad); } .notice.good { background: var(--good-soft); color: var(--good); }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.plain > li { padding: .7rem 0; border-top: 1px solid var(--line); } ul.plain > li:first-child { border-top: 0; }
.card > ul.plain:first-child > li:first-child { padding-top: 0; } .card > ul.plain:last-child > li:last-child { padding-bottom: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.row > div { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; } .row form { margin: 0; } .row.top { align-items: start; } .row.top > div:first-child { flex-basis: 20rem; }
.tag { display: inline-block; background: var(--accent-soft); color: var(--accent); border-radius: 1rem; padding: .05rem .6rem;
  font-size: .8rem; font-weight: 600; }
.fields { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); align-items: end; }
textarea { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted);
  border-radius: .5rem; padding: .6rem .75rem; margin: 0 0 1rem; }
summary { cursor: pointer; color: var(--accent); padding: .6rem 0; } details > form { margin-top: .5rem; }
.text { white-space: pre-line; overflow-wrap: anywhere; text-align: -webkit-match-parent; text-align: match-parent; }
dl { margin: 0; } dl > div { display: flex; gap: 0 1rem; justify-content: space-between; align-items: baseline; padding: .2rem 0; }
dt { color: var(--muted); } dd { flex: none; max-width: 65%; margin: 0; margin-inline-start: auto; text-align: end; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
dl > .strong { font-weight: 650; border-top: 1px solid var(--line); margin-top: .35rem; padding-top: .55rem; } .strong dt { color: inherit; }
.amount { flex: none; margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.totals { border-top: 1px solid var(--line); padding-top: .75rem; } .totals dl { max-width: 26rem; margin-inline-start: auto; }
.facts { align-items: start; gap: 1rem 2rem; } .facts p { overflow-wrap: anywhere; }
figure { margin: 0 auto; text-align: center; } figcaption { max-width: 12rem; font-size: .875rem; color: var(--muted); text-wrap: balance; }
.page { display: block; width: 100%; height: auto; background: #fff; }
.qr { forced-color-adjust: none; background: #fff; padding: .75rem; border-radius: .5rem; width: 10.5rem; margin: 0 auto .5rem; } .qr svg { display: block; width: 9rem; height: 9rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 .25rem; margin: 0 0 1rem -.75rem; padding: 0; }
nav a { display: inline-block; padding: .6rem .75rem; min-height: 2.75rem; border-radius: .5rem; }
nav a[aria-current] { background: var(--accent-soft); font-weight: 600; text-decoration: none; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; min-width: 0; }
legend { font-weight: 600; padding: 0 .35rem; }
.choices { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.choice { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; font-weight: 400; margin: 0; }
.choice span { min-width: 0; } .choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: 0; accent-color: var(--accent); }
.hint { display: block; color: var(--muted); font-size: .875rem; margin: -.15rem 0 .35rem; }
.wrong { display: block; color: var(--bad); font-weight: 600; margin: 0 0 .35rem; }
select[aria-invalid="true"], textarea[aria-invalid="true"], fieldset[aria-invalid="true"] { border-color: var(--bad); }
form.search { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1rem; } form.search > div { flex: 1 1 14rem; }
form.search input, form.search select { margin: 0; } .row > .actions { flex: 0 1 auto; margin: 0; } .row > .actions > * { flex: none; min-width: 0; } p.row { justify-content: start; }
.notice ul { margin: 0; padding-inline-start: 1.1rem; } .notice a { color: inherit; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, Menlo, monospace; margin: 0; }
footer { display: flex; flex-wrap: wrap; gap: 0 2rem; color: var(--muted); font-size: .8rem; overflow-wrap: anywhere; }
.seller { display: block; max-width: 100%; max-height: 4rem; font-size: 1.15rem; overflow-wrap: anywhere; }
img.seller { background: #fff; border-radius: .4rem; padding: .35rem; }
.line { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: start; } .line > :first-child { flex: 1 1 8.5rem; min-width: 0; }
.title { display: flex; flex-wrap: wrap; gap: .35rem 1rem; align-items: center; justify-content: space-between; } .title h1 { font-size: 1.15rem; margin: 0; }
.sum { font-size: clamp(1.3rem, 7.5vw, 2.4rem); line-height: 1.15; font-weight: 700; margin: 0 0 .35rem; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.sum + .lead { margin-bottom: .5rem; } .title + .muted { margin: .75rem 0 0; }
.tag.good { background: var(--good-soft); color: var(--good); } .tag.bad { background: var(--bad-soft); color: var(--bad); }
dl.pairs > div { display: grid; justify-content: start; }
@media (min-width: 34rem) {
  dl.pairs { display: grid; grid-template-columns: fit-content(12.5rem) minmax(0, 1fr); gap: 0 1rem; }
  dl.pairs > div { grid-column: 1 / -1; grid-template-columns: subgrid; }
}
dl.pairs dd { max-width: none; margin: 0; text-align: start; } .copied { user-select: all; -webkit-user-select: all; } .whole { display: inline-block; max-width: 100%; text-decoration: inherit; }
.card > h2:not(:first-child) { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.25rem; }
.contact { flex: 1 0 100%; font-size: 1rem; color: var(--ink); }
/* The digits of amounts are aligned, also where amounts end at the left. */
[dir="rtl"] dl:not(.pairs) { display: grid; grid-template-columns: 1fr auto; } [dir="rtl"] dl:not(.pairs) > div { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; }
[dir="rtl"] dl:not(.pairs) dd { max-width: none; margin: 0; text-align: right; } [dir="rtl"] .amount { min-width: 6.5rem; text-align: right; }
@media print {
  body { background: none; } header, main { max-width: none; padding: 0 0 1rem; } .skip, .actions, nav, form, details, button { display: none; }
  .card { box-shadow: none; padding: 0; } .line, dl > div, figure { break-inside: avoid; } h2 { break-after: avoid; }
}
code { font: .9rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; overflow-wrap: anywhere; }
`
