import Foundation
import HTTPTypes
import OstiaryCore

/// One call: a method by its name, and named arguments, from either transport.
struct NewzuluReceivedCall: Sendable {
  /// The method in lower case: the name is compared without regard to case.
  let method: String
  let arguments: NewzuluArguments
  /// The transport of the call.
  let pathway: Pathway
  let request: DoorRequest

  /// The deepest nesting of JSON; a call needs four levels.
  private static let deepest = 16

  /// The result of reading a request.
  enum Reading {
    case call(NewzuluReceivedCall)
    /// Neither JSON nor a form.
    case otherType
    case malformed
  }

  /// - Parameters:
  ///   - names: what the server calls things.
  ///   - subject: what the method of a name is about.
  static func read(
    _ request: DoorRequest, _ names: NewzuluDoorNames = NewzuluDoorNames(),
    subject: (String) -> NewzuluDoorNames.Subject? = { _ in nil }
  ) -> Reading {
    let values: [String: JSONValue]?
    let pathway: Pathway
    switch request.mediaType {
    case "application/json":
      values = json(request.body)
      pathway = "newzulu.json"
    case "application/x-www-form-urlencoded":
      values = FormFields(encoded: request.body, limit: NewzuluForm.mostFields).flatMap(NewzuluForm.arguments)
      pathway = "newzulu.form"
    default: return .otherType
    }
    guard let values else { return .malformed }
    let method = names.call(named: names.arguments(values, about: nil)["method"]?.string ?? "")
    let arguments = names.arguments(values, about: subject(method))
    return .call(
      NewzuluReceivedCall(
        method: method, arguments: NewzuluArguments(arguments), pathway: pathway, request: request))
  }

  private static func json(_ body: [UInt8]) -> [String: JSONValue]? {
    guard isShallow(body) else { return nil }
    return JSONValue(json: Data(body))?.object
  }

  /// Whether the nesting is shallow enough: arguments are read by recursion.
  private static func isShallow(_ body: [UInt8]) -> Bool {
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in body {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInText: isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      case _ where isInText: continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > deepest { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
    }
    return true
  }
}
