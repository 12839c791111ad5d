import { sql } from 'kysely';
import pg from 'pg';
import { createServices } from '../src/app.ts';
import {
  insertCompany,
  insertOrganization,
  insertOrganizationAdmin,
} from '../src/modules/companies/index.ts';
import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import type { Settings } from '../src/platform/settings.ts';
import { enqueueAudio } from './demo-audio.ts';
import { seedAuditStreams } from './demo-audit-streams.ts';
import { seedIntegrations } from './demo-integrations.ts';
import { seedSlack } from './demo-slack.ts';
import { seedAlerts } from './demo-alerts.ts';
import { seedAudit } from './demo-audit.ts';
import { seedBilling } from './demo-billing.ts';
import { seedCaddy } from './demo-caddy.ts';
import { seedCampaigns } from './demo-campaigns.ts';
import { seedContacts } from './demo-contacts.ts';
import { seedFieldUpdate } from './demo-field-update.ts';
import { seedFields } from './demo-fields.ts';
import { seedFlows } from './demo-flows.ts';
import { enqueueGreetings, seedHoursOf } from './demo-greetings.ts';
import { seedDataGroups } from './demo-data-groups.ts';
import { seedFavorites } from './demo-favorites.ts';
import { seedFax } from './demo-fax.ts';
import { seedInvitations } from './demo-invitations.ts';
import { seedImport } from './demo-import.ts';
import { seedPhrases } from './demo-phrases.ts';
import { seedHistory } from './demo-history.ts';
import {
  idAt,
  insertInBatches,
  type SeedCompany,
  type SeedNumber,
  type SeededCall,
} from './demo-rows.ts';
import { seedTeam } from './demo-team.ts';
import { seedTeams } from './demo-teams.ts';
import { seedTemplates } from './demo-templates.ts';
import { seedTracking } from './demo-tracking.ts';
import { seedVisits } from './demo-visits.ts';
import { seedLegalHold } from './demo-legal-hold.ts';
import { seedMarketplace } from './demo-marketplace.ts';
import { seedLeased, seedNumbers, seedRouting } from './demo-numbers.ts';
import { seedPorts } from './demo-porting.ts';
import { seedRegistration } from './demo-registration.ts';
import { nameOf, seedMemberships, seedPeople, type UserIds } from './demo-people.ts';
import { plans } from './demo-plans.ts';
import { createRandom } from './demo-vocabulary.ts';

const DAY = 86_400_000;

/**
 * Creates the demo data: one organization, three companies, 22 numbers and ninety days of
 * history, the same on every machine and dated back from now. All of it is stored in the product's
 * own tables; no screen shows made-up data.
 */
export async function seedDemo(url: string, settings: Settings, begun = new Date()): Promise<void> {
  const services = await createServices({ ...settings, databaseUrl: url }, 'seed');
  const now = new Date(Math.floor(begun.getTime() / 60_000) * 60_000);
  try {
    await services.db.systemTransaction(async (tx) => {
      await seedCaddy(services, tx, now);
      for (const { company, calls } of await createDemoCompany(services, tx, now))
        await enqueueAudio(tx, company, calls);
    });
    // Fresh tables have no statistics, so the first searches would be planned badly. Only the owner
    // may analyze.
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query('analyze').finally(() => owner.end());
  } finally {
    await services.close();
  }
}

interface DemoCompany {
  company: SeedCompany;
  calls: SeededCall[];
}

async function createDemoCompany(services: Services, tx: Tx, now: Date): Promise<DemoCompany[]> {
  const id = await seedPeople(services, tx);
  const organization = await insertOrganization(tx, {
    name: 'Harborline Group',
    slug: 'harborline-group',
    owner_id: id('owner'),
    timezone: plans[0]!.rhythm.timezone,
  });
  await insertOrganizationAdmin(tx, { organization_id: organization.id, user_id: id('orgadmin') });

  const made: DemoCompany[] = [];
  for (const index of plans.keys())
    made.push(await seedCompany(tx, index, { organizationId: organization.id, id, now }));
  await seedFirstCompany(services, tx, made[0]!.company, {
    organizationId: organization.id,
    id,
    now,
  });
  await seedTeams(tx, made[0]!.company, id, now);
  await seedDataGroups(
    tx,
    organization.id,
    made.map((m) => m.company.id),
  );
  await seedBilling(
    tx,
    made.map((m) => ({ id: m.company.id, name: m.company.trade.name })),
    now,
  );
  await seedAlerts(tx, made[0]!.company, now);
  const people = { owner: id('owner'), administrator: id('administrator') };
  await seedAudit(tx, made[0]!.company.id, people, now);
  await seedFavorites(tx, made[0]!.company.id, id('owner'), now);
  await seedPhrases(tx, made[0]!.company.id, id('owner'), now);
  const leases = await seedMarketplace(
    tx,
    made.map((m) => ({ id: m.company.id, name: m.company.trade.name })),
    'Olive Owner',
    now,
  );
  for (const [i, lease] of leases.entries()) {
    const agents = made
      .find((m) => m.company.id === lease.companyId)!
      .company.agents.map((agent) => agent.id);
    await seedLeased(
      tx,
      lease,
      idAt(now.getTime() - 21 * DAY + i),
      agents,
      plans.find((_, n) => made[n]!.company.id === lease.companyId)!.rhythm.timezone,
    );
  }
  return made;
}

interface SeedContext {
  organizationId: number;
  id: UserIds;
  now: Date;
}

/** Creates one company of the plan with its numbers, people, routing and history. */
async function seedCompany(
  tx: Tx,
  index: number,
  { organizationId, id, now }: SeedContext,
): Promise<DemoCompany> {
  const plan = plans[index]!;
  const company = await insertCompany(tx, {
    name: plan.trade.name,
    timezone: plan.rhythm.timezone,
    organization_id: organizationId,
    industry: plan.industry,
    email: `hello@${plan.trade.name.toLowerCase().replace(/\W+/g, '-')}.test`,
    phone: plan.numbers[0]![0],
    onboarded_at: new Date(now.getTime() - 90 * DAY),
    created_at: new Date(now.getTime() - 90 * DAY),
  });
  const numbers: SeedNumber[] = plan.numbers.map(([number, label], i) => ({
    id: idAt(now.getTime() - 90 * DAY + i),
    number,
    label,
  }));
  await seedNumbers(tx, company.id, numbers, now);
  await seedMemberships(tx, company.id, numbers, { id, isFirst: index === 0 });
  const agents = index === 0 ? ['user', 'administrator', 'owner'] : ['administrator', 'owner'];
  await seedRouting(tx, company.id, numbers, agents.map(id), plan.rhythm.timezone);
  await seedFlows(tx, company.id, numbers[0]!.id, { id: id('owner'), name: 'Olive Owner' }, now);
  await enqueueGreetings(tx, { id: company.id, trade: plan.trade }, plan.rhythm.timezone, now);
  // The journeys through the demo call people of the first company at any time of day.
  if (index > 0) await seedHoursOf(tx, company.id, id('administrator'), plan.rhythm.timezone, now);
  const tags = await seedTags(tx, company.id, plan.trade.tags, now);
  const seeded: SeedCompany = {
    id: company.id,
    trade: plan.trade,
    numbers,
    tags,
    contacts: plan.contacts,
    messages: plan.messages,
    calls: plan.calls,
    areaCodes: plan.areaCodes,
    rhythm: plan.rhythm,
    hasBadMorning: index === 0,
    agents: agents.map((key) => ({ id: id(key), name: nameOf(key) })),
  };
  // A separate generator per company, so that a change in one company changes no other.
  const random = createRandom(20_261_121 + index);
  const calls = await seedHistory(tx, random, seeded, now);
  await seedActivity(tx, company.id);
  await seedContacts(tx, company.id, { id: id('owner'), name: 'Olive Owner' }, now);
  await seedTemplates(
    tx,
    {
      id: company.id,
      areaCode: plan.areaCodes[0]!,
      numbers,
      people: seeded.agents,
      by: id('owner'),
    },
    now,
  );
  return { company: seeded, calls };
}

/** Creates a company's tags; returns their ids by name. */
async function seedTags(
  tx: Tx,
  companyId: number,
  names: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const tags = new Map(names.map((name, i) => [name, idAt(now.getTime() - 89 * DAY + i)]));
  await insertInBatches(
    tx,
    'tag',
    [...tags].map(([name, tagId], i) => ({
      company_id: companyId,
      id: tagId,
      name,
      color: ['teal', 'blue', 'grape', 'orange'][i % 4],
      scope: 'company',
      created_at: now,
    })),
  );
  return tags;
}

/** Unread counts and latest activity of a company's numbers, from its history. */
async function seedActivity(tx: Tx, companyId: number): Promise<void> {
  await sql`insert into number_activity (company_id, number_id, unread,
      last_call_at, last_message_at)
    select n.company_id, n.id, coalesce((select sum(c.unread) from conversation c
          where c.company_id = n.company_id and c.number_id = n.id and c.archived_at is null), 0),
      (select max(started_at) from call k where k.company_id = n.company_id and k.number_id = n.id),
        (select max(created_at) from conversation_item i
          where i.company_id = n.company_id and i.number_id = n.id and i.kind = 'message')
    from number n where n.company_id = ${companyId}`.execute(tx);
}

/** What only the first company has: imports, team, fields, fax, registrations, campaigns and ports. */
async function seedFirstCompany(
  services: Services,
  tx: Tx,
  company: SeedCompany,
  { organizationId, id, now }: SeedContext,
): Promise<void> {
  await seedImport(tx, company.id, { id: id('owner'), name: 'Olive Owner' }, now);
  await seedFieldUpdate(tx, company.id, { id: id('owner'), name: 'Olive Owner' }, now);
  await seedTeam(tx, company, now);
  await seedInvitations(tx, {
    companyId: company.id,
    userId: id('owner'),
    staffId: id('platform'),
    now,
  });
  await seedFields(
    tx,
    { id: company.id, by: id('owner'), name: 'Olive Owner' },
    organizationId,
    now,
  );
  await seedFax(services, tx, company, now);
  await seedLegalHold(tx, { id: company.id, by: id('owner'), name: 'Olive Owner' }, now);
  await seedAuditStreams(services, tx, company.id, now);
  await seedIntegrations(services, tx, company.id, now);
  await seedSlack(services, tx, company.id, now);
  await seedRegistration(tx, company, now);
  await seedCampaigns(tx, company, { id: id('administrator'), name: 'Adam Administrator' }, now);
  await seedPorts(tx, {
    companyId: company.id,
    userId: id('owner'),
    userName: 'Olive Owner',
    now,
  });
  const site = await seedTracking(tx, {
    companyId: company.id,
    userId: id('owner'),
    agents: company.agents.map((agent) => agent.id),
    timezone: company.rhythm.timezone,
    mainNumberId: company.numbers[0]!.id,
    now,
  });
  await seedVisits(tx, company, site, now);
}
