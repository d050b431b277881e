import type { Chance } from './chance.ts';
import { contractOf } from './contract.ts';
import type { Meeting } from './people.ts';
import { requestMaker } from './requests.ts';
import type { Received, Sent } from './send.ts';

interface Trial {
  readonly chance: Chance;
  readonly count: number;
}

interface Outcome {
  /** What was wrong, each kind once, with the request that shows it. */
  readonly faults: readonly string[];
  /** How many answers had a status of each hundred: `2xx`. */
  readonly statuses: Readonly<Record<string, number>>;
}

const atOnce = 8;

/** Sends so many requests, some without a login. */
export async function fuzz(
  { document, sender, people }: Meeting,
  { chance, count }: Trial,
): Promise<Outcome> {
  const check = contractOf(document);
  const requests = requestMaker(document, chance);
  const faults = new Map<string, string>();
  const statuses: Record<string, number> = {};
  let left = count;

  const worker = async () => {
    while (left-- > 0) {
      const request = requests.next();
      const person = chance.oneIn(6) ? undefined : chance.one(people);
      const token = await person?.token();
      const hasOwn = request.headers['authorization'] !== undefined;
      const sent: Sent =
        token === undefined || hasOwn
          ? request
          : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
      const received = await sender.send(sent);
      if (received.status === 401 && !hasOwn) person?.lost();
      requests.seen.note(sent, received);
      const group = `${String(received.status)[0]}xx`;
      statuses[group] = (statuses[group] ?? 0) + 1;
      const fault = check(sent, received);
      if (fault !== undefined) {
        const kind = `${received.status} ${fault}`
          .replaceAll(/[\da-f-]{8,}|\d+/g, '#')
          .slice(0, 90);
        if (faults.size < 20 && !faults.has(kind))
          faults.set(kind, described(sent, received, fault));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { faults: [...faults.values()], statuses };
}

function described(
  { method, path, headers, body }: Sent,
  { status }: Received,
  fault: string,
): string {
  const { authorization: _, ...others } = headers;
  const text = String(body ?? '').slice(0, 300);
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(others).slice(0, 300)} ${text} → ${status}: ${fault.slice(0, 500)}`;
}
