import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { contacts, identity, importing } from '#contract';
import { createCallHarness } from './support/call-harness.ts';
import { inboxHelpers } from './support/inbox.ts';
import { UndeliverableError } from '../src/gateways/mail.ts';
import { createLogger } from '../src/platform/log.ts';

/** What people say, are called and are reached at; nothing else in the product looks like it. */
const caller = '+12075550193';
const customer = 'Wilhelmina Featherstonehaugh';
const otherPhone = '+12075550194';
const email = 'wilhelmina@featherstonehaugh.test';
const password = 'amber periwinkle umbrella';
const words = 'My lumpectomy is on Thursday';
const personal: Record<string, RegExp> = {
  'a phone number': /207\D{0,3}555\D{0,2}019[34]/,
  'a name': /wilhelmina|featherstone/i,
  'an email address': /[\w.]+@[a-z-]+\.test/i,
  'a password': /periwinkle/i,
  'words of a text': /lumpectomy/i,
  'a token': /\b(tl[arso]|reset|signup)_[\w-]{20,}/,
};

const refusedMail = new UndeliverableError(`550 5.1.1 <${email}>: no such user`);
const { world: app, aCall } = await createCallHarness({
  ports: {
    mail: { name: 'smtp', send: () => Promise.reject(refusedMail) },
    messaging: {
      name: 'sandbox',
      isIdempotent: true,
      send: ({ to, text }) => {
        const link = `https://user:hunter22@api.carrier.test/send?to=${encodeURIComponent(to)}&key=s3cr3t`;
        return Promise.reject(
          Object.assign(new Error(`${link} refused ${to}`), { request: { to, text } }),
        );
      },
      findByKey: () => Promise.resolve(null),
      fetchMedia: () => Promise.resolve(null),
    },
  },
});
const inbox = inboxHelpers(app);
const lines: string[] = [];
Object.assign(app.services.log, {
  [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) },
});
const post = (url: string, payload: object | string, headers: Record<string, string> = {}) =>
  app.as(null).inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** A day at a company, on which much goes wrong. */
async function traffic(): Promise<void> {
  const { company, owner } = await app.createCompany();
  const bearer = { authorization: `Bearer ${owner.token}` };
  const line = await inbox.number(company.id);
  const call = aCall(line.number, caller);
  await call.tell(call.inbound);
  const stray = aCall(caller, line.number);
  await stray.tell(stray.inbound);
  await inbox.text(caller, line.number, words);
  await inbox.text(line.number, caller, words);
  await inbox.send(owner, { numberId: line.id, to: caller, message: words });
  await app.drainJobs().catch(() => {});

  await post('/api/sanctum/login', { email, password });
  await post('/api/sanctum/login', `{"email":"${email}","password":"${password}`);
  await post('/carriers/sandbox/texts', `[{"from":"${caller}","text":"${words}`);
  await post('/carriers/sandbox/texts', { from: caller, text: words }, { 'x-signature': 'wrong' });
  await post(`/api/contacts?companyId=${company.id}&q=${words}`, `{"name":"Wilhelmina`, bearer);

  // The database refuses the row, which no rule of ours foresaw: 500.
  const { pool } = app.services.db;
  const rule = `contact_strange_${company.id}_check`;
  const schema = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await schema.connect();
  await schema.query(
    `alter table contact add constraint ${rule} check (name not like 'Wilhelmina%') not valid`,
  );
  const failed = await app.as(owner).request(contacts.createContact, {
    query: { companyId: company.id },
    body: { name: customer, number: otherPhone, email },
  });
  expect(failed.status).toBe(500);
  await schema.query(`alter table contact drop constraint ${rule}`);
  await schema.end();

  const exported = await app.as(owner).request(importing.exportContacts, {
    params: { companyId: company.id },
    body: { all: true, filters: {}, columns: ['name', 'number', 'email'] } as never,
  });
  expect(exported.status).toBeLessThan(300);
  await pool.query('update person set email = $1 where id = $2', [
    `${company.id}.${email}`,
    owner.id,
  ]);
  await app
    .as(null)
    .request(identity.forgotPassword, { body: { email: `${company.id}.${email}` } });
  await app.drainJobs().catch(() => {});
}

describe.each(['info', 'trace'])('at level %s', (level) => {
  test('a day of calls, texts, exports and faults leaves no personal data in the log', async () => {
    app.services.log.level = level;
    lines.length = 0;
    await traffic();
    const logged = lines.join('');
    // What went wrong is there, with what helps to find out why.
    expect(logged).toContain('unexpected error');
    expect(logged).toContain('"table":"contact"');
    expect(logged).toMatch(/contact_strange_\d+_check/);
    expect(logged).toContain('an email could not be delivered');
    expect(logged).toContain('inbound call to an unknown number');
    expect(logged).toContain('+…0193');
    for (const [what, pattern] of Object.entries(personal))
      expect(
        lines.filter((line) => pattern.test(line)),
        what,
      ).toEqual([]);
    expect(logged).not.toMatch(/hunter22|s3cr3t/);
  });
});

test('whatever is handed to the logger loses what is somebody’s and keeps what helps', () => {
  const written: string[] = [];
  const log = createLogger('trace', 'test');
  Object.assign(log, { [pino.symbols.streamSym]: { write: (one: string) => written.push(one) } });
  const said = (...given: Parameters<typeof log.warn>): string => {
    written.length = 0;
    log.warn(...given);
    return written.join('');
  };
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  };
  expect(said({ err: parse('Wilhelmina said no') })).not.toContain('Wilhelmina');
  const row = Object.assign(new Error('invalid input syntax for type bigint: "Wilhelmina"'), {
    code: '22P02',
    detail: `Key (phone)=(${caller}) already exists.`,
    routine: 'pg_strtoint64_safe',
  });
  expect(said({ err: new Error('outer', { cause: row }) })).toMatch(
    /"code":"22P02".*pg_strtoint64/,
  );
  expect(written.join('')).not.toMatch(/Wilhelmina|0193/);
  const unique = Object.assign(new Error('duplicate key violates "person_email_key"'), {
    code: '23505',
  });
  expect(said({ err: unique })).toContain('person_email_key');
  const deep = { a: { b: [{ access_token: 'x1', Authorization: 'Bearer abcdefghijk' }] } };
  expect(said(deep, 'for (207) 555-0193')).not.toMatch(/x1|abcdefghijk|207/);
  expect(said({ url: 'https://phones.test/reset?code=482913#key' })).toMatch(
    /https:\/\/phones\.test\/reset\?\[redacted\]/,
  );
  expect(
    JSON.parse(said({ id: 376_046_059_257_875, at: '2026-11-28T09:15:04.000Z' })),
  ).toMatchObject({ id: 376_046_059_257_875, at: '2026-11-28T09:15:04.000Z' });
  for (const odd of ['"+12075550193"', 'a\\"b +12075550193\n', 'x@y.test", "z":"'])
    expect(() => JSON.parse(said({ odd, password: odd }, odd)) as unknown).not.toThrow();
});
