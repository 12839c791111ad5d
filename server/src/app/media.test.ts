import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { secretHeader } from '../exchange/protocol.ts';
import { startMedia } from './media.ts';

const app = await createTestApp();
const { settings } = app.services;

/** How the exchange answers a command on a data directory with a carrier outage left over. */
async function statusWithLeftOutage(simulated: boolean): Promise<number> {
  mkdirSync(settings.dataDir, { recursive: true });
  writeFileSync(join(settings.dataDir, 'trouble.json'), JSON.stringify({ outage: true }));
  const own = { ...settings, simulated, mediaPort: 0, sipPort: 0 };
  const exchange = await startMedia({ ...app.services, settings: own });
  try {
    const answer = await fetch(`${exchange.url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [secretHeader]: settings.mediaSecret },
      body: JSON.stringify({ commands: [] }),
    });
    return answer.status;
  } finally {
    await exchange.close();
  }
}

test('faults that were tried on the simulated carrier have no say once a real one is set', async () => {
  expect(await statusWithLeftOutage(false)).toBe(202);
  expect(await statusWithLeftOutage(true)).toBe(503);
});
