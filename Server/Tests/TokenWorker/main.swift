// A token core in a process of its own, for tests that kill it: `TokenWorker FOLDER CLIENT` reads commands from its input
// and writes answers to its output, one JSON document a line. Commands are carried out at the same time.
import Foundation
import OstiaryCore
import OstiaryServer
import TokenTestSupport

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(64) }
let node = TokenNode(
  storage: try ServerStorage(folder: URL(filePath: arguments[1])), clientID: arguments[2])
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
