/// How an exported session looks.
enum HTMLStyle {
  static let sheet = """
    :root {
      --ground: #f6f5f2; --card: #fff; --ink: #1f2328; --soft: #6b7078; --line: #e4e2dc; --accent: #2f6f8f;
      --said: #e3eef3; --good: #23753f; --good-ground: #e2f3e7; --bad: #b02a30; --bad-ground: #fbe6e6;
      --warn: #8a5a00; --warn-ground: #fdf1d8; --code: #f3f2ee;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #16181b; --card: #1e2125; --ink: #e6e5e1; --soft: #969ba3; --line: #31353b; --accent: #7cc0de;
        --said: #22343d; --good: #7fd49a; --good-ground: #1c3424; --bad: #ff9a9a; --bad-ground: #41211f;
        --warn: #f0c36a; --warn-ground: #3a2f16; --code: #17191c;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 54rem; background: var(--ground); color: var(--ink);
      font: 16px/1.6 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      overflow-wrap: anywhere;
    }
    h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
    .facts, time, .count, footer, .more { color: var(--soft); font-size: .8125rem; }
    .facts i { font-style: normal; opacity: .5; }
    header .facts { margin: 0; }
    dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1.25rem 0 1.5rem; padding: 1rem 0;
      border-block: 1px solid var(--line); }
    dt { color: var(--soft); font-size: .75rem; }
    dd { margin: 0; font-size: 1.125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    time, td, .facts, .bar { font-variant-numeric: tabular-nums; }
    summary { cursor: pointer; list-style-position: inside; }
    summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
    article, .call, .thinking, .summary, .turn { content-visibility: auto; contain-intrinsic-size: auto 4rem; }
    article { margin: 1.25rem 0; }
    article.user { display: flex; flex-direction: column; align-items: flex-end; }
    article.user > div { max-width: 85%; padding: .6rem 1rem; background: var(--said); border-radius: 1rem 1rem .25rem 1rem; }
    article.user time { margin: 0 .5rem .2rem; }
    p { margin: 0 0 .75rem; white-space: pre-wrap; }
    p:last-child { margin-bottom: 0; }
    .heading { font-weight: 650; }
    pre, code, .what { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
      font-size: .8125rem; }
    code { padding: .1em .3em; background: var(--code); border: 1px solid var(--line); border-radius: 4px; }
    pre { margin: 0 0 .75rem; padding: .75rem 1rem; max-height: 28rem; overflow: auto; background: var(--code);
      border: 1px solid var(--line); border-radius: 8px; line-height: 1.5; white-space: pre-wrap; tab-size: 4; }
    .call, .calls { margin: .5rem 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
    .call > summary { display: flex; align-items: baseline; gap: .6rem; padding: .5rem .75rem; list-style: none; }
    .call > summary::-webkit-details-marker { display: none; }
    .call > summary .what { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .call > summary .facts { white-space: nowrap; }
    .call[open] > summary { border-bottom: 1px solid var(--line); }
    .call[open] > summary .what { white-space: normal; }
    .call > pre, .call > .note, .call > img { margin: .75rem; }
    .call > .arguments { border-left: 3px solid var(--accent); }
    .status { padding: .05rem .5rem; border-radius: 99px; font-size: .75rem; font-weight: 600; white-space: nowrap; }
    .status.ok { color: var(--good); background: var(--good-ground); }
    .status.bad { color: var(--bad); background: var(--bad-ground); }
    .status.open { color: var(--warn); background: var(--warn-ground); }
    .calls > summary, .turn > summary, .gone > summary, .thinking > summary, .summary > summary { padding: .5rem .75rem; }
    .calls > summary { font-weight: 600; }
    table { width: 100%; border-collapse: collapse; font-size: .8125rem; }
    th { text-align: left; font-weight: 500; color: var(--soft); }
    th, td { padding: .35rem .75rem; border-top: 1px solid var(--line); vertical-align: baseline; white-space: nowrap; }
    td.what { max-width: 0; width: 50%; overflow: hidden; text-overflow: ellipsis; }
    td.bar { position: relative; width: 9rem; }
    td.bar b { display: block; position: absolute; inset: auto auto .2rem .75rem; height: 3px; max-width: calc(100% - 1.5rem);
      min-width: 2px; background: var(--accent); border-radius: 2px; }
    .more { padding: .5rem .75rem; }
    .thinking, .summary { margin: .5rem 0; color: var(--soft); border-left: 2px solid var(--line); font-size: .9375rem; }
    .thinking > div, .summary > div { padding: 0 .75rem .5rem 1rem; }
    .turn { margin: .5rem 0; border-top: 1px solid var(--line); }
    .turn > summary { display: flex; gap: .75rem; align-items: baseline; }
    .turn > summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .turn[open] > summary { color: var(--soft); }
    .gone { margin: 1rem 0; padding: 0 .5rem; border: 1px dashed var(--line); border-radius: 10px; opacity: .75; }
    .gone > summary { color: var(--soft); }
    .note { display: flex; gap: .75rem; margin: .5rem 0; padding: .35rem .75rem; color: var(--soft); font-size: .875rem;
      border-radius: 8px; }
    .note.warning { color: var(--warn); background: var(--warn-ground); }
    .note.bad { color: var(--bad); background: var(--bad-ground); }
    img { display: block; max-width: 100%; max-height: 30rem; margin: .5rem 0; border-radius: 8px; }
    footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
    @media (max-width: 40rem) { .call > summary { flex-wrap: wrap; } th:nth-child(4), td:nth-child(4) { display: none; } }
    @media print { body { max-width: none; } pre { max-height: none; } }
    """
}
