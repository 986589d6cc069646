internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One call: a method and its arguments.
struct NewzuluCall: Sendable {
  /// The method, such as `media.getFiles`.
  let method: String
  /// The arguments by name.
  var arguments: [String: JSONValue]
  /// The argument for the method.
  var methodArgument = "method"

  /// The call as a request.
  func request(to address: URL, encoding: NewzuluEncoding, timeout: Duration) throws -> TransportRequest {
    let members = arguments.merging([methodArgument: .string(method)]) { $1 }
    var request: TransportRequest
    switch encoding {
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        request = try .post(
          address, body: encoder.encode(JSONValue.object(members)), contentType: "application/json")
      } catch is EncodingError {
        // Numbers without a value are all that JSON can't say.
        throw OstiaryError(
          .invalidInput, "An argument of the call is not a number that can be sent.", requestMayHaveExecuted: false)
      }
    case .form:
      let body = FormEncoding.serialize(Self.pairs(members))
      request = try .post(address, body: Data(body.utf8), contentType: FormEncoding.mediaType)
    }
    request.head.headerFields[.accept] = "application/json"
    request.timeout = timeout
    return request
  }

  /// Nested arguments as PHP reads them: `a[b]=1`, a list `a[]=1`, a list of objects `a[0][b]=1`.
  static func pairs(_ members: [String: JSONValue]) -> [(name: String, value: String)] {
    members.sorted { $0.key < $1.key }.flatMap { pairs($0.key, $0.value) }
  }

  private static func pairs(_ name: String, _ value: JSONValue) -> [(name: String, value: String)] {
    switch value {
    case .null: return [(name, "")]
    case .bool(let value): return [(name, value ? "true" : "false")]
    case .integer(let value): return [(name, String(value))]
    case .number(let value): return [(name, String(value))]
    case .string(let value): return [(name, value)]
    case .array(let values):
      return values.enumerated().flatMap { index, value in
        switch value {
        case .array, .object: pairs("\(name)[\(index)]", value)
        default: pairs("\(name)[]", value)
        }
      }
    case .object(let members):
      return members.sorted { $0.key < $1.key }.flatMap { pairs("\(name)[\($0.key)]", $0.value) }
    }
  }
}
