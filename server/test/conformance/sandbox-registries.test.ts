import { sql } from 'kysely';
import { afterAll, describe } from 'vitest';
import { noFaults, setFaults } from '../../src/adapters/sandbox/fault-injection.ts';
import { createTestApp } from '../support/test-app.ts';
import { testPortingConformance } from './porting.ts';
import { testRegistrationConformance } from './registration.ts';

const app = await createTestApp();
const database = app.services.db.unscoped;
const setOutage = async (on: boolean) => void setFaults({ ...noFaults, outage: on });
afterAll(() => setFaults(noFaults));
const post = (url: string) => app.server.inject({ method: 'POST', url });
const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await query.execute(database)).rows[0]!.n;

describe('the sandbox', () => {
  const sandbox = app.services.gateways.carriers.byName('sandbox')!;
  for (const kind of ['local', 'toll_free'] as const)
    describe(kind, () =>
      testRegistrationConformance(async () => ({
        registration: sandbox.registration!,
        kind,
        numbers:
          kind === 'local' ? ['+14155552301', '+14155552302'] : ['+18885552301', '+18885552302'],
        setUnreachable: setOutage,
        decide: async (ref) => void (await post(`/sandbox/registrations/${ref}/review`)),
        createdCount: () => count(sql`select count(*)::int n from sandbox.registration`),
      })),
    );
  const stateOf = async (ref: string) =>
    (
      await sql<{ state: string }>`select state from sandbox.port where ref = ${ref}`.execute(
        database,
      )
    ).rows[0]?.state;
  describe('ports', () =>
    testPortingConformance(async () => ({
      porting: sandbox.porting!,
      portable: '+16175550123',
      unportable: '+16175550199',
      setUnreachable: setOutage,
      loseResponses: async (on) => void setFaults({ ...noFaults, dropAfterEffectRate: on ? 1 : 0 }),
      createdCount: () =>
        count(sql`select count(*)::int n from sandbox.port where state <> 'canceled'`),
      reach: async (ref, state) => {
        for (let i = 0; i < 4 && (await stateOf(ref)) !== state; i++)
          await post(`/sandbox/ports/${ref}/advance`);
      },
    })));
});
