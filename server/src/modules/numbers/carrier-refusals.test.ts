import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { numbers as contract } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { accountProblemError, type AccountProblem } from '../../gateways/carrier.ts';
import type { AvailableNumber, NumberInventory } from '../../gateways/number-inventory.ts';
import { rethrowRefusal } from '../../adapters/twilio/api.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber } from './provision-number.ts';
import { returnToCarrier } from './remove-number.ts';

let trouble: Error | null = null;
let given: string[] = [];
let offered: AvailableNumber[] = [];
const offer = {
  number: '+14155550100',
  region: 'CA',
  city: '',
  rateCenter: '',
  vanityText: null,
  monthlyCents: 100,
  setupCents: 0,
  providerId: 1 as const,
  features: ['voice' as const],
};
const inventory: NumberInventory = {
  name: 'refusing',
  search: async (_, away) => {
    if (trouble) away?.('Twilio', trouble);
    return offered;
  },
  order: async () => {
    throw trouble ?? new Error('not asked');
  },
  release: async (number) => {
    given.push(number);
  },
};
offered = [offer];
const app = await createTestApp({ ports: { numbers: inventory } });

describe('carrier rejections', () => {
  test.each([
    [
      'credentials',
      'Twilio rejected our credentials. An operator must correct them in the server’s settings.',
    ],
    [
      'trial',
      'Our Twilio account is a trial account and can’t do this. An operator must upgrade it at Twilio.',
    ],
    [
      'address',
      'Twilio needs an address on file for this number. An operator must add one at Twilio.',
    ],
    [
      'bundle',
      'Twilio needs approved identity documents (a regulatory bundle) for this number. An operator must add them at Twilio.',
    ],
  ] as const)(
    'an order rejected for %s fails with that reason and leaves nothing behind',
    async (which: AccountProblem, sentence) => {
      trouble = accountProblemError('Twilio', which);
      given = [];
      const { owner } = await app.createCompany();
      const { status, body } = await app
        .as(owner)
        .request(contract.buyNumbers, { body: { numbers: ['+14155550100'] } });
      expect([
        status,
        (body as unknown as { code: string }).code,
        (body as unknown as { message: string }).message,
      ]).toEqual([409, 'carrier.refused', sentence]);
      expect([(await app.as(owner).request(contract.listNumbers, {})).body.data, given]).toEqual([
        [],
        [],
      ]);
    },
  );

  test.each(['address', 'credentials'] as const)(
    'a rotation rejected for %s fails with that reason and leaves the old number unchanged',
    async (which) => {
      trouble = null;
      const { company, owner } = await app.createCompany();
      const id = await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
        provisionNumber(t, { number: `+1415555018${which.length % 10}` }),
      );
      trouble = accountProblemError('Twilio', which);
      // The account may search but not buy, or not even search.
      offered = which === 'address' ? [offer] : [];
      const { status, body } = await app.as(owner).request(contract.rotateNumber, {
        params: { id },
        body: { same_area: true, keep_routing: true },
      });
      offered = [offer];
      expect([status, body]).toMatchObject([
        409,
        { code: 'carrier.refused', message: trouble.message },
      ]);
      expect((await app.as(owner).request(contract.listNumbers, {})).body.data).toMatchObject([
        { id, status: 'active' },
      ]);
    },
  );

  test('search results name the seller and the carriers that are missing, with the reason', async () => {
    trouble = accountProblemError('Twilio', 'credentials');
    const { owner } = await app.createCompany();
    const ask = async () =>
      (await app.as(owner).request(contract.locateNumbers, { body: { areaCode: '415', limit: 1 } }))
        .body;
    expect(await ask()).toMatchObject({
      data: [{ carrier: { name: 'sandbox', simulated: true } }],
      meta: {
        away: [
          {
            carrier: 'Twilio',
            reason:
              'Twilio rejected our credentials. An operator must correct them in the server’s settings.',
          },
        ],
      },
    });
    trouble = null;
    const { owner: other } = await app.createCompany();
    await sql`delete from number_reservation`.execute(app.services.db.unscoped);
    // An incomplete result isn't cached.
    expect(
      (await app.as(other).request(contract.locateNumbers, { body: { areaCode: '415', limit: 1 } }))
        .body.meta,
    ).toEqual({ away: [] });
  });

  test.each([
    [{ status: 401, code: 20003 }, 'credentials'],
    [{ status: 400, code: 21404 }, 'trial'],
    [{ status: 400, code: 21631 }, 'address'],
    [{ status: 400, code: 21649 }, 'bundle'],
    [{ status: 403, code: 0 }, 'permission'],
    [{ status: 400, code: 21450, message: 'Phone number is not valid.' }, 'other'],
  ])('Twilio’s %o is reported as a problem with our account', (error, which) => {
    expect(() => rethrowRefusal(error)).toThrow(
      expect.objectContaining({ name: 'CarrierRefused', problem: which }),
    );
  });
  test('other Twilio errors stay as they are', () => {
    const lost = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(() => rethrowRefusal(lost)).toThrow(lost);
  });
});

test('a number is never released at a carrier other than its own', async () => {
  given = [];
  const { company } = await app.createCompany();
  const { id } = (
    await sql<{
      id: number;
    }>`insert into number (company_id, number, provider_id, provider_ref, status, returns_at)
    values (${company.id}, '+14155550177', 3, 'PN77', 'releasing', now() - interval '1 hour') returning id`.execute(
      app.services.db.unscoped,
    )
  ).rows[0]!;
  await expect(
    returnToCarrier(systemCtx(app.services, company.id, app.notifier), { numberId: id }),
  ).rejects.toThrow(/isn’t connected/);
  expect(given).toEqual([]);
});
