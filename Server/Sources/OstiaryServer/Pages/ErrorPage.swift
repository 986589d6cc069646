extension Page {
  /// Something went wrong. Says what, and by which id to find it in the log.
  static func error(title: String, message: String, requestID: String) -> Page {
    Page(
      title: title,
      content: """
        <p>\(message)</p>
        <p class="quiet">Request \(requestID)</p>
        """)
  }
}
