import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp } from '../../../test/support/test-app.ts';
import { noFaults, setFaults } from '../../adapters/sandbox/fault-injection.ts';
import { jobs } from './jobs.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
afterEach(() => {
  setFaults(noFaults);
});

const run = (name: string, companyId: number, payload: Record<string, unknown>) =>
  jobs
    .find((j) => j.name === `conversations.${name}`)!
    .handler(inbox.inCompany(companyId), { companyId, ...payload } as never, {
      number: 1,
      last: false,
    });
const setState = (companyId: number, itemId: number, state: string) =>
  app.services.db.transaction({ companyId }, (tx) =>
    tx
      .updateTable('conversation_item')
      .set({ delivery_state: state })
      .where('company_id', '=', companyId)
      .where('id', '=', itemId)
      .execute(),
  );
async function sent(state?: Parameters<typeof setFaults>[0]) {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = uniquePhone();
  if (state) setFaults(state);
  const { data } = (await inbox.send(owner, { numberId: number.id, to: phone, message: 'Hello' }))
    .body;
  const stateNow = async () => {
    const item = (await inbox.items(owner, data.conversationId)).find((i) => i.id === data.id);
    return item?.kind === 'message' ? item.details.deliveryState : null;
  };
  return { company, owner, number, phone, item: data, stateNow, key: `m.${company.id}.${data.id}` };
}

/** What was said of a text's state, from the first to the last. */
const statesSaid = async (t: Awaited<ReturnType<typeof sent>>) =>
  (
    await app.services.db.pool.query<{ s: string }>(
      `select data->'item'->'details'->>'deliveryState' s from outbox where event = 'conversation-updated' and company_id = $1 and data->'item'->>'id' = $2 order by id`,
      [t.company.id, String(t.item.id)],
    )
  ).rows.map((r) => r.s);

describe('handing a text to the carrier', () => {
  test('a lost answer leaves it unknown; asking finds it; it is never sent again', async () => {
    const t = await sent({ dropAfterEffectRate: 1, lateReceiptsMs: 600_000 });
    await app.drainJobs();
    // The worker asks by itself a few seconds later, perhaps already: what counts is what was said
    // before.
    expect((await statesSaid(t)).slice(0, 2)).toEqual(['queued', 'unknown']);
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await inbox.received(t.phone)).toHaveLength(1);
    setFaults(noFaults);
    await run('pollStatus', t.company.id, { itemId: t.item.id, times: 1 });
    expect(await t.stateNow()).toBe('sent');
    expect(await inbox.received(t.phone)).toHaveLength(1);
  });

  test('unknown to the carrier too, it stays unknown', async () => {
    const t = await sent({ outage: true });
    await setState(t.company.id, t.item.id, 'unknown');
    // The worker is not in the middle of trying.
    await app.drainJobs();
    setFaults(noFaults);
    await run('pollStatus', t.company.id, { itemId: t.item.id, times: 10 });
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await t.stateNow()).toBe('unknown');
    expect(await inbox.received(t.phone)).toEqual([]);
  });

  test('a worker that dies while sending sends once, whether the carrier had it or not', async () => {
    const had = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    await setState(had.company.id, had.item.id, 'sending'); // as after a kill between the carrier's yes and our note of it
    await run('submit', had.company.id, { conversationId: had.item.conversationId });
    expect([await had.stateNow(), (await inbox.received(had.phone)).length]).toEqual(['sent', 1]);
    const not = await sent({ outage: true });
    await setState(not.company.id, not.item.id, 'sending');
    setFaults({ lateReceiptsMs: 600_000 });
    await run('submit', not.company.id, { conversationId: not.item.conversationId });
    expect([await not.stateNow(), (await inbox.received(not.phone)).length]).toEqual(['sent', 1]);
  });

  test('a text claimed by a worker that died is not sent again to someone who opted out since', async () => {
    const t = await sent({ outage: true });
    await app.drainJobs();
    await inbox.text(t.phone, t.number.number, 'STOP');
    await setState(t.company.id, t.item.id, 'sending');
    setFaults({ lateReceiptsMs: 600_000 });
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await t.stateNow()).toBe('failed');
    expect((await inbox.received(t.phone)).map((r) => r.text)).toEqual([
      expect.stringContaining('no more texts'),
    ]);
  });

  test('an outage makes texts wait in their order, and an hour of it fails them', async () => {
    const t = await sent({ outage: true });
    await inbox.send(t.owner, { conversationId: t.item.conversationId, message: 'Second' });
    await app.drainJobs();
    await expect.poll(() => t.stateNow()).toBe('queued');
    setFaults(noFaults);
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect((await inbox.received(t.phone)).map((r) => r.text)).toEqual(['Hello', 'Second']);
    const late = await sent({ outage: true });
    await app.drainJobs();
    app.clock.advance(3700);
    await run('submit', late.company.id, { conversationId: late.item.conversationId });
    expect((await inbox.items(late.owner, late.item.conversationId))[0]?.details).toMatchObject({
      deliveryState: 'failed',
      errorCode: 'carrier_away',
    });
  });

  test('who opts out after it was written and before it is handed over is not texted', async () => {
    const t = await sent({ outage: true });
    await app.drainJobs();
    // Still away: as soon as the carrier is back the worker tries again by itself.
    await inbox.text(t.phone, t.number.number, 'STOP');
    setFaults(noFaults);
    // Its clock went ahead above: had it just tried in vain, it would not try again for an hour.
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    await expect
      .poll(async () => {
        await app.drainJobs();
        return (await inbox.received(t.phone)).map((r) => r.text);
      })
      .toEqual([expect.stringContaining('no more texts')]);
    expect(await t.stateNow()).toBe('failed');
  });

  test('who is blocked, or whose number is given back, meanwhile is not texted', async () => {
    const t = await sent({ outage: true });
    await app.drainJobs();
    await app.services.db.transaction({ companyId: t.company.id }, (tx) =>
      tx
        .updateTable('number')
        .set({ status: 'releasing' })
        .where('company_id', '=', t.company.id)
        .execute(),
    );
    setFaults(noFaults);
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await t.stateNow()).toBe('failed');
    expect(await inbox.received(t.phone)).toEqual([]);
  });
});

describe('receipts', () => {
  test('late, twice and out of order they only move forward', async () => {
    const t = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    await inbox.receipt(t.key, 'delivered');
    await inbox.receipt(t.key, 'sent');
    await inbox.receipt(t.key, 'delivered');
    await inbox.receipt(t.key, 'failed', { code: 'unreachable' });
    expect(await t.stateNow()).toBe('delivered');
    expect(await statesSaid(t)).toEqual(['queued', 'sent', 'delivered']);
  });

  test('a delivery that was never confirmed leaves the text sent, and says so', async () => {
    const t = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    const reason = 'The carrier never confirmed the delivery.';
    await inbox.receipt(t.key, 'sent', { code: 'unconfirmed', reason });
    const [item] = await inbox.items(t.owner, t.item.conversationId);
    expect(item?.details).toMatchObject({ deliveryState: 'sent', errorText: reason });
    await inbox.receipt(t.key, 'delivered');
    expect(await t.stateNow()).toBe('delivered');
  });

  test('an opt-out known to the carrier enters the ledger, in a batch with other receipts', async () => {
    const t = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    await Promise.all([
      inbox.receipt(t.key, 'sent'),
      inbox.receipt(t.key, 'failed', { code: 'opted_out', reason: 'Opted out at the carrier.' }),
    ]);
    expect(await t.stateNow()).toBe('failed');
    const again = await inbox.send(t.owner, {
      conversationId: t.item.conversationId,
      message: 'Again',
    });
    expect(again.body).toMatchObject({ code: 'contact.unsubscribed' });
  });

  test('one that comes before our own note of the carrier’s answer counts, and is not undone by it', async () => {
    const t = await sent({ outage: true });
    await setState(t.company.id, t.item.id, 'sending');
    await inbox.receipt(t.key, 'delivered');
    expect(await t.stateNow()).toBe('delivered');
  });

  test('one for a text of another carrier, of nobody, or of another company’s key changes nothing', async () => {
    const t = await sent({ outage: true });
    await inbox.receipt('m.1.1', 'delivered');
    await inbox.receipt('nonsense', 'delivered', { providerId: 'nobody' });
    await inbox.receipt(`m.${t.company.id + 1}.${t.item.id}`, 'delivered');
    // The worker may be trying the carrier, which is away, at this very moment; then it waits
    // again.
    await expect.poll(() => t.stateNow()).toBe('queued');
  });
});
