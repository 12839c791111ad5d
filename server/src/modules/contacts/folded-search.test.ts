import { expect, test } from 'vitest';
import { contacts, conversations, fields, groups } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

const written = ['José Núñez', 'Jose\u0301 Composed', 'O’Brien & Söhne', 'Łukasz', 'Straße GmbH'];
const searches: [string, string[]][] = [
  ['jose', ['José Núñez', 'José Composed']],
  ['JOSÉ', ['José Núñez', 'José Composed']],
  ['Jose\u0301', ['José Núñez', 'José Composed']],
  ['nunez', ['José Núñez']],
  ["O'Brien", ['O’Brien & Söhne']],
  ['oʼbrien', ['O’Brien & Söhne']],
  ['sohne', ['O’Brien & Söhne']],
  ['lukasz', ['Łukasz']],
  ['strasse', ['Straße GmbH']],
  ['ＳＴＲＡＳＳＥ', ['Straße GmbH']],
  ['100%', []],
  ['%', []],
];

async function crowd() {
  const { owner } = await app.createCompany();
  for (const name of written)
    await app.as(owner).request(contacts.createContact, {
      body: { name, number: uniquePhone() },
    });
  return { owner };
}
const names = (rows: readonly { name: string }[]) => rows.map((row) => row.name).sort();

test('rules about custom fields compare texts so too', async () => {
  const { company, owner } = await app.createCompany();
  const me = app.as(owner);
  const field = (
    await me.request(fields.createField, {
      params: { type: 'contact' },
      body: { company_id: company.id, name: 'Town', type: 'stringText' },
    })
  ).body.data;
  const towns = ['Genève', 'Gene\u0300ve (centre)', 'Łódź'];
  for (const town of towns)
    await me.request(contacts.createContact, {
      body: {
        name: town,
        number: uniquePhone(),
        eavAttributeValues: [{ attribute_id: field.id, value: town }],
      },
    });
  const found = async (op: string, value: string) => {
    const rule = { all: [{ field: `custom:${field.id}`, op, value }] };
    const { body } = await me.request(contacts.listContacts, {
      query: { rule },
    });
    return body.data.map((row) => row.name.normalize('NFD').slice(0, 4)).sort();
  };
  expect(await found('contains', 'geneve')).toEqual(['Gene', 'Gene']);
  expect(await found('is', 'GENÈVE')).toEqual(['Gene']);
  expect(await found('starts_with', 'lod')).toHaveLength(1);
  expect(await found('not_contains', 'geneve')).toHaveLength(1);
});

test('contacts are found in any writing, also by a filter, and stored composed', async () => {
  const { owner } = await crowd();
  type Asked =
    | { search: string }
    | { rule: { all: { field: string; op: string; value: string }[] } };
  const list = async (query: Asked) =>
    names(
      (
        await app.as(owner).request(contacts.listContacts, {
          query,
        })
      ).body.data,
    );
  for (const [search, found] of searches)
    expect(await list({ search }), search).toEqual([...found].sort());
  const rule = (op: string, value: string) => ({
    rule: { all: [{ field: 'name', op, value }] },
  });
  expect(await list(rule('contains', 'jose'))).toEqual(['José Composed', 'José Núñez']);
  expect(await list(rule('is', 'LUKASZ'))).toEqual(['Łukasz']);
  expect(await list(rule('starts_with', "o'b"))).toEqual(['O’Brien & Söhne']);
  const stranger = await app.createCompany();
  expect(
    (
      await app.as(stranger.owner).request(contacts.listContacts, {
        query: { search: 'jose' },
      })
    ).body.data,
  ).toEqual([]);
});

test('names are sorted as they are read', async () => {
  const { owner } = await app.createCompany();
  for (const name of ['Zoe', 'Łukasz', 'Eve', 'Émile', 'Álvaro', 'Anna', 'Mia'])
    await app.as(owner).request(contacts.createContact, {
      body: { name, number: uniquePhone() },
    });
  const answer = await app.as(owner).request(contacts.listContacts, {
    query: { sort: 'name', dir: 'asc' },
  });
  expect(answer.body.data.map((c) => c.name)).toEqual([
    'Álvaro',
    'Anna',
    'Émile',
    'Eve',
    'Łukasz',
    'Mia',
    'Zoe',
  ]);
});

test('the inbox and its items find words in any writing', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = uniquePhone();
  await inbox.text(phone, number.number, 'Le café de la Straße’s owner');
  await inbox.text(uniquePhone(), number.number, "A plain text: don't");
  await app.drainJobs();
  for (const search of ['cafe', 'CAFÉ', 'cafe\u0301', 'strasse', "strasse's", 'ＣＡＦＥ']) {
    expect(
      (await inbox.list(owner, { search })).data.map((c) => c.recipient),
      search,
    ).toEqual([phone]);
    const items = await app.as(owner).request(conversations.listInboxItems, {
      query: { companyId: company.id, search },
    });
    expect(items.body.data, search).toHaveLength(1);
  }
  expect((await inbox.list(owner, { search: 'don’t' })).data).toHaveLength(1);
  expect((await inbox.list(owner, { search: 'dönt' })).data).toHaveLength(0);
});

test('labels and groups are found so, too', async () => {
  const { company, owner } = await app.createCompany();
  const me = app.as(owner);
  const params = { companyId: company.id };
  for (const name of ['Zürich', 'Älter', 'Bern']) {
    await me.request(groups.createContactLabel, { params, body: { label: name } });
    await me.request(groups.createGroup, { body: { name } });
  }
  const labels = await me.request(groups.listContactLabels, {
    params,
    query: { search: 'zurich' },
  });
  expect(labels.body.data.map((l) => l.label)).toEqual(['Zürich']);
  const found = await me.request(groups.listGroups, { query: { search: 'alter' } });
  expect(found.body.data.map((g) => g.name)).toEqual(['Älter']);
});
