"""A network that carries packets with the defaults of Linux."""
import contextlib, ctypes, fcntl, os, socket, struct, sys

CONGESTION_CONTROL = "/proc/sys/net/ipv4/tcp_congestion_control"


@contextlib.contextmanager
def usual_network():
    """Enters a new network namespace, with loopback and CUBIC, the default congestion control of Linux. The machine may use
    another: the timers with which BBR paces packets take longer than loopback needs to carry them.

    Yields the congestion control in use, and prints it to standard error. It is that of the machine if this user may not
    create a namespace, or may not choose the congestion control there."""
    if sys.platform != "linux":
        yield "that of the machine"
        return
    libc = ctypes.CDLL(None, use_errno=True)
    outside = os.open("/proc/self/ns/net", os.O_RDONLY)
    is_inside = libc.unshare(0x40000000) == 0  # CLONE_NEWNET of linux/sched.h
    try:
        if is_inside:
            with socket.socket() as any_socket:  # SIOCSIFFLAGS of linux/sockios.h, IFF_UP and IFF_RUNNING of linux/if.h
                fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
            try:
                with open(CONGESTION_CONTROL, "w") as file:
                    file.write("cubic")
            except OSError as error:  # a container may grant the namespace, and mount /proc/sys for reading only
                print(f"bench: cannot choose the congestion control: {error.strerror}", file=sys.stderr)
        try:
            with open(CONGESTION_CONTROL) as file:
                control = file.read().strip()
        except OSError:
            control = "unknown"
        print(f"bench: congestion control {control}", file=sys.stderr)
        yield control
    finally:
        if is_inside and libc.setns(outside, 0) != 0:
            sys.exit("bench: cannot return to the network of the machine")
        os.close(outside)
