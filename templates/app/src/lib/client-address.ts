import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

/** Some proxies, such as Azure's, write `198.51.100.7:4321` or `[2001:db8::1]:4321`. */
export function withoutPort(address: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/** Tells whether an address is one of your proxies, also where a proxy in between has added the port. */
export function proxyTest(networks: readonly string[]): (address: string) => boolean {
  const isInside = proxyAddress.compile([...networks]);
  return (address) => isInside(withoutPort(address), 0);
}

/** A client has a whole /64 of IPv6 addresses for free, so they count as one. */
export function addressRange(from: string): string {
  const address = withoutPort(from);
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (embedded?.[1] !== undefined) return embedded[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
