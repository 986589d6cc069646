import Foundation
import TestSupport

let arguments = CommandLine.arguments
let settings = Data((arguments.count == 3 ? arguments[2] : "").utf8)
switch arguments.count == 3 ? arguments[1] : "" {
case "upload": try await Uploader(JSONDecoder().decode(UploaderSettings.self, from: settings)).run()
case "track": try await EventSender(JSONDecoder().decode(TrackerSettings.self, from: settings)).run()
case "dialect": try await DialectCaller(JSONDecoder().decode(DialectCallerSettings.self, from: settings)).run()
default: try await Worker.run()
}
