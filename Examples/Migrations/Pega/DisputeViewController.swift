import Foundation
import PMBase

class DisputeViewController: NSObject {
  let snapStartController = PMSnapStartViewController()
  let delegate: AppDelegate
  var onFinish: (() -> Void)?

  init(delegate: AppDelegate) {
    self.delegate = delegate
  }

  func startDisputeProcess() {
    snapStartController.delegate = self
    snapStartController.webViewName = "dispute"
    let action = PMCreateCaseAction(
      portalURL: delegate.instanceURL, flowType: "pyStartCase", insClass: "Uplu-UPlusDis-Work-DisputeTransaction")
    snapStartController.perform(action)
  }
}

extension DisputeViewController: PMSnapStartViewControllerDelegate {
  func snapStart(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
    print("the dispute starts")
  }

  func snapStart(_ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: Error) {
    print("the dispute failed: \((error as NSError).code) \(error.localizedDescription)")
    exit(1)
  }

  func snapStart(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) {
    print("the dispute is finished")
    onFinish?()
  }

  func snapStartControllerWebContentProcessDidTerminate(_ controller: PMSnapStartViewController) {
  }
}
