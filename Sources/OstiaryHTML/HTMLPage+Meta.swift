extension HTMLPage {
  /// The content of the first `meta` element with this name, as written in its `name` attribute; `nil` when there is none.
  package func content(ofMeta name: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      guard case .start(.meta, _) = token, tokens["name"] == name, let content = tokens["content"] else { continue }
      return content
    }
    return nil
  }
}
