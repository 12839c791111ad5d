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

/** The delivery states of the text that were published, in order. */
const statesPublished = async (t: Awaited<ReturnType<typeof sent>>) =>
  (
    await app.services.db.pool.query<{ s: string }>(
      `select data->'item'->'details'->>'deliveryState' s
        from outbox where event = 'conversation-updated'
        and company_id = $1 and data->'item'->>'id' = $2 order by id`,
      [t.company.id, String(t.item.id)],
    )
  ).rows.map((r) => r.s);

describe('submitting a text to the carrier', () => {
  test('a lost response leaves it unknown; a lookup finds it; it is never sent again', async () => {
    const t = await sent({ dropAfterEffectRate: 1, lateReceiptsMs: 600_000 });
    await app.drainJobs();
    // The worker's own lookup a few seconds later may have run already and published another state.
    expect((await statesPublished(t)).slice(0, 2)).toEqual(['queued', 'unknown']);
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await inbox.received(t.phone)).toHaveLength(1);
    setFaults(noFaults);
    await run('pollStatus', t.company.id, { itemId: t.item.id, times: 1 });
    expect(await t.stateNow()).toBe('sent');
    expect(await inbox.received(t.phone)).toHaveLength(1);
  });

  test('a text that the carrier does not know either stays unknown', async () => {
    const t = await sent({ outage: true });
    await setState(t.company.id, t.item.id, 'unknown');
    // Wait until the worker is not submitting it.
    await app.drainJobs();
    setFaults(noFaults);
    await run('pollStatus', t.company.id, { itemId: t.item.id, times: 10 });
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    expect(await t.stateNow()).toBe('unknown');
    expect(await inbox.received(t.phone)).toEqual([]);
  });

  test('a text whose worker dies while sending is sent once, whether the carrier has it or not', async () => {
    const accepted = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    // As after a crash between the carrier's response and storing it.
    await setState(accepted.company.id, accepted.item.id, 'sending');
    await run('submit', accepted.company.id, { conversationId: accepted.item.conversationId });
    expect([await accepted.stateNow(), (await inbox.received(accepted.phone)).length]).toEqual([
      'sent',
      1,
    ]);
    const lost = await sent({ outage: true });
    await setState(lost.company.id, lost.item.id, 'sending');
    setFaults({ lateReceiptsMs: 600_000 });
    await run('submit', lost.company.id, { conversationId: lost.item.conversationId });
    expect([await lost.stateNow(), (await inbox.received(lost.phone)).length]).toEqual(['sent', 1]);
  });

  test('a text claimed by a worker that died is not sent after an opt-out', async () => {
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

  test('texts wait in order during a carrier outage, and fail after an hour of it', async () => {
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

  test('an opt-out between writing and submitting a text prevents it', async () => {
    const t = await sent({ outage: true });
    await app.drainJobs();
    // The outage still lasts: once it ends, the worker retries.
    await inbox.text(t.phone, t.number.number, 'STOP');
    setFaults(noFaults);
    // The clock was advanced above, so a retry after a failed attempt could be an hour away.
    await run('submit', t.company.id, { conversationId: t.item.conversationId });
    await expect
      .poll(async () => {
        await app.drainJobs();
        return (await inbox.received(t.phone)).map((r) => r.text);
      })
      .toEqual([expect.stringContaining('no more texts')]);
    expect(await t.stateNow()).toBe('failed');
  });

  test('a text is not sent once its number is being released', async () => {
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
  test('late, repeated and out of order, they only move a text forward', async () => {
    const t = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    await inbox.receipt(t.key, 'delivered');
    await inbox.receipt(t.key, 'sent');
    await inbox.receipt(t.key, 'delivered');
    await inbox.receipt(t.key, 'failed', { code: 'unreachable' });
    expect(await t.stateNow()).toBe('delivered');
    expect(await statesPublished(t)).toEqual(['queued', 'sent', 'delivered']);
  });

  test('a delivery that was never confirmed leaves the text sent, with the reason', async () => {
    const t = await sent({ lateReceiptsMs: 600_000 });
    await app.drainJobs();
    const reason = 'The carrier never confirmed the delivery.';
    await inbox.receipt(t.key, 'sent', { code: 'unconfirmed', reason });
    const [item] = await inbox.items(t.owner, t.item.conversationId);
    expect(item?.details).toMatchObject({ deliveryState: 'sent', errorText: reason });
    await inbox.receipt(t.key, 'delivered');
    expect(await t.stateNow()).toBe('delivered');
  });

  test('an opt-out that the carrier reports enters the ledger, in a batch with other receipts', async () => {
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

  test('one that arrives before the carrier’s response is stored counts, and the response does not undo it', async () => {
    const t = await sent({ outage: true });
    await setState(t.company.id, t.item.id, 'sending');
    await inbox.receipt(t.key, 'delivered');
    expect(await t.stateNow()).toBe('delivered');
  });

  test('one for another carrier’s text, an unknown text or another company’s key changes nothing', async () => {
    const t = await sent({ outage: true });
    await inbox.receipt('m.1.1', 'delivered');
    await inbox.receipt('nonsense', 'delivered', { providerId: 'nobody' });
    await inbox.receipt(`m.${t.company.id + 1}.${t.item.id}`, 'delivered');
    // The worker may be submitting at this moment; in the outage the text is queued again.
    await expect.poll(() => t.stateNow()).toBe('queued');
  });
});
