extension HTMLPage {
  /// An attribute of the first element with this `id`; `nil` when there is no such element or attribute.
  public func attribute(_ name: String, ofElement id: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      if case .start(let tag) = token, tag["id"] == id { return tag[name] }
    }
    return nil
  }
}
