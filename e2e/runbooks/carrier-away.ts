import { setTimeout as pause } from 'node:timers/promises';
import { printMetric, type Metric } from '../metric.ts';
import { RetryingDatabase } from '../product.ts';
import { request, signInAsOwner } from '../traffic.ts';
import { secondsUntil, seen, took } from './kit.ts';

const ourNumber = '+12125552340';

/** "A carrier is away": the simulated one doesn't answer while a text is sent. */
export async function carrierAway(url: string, databaseUrl: string): Promise<Metric[]> {
  const database = new RetryingDatabase(databaseUrl);
  const token = await signInAsOwner(url);
  const number = await database.queryOne<{ companyId: number; numberId: number }>(
    'select company_id::float8 "companyId", id::float8 "numberId" from number where number = $1',
    [ourNumber],
  );
  const stateOf = async (message: string) =>
    (
      await database.rows<{ state: string }>(
        'select delivery_state state from conversation_item where text = $1',
        [message],
      )
    )[0]?.state;
  await request(url, '/sandbox/faults', { method: 'PUT', body: { outage: true } });
  const message = 'Sent while the carrier is away.';
  const sent = await request(url, '/api/message', {
    ...{ token, key: message, body: { ...number, to: '+19175552002', message } },
  });
  await pause(5_000);
  const during = await stateOf(message);
  const isWaiting = during === 'queued' || during === 'sending';
  await request(url, '/sandbox/faults', { method: 'PUT', body: {} });
  const after = await secondsUntil(async () => (await stateOf(message)) === 'delivered', 120);
  await database.close();
  return [
    seen('carrier away: a text is taken', sent.status < 300, JSON.stringify(sent)),
    printMetric('carrier away: it waits as', String(during), 'not sent', isWaiting),
    took('carrier away: delivered after it is back', after),
  ];
}
