/// The places in a change of the stored files at which a process may die. Tests kill it there.
package enum FileStoreStep: String, CaseIterable, Sendable {
  /// Nothing has been done, but the folder is there and locked for writing.
  case locked
  /// An empty temporary file is there.
  case temporaryCreated
  /// Everything has been written.
  case temporaryWritten
  /// The temporary file is on the disk.
  case temporarySynced
  /// It has taken the place of the session file.
  case renamed
  /// The change is on the disk.
  case folderSynced

  /// The next record is in its slot.
  case slotWritten
  /// It is on the disk.
  case slotSynced
  /// It is known to be on the disk.
  case settled

  /// What is passed when a file is made, or made anew because it is too small.
  package static let making: [Self] = [
    .locked, .temporaryCreated, .temporaryWritten, .temporarySynced, .renamed, .folderSynced,
  ]
  /// What is passed when a file is written in place.
  package static let writingInPlace: [Self] = [.locked, .slotWritten, .slotSynced, .settled]
}
