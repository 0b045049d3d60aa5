import { type Attack, python } from "./attack.ts";

/** Ways out over the network. The host listens on every address it has, and counts who comes. */
export const network: Attack[] = [
  {
    name: "connects to the host by TCP",
    argv: python(`
for address in ["127.0.0.1", "localhost", *ADDRESSES]:
    refused(address, lambda: socket.create_connection((address, PORT), 0.5))`),
  },
  {
    name: "sends datagrams to the host",
    argv: python(`
tried()
for address in ["127.0.0.1", *ADDRESSES]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for _ in range(3):
        try: socket.socket(family, socket.SOCK_DGRAM).sendto(b"out", (address, PORT))
        except OSError as error: print(error)`),
  },
  {
    name: "asks a name server",
    argv: python(`
query = b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\7example\\3com\\0\\0\\1\\0\\1"
for server in ["8.8.8.8", "1.1.1.1", "169.254.169.254", "2001:4860:4860::8888"]:
    def ask():
        end = socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM)
        end.settimeout(0.3); end.sendto(query, (server, 53)); return end.recv(512)
    refused(server, ask)
refused("resolver", lambda: socket.getaddrinfo("example.com", 80))`),
  },
  {
    name: "reaches the machine's metadata service",
    argv: python(`
for address in ["169.254.169.254", "fd00:ec2::254", "100.100.100.200"]:
    refused(address, lambda: socket.create_connection((address, 80), 0.3))`),
  },
  {
    name: "opens raw sockets",
    argv: python(`
for family, protocol in [(socket.AF_INET, 1), (socket.AF_INET, 255), (socket.AF_INET6, 58)]:
    refused("raw", lambda: socket.socket(family, socket.SOCK_RAW, protocol))
refused("packet type", lambda: socket.socket(socket.AF_INET, 10, 3))`),
  },
  {
    name: "pings the host",
    argv: python(`
def ping(address):
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1); end.settimeout(0.3)
    end.sendto(b"\\x08\\0\\xf7\\xff\\0\\0\\0\\0", (address, 0)); return end.recv(64)
for address in [a for a in ADDRESSES if ":" not in a] or ["10.0.0.1"]: refused(address, lambda: ping(address))`),
  },
  {
    name: "reads the wire with a packet socket",
    argv: python(`refused("packet", lambda: socket.socket(17, socket.SOCK_RAW, socket.htons(3)))`),
  },
  {
    name: "makes a network interface",
    argv: python(`
def ask(kind, flags, body):
    end = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    end.sendall(struct.pack("=IHHII", 16 + len(body), kind, flags | 5, 1, 0) + body)
    answer = end.recv(4096); code = struct.unpack_from("=i", answer, 16)[0]
    if struct.unpack_from("=H", answer, 4)[0] == 2 and code < 0: raise OSError(-code, os.strerror(-code))
    return answer
name = b"\\x09\\0\\3\\0dumm\\0\\0\\0\\0"
info = struct.pack("=HH", 16, 18) + struct.pack("=HH", 10, 1) + b"dummy\\0\\0\\0"
refused("link", lambda: ask(16, 0x600, struct.pack("=BxHiII", 0, 0, 0, 0, 0) + name + info))
refused("address", lambda: ask(20, 0x600, struct.pack("=BBBBI", 2, 24, 0, 0, 1) + struct.pack("=HH4s", 8, 1, socket.inet_aton("10.9.8.7")) + struct.pack("=HH4s", 8, 2, socket.inet_aton("10.9.8.7"))))
refused("route", lambda: ask(24, 0x600, struct.pack("=BBBBBBBBI", 2, 0, 0, 0, 254, 4, 0, 1, 0) + struct.pack("=HHI", 8, 4, 1)))`),
  },
  {
    name: "talks to the kernel over other netlink families",
    argv: python(`
for protocol in [4, 6, 9, 10, 11, 12, 15, 16, 20, 21]:
    refused("netlink %d" % protocol, lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol))`),
  },
  {
    name: "reaches the hypervisor by vsock",
    argv: python(`
for kind in [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET]:
    refused("vsock", lambda: socket.socket(40, kind, 0))
refused("device", lambda: open("/dev/vsock"))`),
  },
  {
    name: "opens sockets of every rare family",
    argv: python(`
for family in [f for f in range(0, 46) if f not in (1, 2, 10, 16)]:
    for kind in (1, 2, 3, 5): refused("family %d" % family, lambda: socket.socket(family, kind, 0))
    refused("high bits", lambda: call("socket", (1 << 32) | family, 1, 0))`),
  },
  {
    name: "connects to an abstract socket of the host",
    argv: python(`
for name in ["\\0miracle-attack-" + TOKEN, "\\0/tmp/.X11-unix/X0", "\\0/tmp/dbus-"]:
    def connect():
        end = socket.socket(socket.AF_UNIX); end.settimeout(0.5); end.connect(name); return end
    refused(repr(name), connect)`),
  },
  {
    name: "connects to a socket file of the host",
    argv: python(`
for path in [OUTSIDE + "/socket", "/proc/1/root" + OUTSIDE + "/socket", "/proc/1/cwd/../../.." + OUTSIDE + "/socket", "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket"]:
    def connect():
        end = socket.socket(socket.AF_UNIX); end.settimeout(0.5); end.connect(path); return end
    refused(path, connect)`),
  },
  {
    name: "makes a tunnel device",
    argv: python(`
refused("tun", lambda: open("/dev/net/tun", "r+b", buffering=0))
refused("ppp", lambda: open("/dev/ppp", "r+b", buffering=0))`),
  },
];
