import BrowserTestSupport
import Foundation
import OstiaryCore

/// Looks at the page that Chromium shows as people with different eyes, hands and programs do.
///
/// With `OSTIARY_SCREENSHOTS` set to a folder it leaves images of what it has looked at there.
struct PageInspector: Sendable {
  let chromium: Chromium

  /// What is wrong with the page at the widths of a phone and of a desktop, in light and in dark. Only looks: what the page
  /// holds stays as it is.
  /// - Parameter name: Names the images.
  func problems(_ name: String) async throws -> [String] {
    var found: [String] = []
    for window in Chromium.Window.all {
      try await chromium.resize(to: window)
      found += try await look(at: window).map { "\(name) \(window): \($0)" }
      if let folder = ProcessInfo.processInfo.environment["OSTIARY_SCREENSHOTS"] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await chromium.screenshot().write(to: URL(filePath: folder).appending(path: "\(name)-\(window).png"))
      }
    }
    return found + (try await orderProblems().map { "\(name): \($0)" })
  }

  private func look(at window: Chromium.Window) async throws -> [String] {
    let found = try await chromium.evaluate("(\(Self.script))(\(window.width))")
    return (found.array ?? ["nothing was looked at"]).map { $0.string ?? "\($0)" }
  }

  /// Goes through the page with the tabulator, from where it opens.
  private func orderProblems() async throws -> [String] {
    let state = """
      (() => { const all = [...document.querySelectorAll('a[href], button, input, select, summary, textarea, [tabindex]')]
        .filter(e => e.type !== 'hidden' && e.getClientRects().length > 0 && e.checkVisibility());
        const outline = getComputedStyle(document.activeElement);
        return [all.indexOf(document.activeElement), all.length,
          outline.outlineStyle !== 'none' && parseFloat(outline.outlineWidth) >= 2,
          document.activeElement.getBoundingClientRect().top + scrollY]; })()
      """
    var last = try await chromium.evaluate(state).array ?? []
    let count = Int(last.dropFirst().first?.double ?? 0)
    var found: [String] = []
    // Controls for dates have several stops in themselves.
    for _ in 0..<count * 4 + 4 where last.first?.double != Double(count - 1) {
      try await chromium.pressTab()
      let next = try await chromium.evaluate(state).array ?? []
      guard next.count == 4, let (before, after) = last.first?.double.flatMap({ b in next[0].double.map { (b, $0) } })
      else { return found + ["the focus is nowhere"] }
      if after != before, after != before + 1 { found.append("the focus goes from \(before) to \(after)") }
      if after != before, next[2] != true { found.append("the focus isn't seen on \(after)") }
      if before >= 0, (next[3].double ?? 0) < (last[3].double ?? 0) - 1 {
        found.append("the focus goes up to \(after)")
      }
      last = next
    }
    if count > 0, last.first?.double != Double(count - 1) { found.append("the focus gets no further than \(last)") }
    return found
  }

  /// A function that returns what is wrong, in sentences.
  private static let script = #"""
    width => {
      const problems = [];
      const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (e.name ? `[${e.name}]` : '');
      const isShown = e => e.getClientRects().length > 0 && e.checkVisibility() && getComputedStyle(e).visibility !== 'hidden';
      const ids = (e, attribute) => (e.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean);
      const root = document.documentElement;

      // The whole.
      if (root.clientWidth !== width) problems.push(`the window is ${root.clientWidth} wide`);
      if (root.scrollWidth > width) problems.push(`the page is ${root.scrollWidth} wide`);
      if (!root.lang) problems.push('the page has no language');
      if (!document.title.trim()) problems.push('the page has no title');
      if (document.querySelectorAll('h1').length !== 1) problems.push('the page has no one heading');
      const all = [...document.body.querySelectorAll('*')];
      const known = new Set();
      for (const e of all.filter(e => e.id)) {
        if (known.has(e.id)) problems.push(`#${e.id} is there twice`);
        known.add(e.id);
      }
      for (const e of all.filter(isShown)) {
        const box = e.getBoundingClientRect();
        if (box.right > width + 0.5 || box.left < -0.5) problems.push(`${name(e)} goes beyond the window`);
        if (!e.matches('input, select, option') && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
          problems.push(`${name(e)} is too narrow for what it holds`);
        // The marker of a list stands at the first line of its item, not at the last line of a block within it.
        const style = getComputedStyle(e);
        if (e.matches('li > *') && style.display === 'inline-block' && style.verticalAlign === 'baseline'
          && e.clientHeight > 1.5 * parseFloat(style.lineHeight)) problems.push(`the marker of ${name(e)} is at its last line`);
        if (e.tabIndex > 0) problems.push(`${name(e)} has an order of its own`);
        if (e.matches('button, .button, select, summary, input:not([type=checkbox])') && box.height < 44)
          problems.push(`${name(e)} is ${box.height} high`);
      }

      // Controls: what they are called, what fills them in, what is wrong with them.
      const controls = all.filter(e => e.matches('input, select, textarea') && e.type !== 'hidden');
      for (const e of controls) {
        const labels = [...(e.labels ?? [])];
        if (labels.length !== 1 || !isShown(labels[0]) || !labels[0].innerText.trim())
          problems.push(`${name(e)} has no label`);
        // Secrets that are no passwords, such as a PIN, are filled in by no program.
        const wanted = { password: ['current-password', 'new-password', 'off'], email: ['email', 'username'], tel: ['tel'] };
        if (wanted[e.type] && !wanted[e.type].includes(e.autocomplete))
          problems.push(`${name(e)} is no password manager's: ${e.autocomplete}`);
        // What is no token of the standard's reads as nothing.
        if (e.getAttribute('autocomplete') && !e.autocomplete) problems.push(`${name(e)} has an unknown autofill`);
        const described = ids(e, 'aria-describedby').map(id => document.getElementById(id));
        if (described.some(text => !text || !text.innerText.trim())) problems.push(`${name(e)} is described by nothing`);
        const isInvalid = e.getAttribute('aria-invalid') === 'true';
        // A form of one field may say it in the page's own message.
        const isTold = described.some(text => text?.classList.contains('message'));
        if (isInvalid ? !isTold && !described.some(text => text?.id === 'error') : isTold)
          problems.push(`${name(e)} and its message don't know each other`);
      }
      for (const e of all.filter(e => e.classList.contains('message')))
        if (!controls.some(c => ids(c, 'aria-describedby').includes(e.id))) problems.push(`${name(e)} is nobody's`);
      const invalid = controls.filter(e => e.getAttribute('aria-invalid') === 'true');
      if (invalid.length > 0) {
        const alert = document.querySelector('[role=alert]');
        if (!alert || !isShown(alert)) problems.push('nobody is told that something is wrong');
        for (const e of invalid)
          if (!alert?.querySelector(`a[href="#${CSS.escape(e.id)}"]`)
            && !ids(e, 'aria-describedby').some(id => alert?.contains(document.getElementById(id))))
            problems.push(`no link leads to ${name(e)}`);
        if (document.querySelector('[autofocus]') !== invalid[0]) problems.push(`the focus isn't on ${name(invalid[0])}`);
      }

      // Contrast (WCAG 2.2 §1.4.3, §1.4.11).
      const channels = colour => colour.match(/[\d.]+/g).map(Number);
      const luminance = colour => channels(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
      const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      };
      const ground = e => {
        for (let at = e; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          const alpha = channels(colour)[3] ?? 1;
          if (alpha === 1) return colour;
          if (alpha > 0) problems.push(`${name(at)} is half seen through`);
        }
        problems.push(`nothing is behind ${name(e)}`);
        return 'rgb(255, 255, 255)';
      };
      const judge = (e, what, colour, behind, least) => {
        const ratio = contrast(colour, behind);
        if (ratio < least) problems.push(`${what} of ${name(e)} has a contrast of ${ratio.toFixed(2)}`);
      };
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const e = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || e.matches('option, script, style') || !isShown(e)) continue;
        const style = getComputedStyle(e);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        judge(e, 'the text', style.color, ground(e), isLarge ? 3 : 4.5);
      }
      for (const e of controls.filter(e => e.type !== 'checkbox')) {
        judge(e, 'the value', getComputedStyle(e).color, ground(e), 4.5);
        judge(e, 'the border', getComputedStyle(e).borderTopColor, ground(e.parentElement), 3);
        if (e.placeholder) judge(e, 'the example', getComputedStyle(e, '::placeholder').color, ground(e), 4.5);
      }
      return [...new Set(problems)];
    }
    """#
}
