import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Whether an address belongs to the public internet. */
export type AddressCheck = (address: string) => boolean;

/** IPv4: everything is public except IANA's special blocks, and one address of a cloud that answers its guests. */
const SPECIAL_4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/**
 * IPv6: only global unicast is public, except the blocks that lead back into IPv4, to a protocol or to documentation.
 */
const GLOBAL_6: [string, number] = ["2000::", 3];
const SPECIAL_6: [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** The lists are made once, when they are first needed. */
export function publicAddresses(): AddressCheck {
  const special = new BlockList();
  for (const [net, bits] of SPECIAL_4) special.addSubnet(net, bits, "ipv4");
  for (const [net, bits] of SPECIAL_6) special.addSubnet(net, bits, "ipv6");
  const global = new BlockList();
  global.addSubnet(...GLOBAL_6, "ipv6");
  return (address) => {
    if (isIPv4(address)) return !special.check(address, "ipv4");
    // A zone (`fe80::1%eth0`) names a link of this machine.
    if (!isIPv6(address) || address.includes("%")) return false;
    return global.check(address, "ipv6") && !special.check(address, "ipv6");
  };
}
