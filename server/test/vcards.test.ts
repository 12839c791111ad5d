import { describe, expect, test } from 'vitest';
import { contacts as contract } from '#contract';
import { createTestApp } from './support/test-app.ts';

/** Cards of phones from 2005 on and of other programs: a broken property costs itself. */
const app = await createTestApp();

/** Adds the cards of a file to a company of its own; the contacts by number, and what was said. */
async function add(...files: Buffer[]) {
  const { owner } = await app.createCompany();
  const boundary = 'the-line-between';
  const answer = (await app.as(owner).inject({
    method: 'POST',
    url: `/api/companies/${owner.companyId}/contacts/vcards`,
    payload: Buffer.concat([
      ...files.flatMap((file) => [
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="c.vcf"\r\nContent-Type: text/vcard\r\n\r\n`,
        ),
        file,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })) as { status: number; body: { data: { errors: { row: number; message: string }[] } } };
  const contacts = (
    await app.as(owner).request(contract.listContacts, {
      query: { perPage: 100, sort: 'name', dir: 'asc' },
    })
  ).body.data;
  return { status: answer.status, errors: answer.body.data?.errors ?? [], contacts };
}
const card = (version: string, ...lines: string[]) =>
  ['BEGIN:VCARD', `VERSION:${version}`, ...lines, 'END:VCARD', ''].join('\r\n');
const tel = 'TEL;CELL:2015555018';
const number = '+12015555018';

/** One card with a good number: what becomes of it. */
const cards: [what: string, text: string | Buffer, expected: object][] = [
  [
    'pauses in the number',
    card('3.0', 'FN:A', 'TEL;TYPE=WORK:2015555018\\;\\;\\,123'),
    { name: 'A' },
  ],
  ['a pause by letter', card('3.0', 'FN:A', 'TEL;TYPE=WORK:2015555018p123'), { name: 'A' }],
  [
    'a number as an address',
    card('4.0', 'FN:A', 'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-201-555-5018;ext=9'),
    { name: 'A' },
  ],
  [
    'escaped separators',
    card('3.0', 'FN:Comma\\, Person\\; Esq', tel),
    { name: 'Comma, Person; Esq' },
  ],
  [
    'escaped separators in a list',
    card('3.0', 'N:Smith\\;Wesson;Ana\\, Bo;;;', tel),
    { name: 'Ana, Bo Smith;Wesson' },
  ],
  [
    'an escaped backslash',
    card('3.0', 'FN:A', 'ORG:C\\\\D\\;E;Sales', tel),
    { companyName: 'C\\D;E Sales' },
  ],
  [
    'quoted-printable in 3.0',
    card('3.0', 'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Andr=C3=A9', tel),
    { name: 'André' },
  ],
  [
    'quoted-printable without a charset',
    card('3.0', 'FN;ENCODING=QUOTED-PRINTABLE:Andr=E9', tel),
    { name: 'André' },
  ],
  [
    'quoted-printable, bare',
    card('2.1', 'FN;QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=AB', tel),
    { name: 'Zoë' },
  ],
  [
    'broken quoted-printable',
    card('2.1', 'FN;ENCODING=QUOTED-PRINTABLE:100=ZZ %=4', tel),
    { name: '100=ZZ %=4' },
  ],
  [
    'an encoded separator',
    card('2.1', 'N;ENCODING=QUOTED-PRINTABLE:Lo=3Bpez;Ana', tel),
    { name: 'Ana Lo;pez' },
  ],
  [
    'soft line breaks',
    card('2.1', 'FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Andr=C3=\r\n=A9 Mar=\r\ntin', tel),
    { name: 'André Martin' },
  ],
  [
    'a soft break at the end',
    card(
      '2.1',
      'NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo=',
      tel.replace('TEL', '\r\nTEL'),
      'FN:A',
    ),
    { notes: 'one\ntwo' },
  ],
  [
    'Latin-1 by name',
    Buffer.from(card('2.1', 'FN;CHARSET=ISO-8859-1:Andr\xE9', tel), 'latin1'),
    { name: 'André' },
  ],
  [
    'Windows-1252 by name',
    Buffer.from(card('3.0', 'FN;CHARSET=windows-1252:O\x92Brien', tel), 'latin1'),
    { name: 'O’Brien' },
  ],
  [
    'Latin-1 by name in quoted-printable',
    card('2.1', 'FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCrgen', tel),
    { name: 'Jürgen' },
  ],
  [
    'Latin-1 unsaid',
    Buffer.from(card('3.0', 'FN:José Müller', tel), 'latin1'),
    { name: 'José Müller' },
  ],
  [
    'an encoding that doesn’t exist',
    Buffer.from(card('2.1', 'FN;CHARSET=KLINGON:Andr\xE9', tel), 'latin1'),
    { name: 'André' },
  ],
  [
    'Shift-JIS',
    card('2.1', 'FN;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8E=52=93=63', tel),
    { name: '山田' },
  ],
  [
    'UTF-16 with a mark',
    Buffer.from(`\uFEFF${card('3.0', 'FN:André', tel)}`, 'utf16le'),
    { name: 'André' },
  ],
  [
    'UTF-16, the other end',
    Buffer.from(`\uFEFF${card('3.0', 'FN:André', tel)}`, 'utf16le').swap16(),
    { name: 'André' },
  ],
  [
    'UTF-16 without a mark',
    Buffer.from(card('3.0', 'FN:Andre', tel), 'utf16le'),
    { name: 'Andre' },
  ],
  ['UTF-8 with a mark', `\uFEFF${card('3.0', 'FN:André', tel)}`, { name: 'André' }],
  [
    'a card in a card',
    card(
      '2.1',
      'FN:Boss',
      'AGENT:',
      'BEGIN:VCARD',
      'VERSION:2.1',
      'FN:Agent',
      'TEL:2015550000',
      'END:VCARD',
      tel,
    ),
    { name: 'Boss', otherNumbers: [] },
  ],
  [
    'a card in a line',
    card('3.0', 'FN:Boss', 'AGENT:BEGIN:VCARD\\nFN:Agent\\nTEL:2015550000\\nEND:VCARD\\n', tel),
    { name: 'Boss', otherNumbers: [] },
  ],
  ['folded lines', card('3.0', 'FN:Ana Mar', ' ía Lóp', '\tez', tel), { name: 'Ana María López' }],
  ['folded lines of 2.1', card('2.1', 'NOTE:one', ' two', tel, 'FN:A'), { notes: 'one two' }],
  [
    'a note broken without a sign',
    card('3.0', 'FN:A', 'NOTE:one', 'two, too', tel),
    { notes: 'one\ntwo, too' },
  ],
  ['a folded number', card('3.0', 'FN:A', 'TEL;TYPE=CELL:201', ' 555', ' 5018'), { name: 'A' }],
  [
    'groups',
    card(
      '3.0',
      'item1.FN:A',
      'item2.EMAIL;TYPE=HOME:a@x.test',
      'item3.TEL;TYPE=CELL:2015555018',
      'item3.X-ABLabel:_$!<Mobile>!$_',
    ),
    { name: 'A', email: 'a@x.test' },
  ],
  [
    'bare types',
    card(
      '2.1',
      'FN:A',
      'TEL;HOME;FAX:2015550001',
      'TEL;WORK;VOICE:2015550002',
      'TEL;PREF;CELL:2015555018',
    ),
    { otherNumbers: ['+12015550001', '+12015550002'] },
  ],
  [
    'a photo, oddly folded',
    card(
      '2.1',
      'FN:A',
      'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSk',
      ' ZJRgABAQ',
      'AAAQABAAD/2wBD',
      'AAgGBgcGBQ==',
      '',
      tel,
    ),
    { name: 'A' },
  ],
  [
    'a photo in bare base64',
    card('2.1', 'PHOTO;BASE64;TYPE=JPEG:', '/9j/4AAQSkZJRgABAQ', 'TEL/AAQ=', '', 'FN:A', tel),
    { name: 'A' },
  ],
  ['no end', card('3.0', 'FN:A', tel).replace('END:VCARD\r\n', ''), { name: 'A' }],
  ['no full name', card('3.0', 'N:López;Ana;María;Dr.;', tel), { name: 'Ana María López' }],
  ['an empty full name', card('3.0', 'FN:', 'N:López;Ana', tel), { name: 'Ana López' }],
  [
    'only a company',
    card('3.0', 'ORG:Works Inc;', tel),
    { name: 'Works Inc', companyName: 'Works Inc' },
  ],
  ['no version', 'BEGIN:VCARD\nFN:A\nTEL:2015555018\nEND:VCARD\n', { name: 'A' }],
  [
    'lower case',
    'begin:vcard\nversion:3.0\nfn:A\ntel;type=cell:2015555018\nend:vcard\n',
    { name: 'A' },
  ],
  [
    'spaces around',
    'BEGIN:VCARD \n VERSION:3.0\nFN: A \nTEL ; CELL: 2015555018 \nEND:VCARD \n',
    { name: 'A' },
  ],
  [
    'lines that are no property',
    card('3.0', 'FN:A', '???', ':', ';;;:', 'TEL', tel),
    { name: 'A' },
  ],
  [
    'a colon in quotes',
    card('4.0', 'FN:A', 'TEL;X-LABEL="Line: two";TYPE=cell:2015555018'),
    { name: 'A' },
  ],
  [
    'a broken email',
    card('3.0', 'FN:A', 'EMAIL:not an email', 'EMAIL:a@x.test', tel),
    { email: 'a@x.test' },
  ],
  [
    'a field that is too long',
    card('3.0', 'FN:A', `TITLE:${'x'.repeat(300)}`, tel),
    { name: 'A', title: '' },
  ],
  ['NUL characters', card('3.0', 'FN:A\u0000na', tel), { name: 'Ana' }],
];
describe('a card with', () => {
  test.each(cards)('%s', async (_, text, expected) => {
    const { status, contacts } = await add(typeof text === 'string' ? Buffer.from(text) : text);
    expect(status).toBe(200);
    expect(contacts).toHaveLength(1);
    expect(contacts[0]).toMatchObject({ number, ...expected });
  });
});

test('many cards, some without an end, and several files', async () => {
  const one = (name: string, n: number) =>
    card('3.0', `FN:${name}`, `TEL:20155510${n}`).replace(n % 2 ? 'END:VCARD\r\n' : '', '');
  const { contacts } = await add(
    Buffer.from([one('A', 11), one('B', 12), one('C', 13), one('D', 14)].join('')),
    Buffer.from(card('2.1', 'FN;CHARSET=ISO-8859-1:Zo\xEB', 'TEL:2015551015'), 'latin1'),
    Buffer.from(`\uFEFF${card('3.0', 'FN:Örn', 'TEL:2015551016')}`, 'utf16le'),
  );
  expect(contacts.map((c) => c.name).sort()).toEqual(['A', 'B', 'C', 'D', 'Zoë', 'Örn']);
});

test('what was left out of a card is named', async () => {
  const { contacts, errors } = await add(
    Buffer.from(
      card('3.0', 'FN:A', 'TEL:2015551021', 'TEL;TYPE=PAGER:12', 'EMAIL:nope') +
        card(
          '3.0',
          'FN:B',
          'TEL:2015551022\\,\\,9',
          'ADR;TYPE=HOME:;;1 Elm St;Newark;NJ;07101;US',
          'ADR;TYPE=WORK:;;9 Oak Ave;Trenton;NJ;08601;US',
          `TITLE:${'x'.repeat(300)}`,
        ) +
        card('3.0', 'FN:C', 'TEL:2015551023', 'TEL:2015551021'),
    ),
  );
  expect(contacts.map((c) => [c.name, c.address1])).toEqual([
    ['A', ''],
    ['B', '1 Elm St'],
    ['C', ''],
  ]);
  expect(errors.map((e) => [e.row, e.message]).sort()).toEqual([
    [1, 'Left out because it isn’t a phone number: “12”.'],
    [1, '“nope” isn’t an email address.'],
    [2, 'Another address was left out: “9 Oak Ave, Trenton, NJ, 08601, US”.'],
    [2, 'At most 120 characters.'],
    [2, 'Left out because it isn’t a phone number: “,,9”.'],
    [3, '(201) 555-1021: another contact has this number.'],
  ]);
});

test('a contact’s card is read back as it was', async () => {
  const { owner } = await app.createCompany();
  const { id: contactId } = (
    await app.as(owner).request(contract.createContact, {
      body: {
        name: 'Ana; López, "Annie"',
        number: '2015551031',
        otherNumbers: ['2015551032'],
        notes: 'one\ntwo; three',
        companyName: 'A, B; C',
      },
    })
  ).body.data;
  const { vcard } = (await app.as(owner).request(contract.contactVcard, { params: { contactId } }))
    .body.data;
  const { contacts, errors } = await add(Buffer.from(vcard));
  expect(errors).toEqual([]);
  expect(contacts[0]).toMatchObject({
    name: 'Ana; López, "Annie"',
    number: '+12015551031',
    otherNumbers: ['+12015551032'],
    notes: 'one\ntwo; three',
    companyName: 'A, B; C',
  });
});
