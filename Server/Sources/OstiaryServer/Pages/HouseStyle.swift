/// The style of all pages. Contrast is at least 4.5:1 in both colour schemes (WCAG 2.2 AA), controls are at least 44 px high, links
/// outside of sentences 24 px.
///
/// For half a second after a page was drawn the mouse presses nothing: the second click of a double click is one on the page before.
enum HouseStyle {
  static let sheet: HTML = """

    :root { color-scheme: light dark; --ground: #f3f4f6; --card: #fff; --ink: #16202c; --quiet: #55606e;
      --line: #8a94a3; --accent: #1d4f91; --on-accent: #fff; --bad: #a3171d; --bad-ground: #fdeeee; }
    @media (prefers-color-scheme: dark) { :root { --ground: #11161d; --card: #1b232d; --ink: #e8edf3; --quiet: #a7b1be;
      --line: #7b8796; --accent: #8db8f2; --on-accent: #10202f; --bad: #ffb4ae; --bad-ground: #3a1d1f; } }
    * { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink);
      background: var(--ground); }
    main { width: 100%; max-width: 25rem; padding: 2rem; border-radius: 0.75rem; background: var(--card);
      box-shadow: 0 1px 2px rgb(0 0 0 / 0.12), 0 8px 24px rgb(0 0 0 / 0.08); }
    h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.25; }
    h1, label, li, button, .button, #error, #information { overflow-wrap: anywhere; }
    p { margin: 0 0 1rem; overflow-wrap: anywhere; }
    label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
    input { display: block; width: 100%; min-height: 2.75rem; margin-bottom: 1.25rem; padding: 0.5rem 0.75rem;
      font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 0.5rem; }
    button, .button { display: block; width: 100%; min-height: 2.75rem; padding: 0.6rem 0.75rem; font: inherit;
      font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent);
      border: 0; border-radius: 0.5rem; cursor: pointer; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    a { color: var(--accent); }
    p > a:only-child:not(.button), .problems a { display: inline-block; min-width: 1.5rem;
      min-height: 1.5rem; vertical-align: top; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 0 0 1.5rem; }
    dt { color: var(--quiet); }
    dd { margin: 0; overflow-wrap: anywhere; }
    #error { margin: 0 0 1.25rem; padding: 0.75rem 1rem; color: var(--bad); background: var(--bad-ground);
      border-inline-start: 4px solid var(--bad); border-radius: 0.25rem; }
    #information { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-inline-start: 4px solid var(--accent);
      background: var(--ground); border-radius: 0.25rem; }
    .field { margin-bottom: 1.25rem; }
    .field input { margin: 0; }
    .optional { font-weight: 400; color: var(--quiet); }
    .help, .message { margin: 0 0 0.25rem; font-size: 0.875rem; color: var(--quiet); }
    .message { font-weight: 600; color: var(--bad); }
    .invalid input { border: 2px solid var(--bad); }
    .problems { margin: 0 0 1.25rem; padding: 0.75rem 1rem; color: var(--bad); background: var(--bad-ground);
      border-inline-start: 4px solid var(--bad); border-radius: 0.25rem; }
    .problems p { margin: 0; }
    .problems ul { margin: 0; padding-inline-start: 1.25rem; }
    .problems a { color: inherit; }
    form.secondary button { color: var(--accent); background: transparent; border: 1px solid var(--accent); }
    @keyframes settle { from { pointer-events: none; } }
    a, button, summary { animation: settle 0.5s step-end; }
    summary { min-height: 2.75rem; padding: 0.6rem 0; font-weight: 600; cursor: pointer; overflow-wrap: anywhere; }
    details p { margin: 0; }
    main > :last-child, main > form:last-child > :last-child { margin-bottom: 0; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    .quiet { margin: 1rem 0 0; font-size: 0.875rem; color: var(--quiet); }
    main.wide { max-width: 56rem; }
    @media (max-width: 30rem) { main.wide { padding: 1.25rem; } }
    main.wide > .help { margin-bottom: 0.75rem; }
    #development { padding: 0.75rem 1rem; border-inline-start: 4px solid var(--accent); background: var(--ground);
      border-radius: 0.25rem; }
    h2 { margin: 2rem 0 0.75rem; font-size: 1.25rem; line-height: 1.25; overflow-wrap: anywhere; }
    h3 { margin: 0 0 0.25rem; font-size: 1rem; }
    code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.875rem; }
    code { overflow-wrap: anywhere; }
    pre.command { margin: 0.5rem 0; padding: 0.5rem 0.75rem; background: var(--ground); border-radius: 0.5rem;
      user-select: all; }
    .plain { list-style: none; margin: 0; padding: 0; }
    .plain > li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
    .plain > li p { margin: 0; }
    .wide .quiet { margin: 0.25rem 0 0; }

    """
}
