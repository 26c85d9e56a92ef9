"""Programs of the system."""
import subprocess


def output(*command):
    """Returns what a command writes, without the last line break."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout.strip()
