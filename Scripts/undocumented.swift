// Lists the symbols of symbol graphs that have no comment, their own or the one of the protocol requirement they meet.
// Exits with 1 when there are any. Usage: swift Scripts/undocumented.swift FILE.symbols.json…
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Comment: Decodable {}
    struct Location: Decodable {
      struct Position: Decodable { let line: Int }
      let uri: String
      let position: Position
    }
    let pathComponents: [String]
    let docComment: Comment?
    let location: Location?
  }
  let symbols: [Symbol]
}

let here = "file://" + FileManager.default.currentDirectoryPath + "/"
var missing: [String] = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  for symbol in graph.symbols where symbol.docComment == nil {
    let name = symbol.pathComponents.joined(separator: ".")
    let place = symbol.location.map { "\($0.uri.replacingOccurrences(of: here, with: "")):\($0.position.line + 1): " }
    missing.append((place ?? "") + name)
  }
}
for line in missing.sorted() { print(line) }
exit(missing.isEmpty ? 0 : 1)
