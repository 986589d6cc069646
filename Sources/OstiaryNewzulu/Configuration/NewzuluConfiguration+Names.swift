extension NewzuluConfiguration {
  /// What the methods are called. All but the one in ``UploadOptions/resumeMethod`` are published.
  public struct CallNames: Sendable, Hashable {
    /// Checks a password and begins a session.
    public var confirmCredentials = "users.confirmCredentials"
    /// Tells whose a session is.
    public var getLoggedInUser = "users.getLoggedInUser"
    /// Tells who a user is, by identifier or name.
    public var getUserInfo = "users.getUserInfo"
    /// Tells who a user is, by e-mail address.
    public var getUserInfoByEmail = "users.getUserInfoByEmail"
    /// Registers a user.
    public var register = "users.register"
    /// Tells whether a name or an e-mail address is taken.
    public var verifyUserEmail = "users.verifyUserEmail"
    /// Lists media items.
    public var getFiles = "media.getFiles"
    /// Tells what a media item is.
    public var getFileInfo = "media.getFileInfo"
    /// Begins an upload.
    public var createMultiPartUpload = "media.createMultiPartUpload"
    /// Ends an upload whose parts are all there.
    public var completeMultiPartUpload = "media.completeMultiPartUpload"
    /// Gives an upload up.
    public var abortMultiPartUpload = "media.abortMultiPartUpload"

    /// The defaults.
    public init() {}
  }

  /// The members of an answer, and of a list in it. `status` and `result` are published; published clients read the others.
  public struct AnswerKeys: Sendable, Hashable {
    /// Whether the call was carried out.
    public var status = "status"
    /// What it has brought.
    public var result = "result"
    /// Why it was not carried out, in words.
    public var message = "message"
    /// Why it was not carried out, as a number. That there is one is Ostiary's choice.
    public var code = "code"
    /// In a list, how many items there are on all pages.
    public var totalCount = "totalCount"
    /// In a list, the items of the page.
    public var items = "data"

    /// The defaults.
    public init() {}
  }

  /// The members of a user, as published clients read them.
  public struct UserKeys: Sendable, Hashable {
    /// The user's identifier.
    public var id = "id"
    /// The user's name on the platform.
    public var username = "user"
    /// The first name.
    public var firstName = "firstname"
    /// The last name.
    public var lastName = "lastname"
    /// The e-mail address.
    public var email = "email"

    /// The defaults.
    public init() {}
  }

  /// The members of a media item, in answers and in what begins an upload. Published clients read them; `filesize` is Ostiary's
  /// choice.
  public struct FileKeys: Sendable, Hashable {
    /// The item's identifier, also as an argument.
    public var id = "id"
    /// The title.
    public var title = "title"
    /// The description.
    public var message = "message"
    /// The name that the file had.
    public var filename = "filename"
    /// The media type.
    public var contentType = "type"
    /// The size in bytes.
    public var size = "filesize"
    /// What has become of it, as a number.
    public var status = "status"
    /// The identifier of the user who uploaded it.
    public var uploaderID = "uid"
    /// Where its thumbnails are.
    public var thumbnailURL = "thumbUrl"

    /// The defaults.
    public init() {}
  }
}
