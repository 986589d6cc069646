import Foundation
import Testing

@Suite("The blocks of an article")
struct ArticleBlocksTests {
  private static let good = """
    <!-- names -->
    ```sh
    A=${A:-1}
    ```
    <!-- on: one; as: first -->
    ```sh
    echo "$A"

    echo ```
    ```
    <!-- Made by a script. -->
    <!-- again: first; on: two, three -->
    <!-- on: database; stays -->
    ```sh
    serve
    ```
    <!-- restarts: two -->
    ```text
    systemctl restart ostiary
    ```
    <!-- untried: there is none -->
    ```text
    apt
    ```
    """

  @Test("OP-10: a comment says what the test does with the block after it")
  func reading() throws {
    let article = try ArticleBlocks(Self.good)
    #expect(article.names == "A=${A:-1}\n")
    #expect(
      article.blocks == [
        .init(action: .names, machines: [], text: "A=${A:-1}\n", line: 2),
        .init(
          action: .run(.init(name: "first")), machines: ["one"], text: "echo \"$A\"\n\necho ```\n", line: 6),
        .init(action: .again(name: "first"), machines: ["two", "three"], text: "", line: 12),
        .init(action: .run(.init(stays: true)), machines: ["database"], text: "serve\n", line: 14),
        .init(action: .restart, machines: ["two"], text: "systemctl restart ostiary\n", line: 18),
        .init(action: .untried, machines: [], text: "apt\n", line: 22),
      ])
  }

  @Test(
    "OP-10: a block that the test would leave out is an error",
    arguments: [
      "```sh\nls\n```", "```\nls\n```", "<!-- on: one -->\n```\nls\n```", "<!-- on: four -->\n```sh\nls\n```",
      "<!-- on: -->\n```sh\nls\n```", "<!-- untried: no reason -->\n```sh\nls\n```", "<!-- on: one -->\n",
      "<!-- on: one -->\n<!-- on: two -->\n```sh\nls\n```", "<!-- on: one; unless: x -->\n```sh\nls\n```",
      "<!-- on: one -->\n```sh\nls\n", "<!-- restarts: one -->\n```sh\nls\n```",
    ])
  func malformed(text: String) {
    #expect(throws: ArticleBlocks.Malformed.self) { try ArticleBlocks(text) }
  }

  @Test("OP-10: the article runs what it shows, but for the service manager, and blocks that are run again are there")
  func article() throws {
    let article = try ArticleBlocks(String(contentsOf: ArticleBlocks.file, encoding: .utf8))
    let untried = article.blocks.filter { $0.action == .untried }
    #expect(untried.count <= 1 && untried.allSatisfy { $0.text.hasPrefix("systemctl ") })
    var named: Set<String> = []
    for block in article.blocks {
      switch block.action {
      case .run(let occasion): if let name = occasion.name { named.insert(name) }
      case .again(let name): #expect(named.contains(name), "line \(block.line)")
      case .names, .restart, .stop, .untried: break
      }
    }
    let shell = article.blocks.filter { if case .run = $0.action { true } else { false } }
    for command in [
      "ostiary serve", "ostiary database backup", "ostiary database restore", "ostiary database copy",
      "ostiary database check", "ostiary node list", "ostiary key new", "ostiary user add", "createdb", "nginx",
    ] {
      #expect(shell.contains { $0.text.contains(command) }, "\(command)")
    }
  }
}
