package import HTTPTypes

extension HTTPFields {
  /// Adds cookies behind those that are there, all in one field.
  ///
  /// Setting the field through its subscript would take it apart into one for each cookie, which only HTTP/2 and later
  /// allow (RFC 9113 §8.2.3, RFC 6265bis §5.8.3), and takes its time.
  package mutating func addCookies(_ pairs: String) {
    let own = self[.cookie]
    if own != nil { self[.cookie] = nil }
    append(HTTPField(name: .cookie, value: own.map { "\($0); \(pairs)" } ?? pairs))
  }
}
