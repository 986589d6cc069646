internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryNewzulu

/// `ostiary media`.
struct MediaCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "media",
    abstract: "List your photos and videos (newzulu).",
    discussion: """
      Lists what the user of the profile has uploaded to the project, the newest first, with what has become of it. \
      --all lists the media of all users that the server shows to this one.
      """)

  @Flag(help: "List the media of all users.")
  var all = false

  @Option(help: "How many to list.")
  var limit = 100

  @Option(help: "How many of the newest to leave out.")
  var start = 0

  @OptionGroup(title: "Password, should one be needed") var password: PasswordOptions
  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError(UploadMessage.badNumber(option: "--limit", least: 1, most: 100_000))
    }
    guard start >= 0 else { throw ValidationError(UploadMessage.badNumber(option: "--start", least: 0, most: nil)) }
  }

  func run(in environment: CommandEnvironment) async throws {
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile, of: .newzulu)
    let session = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given,
      credentials: CredentialPrompt.sources(for: profile, environment: environment, options: password))
    let (total, files) = try await session.use {
      let user = try await session.manager.session().user.id
      return try await list(try session.newzuluClient(environment), user)
    }
    try show(files, of: total, environment.console)
  }

  /// The most items of one answer, as the platform documents it.
  private static let page = 500

  private func list(_ client: NewzuluClient, _ user: String) async throws -> (total: Int, files: [NewzuluFile]) {
    var query = NewzuluFileQuery()
    if !all {
      query.filters[client.configuration.fileKeys.uploaderID] = Int64(user).map(JSONValue.integer) ?? .string(user)
    }
    var (total, files): (Int, [NewzuluFile]) = (0, [])
    while files.count < limit {
      query.start = start + files.count
      query.limit = min(Self.page, limit - files.count)
      let page = try await client.getFiles(query, as: .user)
      total = page.totalCount
      files += page.files
      // A server may return fewer than it was asked for.
      guard !page.files.isEmpty, query.start + page.files.count < total else { break }
    }
    return (total, files)
  }

  private func show(_ files: [NewzuluFile], of total: Int, _ console: Console) throws {
    if output.json {
      return try console.print(
        json: MediaReport(totalCount: total, start: start, media: files.map(MediaReport.Item.init)))
    }
    guard !files.isEmpty else { return console.note(UploadMessage.noMedia) }
    var table = Table(["ID", "STATUS", "SIZE", "TYPE", "TITLE"])
    for file in files {
      let item = MediaReport.Item(file)
      table.add([
        item.id, item.status ?? "", item.bytes.map(ByteCount.text) ?? "", item.type ?? "",
        // The last column, so that a long title moves no other.
        (item.title ?? item.filename ?? "").cut(to: 60),
      ])
    }
    try console.print(table)
    let shown = start + files.count
    if shown < total { console.note(UploadMessage.more(shown: shown, total: total)) }
  }
}

/// The media of a user, for programs.
struct MediaReport: Sendable, Encodable {
  struct Item: Sendable, Encodable {
    let id: String
    let title: String?
    let filename: String?
    let type: String?
    let bytes: Int64?
    /// What has become of it: `queued`, `ready`, `incomplete`, or the server's number.
    let status: String?
    let uploader: String?

    init(_ file: NewzuluFile) {
      (id, title, filename, type) = (file.id, file.title, file.filename, file.contentType)
      (bytes, uploader) = (file.size, file.uploaderID)
      status =
        switch file.status {
        case .queued?: "queued"
        case .ready?: "ready"
        case .incomplete?: "incomplete"
        case let other?: "\(other.rawValue)"
        case nil: nil
        }
    }
  }

  let totalCount: Int
  let start: Int
  let media: [Item]
}
