import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { compliance, conversations as contract } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { signatureHeader, signWebhook } from '../../exchange/protocol.ts';
import { appendCampaignMessages } from './append-campaign-messages.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

describe('an inbound text', () => {
  test('is stored once however often the carrier delivers it, concurrently or later', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const id = randomUUID();
    await Promise.all(
      Array.from({ length: 6 }, () => inbox.text(phone, number.number, 'Hello', { id })),
    );
    expect(await inbox.text(phone, number.number, 'Hello', { id })).toBe('known');
    const { data } = await inbox.list(owner);
    expect(data).toMatchObject([
      {
        recipient: phone,
        numUnreadItems: 1,
        unread: { messages: 1 },
        latestItem: { isInbound: true, details: { content: 'Hello' } },
      },
    ]);
    expect(await inbox.items(owner, data[0]!.id)).toHaveLength(1);
  });

  test('to a number that is not ours is accepted and not stored', async () => {
    expect(await inbox.text(uniquePhone(), '+14155550000', 'Hello')).toBe('not_ours');
  });

  test('many concurrent texts are all stored, each in its own conversation', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phones = Array.from({ length: 12 }, uniquePhone);
    await Promise.all(
      phones.flatMap((phone) =>
        [1, 2, 3].map((n) => inbox.text(phone, number.number, `text ${n}`)),
      ),
    );
    const { data, meta } = await inbox.list(owner, { perPage: 50 });
    expect(meta.total).toBe(12);
    expect(data.every((c) => c.numUnreadItems === 3)).toBe(true);
    expect(new Set(data.map((c) => c.recipient))).toEqual(new Set(phones));
  });

  test('a text is stored in a conversation that is created concurrently', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const waits = async () =>
      (
        await app.services.db.pool.query<{ n: number }>(`select count(*)::int n from pg_locks l
      where not granted and exists (select from pg_stat_activity a where a.pid = l.pid and a.datname = current_database())`)
      ).rows[0]!.n;
    // The text looks for its conversation before this transaction commits, finds none, and waits
    // for the commit when it inserts its own.
    const arriving = await app.services.db.transaction({ companyId: company.id }, async (tx) => {
      await tx
        .insertInto('conversation')
        .values({
          company_id: company.id,
          number_id: number.id,
          party: phone,
          created_at: app.clock.value,
          last_activity_at: app.clock.value,
        })
        .execute();
      const text = inbox.text(phone, number.number, 'Hello').catch(String);
      await expect.poll(waits).toBeGreaterThan(0);
      return { text };
    });
    expect(await arriving.text).toBe('stored');
    const { data } = await inbox.list(owner);
    expect(data).toMatchObject([{ recipient: phone, numUnreadItems: 1 }]);
  });

  test('a text that cannot be stored fails alone: the others of its batch are stored', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const [phone, other] = [uniquePhone(), uniquePhone()];
    const came = await Promise.allSettled([
      inbox.text(phone, number.number, 'one'),
      inbox.text(phone, number.number, 'no\0text'),
      inbox.text(phone, number.number, 'two'),
      inbox.text(other, number.number, 'three'),
    ]);
    expect(came.map((c) => (c.status === 'fulfilled' ? c.value : c.status))).toEqual([
      'stored',
      'rejected',
      'stored',
      'stored',
    ]);
    const { data } = await inbox.list(owner);
    expect(data.map((c) => [c.recipient, c.numUnreadItems]).sort()).toEqual(
      [
        [phone, 2],
        [other, 1],
      ].sort(),
    );
    const items = await inbox.items(owner, data.find((c) => c.recipient === phone)!.id);
    expect(items.map((i) => (i.kind === 'message' ? i.details.content : '')).sort()).toEqual([
      'one',
      'two',
    ]);
  });

  test('an unsigned or foreign webhook is 403 and changes nothing', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const body = JSON.stringify({
      texts: [
        { id: randomUUID(), from: uniquePhone(), to: number.number, text: 'Hi', media: [], at: 1 },
      ],
    });
    const post = (headers: Record<string, string>) =>
      app.server.inject({
        method: 'POST',
        url: '/carriers/sandbox/texts',
        payload: body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await post({})).statusCode).toBe(403);
    expect(
      (await post({ [signatureHeader]: signWebhook(body, 'another secret') })).statusCode,
    ).toBe(403);
    expect((await inbox.list(owner)).data).toEqual([]);
    expect(
      (await post({ [signatureHeader]: signWebhook(body, app.services.settings.mediaSecret) }))
        .statusCode,
    ).toBe(204);
    expect((await inbox.list(owner)).data).toHaveLength(1);
  });

  test('a picture from an outside phone is copied to our files', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    const sent = await app.as(null).inject({
      method: 'POST',
      url: '/sandbox/texts',
      payload: {
        from: phone,
        to: number.number,
        text: 'Look',
        media: [
          { name: 'leaf.png', data: `data:image/png;base64,${png.toString('base64')}` },
          { name: 'virus.png', data: Buffer.from('MZ not a picture').toString('base64') },
        ],
      },
    });
    expect(sent.status).toBe(201);
    await app.drainJobs();
    const [conversation] = (await inbox.list(owner)).data;
    const [item] = await inbox.items(owner, conversation!.id);
    expect(item?.kind === 'message' && item.details).toMatchObject({
      content: 'Look',
      type: 'media',
      media: [{ name: 'leaf.png', type: 'image/png', bytes: png.length }],
    });
    const url = item?.kind === 'message' ? item.details.media[0]!.url : '';
    const file = await app.server.inject({ method: 'GET', url });
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.equals(png)]).toEqual([
      200,
      'image/png',
      true,
    ]);
    expect(
      (
        await app.server.inject({
          method: 'GET',
          url: url.replace(/signature=.{4}/, 'signature=aaaa'),
        })
      ).statusCode,
    ).toBe(403);
  });
});

describe('receipts', () => {
  test('of many texts each move their text forward once, in any order and however often they arrive', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phones = Array.from({ length: 5 }, uniquePhone);
    // The carrier has these texts: only receipts change their states.
    const filed = await inbox.inCompany(company.id).transaction((t) =>
      appendCampaignMessages(t, {
        numberId: number.id,
        carrier: 'sandbox',
        actor: { id: null, name: null },
        skipInbox: false,
        texts: phones.map((party) => ({
          party,
          content: 'Hi',
          media: [],
          at: t.now,
          state: 'queued',
          code: null,
          reason: null,
          source: `receipts:${party}`,
        })),
      }),
    );
    const keys = phones.map((party) => `m.${company.id}.${filed.get(`receipts:${party}`)!.itemId}`);
    const said = () =>
      app.services.db.systemTransaction(
        async (tx) =>
          (
            await tx
              .selectFrom('outbox')
              .select('id')
              .where('company_id', '=', company.id)
              .where('event', '=', contract.conversationUpdated.name)
              .execute()
          ).length,
      );
    await Promise.all(keys.map((key) => inbox.receipt(key, 'sent')));
    const before = await said();
    await Promise.all(
      keys.flatMap((key, i) => [
        inbox.receipt(key, 'sent'),
        inbox.receipt(
          key,
          i === 4 ? 'undelivered' : 'delivered',
          i === 4 ? { code: 'landline', reason: null } : {},
        ),
        inbox.receipt(key, 'sent'),
      ]),
    );
    await inbox.receipt(keys[0]!, 'failed');
    await inbox.receipt(`m.${company.id}.77`, 'delivered');
    const { data } = await inbox.list(owner);
    const shown = phones.map(
      (phone) =>
        data.find((c) => c.recipient === phone)!.latestItem!.details as {
          deliveryState: string;
          errorCode: string | null;
        },
    );
    expect(shown.map((d) => [d.deliveryState, d.errorCode])).toEqual([
      ...Array.from({ length: 4 }, () => ['delivered', null]),
      ['undelivered', 'landline'],
    ]);
    expect((await said()) - before).toBe(5);
  });
});

describe('an archived conversation', () => {
  test('returns to the inbox on a text, but not on one from a blocked caller', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const [friend, pest, outsider] = [uniquePhone(), uniquePhone(), uniquePhone()];
    for (const phone of [friend, pest]) await inbox.text(phone, number.number, 'first');
    const ids = (await inbox.list(owner)).data.map((c) => c.id);
    expect(
      (
        await app.as(owner).request(contract.bulkUpdateConversations, {
          params: { companyId: company.id },
          body: { ids, type: 'archive' },
        })
      ).body.data.updated,
    ).toHaveLength(2);
    expect((await inbox.list(owner)).data).toEqual([]);
    for (const target of [pest, outsider])
      await app
        .as(owner)
        .request(compliance.addBlock, { body: { target, company_id: company.id } });
    await app.drainJobs();
    for (const phone of [friend, pest, outsider]) await inbox.text(phone, number.number, 'again');
    const shown = (await inbox.list(owner)).data;
    expect(shown.map((c) => c.recipient)).toEqual([friend]);
    const away = (await inbox.list(owner, { isArchived: 1 })).data;
    expect(away.map((c) => [c.recipient, c.isBlocked, c.whyNotText]).sort()).toEqual(
      [
        [pest, true, 'blocked'],
        [outsider, true, 'blocked'],
      ].sort(),
    );
    // Stored, though not shown, and the block itself is an item of the thread.
    const kept = await inbox.items(owner, away.find((c) => c.recipient === pest)!.id);
    expect(kept.map((i) => i.kind)).toEqual(['message', 'block', 'message']);
    expect(away.every((c) => c.numUnreadItems <= 1)).toBe(true);
    const refused = await inbox.send(owner, { numberId: number.id, to: pest, message: 'Hi' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'contact.blocked' } });
  });
});

describe('STOP, START and HELP', () => {
  test('STOP and START are each confirmed once; nothing is sent in between', async () => {
    const { company, owner } = await app.createCompany('Harbor Dental');
    const [number, other] = [await inbox.number(company.id), await inbox.number(company.id)];
    const phone = uniquePhone();
    await inbox.text(phone, number.number, ' stop! ');
    await inbox.text(phone, number.number, 'Stop');
    await inbox.text(phone, other.number, 'UNSUBSCRIBE');
    await app.drainJobs();
    expect((await inbox.received(phone)).map((t) => t.text)).toEqual([
      'Harbor Dental: You will receive no more texts from us. Reply START to receive them again.',
    ]);
    for (const from of [number, other]) {
      const refused = await inbox.send(owner, {
        numberId: from.id,
        to: phone,
        message: 'Just one thing',
      });
      expect(refused).toMatchObject({ status: 422, body: { code: 'contact.unsubscribed' } });
    }
    await inbox.text(phone, number.number, 'yes');
    await inbox.text(phone, number.number, 'YES');
    await app.drainJobs();
    expect((await inbox.received(phone)).map((t) => t.text).slice(1)).toEqual([
      'Harbor Dental: You will receive our texts again. Reply HELP for help, STOP to stop.',
    ]);
    expect(
      (await inbox.send(owner, { numberId: number.id, to: phone, message: 'Welcome back' })).status,
    ).toBe(201);
    await app.drainJobs();
    expect(await inbox.received(phone)).toHaveLength(3);
  });

  test('a keyword that the carrier answered gets no second answer, and still changes the opt-outs', async () => {
    const { company } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    // A keyword of the carrier's own list that ours doesn't have.
    await inbox.text(phone, number.number, 'ARRET', { answered: 'stop' });
    const isOut = async () =>
      (
        await app.services.db.transaction({ companyId: company.id }, (tx) =>
          tx.selectFrom('opt_out').select('number').where('number', '=', phone).execute(),
        )
      ).length === 1;
    expect(await isOut()).toBe(true);
    await inbox.text(phone, number.number, 'HELP', { answered: 'help' });
    await inbox.text(phone, number.number, 'START', { answered: 'start' });
    expect(await isOut()).toBe(false);
    await app.drainJobs();
    expect(await inbox.received(phone)).toEqual([]);
  });
  test('HELP is answered with the company and its contact details, even after an opt-out', async () => {
    const { company } = await app.createCompany('Harbor Dental');
    const number = await inbox.number(company.id);
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx
        .updateTable('company')
        .set({ phone: '(415) 555-2368', email: 'front@harbor.test' })
        .where('id', '=', company.id)
        .execute(),
    );
    const phone = uniquePhone();
    await inbox.text(phone, number.number, 'STOP');
    await inbox.text(phone, number.number, 'help?');
    await app.drainJobs();
    expect((await inbox.received(phone)).at(-1)?.text).toBe(
      'Harbor Dental: For help, contact (415) 555-2368 or front@harbor.test. Reply STOP to stop.',
    );
  });

  test('an opt-out in one company does not apply to another', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const [numberA, numberB] = [await inbox.number(a.company.id), await inbox.number(b.company.id)];
    const phone = uniquePhone();
    await inbox.text(phone, numberA.number, 'STOP');
    expect(
      (await inbox.send(a.owner, { numberId: numberA.id, to: phone, message: 'Hi' })).status,
    ).toBe(422);
    expect(
      (await inbox.send(b.owner, { numberId: numberB.id, to: phone, message: 'Hi' })).status,
    ).toBe(201);
  });
});
