import Foundation

/// A small app in the style of 2017, as it is after the steps of the article "Migrating from MobileFirst": only the package is
/// another. On a terminal it asks a server behind WebSEAL for a balance.
///
///     MobileFirstMigration http://127.0.0.1:8080/mfp fred
@main
struct Main {
  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let server = URL(string: arguments[1]) else {
      print("usage: MobileFirstMigration SERVER USER, with passwords on standard input")
      exit(2)
    }
    let controller = AccountController()
    controller.username = arguments[2]
    controller.viewDidLoad(server: server)
    await withCheckedContinuation { done in controller.connect { done.resume() } }
    await withCheckedContinuation { done in controller.getBalance { done.resume() } }
    await withCheckedContinuation { done in controller.logout { done.resume() } }
    controller.viewWillDisappear()
  }
}
