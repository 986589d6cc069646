#if AsyncHTTPClient
  /// A server's response has a status that HTTP does not have, or not in this place.
  ///
  /// A status is three digits, 100 or more (RFC 9110 §15). HTTP/2 has no 101 (RFC 9113 §8.6).
  public struct InvalidStatusError: Error, Hashable, CustomStringConvertible {
    /// The status, if it is a number.
    public let code: Int?

    package init(code: Int?) {
      self.code = code
    }

    public var description: String {
      "The server's response has \(code.map { "the status \($0)" } ?? "a status that is no number"), which is not HTTP."
    }
  }
#endif
