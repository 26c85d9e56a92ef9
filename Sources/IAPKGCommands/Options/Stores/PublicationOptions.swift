import ArgumentParser
import ContentPackage
import Delivery

/// The channel and the minimum app version of published releases.
struct PublicationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The channel of the releases. The default is channel in .iapkg.yml, or else 'stable', which clients use by default.",
      valueName: "name"),
    transform: Channel.parse)
  var channel: Channel?

  @Option(
    help: ArgumentHelp("The lowest version of the app that can use the releases.", valueName: "version"))
  var minimumAppVersion: ContentVersion?

  @Flag(
    help: """
      Start a new catalog in a store that has releases and no catalog.json. The new catalog lacks those releases.
      """)
  var newCatalog = false
}
