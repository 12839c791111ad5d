import { invitations as contract, type Answer, type Body } from '#contract';
import { emailAddress } from '#contract/email-address';
import { formatPhone, normalizePhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { withSavepoint } from '../../../platform/savepoint.ts';
import { numbersOf } from '../store.ts';
import { invitePerson } from './invite-person.ts';
import { pendingInvitationTo } from './store.ts';

type Batch = Body<typeof contract.inviteMany>;
type Row = Batch['rows'][number];
type Result = Answer<typeof contract.inviteMany>['data'][number];
type OwnNumber = Awaited<ReturnType<typeof numbersOf>>[number];

/** Ends the transaction of a check, with what it found, so that nothing of it stays. */
class Checked extends Error {
  constructor(readonly data: Result[]) {
    super('only a check');
  }
}

/**
 * Invites each row as `invitePerson` does, and those who can't be invited are told with the reason.
 * A check does the same and undoes it, so that seats, duplicates and roles are judged alike. Throws
 * what isn't about one row, and then invites no one.
 */
export async function inviteMany(
  ctx: Ctx,
  batch: Batch,
  http: Http,
): Promise<Answer<typeof contract.inviteMany>> {
  try {
    return {
      data: await ctx.transaction(async (t) => {
        const data = await inviteRows(t, batch, http);
        if (batch.check) throw new Checked(data);
        return data;
      }),
    };
  } catch (error) {
    if (error instanceof Checked) return { data: error.data };
    throw error;
  } finally {
    void http.reply.code(200);
  }
}

async function inviteRows(t: TxCtx, batch: Batch, http: Http): Promise<Result[]> {
  const own = await numbersOf(t.tx, t.companyId);
  const firstAt = new Map<string, number>();
  const results: Result[] = [];
  for (const [i, row] of batch.rows.entries()) {
    const read = readRow(row, own);
    const first = firstAt.get(read.email);
    firstAt.set(read.email, first ?? i);
    const twice = first !== undefined && read.email !== '';
    const reason = twice ? `Same address as in row ${first + 1}.` : read.reason;
    results.push(await inviteRow(t, batch, row, { ...read, reason }, http));
  }
  return results;
}

interface ReadRow {
  email: string;
  role: Result['role'];
  numbers: OwnNumber[];
  reason: string | null;
}

/** What a row means; `reason`: why it can't be read, null if it can. */
function readRow(row: Row, own: readonly OwnNumber[]): ReadRow {
  const address = emailAddress.safeParse(row.email);
  const role = contract.invitedRoleOf(row.role);
  const wanted = row.phone_numbers.split(/[;\n|]/).flatMap((one) => one.trim() || []);
  const numbers = wanted.map((one) => own.find(({ number }) => number === normalizePhone(one)));
  const unknown = wanted.find((_, i) => numbers[i] === undefined);
  return {
    email: address.success ? address.data.toLowerCase() : row.email,
    role,
    numbers: numbers.flatMap((one) => one ?? []),
    reason: !address.success
      ? 'Enter an email address.'
      : role === null
        ? `“${row.role}” isn’t a role. Use administrator, billing, reporting or user.`
        : unknown === undefined
          ? null
          : `${formatPhone(unknown)} isn’t a number of this company.`,
  };
}

async function inviteRow(
  t: TxCtx,
  { message, check }: Batch,
  { first_name, last_name }: Row,
  { email, role, numbers, reason }: ReadRow,
  http: Http,
): Promise<Result> {
  const shown = { email, role, numbers };
  const refused = (why: string): Result => ({
    ...shown,
    outcome: 'refused',
    reason: why,
    link: null,
  });
  if (reason !== null || role === null) return refused(reason ?? 'Choose a role.');
  const isPending = await pendingInvitationTo(t.tx, t.companyId, email, t.now);
  try {
    const { data } = await withSavepoint(t.tx, () =>
      invitePerson(
        t,
        { email, first_name, last_name, role, numbers: numbers.map(({ id }) => id), message },
        http,
      ),
    );
    if (isPending) return { ...shown, outcome: 'pending', reason: null, link: null };
    return check
      ? { ...shown, outcome: 'ready', reason: null, link: null }
      : { ...shown, outcome: 'invited', reason: null, link: data.link };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refused(Object.values(error.errors ?? {}).flat()[0] ?? error.message);
  }
}
