/** Random and mutated packets at the SIP parser and server. Alone: `node --import tsx e2e/faults/sip-fuzz.ts [size]`. */
import { pathToFileURL } from 'node:url';
import { aSwitch } from '../../server/src/adapters/sandbox/switch/a-switch.ts';
import { ha1Of } from '../../server/src/adapters/sandbox/switch/sip/digest.ts';
import { fuzzParser, fuzzServer } from '../../server/src/adapters/sandbox/switch/sip/fuzz.ts';
import type { Figure } from './sip-clients.ts';

/** Memory a run may leave behind, whatever its size. Megabytes. */
const mostGrowth = 60;
const heapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** `size`: packets. */
export async function run({ size }: { size: number }): Promise<Figure[]> {
  const realm = 'phones.test';
  const world = await aSwitch({
    sip: {
      port: 0, host: '127.0.0.1', realm, present: () => Promise.resolve(), place: () => Promise.resolve({ status: 403, reason: 'No' }),
      whoIs: (user) => Promise.resolve(user === 'u7' ? { userId: 7, companies: [1], ha1: ha1Of('u7', realm, 'x') } : null),
      lines: { at: { host: '127.0.0.1', port: 0, address: '127.0.0.1' }, admit: () => Promise.resolve(null) },
    },
  });
  try {
    const read = fuzzParser(size);
    await fuzzServer(world.sipPort ?? 0, 1000, 2);
    const before = heapMb();
    const { sent, asked, answered } = await fuzzServer(world.sipPort ?? 0, size);
    const grown = heapMb() - before;
    return [
      { id: `SIP parser: ${size} packets`, figure: `threw 0, ${read['request'] ?? 0} requests`, target: 'threw 0', pass: true },
      { id: `SIP server: ${sent} packets, asked every hundred`, figure: `answered ${answered} of ${asked}`, target: 'all', pass: answered === asked },
      { id: 'SIP server: heap grown', figure: `${grown.toFixed(1)} MB`, target: `<= ${mostGrowth} MB`, pass: grown <= mostGrowth },
    ];
  } finally {
    await world.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const figures = await run({ size: Number(process.argv[2] ?? 20_000) });
  console.table(figures);
  process.exit(figures.every(({ pass }) => pass) ? 0 : 1);
}
