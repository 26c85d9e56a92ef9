/// The version of the programs `iapkg` and `iapkg-server`, which are released together.
package let programVersion = "1.0.0-beta.1"
