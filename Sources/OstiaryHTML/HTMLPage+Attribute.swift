extension HTMLPage {
  /// An attribute of the first element with this `id`; `nil` when there is no such element or attribute.
  public func attribute(_ name: String, ofElement id: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      if case .start = token, tokens["id"] == id { return tokens[name] }
    }
    return nil
  }
}

extension HTMLPage {
  /// Whether an element has one of these classes.
  package func hasElement(ofClass names: [String]) -> Bool {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      guard case .start = token, let classes = tokens["class"] else { continue }
      if classes.split(whereSeparator: \.isWhitespace).contains(where: { names.contains(String($0)) }) { return true }
    }
    return false
  }
}
