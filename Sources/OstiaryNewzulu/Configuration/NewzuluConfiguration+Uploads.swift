extension NewzuluConfiguration {
  /// How files are uploaded.
  public struct UploadOptions: Sendable, Hashable {
    /// How large a part should be, in bytes: 8 MiB. The published minimum is 5 MiB; files that would have more than
    /// ``maximumParts`` get larger ones.
    public var partSize: Int64 = 8 * 1024 * 1024
    /// The largest part that is kept in memory, in bytes, also when a server asks for larger ones. 64 MiB.
    public var maximumPartSize: Int64 = 64 * 1024 * 1024
    /// How many parts a file may have. 10,000, the limit of the storage that the vendor used.
    public var maximumParts = 10_000
    /// How many parts are under way at once. So many times the part's size is what an upload needs in memory. 2.
    public var parallelParts = 2
    /// How often one part is tried again. 5.
    public var attempts = 5
    /// The slowest connection that isn't given up, in bytes a second. 32 KiB.
    public var slowestRate: Int64 = 32 * 1024
    /// The method that tells which parts a server has; `nil` asks none and trusts what this side remembers.
    public var resumeMethod: String? = "media.getMultiPartUpload"
    /// The number that an item has as its status while its upload is not complete. 5, as published.
    public var incompleteStatus = 5
    /// The arguments and members of an upload.
    public var keys = UploadKeys()
    /// How long a part may wait before the journal says that it is uploaded, where the journal is large beside a part. Else
    /// that is written at once. 1 second.
    public var journalDelay: Duration = .seconds(1)

    /// The defaults.
    public init() {}
  }

  /// The arguments and members of an upload. What begins one and the addresses of its parts are published, the others are Ostiary's
  /// choices.
  public struct UploadKeys: Sendable, Hashable {
    /// The argument that says what is uploaded, with the members of a media item.
    public var fileData = "fileData"
    /// The size of a part in bytes: what is asked for, and what the server decides.
    public var partSize = "partSize"
    /// The list of the addresses of parts.
    public var addresses = "partUrls"
    /// The list of the parts that are there, as an argument and in answers.
    public var parts = "parts"
    /// A part's number, from 1 on.
    public var number = "part"
    /// A part's address.
    public var address = "url"
    /// A part's size in bytes.
    public var size = "size"
    /// What the server calls a part's content.
    public var tag = "etag"

    /// The defaults.
    public init() {}
  }
}
