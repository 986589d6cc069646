import Foundation
import NewzuluCore
import NewzuluPlatform

/// The screen on which users send in what they have seen.
public class UploadController {
  let platform: Platform
  public private(set) var progress = 0.0
  public private(set) var message = ""
  var failed: UploadState?
  /// Called when an upload has ended.
  public var didEnd: ((UploadController) -> Void)?

  public init(platform: Platform) {
    self.platform = platform
  }

  /// Sends a photo or a video. The user need not have signed in before: the SDK does it.
  public func send(_ file: URL, title: String, description: String) {
    let info = UploadInfo(title: title, description: description)
    let upload = Upload(source: file, info: info)
    platform.client.startUpload(
      upload,
      onProgress: { [weak self] uploadedBytes, totalBytes in
        self?.progress = Double(uploadedBytes) / Double(totalBytes)
      },
      onSuccess: { [weak self] in
        self?.end("Thank you!", nil)
      },
      onError: { [weak self] error, uploadState in
        self?.end(LoginController.text(for: error), uploadState)
      })
  }

  private func end(_ text: String, _ state: UploadState?) {
    message = text
    failed = state
    didEnd?(self)
  }
}
