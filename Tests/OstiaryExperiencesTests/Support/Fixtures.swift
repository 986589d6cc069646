import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

enum Fixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

  static func starter() throws -> Experience { try Experience(json: data("starter.json")) }

  /// A password that every document takes.
  static let password = "correct horse battery staple"

  /// A runner of a flow of the starter document that is presented.
  static func runner(
    _ flow: String, _ app: RecordingApp, properties: [String: JSONValue] = [:], languages: [String] = []
  ) throws -> ExperienceRunner {
    let runner = ExperienceRunner(
      try starter(), flow: flow, languages: languages, properties: properties, delegate: app)
    #expect(runner.present())
    return runner
  }

  /// The starter document's tree, with one place changed.
  static func starter(_ path: [PathPart], _ value: JSONValue?) throws -> Data {
    try changed(#require(JSONValue(json: data("starter.json"))), path, value)
  }

  /// A document's tree, with one place changed or, without a value, taken out.
  static func changed(_ tree: JSONValue, _ path: [PathPart], _ value: JSONValue?) throws -> Data {
    try JSONEncoder().encode(replaced(tree, path[...], value))
  }

  enum PathPart: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case member(String)
    case element(Int)
    init(stringLiteral value: String) { self = .member(value) }
    init(integerLiteral value: Int) { self = .element(value) }
  }

  private static func replaced(_ tree: JSONValue, _ path: ArraySlice<PathPart>, _ value: JSONValue?) -> JSONValue {
    guard let first = path.first else { return value ?? .null }
    switch (tree, first) {
    case (.object(var members), .member(let name)):
      members[name] =
        path.count == 1 ? value : replaced(members[name] ?? .object([:]), path.dropFirst(), value)
      return .object(members)
    case (.array(var elements), .element(let index)):
      if path.count == 1, let value, index == elements.count {
        elements.append(value)
      } else {
        elements[index] = replaced(elements[index], path.dropFirst(), value)
      }
      return .array(elements)
    default: return tree
    }
  }
}
