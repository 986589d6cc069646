/// The places in a change of the stored files at which a process may die. Tests kill it there.
package enum FileStoreStep: String, CaseIterable, Sendable {
  /// Nothing has been done, but the folder is there and locked for writing.
  case locked
  /// An empty temporary file is there.
  case temporaryCreated
  /// The header has been written.
  case temporaryPartlyWritten
  /// Everything has been written.
  case temporaryWritten
  /// The temporary file is on the disk.
  case temporarySynced
  /// It has taken the place of the session file.
  case renamed
  /// The change is on the disk.
  case folderSynced
}
