internal import Foundation
internal import OstiaryCore

extension SessionTrace {
  /// The trace as one page that needs nothing else: a diagram with a lane for the program and one for each server. It has no script,
  /// and follows the reader's choice of a light or dark appearance.
  public var page: String {
    let servers = entries.compactMap(\.server).reduce(into: [String]()) { list, server in
      if !list.contains(server), list.count < Self.mostLanes { list.append(server) }
    }
    let lanes = ["This program"] + servers
    var body = "<ol style=\"--lanes:\(lanes.count)\">\n<li class=\"lanes\" aria-hidden=\"true\"><i></i>"
    for (index, lane) in lanes.enumerated() {
      body += "<b style=\"grid-column:\(index + 2)\">\(Self.escaped(lane))</b>"
    }
    body += "</li>\n"
    for entry in entries {
      let lane = entry.server.flatMap { servers.firstIndex(of: $0) }.map { $0 + 3 } ?? 2
      body += Self.item(entry, lane: lane)
    }
    body += "</ol>\n"
    if leftOut > 0 { body += "<p>\(leftOut) more entries were left out.</p>\n" }
    let time = HTTPDate.format(began)
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>Trace of a session</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="referrer" content="no-referrer">
      <style>\(Self.style)</style></head>
      <body><h1>Trace of a session</h1>
      <p>It began on \(Self.escaped(time)). Times are in seconds since then. A mark such as ‹3fa91c› stands for a secret: the same
      mark, the same secret.</p>
      \(body)</body></html>

      """
  }

  /// More servers than that share no lane: their entries stand at the program's.
  private static let mostLanes = 6

  private static func item(_ entry: Entry, lane: Int) -> String {
    let arrow = lane > 2 ? "<i class=\"arrow\" style=\"grid-column:2/\(lane)\"></i>" : ""
    var text = "<li class=\"\(entry.kind.rawValue)\"><time>\(time(entry.seconds).drop { $0 == " " })</time>\(arrow)"
    text += "<div style=\"grid-column:2/-1\"><span>\(entry.sign)</span> <strong>\(escaped(entry.title))</strong>"
    if let server = entry.server { text += " <small>\(escaped(server))</small>" }
    if !entry.details.isEmpty {
      let isShort = entry.details.count <= 3
      text += "<details\(isShort ? " open" : "")><summary>\(entry.details.count) details</summary><dl>"
      for detail in entry.details {
        text += "<dt>\(escaped(detail.name))</dt><dd>\(escaped(detail.value))</dd>"
      }
      text += "</dl></details>"
    }
    return text + "</div></li>\n"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--quiet:#57606a;--line:#d0d7de;--go:#0550ae;--come:#116329;\
    --bad:#a40e26;--say:#6639ba}
    @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--quiet:#9198a1;--line:#3d444d;--go:#79c0ff;\
    --come:#7ee787;--bad:#ff8182;--say:#d2a8ff}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);\
    font:1rem/1.5 system-ui,sans-serif}
    ol{list-style:none;margin:0;padding:0}
    li{display:grid;grid-template-columns:4.5rem repeat(var(--lanes),minmax(0,1fr));padding:.35rem 0;\
    border-top:1px solid var(--line);background:repeating-linear-gradient(to right,var(--line) 0 2px,\
    transparent 2px calc(100%/var(--lanes))) 4.5rem 0/calc(100% - 4.5rem) 100% no-repeat}
    li>div{background:var(--paper);margin-left:2px;padding-left:.5rem}
    .lanes{position:sticky;top:0;background:var(--paper);border-top:0}
    .lanes b{font-size:.85rem;overflow-wrap:anywhere;border-left:2px solid var(--line);padding-left:.5rem}
    time,small,dt,summary{color:var(--quiet);font-size:.85rem}
    time{grid-row:1/3;font-variant-numeric:tabular-nums}
    .arrow{height:.6rem;border-bottom:2px solid currentColor;position:relative}
    .arrow::after{content:"";position:absolute;bottom:-.35rem;border:.3rem solid transparent}
    .request>.arrow{color:var(--go)}.answer>.arrow{color:var(--come)}.failure>.arrow{color:var(--bad);border-bottom-style:dashed}
    .request>.arrow::after{right:0;border-left-color:currentColor;border-right-width:0}
    .answer>.arrow::after,.failure>.arrow::after{left:0;border-right-color:currentColor;border-left-width:0}
    .request span,.request strong{color:var(--go)}.answer span,.answer strong{color:var(--come)}
    .failure span,.failure strong{color:var(--bad)}.decision span,.decision strong{color:var(--say)}
    strong,dd{overflow-wrap:anywhere}
    dl{display:grid;grid-template-columns:minmax(6rem,max-content) minmax(0,1fr);gap:0 .75rem;margin:.25rem 0}
    dd{margin:0;font:0.85rem/1.6 ui-monospace,monospace}
    @media(max-width:40rem){li{--lanes:1}.lanes,.arrow{display:none}\
    li>div{grid-column:2!important}small{display:block;overflow-wrap:anywhere}dl{grid-template-columns:1fr}}
    @media print{details{display:block}.lanes{position:static}}
    """
}
