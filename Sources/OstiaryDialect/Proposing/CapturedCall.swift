public import Foundation
public import OstiaryCore

/// A call as it was captured, with its values. It is read for a proposal, is sent once, and is never written.
public struct CapturedCall: Sendable {
  /// The method.
  public var method: String
  /// The address.
  public var url: URL
  /// The fields in their order.
  public var fields: [(name: String, value: Secret)]
  /// The body.
  public var body: Data?
  /// What the server answered, where the capture has it.
  public var answer: CapturedAnswer?

  /// Makes a call.
  public init(
    method: String, url: URL, fields: [(name: String, value: Secret)] = [], body: Data? = nil,
    answer: CapturedAnswer? = nil
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.answer = answer
  }

  /// The first field of a name.
  public func field(_ name: String) -> Secret? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The media type of the body in lower case, without parameters; empty where none is named.
  var mediaType: String {
    let type = (field("content-type")?.reveal() ?? "").prefix { $0 != ";" }
    return type.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// The JSON that the call sends.
  var json: JSONValue? {
    guard let body, mediaType != FormEncoding.mediaType, body.count <= Self.maximumBody else { return nil }
    guard let value = JSONValue(json: body), value.object != nil || value.array != nil else { return nil }
    return value
  }

  /// The fields of the form that the call sends.
  var form: [(name: String, value: String)]? {
    guard let body, !body.isEmpty, json == nil, body.count <= Self.maximumBody,
      mediaType.isEmpty || mediaType == FormEncoding.mediaType, let text = String(validating: body, as: UTF8.self)
    else { return nil }
    return FormEncoding.parse(text)
  }

  /// The user name and password of a Basic field.
  var basic: (username: String, password: Secret)? {
    guard let field = field("authorization")?.reveal(), field.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: field.dropFirst(6).trimmingCharacters(in: .whitespaces)),
      let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), Secret(String(text[text.index(after: colon)...])))
  }

  /// The largest body that is read.
  static let maximumBody = 1 << 20
}

extension CapturedCall: Redacted {
  /// Method and host. The rest may hold secrets.
  public var description: String { "\(method) \(url.host() ?? "?")" }
}

/// An answer as it was captured.
public struct CapturedAnswer: Sendable {
  /// The status.
  public var status: Int
  /// The fields in their order.
  public var fields: [(name: String, value: Secret)]
  /// The body.
  public var body: Data

  /// Makes an answer.
  public init(status: Int, fields: [(name: String, value: Secret)] = [], body: Data = Data()) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

extension CapturedAnswer: Redacted {
  /// Status and size.
  public var description: String { "\(status), \(body.count) bytes" }
}
