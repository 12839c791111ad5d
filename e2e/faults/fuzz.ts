import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../server/test/support/free-port.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';
import type { Outcome, Target } from '../hostile/outcome.ts';
import { sendHostilePackets } from '../hostile/send-packets.ts';
import { sendHostileRequests } from '../hostile/send-requests.ts';
import { openInspector, type Memory } from '../inspector.ts';
import { processesOf, withProduct } from '../product.ts';
import { request, signInAsOwner } from '../traffic.ts';

/**
 * Memory that may be held at the end beyond that after the first third, when everything was loaded
 * and used once; MB. A leak of 2 kB per request or packet would be 27 MB at full size. Without a
 * leak it still grows by code that V8 compiles for what has become frequent: 6 MB of heap over
 * 20,000 requests, 16 MB resident.
 */
const most = { heapMb: 20, residentMb: 60 };

/**
 * Hostile requests and packets against one start of the whole product: no 5xx, no hang, the same
 * process at the end, flat memory. Measured after each third with garbage collected; the first is
 * the warm-up.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const count = size === 'full' ? 20_000 : 3000;
  const inspectorPort = await freePort();
  const env = {
    LOG_LEVEL: 'fatal',
    RATE_USER_PER_MINUTE: '100000000',
    RATE_COMPANY_PER_MINUTE: '100000000',
    EXPORTS_PER_HOUR: '1000000',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --inspect-port=${inspectorPort}`,
  };
  return withProduct(env, async ({ url }, dataDir) => {
    const webPid = () => processesOf(dataDir).find(({ role }) => role === 'web')?.pid ?? 0;
    const first = webPid();
    const inspector = await openInspector(first, inspectorPort);
    const target = await targetAt(url);
    // Created on first use and kept: part of the warm-up.
    await request(url, '/api/openapi.json').catch(() => null);
    const outcomes: Outcome[] = [];
    const held: Memory[] = [];
    for (let part = 0; part < 3; part++) {
      const share = Math.floor((count * (part + 1)) / 3) - Math.floor((count * part) / 3);
      outcomes.push(
        await sendHostileRequests(target, share, seed + part),
        await sendHostilePackets(target, share, seed + part),
      );
      await pause(2000);
      const now = await inspector.memory();
      console.log(
        `after ${Math.floor((count * (part + 1)) / 3)} of each: heap ${now.heapMb}, beside it ${now.externalMb}, resident ${now.residentMb} MB`,
      );
      held.push(now);
    }
    inspector.close();
    const failures = outcomes.flatMap((one) => one.failures);
    const hangs = outcomes.flatMap((one) => one.hangs);
    for (const line of [
      ...failures.slice(0, 40),
      ...hangs.slice(0, 10).map((one) => `hang: ${one}`),
    ])
      console.error(line);
    const after = (name: keyof Memory) => held.map((one) => one[name]).join(' → ');
    const grown = (name: keyof Memory) => held.at(-1)![name] - held[0]![name];
    const same = webPid() === first;
    return [
      printMetric(
        'fuzz.sent',
        `${count} requests (${statusesOf(outcomes)}), ${count} packets`,
        `${count} of each`,
        true,
      ),
      printMetric('fuzz.5xx', String(failures.length), '0', failures.length === 0),
      printMetric(
        'fuzz.hangs',
        `${hangs.length}, slowest ${(Math.max(...outcomes.map((one) => one.slowestMs)) / 1000).toFixed(1)} s`,
        '0 over 20 s',
        hangs.length === 0,
      ),
      printMetric('fuzz.process', same ? 'the same' : 'another one', 'the same', same),
      printMetric(
        'fuzz.heap',
        `${after('heapMb')} MB in use after each third`,
        `+${most.heapMb} after the first`,
        grown('heapMb') <= most.heapMb,
      ),
      printMetric(
        'fuzz.resident',
        `${after('residentMb')} MB`,
        `+${most.residentMb} after the first`,
        grown('residentMb') <= most.residentMb,
      ),
    ];
  });
}

/** The demo's owner, signed in again whenever the requests have ended the session. */
async function targetAt(url: string): Promise<Target> {
  let token = await signInAsOwner(url);
  const user = () => request(url, '/api/user', { token });
  const { companies } = (await user()).body.data as { companies: { id: number }[] };
  return {
    url,
    companyId: companies[0]!.id,
    token: async () => {
      if ((await user()).status === 401) token = await signInAsOwner(url);
      return token;
    },
  };
}

function statusesOf(outcomes: Outcome[]): string {
  const sum = new Map<string, number>();
  for (const { statuses } of outcomes)
    for (const [kind, n] of Object.entries(statuses)) sum.set(kind, (sum.get(kind) ?? 0) + n);
  return [...sum]
    .sort()
    .map(([kind, n]) => `${kind} ${n}`)
    .join(', ');
}
