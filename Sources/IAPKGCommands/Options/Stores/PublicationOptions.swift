import ArgumentParser
import ContentPackage
import Delivery

/// The channel and the minimum app version of published releases.
struct PublicationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The channel of the releases. Without the option, channel in .iapkg.yml names it, or it is 'stable', which users get unless they ask for another one.",
      valueName: "name"),
    transform: Channel.parse)
  var channel: Channel?

  @Option(
    help: ArgumentHelp("The lowest version of the app that can use the releases.", valueName: "version"))
  var minimumAppVersion: ContentVersion?
}
