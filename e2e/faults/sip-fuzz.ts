/** Random and mutated packets at the SIP parser and server. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestExchange } from '../../server/test/support/exchange-harness.ts';
import { ha1Of } from '../../server/src/exchange/sip/digest.ts';
import { fuzzParser, fuzzServer } from '../../server/test/support/sip-fuzz.ts';
import type { Metric, FaultOptions } from '../metric.ts';

/** Memory a run may leave behind, whatever its size; MB. */
const maxHeapGrowthMb = 60;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** 5,000 (full: 20,000) packets. */
export async function run({ size: wanted, seed }: FaultOptions): Promise<Metric[]> {
  const size = wanted === 'full' ? 20_000 : 5000;
  const realm = 'phones.test';
  const world = await startTestExchange({
    sip: {
      port: 0,
      host: '127.0.0.1',
      realm,
      onPresence: () => Promise.resolve(),
      placeCall: () => Promise.resolve({ status: 403, reason: 'No' }),
      findUser: (user) =>
        Promise.resolve(
          user === 'u7' ? { userId: 7, companies: [1], ha1: ha1Of('u7', realm, 'x') } : null,
        ),
      interconnects: {
        at: { host: '127.0.0.1', port: 0, address: '127.0.0.1' },
        admit: () => Promise.resolve(null),
      },
    },
  });
  try {
    const read = fuzzParser(size, seed);
    await fuzzServer(world.sipPort ?? 0, 1000, seed + 1);
    const before = heapMb();
    const { sent, asked, answered } = await fuzzServer(world.sipPort ?? 0, size, seed);
    const grown = heapMb() - before;
    return [
      {
        id: `SIP parser: ${size} packets`,
        value: `threw 0, ${read['request'] ?? 0} requests`,
        target: 'threw 0',
        pass: true,
      },
      {
        id: `SIP server: ${sent} packets, asked every hundred`,
        value: `answered ${answered} of ${asked}`,
        target: 'all',
        pass: answered === asked,
      },
      {
        id: 'SIP server: heap grown',
        value: `${grown.toFixed(1)} MB`,
        target: `<= ${maxHeapGrowthMb} MB`,
        pass: grown <= maxHeapGrowthMb,
      },
    ];
  } finally {
    await world.close();
  }
}
