import { sql } from 'kysely';
import { afterAll } from 'vitest';
import {
  compliance,
  companyRoles,
  contacts,
  conversations,
  exporting,
  fields,
  flows,
  forwarding,
  greetings,
  groups,
  grantOf,
  importing,
  marketplace,
  notifications,
  numbers,
  favorites,
  presets,
  support,
  schedules,
  team,
  templates,
  reportLinks,
  sourceReports,
  tracking,
  triggers,
  type AnyEndpoint,
  type CompanyRole,
} from '#contract';
import { createCaddyObjects } from './caddy-inputs.ts';
import { caddyHelpers } from './caddy.ts';
import { createCallHarness, createTestNumber } from './call-harness.ts';
import { inboxHelpers } from './inbox.ts';
import { provisionNumber, grantNumberLimit } from '../../src/modules/numbers/index.ts';
import { systemCtx } from '../../src/platform/context.ts';
import { createInvitation } from './fixture-invitations.ts';
import { createFixturePasskey } from './fixture-passkey.ts';
import { createOAuthFixtures } from './fixture-oauth.ts';
import { createFieldUpdates } from './fixture-field-updates.ts';
import { createDataGroup, createOrganizationAdmin } from './fixture-organizations.ts';
import { createBilling } from './fixture-billing.ts';
import { createAlert } from './fixture-alerts.ts';
import { createSubmissions } from './fixture-submissions.ts';
import { createArchiveFixture } from './fixture-archive.ts';
import { createCredentials } from './fixture-access.ts';
import type { FixtureKind } from './fixture-kinds.ts';
import { multipartForm, randomPhone, sampleCsv, samplePdf } from './samples.ts';
import { takeSnapshot, type Snapshot } from './snapshot.ts';
import type { TestPerson, TestApp } from './test-app.ts';
import { createDestinationFixtures } from './destination-inputs.ts';
import { insertTeam } from './fixture-teams.ts';
import { insertOutcomeRule, insertPhraseList } from './phrase-inputs.ts';
import { insertAuditStream } from './audit-stream-inputs.ts';

/** The roles of a company, and the administrator of its organization. */
export type FixtureRole = CompanyRole | 'org-administrator';

export interface FixtureCompany {
  id: number;
  name: string;
  people: Record<FixtureRole, TestPerson>;
  /** Someone in Caddy, whose account is no part of the company. */
  individual: TestPerson;
  /** A second user, who is in a call. */
  otherUser: TestPerson;
  /** One existing object of every kind. */
  ids: Record<FixtureKind, number | string>;
}
/** Who may call this endpoint: the owner, the organization's administrator, or someone in Caddy. */
export const permittedPerson = (
  { people, individual }: FixtureCompany,
  { permission, audience }: AnyEndpoint,
): TestPerson => {
  if (audience === 'caddy') return individual;
  return permission === 'public' ||
    permission === 'session' ||
    grantOf('owner', permission) !== 'none'
    ? people.owner
    : people['org-administrator'];
};

export type CallHarness = Awaited<ReturnType<typeof createCallHarness>>;

let count = 0;

/** Calls an endpoint as a user and requires success; returns the response's `data`. */
export async function requestOk<T = Record<string, never>>(
  app: TestApp,
  person: TestPerson,
  e: AnyEndpoint,
  input: unknown = {},
): Promise<T> {
  const { status, body } = await app.as(person).request(e, input as never);
  if (status >= 300) throw new Error(`${e.name} was answered ${status}: ${JSON.stringify(body)}`);
  return ((body as { data?: T } | null)?.data ?? body) as T;
}

/**
 * A company with a user of each role and one real object of every kind that the contract names by
 * id, created through the product's own endpoints and carrier webhooks.
 */
async function createFixtureCompany(line: CallHarness, name: string): Promise<FixtureCompany> {
  const { world: app } = line;
  const inbox = inboxHelpers(app);
  const { company, owner } = await app.createCompany(name);
  const companyId = company.id;
  const inCompany = systemCtx(app.services, companyId, app.notifier);
  const people = { owner } as Record<FixtureRole, TestPerson>;
  for (const role of companyRoles)
    if (role !== 'owner') people[role] = await app.createPerson(companyId, role);
  const colleague = await app.createPerson(companyId, 'user');
  const make = <T = { id: number }>(e: AnyEndpoint, input: unknown = {}) =>
    requestOk<T>(app, owner, e, input);
  const of = (more: object = {}) => ({ params: { companyId, ...more } });
  const ids = { company: companyId, user: people.user.id } as Record<FixtureKind, number | string>;

  // What an organization gives its companies, and settings without which nothing could be sent at
  // some hours.
  const organization = await app.services.db.systemTransaction(async (tx) => {
    await grantNumberLimit({ ...inCompany, tx } as never, 100);
    const { id } = await tx
      .insertInto('organization')
      .values({ name: `${name} Group`, slug: `group-${companyId}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({
        organization_id: id,
        settings: JSON.stringify({
          quiet_hours: { start: '00:00', end: '00:00', mode: 'recipient' },
          texting_requires_verification: false,
        }),
      })
      .where('id', '=', companyId)
      .execute();
    const choices = JSON.stringify([
      { id: ++count, value: 'English', sort_order: 1, description: '' },
      { id: ++count, value: 'Spanish', sort_order: 2, description: '' },
    ]);
    const shared = await tx
      .insertInto('organization_field')
      .values({
        organization_id: id,
        entity_type_id: 7,
        key: 'language',
        name: 'Language',
        type: 'enum',
        choices,
        created_at: app.clock.value,
        updated_at: app.clock.value,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, field: shared.id };
  });
  Object.assign(ids, { organization: organization.id, organizationField: organization.field });
  people['org-administrator'] = await createOrganizationAdmin(app, organization.id, companyId);

  // Numbers: one that rings every user, a second one, and those of the marketplace.
  const apps = [owner, people.administrator, people.user, colleague];
  const main = await createTestNumber(app, companyId, {
    record: true,
    transcribe: true,
    routes: [{ type: 'in-app-calling', to: apps, label: 'Front desk', timeout: 600 }],
  });
  Object.assign(ids, { number: main.id, phone: main.number });
  ids.dataGroup = await createDataGroup(app, organization.id, main.id);
  Object.assign(ids, await createBilling(app, companyId));
  ids.alert = await createAlert(app, companyId, main.id);
  for (const person of apps) await line.open(person);

  // Contacts, groups and lists.
  const contact = (more: object) => make(contacts.createContact, { body: { companyId, ...more } });
  ids.contact = (
    await contact({ name: 'Dana Reed', number: randomPhone(), email: 'dana@example.com' })
  ).id;
  ids.otherContact = (await contact({ name: 'Dan Reed', number: randomPhone() })).id;
  ids.group = (await make(groups.createGroup, { body: { companyId, name: 'Regulars' } })).id;
  ids.label = (await make(groups.createContactLabel, { ...of(), body: { label: 'VIP' } })).id;
  await make(groups.addToGroup, {
    params: { id: ids.group },
    body: { contacts: [ids.contact, ids.otherContact] },
  });
  ids.bulk = (
    await make<{ batchId: string }>(groups.bulkAddLabel, {
      ...of({ labelId: ids.label }),
      body: { contacts: [ids.contact] },
    })
  ).batchId;
  const twin = await contact({ name: 'D. Reed', number: randomPhone() });
  await make(contacts.mergeContacts, { params: { id: ids.contact }, body: { with: twin.id } });
  const upload = async () => {
    const { body } = await app.as(owner).inject({
      method: 'POST',
      url: `/api/companies/${companyId}/contacts/imports`,
      ...multipartForm(
        {},
        { field: 'file', name: 'people.csv', type: 'text/csv', bytes: sampleCsv },
      ),
    });
    return (body as { data: { id: number } }).data.id;
  };
  ids.finishedImport = await upload();
  await make(importing.startContactImport, { ...of({ importId: ids.finishedImport }), body: {} });
  ids.import = await upload();

  // Tags, custom fields, presets, replies and views.
  const tags = await make<{ id: number }[]>(fields.createTags, {
    ...of(),
    body: { tags: [{ name: 'New patient', color: 'teal' }] },
  });
  ids.tag = tags[0]!.id;
  await make(fields.createField, {
    params: { type: 'user' },
    body: { company_id: companyId, name: 'Desk', type: 'stringKeyword' },
  });
  const field = await make<{ id: number; choices: { id: number }[] }>(fields.createField, {
    params: { type: 'contact' },
    body: {
      company_id: companyId,
      name: 'Stage',
      type: 'enum',
      choices: [{ value: 'New' }, { value: 'Won' }],
    },
  });
  Object.assign(ids, { field: field.id, choice: field.choices[0]!.id });
  await make(fields.overrideField, {
    params: { id: organization.field },
    body: { company_id: companyId, description: 'As we say it' },
  });
  const inOrganization = people['org-administrator'];
  Object.assign(ids, await createFieldUpdates(app, owner, inOrganization, ids));
  ids.supportTicket = (
    await make(support.createSupportTicket, {
      params: { companyId },
      body: { message: 'Calls ring only once.' },
    })
  ).id;
  ids.preset = (
    await make(presets.createColumnPreset, {
      body: {
        company_id: companyId,
        name: 'Desk',
        entity: 'numbers',
        columns: [{ key: 'number', order: 0 }],
      },
    })
  ).id;
  ids.favorite = (
    await make(favorites.createFavoriteReport, {
      body: { company_id: companyId, name: 'Desk', value: { path: '/analytics/calls' } },
    })
  ).id;
  ids.reportLink = (
    await make(reportLinks.createReportLink, {
      body: {
        company_id: companyId,
        favorite_id: ids.favorite,
        last_day: new Date(app.clock.value.getTime() + 86_400_000).toISOString().slice(0, 10),
      },
    })
  ).id;
  ids.cannedReply = (
    await make(team.addCannedReply, {
      body: {
        company_id: companyId,
        shortcut: 'open',
        title: 'Opening hours',
        body: 'We are open.',
        shared: true,
      },
    })
  ).id;
  ids.inboxView = (
    await make(team.addInboxView, {
      body: { company_id: companyId, name: 'Unread', filters: { state: 'unread' }, shared: true },
    })
  ).id;

  // Call routing.
  ids.forwardContact = (
    await make(forwarding.createForwardContact, {
      body: { company_id: companyId, name: 'Desk', number: randomPhone(), type: 'phone' },
    })
  ).id;
  ids.otherForwardContact = (
    await make(forwarding.createForwardContact, {
      body: { company_id: companyId, name: 'Night', number: randomPhone(), type: 'phone' },
    })
  ).id;
  Object.assign(ids, await createCredentials(make, companyId));
  ids.template = (
    await make(templates.createNumberTemplate, {
      ...of(),
      body: {
        name: 'Branch',
        routes: [{ extension: 1, type: 'in-app-calling', voicemail_enabled: true }],
      },
    })
  ).id;
  ids.trackingSource = (
    await make(tracking.createSource, {
      ...of(),
      body: { label: 'Mailer', kind: 'offline', group: 'offline' },
    })
  ).id;
  ids.sourceReport = (
    await make(sourceReports.saveSourceReport, {
      body: {
        company_id: companyId,
        name: 'November',
        startDate: '2026-11-01',
        endDate: '2026-11-21',
      },
    })
  ).id;
  ids.greeting = (
    await make(greetings.addGreeting, {
      body: {
        company_id: companyId,
        name: 'Away',
        type: 'voicemail',
        content: 'Please leave a message.',
        voice: 'ava',
      },
    })
  ).id;
  const hours = { preset: 2, exceptions: [] };
  await make(schedules.saveSchedule, { ...of(), body: hours });
  await make(triggers.updateTriggers, {
    params: { id: main.id },
    body: { remove: [], upsert: [{ keyword: 'JOIN', reply_text: 'Welcome. Reply STOP to stop.' }] },
  });
  const routes = [
    {
      extension: 1,
      label: 'Front desk',
      type: 'in-app-calling',
      voicemail_enabled: true,
      timeout: 60,
      forwards: apps.map((p) => ({ user_id: p.id })),
    },
  ];
  for (const label of ['Front desk', 'Reception']) {
    await make(flows.saveFlowDraft, {
      params: { id: main.id },
      body: { routes: [{ ...routes[0], label }], menu: { greeting: null, fallback: null } },
    });
    await make(flows.publishFlow, { params: { id: main.id }, body: {} });
  }
  await make(flows.saveFlowDraft, {
    params: { id: main.id },
    body: { routes: [{ ...routes[0], label: 'Desk' }], menu: { greeting: null, fallback: null } },
  });

  // Texts and their conversations.
  const phone = randomPhone();
  // It may be an opt-out, too.
  await inbox.text(phone, main.number, 'Is noon free? Or is this the wrong number?');
  const conversation = (await inbox.list(owner)).data[0]!.id;
  ids.conversation = conversation;
  await inbox.send(owner, { conversationId: conversation, message: 'It is.' });
  const at = new Date(app.clock.value.getTime() + 86_400_000).toISOString();
  ids.scheduled = (
    await make(conversations.scheduleMessage, {
      body: { companyId, conversationId: conversation, message: 'See you.', shouldBeSentAt: at },
    })
  ).id;
  ids.note = (
    await make(conversations.addNote, {
      body: {
        company_id: companyId,
        model_type: 'conversation',
        model_id: conversation,
        body: 'Asked about noon.',
      },
    })
  ).id;
  ids.block = (
    await make(compliance.addBlock, {
      body: { company_id: companyId, target: randomPhone(), number_id: null },
    })
  ).id;
  ids.item = (await inbox.items(owner, conversation)).find(
    (one) => one.kind === 'message' && one.isInbound,
  )!.id;

  ids.invitation = await createInvitation(make, of);

  // A fax that could not be converted.
  const faxLine = await inCompany.transaction((t) =>
    provisionNumber(t, { number: randomPhone('646'), label: 'Fax', category: 3 }),
  );
  const sent = await app.as(owner).inject({
    method: 'POST',
    url: '/api/fax',
    ...multipartForm(
      { company_id: String(companyId), numberId: String(faxLine), to: randomPhone() },
      { field: 'files[]', name: 'form.pdf', type: 'application/pdf', bytes: samplePdf },
    ),
  });
  ids.fax = (sent.body as { data: { id: number } }).data.id;

  ids.passkey = await createFixturePasskey(app, owner.id);
  const pooled = await inCompany.transaction((t) =>
    provisionNumber(t, { number: randomPhone('917'), label: 'Website' }),
  );
  ids.trackingPool = (
    await make(tracking.createPool, {
      ...of(),
      body: { name: 'Visitors', numberIds: [pooled], domains: ['www.example.com'] },
    })
  ).id;
  const vanity = await createSubmissions({ app, owner, ids, mainNumberId: main.id, make, of });

  // A call that was answered and recorded, and one that is running.
  const ended = line.aCall(main.number, phone);
  await ended.tell(ended.inbound);
  await ended.says(line.ringing(ended, owner), { type: 'legAnswered', by: { device: 'app-1' } });
  app.clock.advance(20);
  await ended.says(ended.leg, { type: 'legEnded', cause: 'hangup' });
  ids.call = await ended.id();
  const running = line.aCall(main.number, randomPhone());
  await running.tell(running.inbound);
  await running.says(line.ringing(running, colleague), {
    type: 'legAnswered',
    by: { device: 'app-1' },
  });
  ids.runningCall = await running.id();

  ids.reservation = (
    await make<{ reservation_id: number }[]>(numbers.locateNumbers, {
      body: { company_id: companyId, category: 2, areaCode: '907', limit: 1 },
    })
  )[0]!.reservation_id;
  await make(notifications.addNotificationBlocks, {
    body: { company_id: companyId, number_ids: [main.id], channel_types: ['push'] },
  });
  await make(numbers.updateNumbersInBulk, {
    body: { company_id: companyId, ids: [main.id], patch: { label: 'Main line' } },
  }).then((b) => {
    ids.numberBatch = (b as unknown as { batchId: string }).batchId;
  });
  await make<{ batchId: string }>(exporting.exportMessages, {
    body: { companyId, tz: 'UTC' },
  }).then((b) => {
    ids.exportBatch = b.batchId;
  });
  await make<{ batchId: string }>(importing.exportContacts, { ...of(), body: { all: true } }).then(
    (b) => {
      ids.contactBatch = b.batchId;
    },
  );
  await app.drainJobs();
  // The sandbox's reviewer decides now instead of in a minute, and the fax can be retried.
  const {
    body: { data: documents },
  } = (await app.as(null).inject({ method: 'GET', url: '/sandbox/registrations' })) as {
    body: { data: { ref: string; state: string }[] };
  };
  for (const { ref, state } of documents)
    if (state === 'in_review')
      await app.as(null).inject({ method: 'POST', url: `/sandbox/registrations/${ref}/review` });
  await app.drainJobs();
  await app.services.db.systemTransaction((tx) =>
    tx
      .updateTable('fax')
      .set({
        state: 'failed',
        error_code: 'too_complex',
        error_text: 'The document is too complex.',
      })
      .where('company_id', '=', companyId)
      .where('id', '=', Number(ids.fax))
      .execute(),
  );

  const newest = async (table: string, column = 'id', where = sql`true`) =>
    (
      await sql<{
        found: number | string;
      }>`select ${sql.ref(column)} as found from ${sql.table(table)} where company_id = ${companyId}
        and ${where} order by ${sql.ref(column)} desc limit 1`.execute(app.services.db.unscoped)
    ).rows[0]?.found;
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('connection')
      .values({
        company_id: companyId,
        provider: 'hubspot',
        external_id: '62515',
        account_name: 'harbor.example.com',
        account_email: null,
        status: 'needs_reconnect',
        created_by: owner.id,
        created_at: new Date(),
      })
      .execute(),
  );
  Object.assign(ids, await createOAuthFixtures(app, owner), {
    connection: await newest('connection'),
    merge: await newest('contact_merge'),
    portDocument: await newest('port_document'),
    file: await newest('file', 'id', sql`guard is null`),
    exportedFile: await newest('file', 'id', sql`guard is not null and purpose = 'export'`),
    archive: await createArchiveFixture(app, companyId, owner.id),
    trigger: await newest('number_trigger'),
    route: await newest('route'),
    brand: await newest('sms_brand'),
    override: await newest('field_override'),
    otherNumber: vanity,
    schedule: await newest('schedule'),
    auditEntry: await newest('audit_log'),
    auditStream: await insertAuditStream(app, companyId),
    team: await insertTeam(app, companyId, [owner.id]),
    phraseList: await insertPhraseList(app, companyId),
    outcomeRule: await insertOutcomeRule(app, companyId),
    ...(await createDestinationFixtures(app, companyId, {
      callId: Number(ids.call),
      numberId: main.id,
    })),
    faxNumber: faxLine,
    poolNumber: pooled,
  });
  const individual = await caddyHelpers(app).signUp();
  Object.assign(ids, await createCaddyObjects(app, individual));
  return { id: companyId, name, people, individual, otherUser: colleague, ids };
}

export interface TestFixtures {
  callHarness: CallHarness;
  app: TestApp;
  a: FixtureCompany;
  b: FixtureCompany;
  snapshot: Snapshot;
}

/**
 * Two companies with every kind of object, isolated from each other except on the marketplace. No
 * timers run.
 */
export async function createFixtures(
  o: {
    /** The first company's user, limited to this number. */ limitUserTo?: 'number';
    /** Caller lookups use a simulated service. */ demo?: boolean;
  } = {},
): Promise<TestFixtures> {
  const line = await createCallHarness({
    demo: o.demo ?? true,
    env: {
      CODES_PER_HOUR: '100000',
      SIGN_INS_PER_MINUTE: '100000',
      EXPORTS_PER_HOUR: '100000',
      HUBSPOT_CLIENT_ID: 'client',
      HUBSPOT_CLIENT_SECRET: 'secret',
    },
  });
  const { world: app } = line;
  // The carrier knows nothing of these legs, so the sweep leaves the running calls alone.
  line.carrier.reachable = false;
  const a = await createFixtureCompany(line, 'Alpha');
  const b = await createFixtureCompany(line, 'Beta');
  for (const [seller, buyer] of [
    [a, b],
    [b, a],
  ] as const)
    seller.ids.offer = (
      await requestOk<{ id: number }>(app, buyer.people.owner, marketplace.makeOffer, {
        params: { id: seller.ids.listing },
        query: { companyId: buyer.id },
        body: { amount_cents: 9000, term_months: 12 },
      })
    ).id;
  if (o.limitUserTo)
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('membership')
        .set({ number_ids: [Number(a.ids[o.limitUserTo!])] })
        .where('company_id', '=', a.id)
        .where('user_id', '=', a.people.user.id)
        .execute(),
    );
  await app.drainJobs();
  await app.stopJobs();
  const snapshot = await takeSnapshot(app.services.settings.databaseUrl!);
  afterAll(() => snapshot.close());
  return { callHarness: line, app, a, b, snapshot };
}
