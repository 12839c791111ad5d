import { describe, expect, test } from 'vitest';
import { conversations as contract } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

describe('sending a text', () => {
  test('it is stored as queued, reaches the phone once, and becomes delivered', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const sent = await inbox.send(owner, {
      numberId: number.id,
      to: phone,
      message: 'Noon is fine.',
      clientKey: 'c-1',
    });
    expect(sent.status).toBe(201);
    expect(sent.body.data).toMatchObject({
      kind: 'message',
      isInbound: false,
      details: { content: 'Noon is fine.', deliveryState: 'queued', clientKey: 'c-1', segments: 1 },
    });
    await app.drainJobs();
    expect(await inbox.received(phone)).toMatchObject([
      { from: number.number, to: phone, text: 'Noon is fine.' },
    ]);
    const [item] = await inbox.items(owner, sent.body.data.conversationId);
    expect(item?.details).toMatchObject({ deliveryState: 'delivered' });
    const list = await inbox.list(owner);
    expect(list.data[0]).toMatchObject({
      recipient: phone,
      numUnreadItems: 0,
      latestItem: { type: 'message', details: { deliveryState: 'delivered' } },
      contact: { number: phone },
    });
  });

  test('the same Idempotency-Key sends one text', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const both = await Promise.all(
      [1, 2].map(() =>
        inbox.send(
          owner,
          { numberId: number.id, to: phone, message: 'Once.' },
          { 'idempotency-key': 'k1' },
        ),
      ),
    );
    expect(both.map((a) => a.status).sort()).toContain(201);
    await inbox.send(
      owner,
      { numberId: number.id, to: phone, message: 'Once.' },
      { 'idempotency-key': 'k1' },
    );
    await app.drainJobs();
    expect(await inbox.received(phone)).toHaveLength(1);
  });

  test('texts of one conversation arrive in the order they were written', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    for (let i = 0; i < 8; i++)
      await inbox.send(owner, { numberId: number.id, to: phone, message: `${i}` });
    await app.drainJobs();
    expect((await inbox.received(phone)).map((t) => t.text)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  test('it needs text or a file, a recipient, and a number of ours', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const number = await inbox.number(company.id);
    const foreign = await inbox.number(other.company.id);
    const say = async (body: Record<string, unknown>) => {
      const a = await inbox.send(owner, body);
      return [a.status, (a.body as unknown as { code: string }).code];
    };
    expect(await say({ numberId: number.id, to: uniquePhone(), message: '  ' })).toEqual([
      422,
      'message.empty',
    ]);
    expect(await say({ message: 'Hi' })).toEqual([422, 'message.no_recipient']);
    expect(await say({ numberId: foreign.id, to: uniquePhone(), message: 'Hi' })).toEqual([
      404,
      'not_found',
    ]);
    expect(await say({ numberId: number.id, to: 'nobody', message: 'Hi' })).toEqual([
      422,
      'invalid',
    ]);
    expect(await say({ numberId: number.id, to: number.number, message: 'Hi' })).toEqual([
      422,
      'invalid',
    ]);
    expect(
      await say({ numberId: number.id, to: uniquePhone(), message: 'x'.repeat(1001) }),
    ).toEqual([422, 'invalid']);
  });

  test('a number whose carrier isn’t connected sends nothing, and no text counts as delivered', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    // A Twilio number on a server with only the sandbox carrier.
    await app.services.db.unscoped
      .updateTable('number')
      .set({ provider_id: 3, provider_ref: 'PN0123' })
      .where('id', '=', number.id)
      .execute();
    const sent = await inbox.send(owner, { numberId: number.id, to: phone, message: 'Hello.' });
    expect([sent.status, sent.body]).toMatchObject([
      422,
      {
        code: 'number.carrier_gone',
        message:
          'This number’s carrier isn’t connected, so it can’t call or text. Ask your administrator to connect it.',
      },
    ]);
    // A text queued before fails with the same sentence.
    await app.services.db.unscoped
      .updateTable('number')
      .set({ provider_id: 1, provider_ref: 'sb-1' })
      .where('id', '=', number.id)
      .execute();
    await app.stopJobs();
    const queued = await inbox.send(owner, { numberId: number.id, to: phone, message: 'Soon.' });
    await app.services.db.unscoped
      .updateTable('number')
      .set({ provider_id: 3, provider_ref: 'PN0123' })
      .where('id', '=', number.id)
      .execute();
    await app.drainJobs();
    const [item] = await inbox.items(owner, queued.body.data.conversationId);
    expect(item?.details).toMatchObject({
      deliveryState: 'failed',
      errorText: expect.stringContaining('isn’t connected'),
    });
    expect(await inbox.received(phone)).toEqual([]);
  });

  test('a carrier’s rejection is shown, and its opt-out is recorded', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const [landline, gone] = [uniquePhone(), uniquePhone()];
    await app.as(null).inject({
      method: 'PUT',
      url: `/sandbox/phones/${encodeURIComponent(landline)}`,
      payload: { refuses: 'landline' },
    });
    await app.as(null).inject({
      method: 'PUT',
      url: `/sandbox/phones/${encodeURIComponent(gone)}`,
      payload: { fails: 'opted_out' },
    });
    const first = await inbox.send(owner, { numberId: number.id, to: landline, message: 'Hi' });
    const second = await inbox.send(owner, { numberId: number.id, to: gone, message: 'Hi' });
    await app.drainJobs();
    expect((await inbox.items(owner, first.body.data.conversationId))[0]?.details).toMatchObject({
      deliveryState: 'failed',
      errorCode: 'landline',
    });
    expect((await inbox.items(owner, second.body.data.conversationId))[0]?.details).toMatchObject({
      deliveryState: 'undelivered',
      errorCode: 'opted_out',
    });
    const again = await inbox.send(owner, {
      conversationId: second.body.data.conversationId,
      message: 'Hi?',
    });
    expect(again).toMatchObject({ status: 422, body: { code: 'contact.unsubscribed' } });
    expect((await inbox.list(owner)).data.find((c) => c.recipient === gone)).toMatchObject({
      isUnsubscribed: true,
      whyNotText: 'contact_opted_out',
      contact: { isUnsubscribed: true },
    });
  });

  test('a user without the number can neither read nor send', async () => {
    const { company, owner } = await app.createCompany();
    const [mine, theirs] = [await inbox.number(company.id), await inbox.number(company.id)];
    const user = await app.createPerson(company.id, 'user', [mine.id]);
    await inbox.text(uniquePhone(), mine.number, 'to mine');
    await inbox.text(uniquePhone(), theirs.number, 'to theirs');
    expect((await inbox.list(owner)).meta.total).toBe(2);
    const seen = await inbox.list(user);
    expect(seen.data.map((c) => c.number.id)).toEqual([mine.id]);
    const hidden = (await inbox.list(owner)).data.find((c) => c.number.id === theirs.id)!;
    expect(
      (
        await app.as(user).request(contract.getConversation, {
          params: { companyId: company.id, id: hidden.id },
        })
      ).status,
    ).toBe(404);
    expect((await inbox.send(user, { conversationId: hidden.id, message: 'Hi' })).status).toBe(404);
    expect(
      (await inbox.send(user, { numberId: theirs.id, to: uniquePhone(), message: 'Hi' })).status,
    ).toBe(404);
    expect(
      (await app.as(user).request(contract.archiveConversation, { params: { id: hidden.id } }))
        .status,
    ).toBe(404);
    expect(
      (
        await app.as(user).request(contract.bulkUpdateConversations, {
          params: { companyId: company.id },
          body: { ids: [hidden.id], type: 'archive' },
        })
      ).body.data,
    ).toEqual({ updated: [], unchanged: [hidden.id] });
    expect(
      (
        await app.as(user).request(contract.listInboxItems, {
          query: { companyId: company.id, search: 'theirs' },
        })
      ).body.data,
    ).toEqual([]);
    expect(
      (await app.as(user).request(contract.listActivity, { body: { companyId: company.id } })).body
        .data,
    ).toHaveLength(1);
  });
});
