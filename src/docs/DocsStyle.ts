/** The stylesheet of the documentation. It is part of each page, so that a page needs no other files. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --ink: #16202b; --muted: #56657a; --line: #d9e0e8; --paper: #fff; --ground: #f3f5f8; --accent: #1a5fb4; --soft: #e6effa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8edf3; --muted: #9fb0c3; --line: #33404f; --paper: #1a222c; --ground: #11171e; --accent: #7db3f5; --soft: #1e3148;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; border-bottom: 1px solid var(--line);
  padding: .75rem 1rem; background: var(--ground); }
.brand { font-weight: 650; color: inherit; text-decoration: none; margin-inline-end: auto; padding: .5rem 0; }
.contents { padding: .5rem; }
header form { flex: 1 1 14rem; max-width: 26rem; }
header label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted);
  border-radius: .5rem; padding: .5rem .75rem; }
input::placeholder { color: var(--muted); opacity: 1; }
.columns { display: grid; max-width: 78rem; margin: 0 auto; }
main { min-width: 0; padding: 1.5rem 1rem 4rem; }
nav { border-top: 1px solid var(--line); padding: 1rem; background: var(--ground); }
nav h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--muted); margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .4rem .6rem; border-radius: .4rem; color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; } nav a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 600; }
@media (min-width: 52rem) {
  .columns { grid-template-columns: 16rem minmax(0, 1fr); } .contents { display: none; }
  nav { grid-column: 1; grid-row: 1; border-top: 0; background: none; padding-block: 1rem 4rem; font-size: .95rem; }
  nav a { padding-block: .25rem; } main { grid-column: 2; grid-row: 1; padding-inline: 2rem; border-inline-start: 1px solid var(--line); }
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.25rem 0 .35rem; }
p, ul, ol { margin: 0 0 1rem; max-width: 46rem; } li { margin: .2rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: .18rem solid var(--accent); outline-offset: .15rem; border-radius: .3rem; }
code { font: .9em/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; }
:not(pre) > code { background: var(--ground); border: 1px solid var(--line); border-radius: .3rem; padding: 0 .25rem; }
.code { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--ground); }
figcaption { font-size: .8rem; color: var(--muted); padding: .35rem .9rem 0; } figcaption:empty { display: none; }
pre { margin: 0; padding: .6rem .9rem .9rem; white-space: pre-wrap; font-size: .95rem; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; } table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line);
  min-width: 7rem; overflow-wrap: break-word; }
@media (max-width: 40rem) {
  thead { display: none; } table, tbody, tr, td { display: block; } td { border: 0; padding: 0; min-width: 0; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td:first-child { font-weight: 600; } td:empty { display: none; }
  td:not(:first-child)::before { content: attr(data-column); display: block; color: var(--muted); font-size: .85rem; }
  td:not(:first-child)[data-column=""]::before { content: none; }
}
.muted { color: var(--muted); } .operation { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .5rem; }
.operation h2 { margin-top: 1rem; } .address { margin: 0 0 1rem; } .method { font-weight: 700; }
dl { margin: 0 0 1rem; } dl > div { padding: .5rem 0; border-bottom: 1px solid var(--line); } dt { font-weight: 600; }
dd { margin: 0; max-width: 46rem; } dd p { margin: 0; } .type { font-weight: 400; color: var(--muted); font-size: .9rem; }
details { margin: 0 0 1rem; } summary { cursor: pointer; color: var(--accent); padding: .35rem 0; }
.found { list-style: none; padding: 0; } .found li { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.found p { margin: 0; }
`
