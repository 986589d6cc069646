// A token core in a process of its own, for tests that kill it: `TokenWorker FOLDER CLIENT [DATABASE]` reads commands from its input
// and writes answers to its output, one JSON document a line. Commands are carried out at the same time.
import Foundation
import OstiaryCore
import OstiaryServer
import TokenTestSupport

let arguments = CommandLine.arguments
guard 3...4 ~= arguments.count else { exit(64) }
let folder = URL(filePath: arguments[1])
let place: ServerConfiguration.Storage =
  arguments.count == 4 ? .postgreSQL(PostgreSQLDatabase(Secret(arguments[3]), folder: folder)) : .folder(folder)
let node = TokenNode(storage: try ServerStorage(place), clientID: arguments[2])
let output = Locked(FileHandle.standardOutput)

await withDiscardingTaskGroup { group in
  while let line = readLine() {
    guard let command = try? JSONDecoder().decode(TokenCommand.self, from: Data(line.utf8)) else { exit(65) }
    group.addTask {
      let answer = await node.handle(command)
      guard let data = try? JSONEncoder().encode(answer) else { exit(70) }
      output.withLock { output in
        do { try output.write(contentsOf: data + [0x0A]) } catch { exit(74) }
      }
    }
  }
}
