import { describe, expect, test } from 'vitest';
import { conversations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { jobs } from './jobs.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const inSeconds = (seconds: number) =>
  new Date(app.clock.value.getTime() + seconds * 1000).toISOString();
const code = (answer: { body: unknown }) => (answer.body as { code: string }).code;

async function planned(more: Record<string, unknown> = {}, seconds = 3600) {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = uniquePhone();
  const answer = await app.as(owner).request(contract.scheduleMessage, {
    body: {
      companyId: company.id,
      numberId: number.id,
      to: phone,
      message: 'See you tomorrow.',
      shouldBeSentAt: inSeconds(seconds),
      ...more,
    },
  });
  const item = answer.body.data;
  return {
    company,
    owner,
    number,
    phone,
    answer,
    item,
    at: { companyId: company.id, id: item?.conversationId, itemId: item?.id },
    fire: () =>
      jobs
        .find((j) => j.name === 'conversations.sendScheduled')!
        .handler(inbox.inCompany(company.id), { companyId: company.id, itemId: item.id } as never, {
          number: 1,
          last: false,
        }),
    state: async () => {
      const now = (
        await app.as(owner).request(contract.getConversationItem, {
          params: { companyId: company.id, id: item.conversationId, itemId: item.id },
        })
      ).body.data;
      return now.kind === 'scheduledmessage' ? now.details.state : now.kind;
    },
  };
}
const change = (
  p: Awaited<ReturnType<typeof planned>>,
  body: Record<string, unknown>,
  who: TestPerson = p.owner,
) => app.as(who).request(contract.changeScheduled, { params: p.at, body });

describe('a scheduled text', () => {
  test('is sent once at its time, and then shown as an ordinary text', async () => {
    const p = await planned();
    expect(p.answer).toMatchObject({
      status: 201,
      body: {
        data: {
          kind: 'scheduledmessage',
          details: { state: 'pending', content: 'See you tomorrow.' },
        },
      },
    });
    await p.fire(); // A worker whose clock runs ahead.
    expect(await p.state()).toBe('pending');
    app.clock.advance(3601);
    await p.fire();
    await p.fire();
    await app.drainJobs();
    expect((await inbox.received(p.phone)).map((t) => t.text)).toEqual(['See you tomorrow.']);
    expect(await p.state()).toBe('sent');
    expect(
      (await inbox.items(p.owner, p.item.conversationId)).map((i) => [i.kind, i.actor?.userId]),
    ).toEqual([['message', p.owner.id]]);
  });

  test('can be scheduled one minute to one year ahead', async () => {
    for (const [seconds, expected] of [
      [30, 'message.too_soon'],
      [-5, 'message.too_soon'],
      [366 * 86_400, 'message.too_late'],
    ] as const) {
      const { answer } = await planned({}, seconds);
      expect([answer.status, code(answer)]).toEqual([422, expected]);
    }
    expect((await planned({}, 61)).answer.status).toBe(201);
    expect((await planned({}, 364 * 86_400)).answer.status).toBe(201);
  });

  test('can be changed, moved and canceled until it is sent', async () => {
    const p = await planned();
    expect(
      (await change(p, { message: 'Moved to two.', shouldBeSentAt: inSeconds(7200) })).body.data
        .details,
    ).toMatchObject({ content: 'Moved to two.', state: 'pending' });
    app.clock.advance(3700);
    await p.fire();
    expect(await p.state()).toBe('pending'); // The old time no longer applies.
    expect(code(await change(p, { message: ' ' }))).toBe('message.empty');
    expect((await change(p, { state: 'canceled' })).body.data.details).toMatchObject({
      state: 'canceled',
    });
    app.clock.advance(9000);
    await p.fire();
    expect([await p.state(), (await inbox.received(p.phone)).length]).toEqual(['canceled', 0]);
    const again = await change(p, { message: 'Still?' });
    expect([again.status, code(again)]).toEqual([409, 'message.not_scheduled']);
  });

  test('deleting it cancels it', async () => {
    const p = await planned();
    expect((await app.as(p.owner).request(contract.deleteItem, { params: p.at })).status).toBe(204);
    app.clock.advance(3700);
    await p.fire();
    await app.drainJobs();
    expect(await inbox.received(p.phone)).toEqual([]);
  });

  test('is canceled by a reply if it asks for that', async () => {
    const [p, q] = [await planned({ cancelIfReply: true }), await planned()];
    for (const one of [p, q]) await inbox.text(one.phone, one.number.number, 'On my way');
    expect([await p.state(), await q.state()]).toEqual(['canceled', 'pending']);
  });

  test('isn’t sent to a contact who opted out meanwhile, and shows the reason', async () => {
    const p = await planned();
    await inbox.text(p.phone, p.number.number, 'STOP');
    app.clock.advance(3700);
    await p.fire();
    await app.drainJobs();
    expect((await inbox.received(p.phone)).map((t) => t.text)).toEqual([
      expect.stringContaining('no more texts'),
    ]);
    expect(
      (await inbox.items(p.owner, p.item.conversationId)).find((i) => i.kind === 'scheduledmessage')
        ?.details,
    ).toMatchObject({ state: 'failed', because: 'contact.unsubscribed' });
  });

  test('can’t be changed by someone without its number', async () => {
    const p = await planned();
    const elsewhere = await inbox.number(p.company.id);
    const user = await app.createPerson(p.company.id, 'user', [elsewhere.id]);
    expect((await change(p, { state: 'canceled' }, user)).status).toBe(404);
  });
});
