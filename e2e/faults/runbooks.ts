import type { FaultOptions, Metric } from '../metric.ts';
import { archiveFails } from '../runbooks/archive-fails.ts';
import { certificateExpires, phoneCertificateExpires } from '../runbooks/certificate-expires.ts';
import { diskFull } from '../runbooks/disk-full.ts';
import { queueGrows } from '../runbooks/queue-grows.ts';
import { requestsSlowOrFailing } from '../runbooks/requests.ts';

/**
 * The troubles of docs/runbooks.md are caused, seen by what their alert looks at, and ended by the
 * steps that stand there. `ONLY=disk` does one.
 */
export async function run(_: FaultOptions): Promise<Metric[]> {
  const figures: Metric[] = [];
  for (const [name, trouble] of Object.entries(troubles)) {
    if (process.env.ONLY && process.env.ONLY !== name) continue;
    console.log(`${name}:`);
    figures.push(...(await trouble()));
  }
  return figures;
}

const troubles: Readonly<Record<string, () => Promise<Metric[]>>> = {
  queue: queueGrows,
  disk: diskFull,
  certificate: certificateExpires,
  phones: phoneCertificateExpires,
  requests: requestsSlowOrFailing,
  archive: archiveFails,
};
