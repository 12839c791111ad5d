import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adf as contract, audit, calls, integrations, type BodyIn } from '#contract';
import { mailSmtp } from '../../../adapters/mail-smtp/mail.ts';
import { publicOutbound } from '../../../adapters/outbound/send.ts';
import { adfDestination } from '../../../adapters/adf/destination.ts';
import type { Outbound } from '../../../gateways/outbound.ts';
import type { MailGateway } from '../../../gateways/mail.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

/** Mails as a mail server gets them. */
const mails: { to: string[]; raw: string }[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    let raw = '';
    stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
    stream.on('end', () => {
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
      done();
    });
  },
});
/** Requests as a CRM gets them; it answers with what `status` says. */
const posts: { headers: IncomingHttpHeaders; body: string }[] = [];
let [status, saying] = [200, 'Thanks, lead of +12125550147 stored'];
const crm = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    posts.push({ headers: request.headers, body });
    response.writeHead(status).end(saying);
  });
});
const gateways: { mail?: MailGateway; outbound?: Outbound } = {};
const { world: app, aCall } = await createCallHarness({
  env: { CODES_PER_HOUR: '1000', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.test' },
  ports: {
    mail: { name: 'smtp', send: (mail) => gateways.mail!.send(mail) },
    outbound: { name: 'public', send: (request) => gateways.outbound!.send(request) },
  },
}).then((harness) => ({ ...harness, notifier: harness.said }));
let crmUrl = '';
beforeAll(async () => {
  const mailServer = smtp.listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  const { port } = mailServer.address() as AddressInfo;
  gateways.mail = mailSmtp(`smtp://127.0.0.1:${port}`, 'Trunkline <no-reply@trunkline.test>');
  crm.listen(0, '127.0.0.1');
  await once(crm, 'listening');
  const crmPort = String((crm.address() as AddressInfo).port);
  crmUrl = `https://crm.example:${crmPort}/leads`;
  const outbound = publicOutbound({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isPublic: () => true,
    ports: ['', crmPort],
  });
  // The CRM of the test speaks no TLS.
  gateways.outbound = {
    name: 'public',
    send: (request) => outbound.send({ ...request, url: request.url.replace('https:', 'http:') }),
  };
});
afterAll(() => {
  smtp.close();
  crm.close();
});
beforeEach(() => {
  mails.length = 0;
  posts.length = 0;
  [status, saying] = [200, 'Thanks, lead of +12125550147 stored'];
});

type Body = BodyIn<typeof contract.createAdfIntegration>;
const dealer = { id: 'HM-1', name: 'Harbor & Sons', phone: '+12065550100' };
const byMail: Body = { name: 'CRM', to: ['leads@crm.example.com'], dealer };
const byHttps = (): Body => ({ name: 'CRM', delivery: 'https', url: crmUrl, dealer });
const create = async (who: TestPerson, body: Body) => {
  const answer = await app
    .as(who)
    .request(contract.createAdfIntegration, { params: { companyId: who.companyId }, body });
  expect(answer.status).toBe(201);
  return answer.body.data;
};
const list = async (who: TestPerson) =>
  (
    await app
      .as(who)
      .request(contract.listAdfIntegrations, { params: { companyId: who.companyId } })
  ).body.data;
const deliveries = async (who: TestPerson, destinationId: number) =>
  (
    await app.as(who).request(integrations.listDeliveries, {
      params: { companyId: who.companyId, destinationId },
    })
  ).body.data;

async function office() {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  return { company, owner, number };
}
/** Someone calls and hangs up before anyone answers. */
async function missedCall(to: string, from = '+12125550147'): Promise<number> {
  const call = aCall(to, from);
  await call.tell(call.inbound);
  const id = await call.id();
  app.clock.advance(12);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  return id;
}
/** Moves the clock and waits for what is due by then. */
async function later(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60);
  await app.drainJobs();
}

/** Body of a mail as its reader has it. */
function bodyOf(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/transfer-encoding: quoted-printable/i.test(head))
    return body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return body;
}
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  htmlEntities: true,
  preserveOrder: true,
});
interface Node {
  [name: string]: Node[] | string | Record<string, string>;
}
/** A document read back by somebody else's reader. Throws when it isn't well formed. */
function read(xml: string) {
  expect(XMLValidator.validate(xml.trim())).toBe(true);
  const nodes = parser.parse(xml) as Node[];
  const nameOf = (node: Node): string => Object.keys(node).find((key) => key !== ':@') ?? '';
  const childrenOf = (node: Node): Node[] => node[nameOf(node)] as Node[];
  const at = (...path: string[]): Node[] => {
    let found: Node[] = nodes;
    for (const name of path)
      found = found.filter((node) => nameOf(node) === name).flatMap(childrenOf);
    return found;
  };
  return {
    names: (...path: string[]) => at(...path).map(nameOf),
    text: (...path: string[]) =>
      at(...path)
        .map((node) => String(node['#text'] ?? ''))
        .join(''),
    attributes: (...path: string[]) => {
      const last = path.at(-1) ?? '';
      return at(...path.slice(0, -1)).find((node) => nameOf(node) === last)?.[':@'];
    },
  };
}

describe('a lead by email', () => {
  test('the mail has only the document, which reads back with its elements in order', async () => {
    const { owner, number, company } = await office();
    const { id } = await create(owner, { ...byMail, cc: ['boss@crm.example.com'] });
    const callId = await missedCall(number.number);
    expect(mails).toHaveLength(1);
    const [{ to, raw }] = mails as [(typeof mails)[0]];
    expect(to).toEqual(['leads@crm.example.com', 'boss@crm.example.com']);
    expect(raw).toMatch(/^Content-Type: text\/plain/im);
    expect(raw).not.toMatch(/text\/html|multipart/i);
    expect(raw).toMatch(/^Subject: .*Harbor/im);
    const xml = bodyOf(raw);
    expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>')).toBe(true);
    expect(xml.trimEnd().endsWith('</adf>')).toBe(true);
    expect(xml).toMatch(/^[\t\r\n\x20-\x7E]*$/);
    const doc = read(xml);
    expect(doc.names('adf', 'prospect')).toEqual([
      ...['id', 'requestdate', 'vehicle', 'customer', 'vendor', 'provider'],
    ]);
    expect(doc.text('adf', 'prospect', 'id')).toBe(String(callId));
    expect(doc.attributes('adf', 'prospect', 'id')).toEqual({
      '@sequence': '1',
      '@source': 'Trunkline',
    });
    expect(doc.text('adf', 'prospect', 'requestdate')).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
    );
    expect(doc.names('adf', 'prospect', 'vehicle')).toEqual(['year', 'make', 'model']);
    expect(doc.attributes('adf', 'prospect', 'vehicle')).toEqual({
      '@interest': 'buy',
      '@status': 'new',
    });
    expect(doc.names('adf', 'prospect', 'customer', 'contact')).toEqual(['name', 'phone']);
    expect(doc.text('adf', 'prospect', 'customer', 'contact', 'phone')).toBe('+12125550147');
    expect(doc.text('adf', 'prospect', 'customer', 'comments')).toContain('Outcome: Missed');
    expect(doc.text('adf', 'prospect', 'vendor', 'vendorname')).toBe('Harbor & Sons');
    expect(doc.names('adf', 'prospect', 'vendor')).toEqual(['id', 'vendorname', 'contact']);
    expect(doc.names('adf', 'prospect', 'provider')).toEqual(['id', 'name', 'service']);
    expect(doc.text('adf', 'prospect', 'provider', 'service')).toBe('Other');
    expect(doc.text('adf', 'prospect', 'provider', 'id')).toBe(String(company.id));
    // The log says what was sent without saying who it was.
    const [sent] = await deliveries(owner, id);
    expect(sent).toMatchObject({
      state: 'sent',
      attempts: 1,
      entity: { type: 'call', id: callId },
    });
    expect(sent?.request_redacted).toContain('<adf>');
    expect(JSON.stringify(sent)).not.toContain('5550147');
    expect((await list(owner))[0]).toMatchObject({ sent_30d: 1, last_error: null });
  });

  test('as an attachment it has the type that CRMs look for', async () => {
    const { owner, number } = await office();
    await create(owner, { ...byMail, placement: 'attachment', subject_template: 'A lead' });
    await missedCall(number.number);
    expect(mails[0]?.raw).toMatch(/Content-Type: application\/x-adf\+xml/i);
    expect(mails[0]?.raw).toMatch(/^Subject: Harbor & Sons: A lead/m);
  });

  test('a second call of a person in 30 days is no new lead, but can be sent as the next of it', async () => {
    const { owner, number } = await office();
    const { rules } = await create(owner, byMail);
    const first = await missedCall(number.number);
    await missedCall(number.number);
    expect(mails).toHaveLength(1);
    await create(owner, {
      ...byMail,
      name: 'All calls',
      rules: rules.map((rule) => ({ ...rule, first_contact_only: false })),
    });
    const third = await missedCall(number.number);
    await missedCall(number.number);
    const docs = mails.slice(1).map(({ raw }) => read(bodyOf(raw)));
    expect(docs.map((doc) => doc.text('adf', 'prospect', 'id'))).toEqual([
      String(third),
      String(third),
    ]);
    expect(
      docs.map(
        (doc) => (doc.attributes('adf', 'prospect', 'id') as Record<string, string>)['@sequence'],
      ),
    ).toEqual(['1', '2']);
    expect(first).not.toBe(third);
    // Who calls again after 31 days is a new lead of both.
    app.clock.advance(31 * 86_400);
    mails.length = 0;
    const fresh = await missedCall(number.number);
    expect(mails.map(({ raw }) => read(bodyOf(raw)).text('adf', 'prospect', 'id'))).toEqual([
      String(fresh),
      String(fresh),
    ]);
  });

  test('outbound calls, other departments and other companies’ calls aren’t sent', async () => {
    const [mine, theirs] = [await office(), await office()];
    await create(mine.owner, { ...byMail, lead_types: { other: false } });
    await missedCall(mine.number.number);
    await missedCall(theirs.number.number);
    expect(mails).toHaveLength(0);
    await create(mine.owner, {
      ...byMail,
      name: 'Other numbers',
      rules: [
        {
          event: 'call.completed',
          number_ids: [(await createTestNumber(app, mine.company.id)).id],
        },
      ],
    });
    await missedCall(mine.number.number, '+12125550148');
    expect(mails).toHaveLength(0);
  });
});

describe('a lead by HTTPS', () => {
  test.each([
    [{ type: 'basic', username: 'harbor', password: 'sesame' }, 'Basic aGFyYm9yOnNlc2FtZQ=='],
    [{ type: 'bearer', token: 'sesame' }, 'Bearer sesame'],
  ] as const)('says who sends: %o', async (auth, expected) => {
    const { owner, number } = await office();
    const { id } = await create(owner, { ...byHttps(), auth });
    await missedCall(number.number);
    expect(posts[0]?.headers).toMatchObject({
      authorization: expected,
      'content-type': 'application/x-adf+xml',
    });
    read(posts[0]?.body ?? '');
    // Its secret is nowhere to be read, nor is what the CRM repeats of the caller.
    const [sent] = await deliveries(owner, id);
    expect(sent).toMatchObject({
      response_code: 200,
      response_excerpt: 'Thanks, lead of ••• stored',
    });
    const log = await app
      .as(owner)
      .request(audit.listAuditLog, { params: { companyId: owner.companyId } });
    const seen = JSON.stringify([await list(owner), sent, log.body]);
    expect(seen).not.toContain('sesame');
    expect(seen).not.toContain('aGFyYm9y');
    const { rows } = await app.services.db.pool.query(
      'select * from destination d join delivery l on l.destination_id = d.id where d.id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/sesame|5550147/);
  });

  test('what fails is tried again by the clock, then given up, and can be replayed', async () => {
    const { owner, number } = await office();
    const { id } = await create(owner, byHttps());
    [status, saying] = [503, 'later'];
    await missedCall(number.number);
    expect((await deliveries(owner, id))[0]).toMatchObject({ state: 'failed', attempts: 1 });
    for (const minutes of [1, 5, 15, 60, 180, 360]) {
      const before = posts.length;
      await later(minutes - 0.5);
      expect(posts).toHaveLength(before);
      await later(0.5);
      expect(posts).toHaveLength(before + 1);
    }
    await later(720);
    const [dead] = await deliveries(owner, id);
    expect(dead).toMatchObject({
      state: 'dead',
      attempts: 8,
      next_try_at: null,
      error: 'The receiver answered with status 503.',
    });
    expect((await list(owner))[0]).toMatchObject({
      failed_30d: 1,
      last_error: { text: 'The receiver answered with status 503.' },
    });
    await later(1440);
    expect(posts).toHaveLength(8);
    status = 200;
    const replay = await app.as(owner).request(integrations.replayDelivery, {
      params: { companyId: owner.companyId, deliveryId: dead!.id },
    });
    expect(replay.body.data).toMatchObject({ state: 'queued' });
    await app.drainJobs();
    expect((await deliveries(owner, id))[0]).toMatchObject({ state: 'sent', error: null });
    expect((await list(owner))[0]?.last_error).toBeNull();
  });

  test('a receiver that refuses the document isn’t asked again', async () => {
    const { owner, number } = await office();
    const { id } = await create(owner, byHttps());
    status = 422;
    await missedCall(number.number);
    expect((await deliveries(owner, id))[0]).toMatchObject({ state: 'dead', attempts: 1 });
  });

  test('a worker that ended while it sent is followed by another once its time is over', async () => {
    const { owner, number } = await office();
    const { id } = await create(owner, byHttps());
    status = 503;
    await missedCall(number.number);
    status = 200;
    await app.services.db.pool.query(
      `update delivery set claimed_until = $1 where destination_id = $2`,
      [new Date(app.clock.value.getTime() + 120_000), id],
    );
    await later(1);
    expect(posts).toHaveLength(1);
    await later(2);
    expect(posts).toHaveLength(2);
    await later(2);
    expect(posts).toHaveLength(2);
  });
});

describe('what can be set', () => {
  test('a change keeps the secret unless it says otherwise; deactivated, nothing is sent', async () => {
    const { owner, number } = await office();
    const auth = { type: 'header', name: 'X-Key', value: 'sesame' } as const;
    const made = await create(owner, { ...byHttps(), auth });
    expect(made.auth).toEqual({ type: 'header', name: 'X-Key' });
    const params = { companyId: owner.companyId, id: made.id };
    const change = (body: Body) =>
      app.as(owner).request(contract.updateAdfIntegration, { params, body });
    await change({ ...byHttps(), name: 'Renamed' });
    await missedCall(number.number);
    expect(posts[0]?.headers['x-key']).toBe('sesame');
    const off = await app.as(owner).request(contract.deactivateAdfIntegration, { params });
    expect(off.body.data).toMatchObject({ status: 'inactive', name: 'Renamed' });
    await missedCall(number.number, '+12125550150');
    expect(posts).toHaveLength(1);
    const on = await change({ ...byHttps(), auth: null });
    expect(on.body.data).toMatchObject({ status: 'active', auth: null });
    await missedCall(number.number, '+12125550151');
    expect(posts[1]?.headers['x-key']).toBeUndefined();
    const gone = await app.as(owner).request(contract.deleteAdfIntegration, { params });
    expect(gone.status).toBe(204);
    expect(await list(owner)).toEqual([]);
  });

  test.each([
    { to: [] },
    { delivery: 'https' },
    { delivery: 'https', url: 'http://crm.example.com' },
    { auth: { type: 'header', name: 'Host', value: 'x' } },
    { auth: { type: 'bearer', token: 'a\r\nx: y' } },
    { subject_template: 'a\r\nbcc: x@example.com' },
    { timezone: 'Mars/Olympus' },
    { rules: [] },
    { dealer: { name: '' } },
  ])('refuses %o', async (wrong) => {
    const { owner } = await office();
    const answer = await app.as(owner).request(contract.createAdfIntegration, {
      params: { companyId: owner.companyId },
      body: { ...byMail, ...wrong } as Body,
    });
    expect(answer.status).toBe(422);
  });

  test('rules name the company’s own numbers; another company sees and changes nothing', async () => {
    const [mine, theirs] = [await office(), await office()];
    const made = await create(mine.owner, byMail);
    const rules = [{ event: 'call.completed' as const, number_ids: [theirs.number.id] }];
    const foreign = await app.as(mine.owner).request(contract.createAdfIntegration, {
      params: { companyId: mine.company.id },
      body: { ...byMail, rules },
    });
    expect(foreign.status).toBe(422);
    expect(await list(theirs.owner)).toEqual([]);
    const params = { companyId: theirs.company.id, id: made.id };
    const stolen = await app.as(theirs.owner).request(contract.deleteAdfIntegration, { params });
    expect(stolen.status).toBe(404);
  });

  test('a dry run says what the rules would have sent, and sends nothing', async () => {
    const { owner, number } = await office();
    const callId = await missedCall(number.number);
    await missedCall(number.number);
    const { id } = await create(owner, byMail);
    const { body } = await app.as(owner).request(integrations.dryRunDestination, {
      params: { companyId: owner.companyId, destinationId: id },
    });
    expect(body.data).toMatchObject({
      total: 1,
      is_partial: false,
      calls: [{ id: callId, event: 'call.completed' }],
    });
    expect(body.data.calls[0]?.request_redacted).toContain('<adf>');
    expect(JSON.stringify(body)).not.toContain('5550147');
    expect(mails).toHaveLength(0);
    expect(await deliveries(owner, id)).toEqual([]);
  });

  test('what a person says of a call later is sent once', async () => {
    const { owner, number } = await office();
    await create(owner, { ...byMail, rules: [{ event: 'qualified' }] });
    const id = await missedCall(number.number);
    expect(mails).toHaveLength(0);
    for (const qualified of [1, 0, 1] as const)
      await app.as(owner).request(calls.updateCall, { params: { id }, body: { qualified } });
    await app.drainJobs();
    expect(mails).toHaveLength(1);
  });
});

test('hostile names, texts and control characters stay text in a document that reads back', () => {
  const nasty = `]]><vendor>&amp; "O'Brien" \u0000\u0008\uD800 Zoë 🚗 ]]>`;
  const config = adfDestination.config.parse({
    ...byMail,
    dealer: { ...dealer, name: nasty },
    vehicle_from: 'custom_fields',
  });
  const said = adfDestination.say({
    facts: {
      event: 'form',
      subject: { type: 'item', id: 7 },
      happenedAt: new Date('2026-07-01T12:00:00Z'),
      company: { id: 1, name: nasty, timezone: 'America/New_York' },
      number: { id: 1, number: '+12065550100', label: nasty, poolId: null },
      party: '+12125550147',
      outbound: false,
      contact: {
        ...{ id: 1, name: nasty, companyName: '', email: 'a@example.com' },
        ...{ street: nasty, city: 'Köln', state: '', zip: '', country: 'US' },
      },
      callerName: null,
      outcome: null,
      answeredBy: null,
      answeredById: null,
      durationSeconds: 0,
      talkSeconds: 0,
      firstContact: true,
      qualified: false,
      lead: true,
      outcomeTags: ['appt_booked'],
      department: 'quick_lube',
      valueCents: null,
      source: null,
      adContent: null,
      cookies: {},
      clicks: [],
      isSpam: false,
      summary: nasty.repeat(500),
      transcript: null,
      text: null,
      hasRecording: false,
      customFields: [
        { name: 'vehicle make', value: nasty },
        { name: 'mileage', value: '12,500 mi' },
        { name: 'condition', value: 'Used' },
      ],
      form: { name: 'quote', fields: [{ name: nasty, value: nasty }] },
      conversationId: 1,
      link: '',
      masksDetails: false,
    },
    config,
    secret: null,
    rule: { ...integrationRule },
    thread: { no: 1, rootId: 7, rootRef: null },
    platform: 'Trunkline',
    now: new Date('2026-07-01T12:00:00Z'),
    id: '',
    isTest: false,
    known: {},
    isRetry: false,
  });
  const xml = said.via === 'mail' ? said.text : '';
  expect(xml).toMatch(/^[\t\n\x20-\x7E]*$/);
  const doc = read(xml);
  expect(doc.names('adf', 'prospect')).toHaveLength(6);
  const clean = `]]><vendor>&amp; "O'Brien" Zoë 🚗 ]]>`;
  expect(doc.text('adf', 'prospect', 'vendor', 'vendorname')).toBe(clean);
  expect(doc.text('adf', 'prospect', 'vehicle', 'make')).toBe(clean);
  expect(doc.text('adf', 'prospect', 'vehicle', 'odometer')).toBe('12500');
  expect(doc.attributes('adf', 'prospect', 'vehicle')).toMatchObject({ '@status': 'used' });
  expect(doc.text('adf', 'prospect', 'provider', 'service')).toBe('Service');
  expect(doc.text('adf', 'prospect', 'requestdate')).toBe('2026-07-01T08:00:00-04:00');
  const comments = doc.text('adf', 'prospect', 'customer', 'comments');
  expect(comments).toContain('Appointment: yes');
  expect(comments).toContain('Zoë 🚗');
  expect([...comments].length).toBeLessThanOrEqual(4000);
});
const integrationRule = {
  ...{ event: 'form' as const, number_ids: [], dni_pool_ids: [], sources: [], min_duration: 0 },
  ...{ first_contact_only: false, qualified_only: false, tags_any: [], departments: [] },
  ...{ value: { type: 'none' as const }, delay_minutes: 0 },
};
