// begin upload-video
import Foundation
import Ostiary
import OstiaryNewzulu

func upload(
  _ video: URL, to server: URL, tenant: String, key: Secret, email: String, password: Secret
) async throws {
  let client = try NewzuluClient(server: server, apiKey: key, vhost: tenant, transport: PlatformTransport())
  let store = EncryptedFileStore.encryptedFile(application: "UploadVideo")
  client.setCredentials(email: email, password: password, store: store)

  // Signs in if the stored session is none, and sends only the parts that the server doesn't have yet.
  let file = try await client.startUpload(
    NewzuluUpload(file: video, title: video.lastPathComponent), journal: store
  ) { progress in
    print("\(progress.uploadedBytes) of \(progress.totalBytes) bytes")
  }
  print("uploaded as \(file.id)")
}
// end upload-video
