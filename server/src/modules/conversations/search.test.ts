import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test } from 'vitest';
import { contacts, conversations as contract } from '#contract';
import { phoneDigits } from '#contract/conversations/search-words';
import { createTestApp } from '../../../test/support/test-app.ts';
import { segmentsOf } from '../messaging/index.ts';
import { readCursor, parseSearch, writeCursor } from './rules.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

describe('parsing the search box', () => {
  test('a phone number in any format is its digits; words stay words', () => {
    for (const typed of [
      '(415) 555-2368',
      '415 555 2368',
      '415-555-2368',
      '+1 415.555.2368',
      '4155552368',
    ])
      expect(parseSearch(typed)).toMatchObject({
        digits: typed.includes('+') ? '14155552368' : '4155552368',
        words: null,
      });
    expect(parseSearch('room 12b')).toMatchObject({ words: 'room 12b', digits: null });
    expect(parseSearch('12')).toMatchObject({ words: '12', digits: null });
  });
  test('operators are extracted; other words with a colon stay', () => {
    expect(parseSearch('from:415-555-2368 has:media invoice after:2026-01-01')).toMatchObject({
      from: '4155552368',
      hasMedia: true,
      words: 'invoice',
      after: new Date('2026-01-01'),
    });
    expect(parseSearch('time: 9:30 from:dana to:everyone before:soon')).toMatchObject({
      words: 'time: 9:30 from:dana to:everyone before:soon',
      from: null,
      before: null,
    });
  });
  test('any input is parsed without an error', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (typed) => {
        const s = parseSearch(typed);
        expect(s.words === null || s.digits === null).toBe(true);
        phoneDigits(typed);
        readCursor(typed);
      }),
    );
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('5000-01-01'), noInvalidDate: true }),
        fc.nat(),
        (at, id) => {
          expect(readCursor(writeCursor(at, id))).toEqual({ at, id });
        },
      ),
    );
  });
});

test('segments are counted as the calculator counts them', () => {
  const real = (text: string) => {
    const cut = new SegmentedMessage(text);
    return { segments: cut.segmentsCount, encoding: cut.encodingName };
  };
  for (const text of [
    'Hi',
    'a'.repeat(160),
    'a'.repeat(161),
    'é'.repeat(160),
    '[x]'.repeat(60),
    '€',
    '👍'.repeat(40),
    'ñandú',
    'tab\there',
    '\n',
    '`',
    'a\u2019s',
  ])
    expect(segmentsOf(text), text).toEqual(real(text));
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (text) => {
      expect(segmentsOf(text)).toEqual(real(text));
    }),
  );
});

describe('searching', () => {
  test('finds by words, name, phone in any format, and operators; only the user’s own company and numbers', async () => {
    const { company, owner } = await app.createCompany();
    const [main, other] = [await inbox.number(company.id), await inbox.number(company.id)];
    const [dana, eve, far] = ['+12125550147', '+12125550188', '+13105550101'];
    await inbox.text(dana, main.number, 'The invoice is 50% wrong, under_scored');
    await inbox.text(eve, other.number, 'Where is my invoice?');
    await inbox.text(far, main.number, 'Hello');
    const outsider = await app.createCompany();
    await inbox.text(dana, (await inbox.number(outsider.company.id)).number, 'another invoice');
    const list = (await inbox.list(owner, { perPage: 50 })).data;
    const contactId = list.find((c) => c.recipient === far)!.contact!.id;
    expect(
      (
        await app.as(owner).request(contacts.updateContact, {
          params: { contactId },
          body: { name: 'Farah Ünal' },
        })
      ).status,
    ).toBe(200);
    const find = async (search: string, more = {}) =>
      (await inbox.list(owner, { search, perPage: 50, ...more })).data
        .map((c) => c.recipient)
        .sort();
    expect(await find('INVOICE')).toEqual([dana, eve]);
    expect(await find('50%')).toEqual([dana]);
    expect(await find('%')).toEqual([dana]);
    expect(await find('_')).toEqual([dana]);
    expect(await find('farah ü')).toEqual([far]);
    expect(await find('(212) 555-01')).toEqual([dana, eve]);
    expect(await find('555-0147')).toEqual([dana]);
    expect(await find('invoice from:0188')).toEqual([eve]);
    expect(await find('has:media')).toEqual([]);
    expect(await find('invoice', { numbers: [other.id] })).toEqual([eve]);
    expect(await find('nothing like it')).toEqual([]);
    const user = await app.createPerson(company.id, 'user', [other.id]);
    expect((await inbox.list(user, { search: 'invoice' })).data.map((c) => c.recipient)).toEqual([
      eve,
    ]);
    const items = await app.as(owner).request(contract.listInboxItems, {
      query: { companyId: company.id, search: 'invoice' },
    });
    expect(items.body.data.map((i) => [i.recipient, i.kind])).toEqual([
      [eve, 'message'],
      [dana, 'message'],
    ]);
    expect(
      (
        await app.as(user).request(contract.listInboxItems, {
          query: { companyId: company.id, search: 'invoice' },
        })
      ).body.data,
    ).toHaveLength(1);
  });

  test('reports what it can’t parse, and takes quoted words literally', async () => {
    const { company, owner } = await app.createCompany();
    await inbox.text(
      '+12125550147',
      (await inbox.number(company.id)).number,
      'Say RT Hello to her',
    );
    const find = async (search: string) => {
      const { status, body } = await inbox.asked(owner, { search });
      return status === 200 ? body.data.length : (body as unknown as { errors: object }).errors;
    };
    for (const typed of [
      'rt hello',
      '"rt hello"',
      '“RT HELLO”',
      '"rt hello',
      'after:2020',
      '"rt hello" after:2020-01',
    ])
      expect(await find(typed), typed).toBe(1);
    expect(await find('after:notadate')).toEqual({
      search: ['“after:notadate” needs a day after the colon, such as after:2026-03-31.'],
    });
    expect(await find('hello before:2026-13-45')).toEqual({
      search: [expect.stringContaining('needs a day')],
    });
    expect(await find('from:dana')).toEqual({
      search: [expect.stringContaining('needs a phone number')],
    });
    expect([await find('is:lost'), await find('has:hope')]).toEqual([
      { search: [expect.stringContaining('isn’t a filter')] },
      { search: [expect.stringContaining('isn’t a filter')] },
    ]);
    expect(
      (
        await app.as(owner).request(contract.listInboxItems, {
          query: { companyId: company.id, search: 'after:notadate' },
        })
      ).status,
    ).toBe(422);
    expect((await inbox.asked(owner, { sort: 'lastActivityAt' })).status).toBe(200);
    expect((await inbox.asked(owner, { sort: 'foo' })).body).toMatchObject({
      status: 422,
      errors: { sort: ['Sort by one of lastActivityAt.'] },
    });
  });

  test('covers two years by default', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await inbox.text(uniquePhone(), number.number, 'an old story');
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx
        .updateTable('conversation_item')
        .set({ created_at: new Date(app.clock.value.getTime() - 3 * 365 * 86_400_000) })
        .where('company_id', '=', company.id)
        .execute(),
    );
    expect((await inbox.list(owner, { search: 'old story' })).data).toEqual([]);
    expect(
      (await inbox.list(owner, { search: 'old story', updatedAfter: '2020-01-01' })).data,
    ).toHaveLength(1);
    expect((await inbox.list(owner, { search: 'old story after:2020-01-01' })).data).toHaveLength(
      1,
    );
    expect(
      (await inbox.list(owner, { search: 'old story after:2020-01-01 before:2020-02-01' })).data,
    ).toEqual([]);
  });
});

describe('long lists', () => {
  test('a cursor visits every conversation and every item once, even when new ones arrive meanwhile', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phones = Array.from({ length: 11 }, uniquePhone);
    for (const phone of phones) await inbox.text(phone, number.number, 'Hi');
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await inbox.list(owner, { ...(cursor ? { cursor } : {}) });
      expect(page.meta.per_page).toBe(5);
      seen.push(...page.data.map((c) => c.recipient));
      cursor = page.meta['next_cursor'];
      await inbox.text(uniquePhone(), number.number, 'newer');
    } while (cursor);
    expect(seen).toEqual([...phones].reverse());
    expect((await inbox.list(owner, { page: 99 })).data).toEqual([]);
    expect((await inbox.list(owner, { page: 2, perPage: 3 })).data).toHaveLength(3);
  });

  test('a page around an item shows its neighbors', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    for (let i = 0; i < 20; i++) await inbox.text(phone, number.number, `text ${i}`);
    const id = (await inbox.list(owner)).data[0]!.id;
    const all = await inbox.items(owner, id, { perPage: 50 });
    const page = await inbox.items(owner, id, { perPage: 6, around: all[12]!.id });
    expect(page.map((i) => i.id)).toContain(all[12]!.id);
    expect(page.map((i) => i.id)).toEqual(all.slice(9, 15).map((i) => i.id));
    expect((await inbox.items(owner, id, { perPage: 6, around: all[0]!.id }))[0]!.id).toBe(
      all[0]!.id,
    );
  });
});
