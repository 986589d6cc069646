#if AsyncHTTPClient
  internal import AsyncHTTPClient
  internal import Foundation
  internal import HTTPTypes
  internal import NIOCore
  internal import NIOHTTP1
  internal import OstiaryCore

  extension HTTPClientRequest {
    /// The same request in AsyncHTTPClient's words.
    /// - Throws: ``OstiaryError`` `invalidRequest` when the target has no origin, or is no URL as RFC 3986 writes it.
    init(_ request: TransportRequest, userAgent: String?) throws {
      let head = request.head
      let path = head.path ?? "/"
      guard let scheme = head.scheme, let authority = head.authority, Origin(head) != nil,
        authority.utf8.allSatisfy(\.isAllowedInAuthority)
      else {
        throw OstiaryError.invalid("The request has no http or https address.", head)
      }
      guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy(\.isAllowedInTarget) else {
        throw OstiaryError.invalid("The request's path must begin with a slash and be percent-encoded.", head)
      }
      self.init(url: "\(scheme)://\(authority)\(path.percentEncodedWhereNeeded)")
      method = HTTPMethod(rawValue: head.method.rawValue)
      headers.reserveCapacity(head.headerFields.count + 3)
      // The authority says what goes into Host; a field that says otherwise could only mislead the server.
      for field in head.headerFields where field.name.canonicalName != "host" {
        // AsyncHTTPClient would refuse it as well, but with an error that repeats the value.
        guard field.value.utf8.allSatisfy(\.isAllowedInFieldValue) else {
          throw OstiaryError.invalid("The field \(field.name) has characters that HTTP does not allow.", head)
        }
        headers.add(name: field.name.rawName, value: field.value)
      }
      if let userAgent, head.headerFields[.userAgent] == nil {
        headers.add(name: "User-Agent", value: HTTPField(name: .userAgent, value: userAgent).value)
      }
      if let content = request.body {
        body = .bytes(ByteBuffer(bytes: content))
      }
    }
  }

  extension String {
    /// A path and query in which every character that RFC 3986 does not allow there is percent-encoded, and nothing else
    /// is touched. Foundation would encode the percent signs of what is encoded already along with it.
    fileprivate var percentEncodedWhereNeeded: String {
      let bytes = Array(utf8)
      func isHex(_ index: Int) -> Bool {
        index < bytes.count && Character(Unicode.Scalar(bytes[index])).isHexDigit
      }
      func isFine(_ index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "%"): isHex(index + 1) && isHex(index + 2)
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "\\"),
          UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
          UInt8(ascii: "}"):
          false
        default: true
        }
      }
      guard !bytes.indices.allSatisfy(isFine) else { return self }
      var encoded: [UInt8] = []
      for index in bytes.indices {
        if isFine(index) {
          encoded.append(bytes[index])
        } else {
          encoded += Array("%\(String(bytes[index], radix: 16, uppercase: true))".utf8)
        }
      }
      return String(decoding: encoded, as: UTF8.self)
    }
  }

  extension UInt8 {
    /// Visible ASCII without what separates an authority from the rest of a URL.
    fileprivate var isAllowedInAuthority: Bool {
      switch self {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"): false
      default: (0x21...0x7E).contains(self)
      }
    }

    /// Everything but control characters; a tab is allowed (RFC 9110 §5.5).
    fileprivate var isAllowedInFieldValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// Visible ASCII without a fragment's mark.
    fileprivate var isAllowedInTarget: Bool { (0x21...0x7E).contains(self) && self != UInt8(ascii: "#") }
  }
#endif
