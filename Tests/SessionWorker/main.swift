import Foundation
import TestSupport

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "upload" {
  try await Uploader(JSONDecoder().decode(UploaderSettings.self, from: Data(CommandLine.arguments[2].utf8))).run()
} else {
  try await Worker.run()
}
