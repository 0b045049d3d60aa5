import { describe, expect, test } from "vitest";
import { normaliseHost } from "./host-name.ts";
import { publicAddresses } from "./public-address.ts";

const isPublic = publicAddresses();

describe("an address", () => {
  test.each(["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "2a00:1450::1"])(
    "%s is public",
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:93.184.216.34",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:2800::1%eth0",
    "fec0::1",
    "ff02::1",
    "no address",
    "",
    "127.1",
    "0177.0.0.1",
  ])("%j is not public", (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe("a host name", () => {
  test.each([
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "1.2.3.4.5",
    "a.0x",
    "%31",
  ])("that some programs read as an address is none: %s", (text) => {
    expect([null, "127.0.0.1"]).toContain(normaliseHost(text));
  });

  test.each([
    "a b",
    "a\tb",
    "a/b",
    "a@b",
    "a\u0000b",
    "-a.org",
    "a-.org",
    "[::1",
    "[::1%lo]",
    "ａ.org",
    `${"a".repeat(64)}.org`,
  ])("has nothing else in it: %j", (text) => {
    expect(normaliseHost(text)).toBeNull();
  });
});
