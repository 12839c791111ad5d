import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contacts, identity, invitations } from '#contract';
import { emailAddress } from '#contract/email-address';
import { createTestApp, type TestPerson } from './support/test-app.ts';
import { importHelpers } from './support/contact-imports.ts';

/** An address is one text however it was typed, and every field takes the same ones. */
const app = await createTestApp();
const { importFile, listAll } = importHelpers(app);
const password = 'a long enough sentence';
const invite = (who: TestPerson, email: string) =>
  app.as(who).request(invitations.invitePerson, {
    params: { companyId: who.companyId },
    body: { email, role: 'user' },
  });

test.each([
  [' pad@x.test ', 'pad@x.test'],
  ['\u00a0pad@x.test\u200b', 'pad@x.test'],
  ['user@bücher.example', 'user@xn--bcher-kva.example'],
  ['user@BÜCHER.example', 'user@xn--bcher-kva.example'],
  ['user@xn--bcher-kva.example', 'user@xn--bcher-kva.example'],
  ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
  ['user@例え.jp', 'user@xn--r8jz45g.jp'],
  ['ｕｓｅｒ＠ｘ．ｔｅｓｔ', 'user@x.test'],
  ['Ann.Lee+a@Sub.x.test', 'Ann.Lee+a@Sub.x.test'],
])('%j is an address', (typed, stored) => {
  expect(emailAddress.parse(typed)).toBe(stored);
});
test.each([
  '',
  'a@b',
  'a b@x.test',
  'josé@x.test',
  'a@b@c.test',
  'user@bücher.example/x',
  'user@bü cher.example',
  'x@mün..de',
  '@x.test',
  `${'a'.repeat(250)}@x.test`,
])('%j is none', (typed) => {
  expect(emailAddress.safeParse(typed).success).toBe(false);
});

test('every field of the API takes addresses by the one type', async () => {
  const folder = join(import.meta.dirname, '../../contract/src');
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'email-address.ts',
  );
  expect(files.length).toBeGreaterThan(100);
  for (const name of files)
    expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(
      /z\s*\.email\(|\.email\(\)/,
    );
});

test('a person at an internationalized domain is invited, and signs in however they type it', async () => {
  const { owner } = await app.createCompany();
  const stored = 'ana@xn--bcher-kva.example';
  const { status, body } = await invite(owner, ' ana@bücher.example ');
  expect(status).toBe(201);
  expect(body.data.email).toBe(stored);
  // The same person: no second invitation.
  expect((await invite(owner, stored)).status).toBe(200);
  const mail = (await app.mails(stored)).at(-1);
  const token = /\/invitations\/(tli_\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const accepted = await app.as(null).request(invitations.acceptInvitation, {
    params: { token },
    body: { first_name: 'Ana', last_name: 'North', password },
  });
  expect(accepted.status).toBeLessThan(300);
  for (const email of [stored, 'ana@bücher.example', ' ANA@BÜCHER.example ', 'ana@Bücher。example'])
    expect((await app.as(null).request(identity.login, { body: { email, password } })).status).toBe(
      200,
    );
});

test('contacts and their files take the same addresses', async () => {
  const { owner } = await app.createCompany();
  const { body } = await app.as(owner).request(contacts.createContact, {
    body: {
      number: '2015553071',
      email: ' ana@bücher.example ',
      secondaryEmails: ['a@x.test\u200b'],
    },
  });
  expect(body.data).toMatchObject({
    email: 'ana@xn--bcher-kva.example',
    secondaryEmails: ['a@x.test'],
  });
  expect(
    await importFile(owner, 'name,number,email\nBo,2015553072,"Bo <bo@пример.рф>; bo@x.test"\n'),
  ).toMatchObject({ created: 1, noted: 0 });
  expect((await listAll(owner)).find((c) => c.name === 'Bo')).toMatchObject({
    email: 'bo@xn--e1afmkfd.xn--p1ai',
    secondaryEmails: ['bo@x.test'],
  });
});
