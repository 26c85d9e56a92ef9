# For scripts that start iapkg-server, with its output in server.out and its log in server.log.

# Starts the server with these options, and waits until it listens. Sets `server` to its process, and `address` to its URL.
start_server() {
  : >server.out
  iapkg-server run "$@" >>server.out 2>>server.log &
  server=$!
  until grep -q '^listening on ' server.out; do
    kill -0 "$server" || { cat server.log >&2; return 1; }
    sleep 0.05
  done
  address=$(sed -n 's/^listening on //p' server.out)
}
