import { setTimeout as pause } from 'node:timers/promises';
import { integrationsChanged } from '#contract/integrations/events';
import type {
  CrmPage,
  CrmPerson,
  CrmProblem,
  CrmReader,
  CrmReading,
} from '../../../gateways/crm-reader.ts';
import { enqueueIn, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { callerNamesOf } from '../../calls/index.ts';
import { connectedAccounts } from '../../connections/index.ts';
import { fillFromCrm, matchCrm, type Crm } from '../../contacts/index.ts';
import { assignToOwners } from '../../conversations/index.ts';
import { labelOf } from '../accounts/present-account.ts';
import { sendWithAccount } from '../accounts/send-with-account.ts';
import { lockAccount, patchAccount, type AccountRow } from '../accounts/store-accounts.ts';
import type { Sent } from '../deliveries/outcome.ts';
import { readCrmJob, readPeopleJob } from '../job-kinds.ts';
import { takeDueReadings } from './store-readings.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Accounts that one minute starts at most; the others have their turn in the next. */
const MOST_AT_ONCE = 200;
/** Pages that are read of an account before others have their turn. */
const PAGES = 10;
/** Between two pages: HubSpot's search takes five questions a second from an account. Milliseconds. */
const PAGE_MS = 300;
const EVERY_SECONDS = 5 * 60;
/** Accounts of one minute are spread over so much more, by their IDs. Seconds. */
const SPREAD_SECONDS = 60;
/** After what a person has to mend, and where access has ended. Seconds. */
const REFUSED_SECONDS = 3600;
/** A reading whose worker ended starts again after so long. Seconds. */
const LEASE_SECONDS = 10 * 60;

/** Every minute: queues the reading of accounts whose turn it is. */
export const startDueReadings = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const { now } = ctx;
    const due = await takeDueReadings(tx, {
      ...{ providers: [...ctx.gateways.crmReaders.keys()], now, most: MOST_AT_ONCE },
      again: new Date(now.getTime() + LEASE_SECONDS * 1000),
    });
    for (const one of due)
      await enqueueIn(tx, readCrmJob, one, { key: `integrations.readCrm:${one.connectionId}` });
  });

/** Job: reads who changed in an account since the last time, and fills in our contacts. */
export async function readCrm(ctx: Ctx, { connectionId }: { connectionId: number }): Promise<void> {
  const account = await loadAccount(ctx, connectionId);
  if (!account) return;
  let { cursor } = account;
  for (let n = 0; n < PAGES && !ctx.signal?.aborted; n++) {
    if (n > 0) await pause(PAGE_MS);
    const question = { cursor, now: ctx.clock() };
    const page: CrmPage | CrmProblem = await ask(
      ctx,
      connectionId,
      account.reader.changed(account.config, question),
    );
    if (page.state !== 'read') return noteProblem(ctx, account.crm, page);
    await fill(ctx, account, page.people);
    cursor = page.cursor;
    const isOver = !page.more;
    const seconds = isOver ? EVERY_SECONDS + (connectionId % SPREAD_SECONDS) : 0;
    await note(ctx, account.crm, { cursor, seconds, error: null });
    if (isOver) return;
  }
}

/** Queues that people who were found in a CRM are read back. */
export async function queuePeople(t: TxCtx, sent: readonly Sent[]): Promise<void> {
  const destination = sent[0]?.taken.destination;
  if (!destination?.connection_id || !t.gateways.crmReaders.has(destination.provider)) return;
  const people = sent.flatMap(({ taken, outcome }) =>
    outcome?.verdict.state === 'sent' && outcome.verdict.person !== undefined
      ? [{ id: outcome.verdict.person, contactId: taken.contactId }]
      : [],
  );
  if (people.length > 0)
    await t.enqueue(readPeopleJob, { connectionId: destination.connection_id, people });
}

/** Job: reads people that a call or text was just logged with. Throws to be run again. */
export async function readPeople(
  ctx: Ctx,
  {
    connectionId,
    people,
  }: { connectionId: number; people: readonly { id: string; contactId: number | null }[] },
): Promise<void> {
  const account = await loadAccount(ctx, connectionId);
  if (!account) return;
  const ids = [...new Set(people.map(({ id }) => id))];
  const read = await ask(ctx, connectionId, account.reader.byIds(account.config, ids));
  if (read.state === 'refused') return;
  if (read.state !== 'read') throw new Error(read.error);
  const contactOf = new Map(
    people.flatMap(({ id, contactId }) => (contactId === null ? [] : [[id, contactId] as const])),
  );
  await fill(ctx, account, read.people, { contactOf, notify: true });
}

type Config = ReturnType<CrmReader['config']['parse']>;
interface Account {
  crm: Crm;
  reader: CrmReader;
  config: Config;
  cursor: string | null;
}

/** An account whose people are read. Null: it was turned off or disconnected, or nothing comes back. */
const loadAccount = (ctx: Ctx, connectionId: number): Promise<Account | null> =>
  ctx.transaction(async (t) => {
    const row = await lockAccount(t.tx, t.companyId, connectionId);
    const connection = (await connectedAccounts(t)).find(({ id }) => id === connectionId);
    const reader = connection && t.gateways.crmReaders.get(connection.provider);
    if (!reader || row?.state !== 'active') return null;
    const config = reader.config.parse(row.config);
    if (!config.read_names && !config.assign_owners) return null;
    const crm = { provider: reader.provider, connectionId };
    return { crm, reader, config, cursor: row.read_cursor };
  });

/** Sends the requests of a reading one after another. */
async function ask<T>(
  ctx: Ctx,
  connectionId: number,
  reading: CrmReading<T>,
): Promise<T | CrmProblem> {
  let step = reading.next();
  while (!step.done) {
    const sent = await sendWithAccount(ctx, connectionId, step.value);
    // Where access has ended, the account says so.
    if (sent.unusable)
      return { state: 'retry', error: `There is no access to ask with: ${sent.unusable}.` };
    step = reading.next(sent.answer);
  }
  return step.value;
}

/** Fills in the contacts that these people are here, and assigns their conversations. */
async function fill(
  ctx: Ctx,
  { crm, reader, config }: Account,
  people: readonly CrmPerson[],
  { contactOf, notify = false }: { contactOf?: ReadonlyMap<string, number>; notify?: boolean } = {},
): Promise<void> {
  if (people.length === 0) return;
  const { stale } = await ctx.transaction((t) => matchCrm(t, crm, people, { contactOf }));
  const gone = new Set<string>();
  if (stale.length > 0) {
    const asked = stale.slice(0, 100);
    const read = await ask(ctx, crm.connectionId, reader.byIds(config, asked));
    if (read.state === 'read') {
      const there = new Set(read.people.map(({ id }) => id));
      for (const id of asked) if (!there.has(id)) gone.add(id);
    }
  }
  await ctx.transaction(async (t) => {
    const { matches } = await matchCrm(t, crm, people, { contactOf, gone });
    if (matches.length === 0) return;
    const filled = await fillFromCrm(t, crm, matches, {
      fillNames: config.read_names,
      callerNames: await callerNamesOf(
        t.tx,
        t.companyId,
        matches.map(({ contact }) => contact.number),
      ),
    });
    if (!config.assign_owners) return;
    const owners = new Map(
      filled.flatMap(({ contact, person: { owner } }) =>
        owner?.email ? [[contact.id, owner.email] as const] : [],
      ),
    );
    await assignToOwners(t, owners, { ...crm, label: labelOf(crm.provider), notify });
  });
}

function noteProblem(ctx: Ctx, crm: Crm, problem: CrmProblem): Promise<void> {
  ctx.log.warn({ crm, problem: problem.error }, 'a CRM could not be read');
  const seconds = {
    wait: problem.state === 'wait' ? problem.seconds : 0,
    retry: EVERY_SECONDS,
    refused: REFUSED_SECONDS,
  }[problem.state];
  // What passes is the account's health, not for a person to mend.
  const error = problem.state === 'refused' ? problem.error : undefined;
  return note(ctx, crm, { seconds, ...(error !== undefined && { error }) });
}

/** Stores how far an account was read, and when it is next. `error` left out: as it was. */
const note = (
  ctx: Ctx,
  { connectionId, provider }: Crm,
  { cursor, seconds, error }: { cursor?: string; seconds: number; error?: string | null },
): Promise<void> =>
  ctx.transaction(async (t) => {
    const row: AccountRow | undefined = await lockAccount(t.tx, t.companyId, connectionId);
    // Disconnected meanwhile.
    if (!row) return;
    const now = t.clock();
    await patchAccount(t.tx, t.companyId, connectionId, {
      ...(cursor !== undefined && { read_cursor: cursor }),
      ...(error !== undefined && { read_error: error }),
      read_at: now,
      read_due_at: new Date(now.getTime() + seconds * 1000),
    });
    if (error !== undefined && error !== row.read_error)
      await t.publish(integrationsChanged, { companyId: t.companyId, provider });
  });
