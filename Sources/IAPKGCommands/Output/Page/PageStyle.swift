/// The style of the pages. Text and background have a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).
enum PageStyle {
  static let text = """
    :root { color-scheme: light dark; --back: #ffffff; --front: #1b1f24; --faint: #57606a; --line: #d0d7de;
      --panel: #f6f8fa; --link: #0550ae; --focus: #0969da; --label: #1b1f24; --folder: #d7eaff;
      --inner: #b1d4fb; --other: #e1e4e8;
      --kind0: #ffd8b5; --kind1: #b4f1b4; --kind2: #e6d0ff; --kind3: #fff0a8; --kind4: #ffc9d6; --kind5: #b5ecf0;
      --error: #a40e26; --warning: #7a4b00; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #0d1117; --front: #e6edf3; --faint: #9da7b1; --line: #30363d; --panel: #161b22;
        --link: #79c0ff; --focus: #58a6ff; --label: #f0f6fc; --folder: #1b3a61; --inner: #2a5a94; --other: #3b424a; --kind0: #7a4516;
        --kind1: #1c5a2a; --kind2: #543a85; --kind3: #5e5210; --kind4: #7d2a45; --kind5: #12575e;
        --error: #ff9492; --warning: #f0b72f; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1rem clamp(0.75rem, 3vw, 2rem) 3rem; max-width: 80rem; background: var(--back);
      color: var(--front); font: 1rem/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.6rem; margin: 0.5rem 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
    header ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem; padding: 0;
      margin: 1rem 0; list-style: none; }
    header li { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
      padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
    header span { display: block; color: var(--faint); font-size: 0.85rem; }
    nav { display: flex; flex-wrap: wrap; gap: 0.25rem; margin: 0.5rem 0; }
    nav > * + *::before { content: "/"; color: var(--faint); margin-right: 0.25rem; }
    button { font: inherit; color: var(--link); background: none; border: 0; padding: 0.1rem 0.2rem; cursor: pointer;
      text-decoration: underline; text-align: left; overflow-wrap: anywhere; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    .treemap { display: block; width: 100%; height: auto; background: var(--panel); border-radius: 6px; }
    .treemap g { outline-offset: -3px; }
    .treemap g[role="button"] { cursor: pointer; }
    .treemap rect { stroke: var(--back); stroke-width: 1; fill: var(--other); }
    .treemap g:focus-visible rect, .treemap g:hover rect { stroke: var(--front); stroke-width: 2; }
    .treemap text { font: 13px system-ui, sans-serif; fill: var(--label); pointer-events: none; }
    .treemap path { stroke: none; opacity: 0.9; pointer-events: none; }
    .in-folder { fill: var(--inner); } .in-other { fill: var(--other); } .in-kind0 { fill: var(--kind0); }
    .in-kind1 { fill: var(--kind1); } .in-kind2 { fill: var(--kind2); } .in-kind3 { fill: var(--kind3); }
    .in-kind4 { fill: var(--kind4); } .in-kind5 { fill: var(--kind5); }
    .folder rect { fill: var(--folder); } .other rect { fill: var(--other); }
    .kind0 rect { fill: var(--kind0); } .kind1 rect { fill: var(--kind1); } .kind2 rect { fill: var(--kind2); }
    .kind3 rect { fill: var(--kind3); } .kind4 rect { fill: var(--kind4); } .kind5 rect { fill: var(--kind5); }
    .severity { font-weight: 600; } .severity.error { color: var(--error); }
    .severity.warning { color: var(--warning); } .severity.note { color: var(--faint); }
    .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0; padding: 0; list-style: none;
      font-size: 0.92rem; }
    .swatch { display: inline-block; width: 0.9rem; height: 0.9rem; margin-right: 0.35rem; vertical-align: -0.1rem;
      border: 1px solid var(--line); border-radius: 3px; background: var(--other); }
    .swatch.folder { background: var(--folder); } .swatch.kind0 { background: var(--kind0); }
    .swatch.kind1 { background: var(--kind1); } .swatch.kind2 { background: var(--kind2); }
    .swatch.kind3 { background: var(--kind3); } .swatch.kind4 { background: var(--kind4); }
    .swatch.kind5 { background: var(--kind5); }
    .figure { margin: 0.75rem 0; }
    .bars { display: block; width: 100%; height: auto; }
    .bars text { font: 13px system-ui, sans-serif; fill: var(--front); }
    .bars rect { fill: var(--inner); }
    .bars .withdrawn rect { fill: var(--other); stroke: var(--faint); stroke-dasharray: 4 3; }
    .bars .withdrawn text { fill: var(--faint); }
    .timeline { display: block; width: 100%; height: auto; }
    .timeline text { font: 13px system-ui, sans-serif; fill: var(--front); }
    .timeline line { stroke: var(--line); stroke-width: 1; }
    .timeline circle { fill: var(--link); fill-opacity: 0.75; stroke: var(--back); }
    .timeline .withdrawn { stroke: var(--faint); stroke-width: 2; fill: none; }
    .notice { background: var(--kind3); color: var(--label); padding: 0.5rem 0.75rem; border-radius: 6px; }
    details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0 0.75rem; }
    summary { cursor: pointer; padding: 0.5rem 0; overflow-wrap: anywhere; }
    a { color: var(--link); }
    .scroll { overflow: auto; max-height: 26rem; margin: 0.75rem 0; border: 1px solid var(--line); border-radius: 6px; }
    table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
    caption { text-align: left; padding: 0.5rem 0.75rem; color: var(--faint); }
    th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem; border-top: 1px solid var(--line);
      overflow-wrap: anywhere; min-width: 6.2rem; }
    .date { white-space: nowrap; }
    .long { min-width: 12rem; }
    .number { min-width: 4rem; }
    th:first-child, td:first-child { min-width: 9rem; }
    th { overflow-wrap: normal; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    @media (max-width: 40rem) {
      th, td, .number { min-width: 0; padding: 0.3rem 0.4rem; }
      .long, th:first-child, td:first-child { min-width: 6rem; }
      table { font-size: 0.85rem; }
    }
    td ul { margin: 0; padding-left: 1rem; }

    """
}
