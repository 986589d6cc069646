extension ExperiencePage {
  /// The styles of a page: one column, light and dark, from 320 pixels on. Contrast is at least 4.5:1 and targets are at
  /// least 44 pixels high (WCAG 2.2 AA). Texts are read in their own direction, whichever the page's is. For half a second the
  /// mouse presses nothing: the second click of a double click is one on the page before. It holds nothing of the document.
  public static let styleSheet = """

    :root { color-scheme: light dark; --ground: #f3f4f6; --card: #fff; --ink: #16202c; --quiet: #55606e;
      --line: #767f8c; --accent: #1d4f91; --on-accent: #fff; --bad: #a3171d; --bad-ground: #fdeeee; }
    @media (prefers-color-scheme: dark) { :root { --ground: #11161d; --card: #1b232d; --ink: #e8edf3; --quiet: #a7b1be;
      --line: #7b8796; --accent: #8db8f2; --on-accent: #10202f; --bad: #ffb4ae; --bad-ground: #3a1d1f; } }
    * { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink);
      background: var(--ground); }
    main { width: 100%; max-width: 28rem; padding: 2rem; border-radius: 0.75rem; background: var(--card);
      box-shadow: 0 1px 2px rgb(0 0 0 / 0.12), 0 8px 24px rgb(0 0 0 / 0.08); }
    @media (max-width: 30rem) { body { padding: 0; place-items: start stretch; }
      main { padding: 1.25rem; border-radius: 0; min-height: 100vh; box-shadow: none; } }
    h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.25; }
    [dir="rtl"] main { text-align: right; }
    h1, p, li, label, button, form > a { overflow-wrap: anywhere; unicode-bidi: plaintext; }
    p { margin: 0 0 1rem; white-space: pre-line; }
    .field { margin-bottom: 1.25rem; min-width: 0; }
    label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
    .optional { font-weight: 400; color: var(--quiet); }
    .help, .message { margin: 0 0 0.25rem; font-size: 0.875rem; color: var(--quiet); }
    .message { color: var(--bad); font-weight: 600; }
    input, select { display: block; width: 100%; min-width: 0; min-height: 2.75rem; padding: 0.5rem 0.75rem;
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
    ::placeholder { color: var(--quiet); opacity: 1; }
    .toggle { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; }
    .toggle input { width: 1.5rem; min-height: 1.5rem; margin: 0.625rem 0; accent-color: var(--accent); }
    .toggle label { margin: 0; padding: 0.625rem 0; font-weight: 400; }
    .toggle p { grid-column: 1 / -1; }
    .invalid input, .invalid select { border: 2px solid var(--bad); }
    .problems { margin: 0 0 1.25rem; padding: 0.75rem 1rem; color: var(--bad); background: var(--bad-ground);
      border-inline-start: 4px solid var(--bad); border-radius: 0.25rem; }
    .problems p { margin: 0; }
    .problems ul { margin: 0; padding-inline-start: 1.25rem; }
    .problems a { display: inline-block; min-width: 1.5rem; min-height: 1.5rem; vertical-align: top; color: inherit; }
    .news { margin: 0 0 1.25rem; padding: 0.75rem 1rem; background: var(--ground); border-radius: 0.25rem;
      border-inline-start: 4px solid var(--accent); }
    .news p { margin: 0; }
    button, form > a { display: block; width: 100%; min-height: 2.75rem; margin-top: 0.75rem; padding: 0.6rem 0.75rem;
      font: inherit; font-weight: 600; text-align: center; text-decoration: none; border-radius: 0.5rem; cursor: pointer; }
    button.primary, a.primary { color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); }
    button.secondary, a.secondary { color: var(--accent); background: var(--card); border: 1px solid var(--accent); }
    button.link, a.link { color: var(--accent); background: none; border: 0; text-decoration: underline;
      font-weight: 400; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    @keyframes settle { from { pointer-events: none; } }
    a, button { animation: settle 0.5s step-end; }

    """
}
