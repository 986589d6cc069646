internal import HTTPTypes
internal import OstiaryCore

extension Dialect {
  /// What refusals can mean by it, as the document calls it: each once, in the order of the calls.
  public var meaningNames: [String] {
    var names: [String] = []
    for meaning in callSites.flatMap(\.call.meanings) + meanings where !names.contains(meaning.meaning.name) {
      names.append(meaning.meaning.name)
    }
    return names
  }

  /// The call that a request was made by, among those of a step.
  func site(of request: HTTPRequest, _ step: DialectStep) -> DialectCallSite? {
    let sites = callSites.filter { $0.step == step && $0.call.method == request.method }
    guard sites.count > 1 else { return sites.first }
    let path = String((request.path ?? "/").prefix { $0 != "?" })
    return sites.first { $0.call.path.fits(path) }
  }
}

extension DialectTemplate {
  /// Whether a path can be what the template was filled to, below any other path.
  func fits(_ path: String) -> Bool {
    let wanted = pieces.reduce(into: [""]) { segments, piece in
      switch piece {
      case .literal(let text):
        for (index, part) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
          if index > 0 { segments.append("") }
          segments[segments.count - 1] += part
        }
      // A value is a part of one segment, which then can be any.
      case .value: segments[segments.count - 1] += "{"
      }
    }
    let given = path.split(separator: "/", omittingEmptySubsequences: false)
    guard wanted.count > 1, given.count >= wanted.count else { return false }
    return zip(wanted.dropFirst(), given.suffix(wanted.count - 1)).allSatisfy { wanted, given in
      wanted.contains("{") || wanted == given
    }
  }
}
