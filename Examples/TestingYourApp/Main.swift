/// Tests a piece of an app against a server in memory, without a network.
@main
struct Main {
  static func main() async throws {
    for line in try await testHeadline() { print(line) }
  }
}
