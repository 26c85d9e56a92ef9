import ArgumentParser

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Change the keys of a store, and show them.",
    discussion: """
      Trust documents name the catalog keys of a store, which sign its catalogs, and the root keys, which sign the next \
      trust document. Clients follow from each document to the next, so root keys alone can replace a lost or \
      stolen catalog key.

      A change makes a draft in the store. It becomes a trust document once enough keys have signed it with trust sign, \
      on one machine or several.
      """,
    subcommands: [
      TrustInitCommand.self, TrustAddCommand.self, TrustRemoveCommand.self, TrustThresholdCommand.self,
      TrustSignCommand.self, TrustShowCommand.self,
    ])
}
