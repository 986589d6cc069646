internal import Foundation

extension Cookie {
  /// Why no server could have set this cookie, in words that do not show its value; `nil` when one could.
  var problem: String? {
    let value = value.reveal()
    if name.isEmpty && value.isEmpty { return "A cookie needs a name or a value." }
    if name.utf8.count + value.utf8.count > Self.maximumSize {
      return "A cookie's name and value must not have more than 4096 bytes."
    }
    if name.utf8.contains(UInt8(ascii: "=")) { return "A cookie's name must not contain '='." }
    if [name, value, path].contains(where: { $0.utf8.contains(where: ASCII.isControl) }) {
      return "A cookie's name, value and path must not contain control characters."
    }
    // A path may: that of a request may have parameters (`/app;jsessionid=…/page`), and it is never sent.
    if [name, value].contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }) {
      return "A cookie's name and value must not contain semicolons."
    }
    if [name, value].contains(where: { ASCII.trimmed($0.utf8).count != $0.utf8.count }) {
      return "A cookie's name and value must not begin or end with spaces."
    }
    if path.utf8.first != UInt8(ascii: "/") || path.utf8.count > Self.maximumPathSize {
      return "A cookie's path must begin with '/' and must not have more than 8192 bytes."
    }
    if let problem = domainProblem { return problem }
    if !keepsPrefixPromise(hasPathAttribute: true) {
      return "A cookie's attributes must keep the promise of its name's prefix."
    }
    let dates = [createdAt, expiresAt].compactMap { $0?.timeIntervalSince1970 }
    if dates.contains(where: { !(abs($0) < 1e12) }) { return "A cookie's dates must be real." }
    return nil
  }

  private var domainProblem: String? {
    guard CookieHost.isHost(domain.utf8) else { return "A cookie's domain must be a host's name." }
    if !isHostOnly {
      if CookieHost.isAddress(domain.utf8) { return "A cookie for an address must be host-only." }
      if !domain.utf8.contains(UInt8(ascii: ".")) { return "A cookie for a single label must be host-only." }
    }
    return nil
  }

  /// The rules of the `__Secure-` and `__Host-` prefixes (RFC 6265bis §5.7), which hold in any case of letters. A
  /// cookie without a name must not look like one with such a name.
  func keepsPrefixPromise(hasPathAttribute: Bool) -> Bool {
    if name.isEmpty {
      let value = value.reveal().utf8
      return !ASCII.begins(value, with: "__secure-") && !ASCII.begins(value, with: "__host-")
    }
    if ASCII.begins(name.utf8, with: "__secure-") { return isSecure }
    if ASCII.begins(name.utf8, with: "__host-") { return isSecure && isHostOnly && hasPathAttribute && path == "/" }
    return true
  }
}
