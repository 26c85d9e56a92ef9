"""A shop for the scripts that put load on iapkg-server: a store with a book, signed transactions, and servers."""
import json, os, subprocess, sys

BALANCE = "coins"
CREDITS = 10


def fail(what):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {what}")


class Shop:
    """A folder with a store, the types of its products, and a root certificate that replaces the App Store's."""

    def __init__(self, programs, folder, book_size=1):
        """Fills the folder; `book_size` is in MiB."""
        self.folder = folder
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        os.makedirs(f"{folder}/media")
        with open(f"{folder}/media/film", "wb") as file:
            for _ in range(book_size):
                file.write(os.urandom(1 << 20))
        self.run("iapkg", "create", "--contents", "media", "--product-id", "com.example.book",
                 "--content-version", "1.0", "--output", "book.pkg")
        self.run("iapkg", "publish", "book.pkg", "--to", "store")
        self.run("iapkg-server", "testing", "make-root", "ca")
        with open(f"{folder}/products.json", "w") as file:
            json.dump({"com.example.coins": {"type": "consumable", "credits": {BALANCE: CREDITS}}}, file)

    def call(self, *words):
        """Runs a program in the folder."""
        return subprocess.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)

    def run(self, *words):
        """Runs a program, which must succeed, and returns its output."""
        result = self.call(*words)
        if result.returncode != 0:
            fail(f"{' '.join(words)}: {result.stderr}")
        return result.stdout.strip()

    def sign(self, product, kind, number, *options):
        return self.run("iapkg-server", "testing", "sign-transaction", "--certificates", "ca",
                        "--bundle-id", "com.example.app", "--product", product, "--type", kind,
                        "--transaction-id", str(number), *options)


class Server:
    """iapkg-server on the store of a shop, without a rate limit."""

    def __init__(self, shop, database, log=os.devnull):
        self.shop, self.database, self.log = shop, database, log
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                ["iapkg-server", "run", "--store", "store", "--bundle-id", "com.example.app",
                 "--listen", "127.0.0.1:0", "--allow-sandbox", "--testing-root", "ca/root.pem",
                 "--products", "products.json", "--database", self.database, "--token-key-file", "keys",
                 "--rate-limit", "1000000", "--rate-burst", "1000000"],
                cwd=self.shop.folder, env=self.shop.environment, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            fail(f"the server does not start; its log is {self.log}")
        self.address = line.split()[-1]
        self.host = self.address.removeprefix("http://")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops the server, and returns its exit code."""
        self.process.terminate()
        return self.process.wait()
