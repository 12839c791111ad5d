/**
 * Third-party SIP clients at our exchange: baresip over UDP, TCP and TLS, and sipp with many calls.
 * Both are Debian packages (`baresip`, `sip-tester`); a missing one is reported as skipped.
 */
import { existsSync } from 'node:fs';
import type { Metric, FaultOptions } from '../metric.ts';
import { baresipPath } from '../sip-clients/baresip.ts';
import { checkBaresip } from '../sip-clients/check-baresip.ts';
import { startSipExchange } from '../sip-clients/exchange.ts';
import { checkSipp, sippPath } from '../sip-clients/sipp.ts';

/** 30 (full: 200) calls from sipp. */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const missing = (path: string, name: string): Metric[] => [
    {
      id: `${path.slice(9)}: all`,
      value: `${path} is missing (apt-get install ${name})`,
      target: '',
      pass: 'skipped',
    },
  ];
  const figures: Metric[] = [];
  const here = await startSipExchange();
  try {
    if (!existsSync(baresipPath)) figures.push(...missing(baresipPath, 'baresip'));
    else
      for (const [n, transport] of (['udp', 'tcp', 'tls'] as const).entries())
        figures.push(...(await checkBaresip(here, transport, `u${n + 1}`, n)));
    figures.push(
      ...(existsSync(sippPath)
        ? await checkSipp(here, size === 'full' ? 200 : 30)
        : missing(sippPath, 'sip-tester')),
    );
  } finally {
    await here.exchange.close();
  }
  return figures;
}
