"""Runs nginx on loopback with Debian's settings for sending files, and counts the bytes that it sends."""
import os, socket, subprocess, sys, tempfile, time


class Server:
    """Serves a folder; `rate` is the limit of each connection in bytes per second, 0 for no limit."""

    def __init__(self, store, place, rate=0):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = tempfile.mkdtemp(dir=place)
        temporary = "".join(f"{kind}_temp_path {self.folder};" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{self.folder}/conf", "w") as file:
            file.write(f"""daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/errors;
                           events {{}}
                           http {{ {temporary} sendfile on; tcp_nopush on; log_format bytes '$body_bytes_sent'; access_log {self.folder}/log bytes;
                                   server {{ listen 127.0.0.1:{self.port}; root {store}; limit_rate {rate}; }} }}""")
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-c", f"{self.folder}/conf"],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    sys.exit("nginx does not start")
                time.sleep(0.01)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def sent(self, wait):
        """The bytes of all response bodies, after `wait` seconds, in which the last requests end."""
        time.sleep(wait)
        with open(f"{self.folder}/log") as file:
            return sum(int(line) for line in file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
