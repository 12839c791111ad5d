import { conversations, carriers as contract } from '#contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestPerson } from '../support/test-app.ts';
import { createTwilioApp } from './carrier-matrix.ts';

/** Two carriers in one company: Twilio (simulated) and the sandbox. */
describe('when a carrier is unreachable', () => {
  let t: Awaited<ReturnType<typeof createTwilioApp>>;
  let owner: TestPerson;
  let [main, spare, sibling] = [0, 0, 0];
  beforeAll(async () => {
    t = await createTwilioApp({ env: { CARRIER: 'twilio,sandbox' } });
    const founded = await t.world.createCompany();
    owner = founded.owner;
    const add = (number: string, provider_id: number) =>
      t.world.services.db.systemTransaction(async (tx) => {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: owner.companyId,
            number,
            label: '',
            provider_id,
            sms_verification_status: 'not_required',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number, company_id: owner.companyId, number_id: id })
          .execute();
        return id;
      });
    [main, spare, sibling] = [
      await add('+14155568001', 3),
      await add('+14155568002', 1),
      await add('+14155568003', 3),
    ];
  }, 180_000);
  afterAll(() => t.twilio.close());

  const send = async (to: string, message: string) =>
    (
      await t.world.as(owner).request(conversations.sendMessage, {
        body: { companyId: owner.companyId, numberId: main, to, message },
      })
    ).status;
  const row = async (text: string) =>
    await t.world.services.db.unscoped
      .selectFrom('conversation_item')
      .select(['delivery_state', 'carrier', 'tries'])
      .where('text', '=', text)
      .executeTakeFirst();
  const inSandbox = async (text: string) =>
    (
      await sql<{
        from_number: string;
      }>`select from_number from sandbox.text where outgoing and body = ${text}`.execute(
        t.world.services.db.unscoped,
      )
    ).rows;
  /** Twilio answers 503 to every text from now on. */
  const away = (on: boolean) => {
    t.twilio.faults.away = on;
  };

  it('a number’s failover number must be at another carrier', async () => {
    const seen = (await t.world.as(owner).request(contract.getFailover, { params: { id: main } }))
      .body.data;
    expect([seen.carrier, seen.via, seen.choices.map((c) => [c.id, c.carrier])]).toEqual([
      'Twilio',
      null,
      [[spare, 'Sandbox']],
    ]);
    expect(
      (
        await t.world
          .as(owner)
          .request(contract.setFailover, { params: { id: main }, body: { via_number_id: sibling } })
      ).status,
    ).toBe(422);
    const wrong = async (body: object) =>
      (
        await t.world
          .as(owner)
          .request(contract.setFailover, { params: { id: main }, body: body as never })
      ).body as unknown as { errors: Record<string, string[]> };
    expect(
      Object.keys((await wrong({ via_number_id: spare, texts: false, calls: 'never' })).errors),
    ).toEqual(['via_number_id']);
    expect(Object.keys((await wrong({ via_number_id: spare, calls: 'sometimes' })).errors)).toEqual(
      ['calls'],
    );
    await t.world.services.db.systemTransaction((tx) =>
      tx.updateTable('number').set({ sms_enabled: false }).where('id', '=', spare).execute(),
    );
    expect(
      Object.keys((await wrong({ via_number_id: spare, texts: true, calls: 'away' })).errors),
    ).toEqual(['texts']);
    await t.world.services.db.systemTransaction((tx) =>
      tx.updateTable('number').set({ sms_enabled: true }).where('id', '=', spare).execute(),
    );
  });
  it('failover rules apply to calls and texts separately, and only where they are set', async () => {
    const set = async (body: object) => {
      const { via, texts, calls } = (
        await t.world
          .as(owner)
          .request(contract.setFailover, { params: { id: main }, body: body as never })
      ).body.data;
      return [via?.id ?? null, texts, calls];
    };
    expect(await set({ via_number_id: spare })).toEqual([spare, true, 'never']);
    expect(await set({ via_number_id: spare, texts: false, calls: 'away' })).toEqual([
      spare,
      false,
      'away',
    ]);
    expect(await set({ via_number_id: spare, calls: 'refused' })).toEqual([
      spare,
      false,
      'refused',
    ]);
    expect(await set({ via_number_id: null })).toEqual([null, false, 'never']);
  });
  it(
    'without a rule a text waits until the carrier is reachable again',
    { timeout: 180_000 },
    async () => {
      away(true);
      expect(await send('+12125550161', 'No rule')).toBe(201);
      await t.world.drainJobs();
      // It may be retried at this moment, and then waits again.
      await expect
        .poll(() => row('No rule'))
        .toMatchObject({ delivery_state: 'queued', carrier: 'twilio' });
      away(false);
      // Retries back off exponentially: each wait is twice the previous one.
      await expect
        .poll(async () => (await row('No rule'))?.delivery_state, { timeout: 120_000 })
        .toBe('delivered');
      expect(await inSandbox('No rule')).toEqual([]);
    },
  );
  it(
    'with a rule a text goes out once from the failover number, after its own carrier refused twice',
    { timeout: 120_000 },
    async () => {
      expect(
        (
          await t.world
            .as(owner)
            .request(contract.setFailover, { params: { id: main }, body: { via_number_id: spare } })
        ).body.data.via?.id,
      ).toBe(spare);
      away(true);
      await send('+12125550162', 'By the other way');
      await t.world.drainJobs();
      await expect
        .poll(async () => (await row('By the other way'))?.carrier, { timeout: 30_000 })
        .toBe('sandbox');
      away(false);
      await expect
        .poll(async () => (await row('By the other way'))?.delivery_state, { timeout: 30_000 })
        .toBe('delivered');
      expect(await inSandbox('By the other way')).toEqual([{ from_number: '+14155568002' }]);
      expect([...t.twilio.messages.values()].filter((m) => m.body === 'By the other way')).toEqual(
        [],
      );
    },
  );
  it(
    'a text whose response was lost neither fails over nor is sent twice',
    { timeout: 120_000 },
    async () => {
      t.twilio.faults.loseAnswers.texts = 1;
      t.twilio.faults.lateMs = 600_000; // and no receipt arrives
      await send('+12125550163', 'Perhaps');
      await t.world.drainJobs();
      // It is looked up at the carrier it was submitted to, found there, and not sent again.
      const seen = await row('Perhaps');
      expect([
        ['unknown', 'sent', 'delivered'].includes(seen!.delivery_state!),
        seen!.carrier,
        seen!.tries,
      ]).toEqual([true, 'twilio', 1]);
      expect(await inSandbox('Perhaps')).toEqual([]);
      expect([...t.twilio.messages.values()].filter((m) => m.body === 'Perhaps')).toHaveLength(1);
      t.twilio.faults.lateMs = 0;
    },
  );
});
