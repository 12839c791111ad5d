import { fold } from '#contract/fold';
import {
  formatPhone,
  keypadDigits,
  normalizePhone,
  type Answer,
  type live as contract,
} from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { teamsWithPeople } from '../../companies/index.ts';
import { isBlocked } from '../../compliance/index.ts';
import { contactsByNumber } from '../../contacts/index.ts';
import { contactDestinations } from '../../numbers/index.ts';
import type { PersonPause, TransferTo, Target } from '../../routing/index.ts';
import { isEmergency } from '../rules.ts';
import { pausesNow, shownStatus } from '../phones/pauses.ts';
import { presenceOf, type PresenceRow } from '../phones/store-presence.ts';
import { ringableContacts, liveCalls, type LiveCallRow } from './store.ts';

/** Seconds a transfer target rings. */
const RING_SECONDS = 25;

/** A transfer destination; exactly one field is set. */
export interface Destination {
  user_id?: number | undefined;
  number?: string | undefined;
  forward_contact_id?: number | undefined;
  route_id?: number | undefined;
  team_id?: number | undefined;
}

/**
 * Where a call can go: other users, teams, forwarding contacts, the other extensions of its number.
 * `call.ended` when it is not running.
 */
export async function callDestinations(
  ctx: Ctx,
  id: number,
  search = '',
): Promise<Answer<typeof contract.callDestinations>> {
  const people = await presenceOf(ctx.db, ctx.companyId, ctx.now);
  const { row, contacts, pauses, teams } = await ctx.transaction(async (t) => ({
    pauses: await pausesNow(t),
    teams: await teamsWithPeople(t.tx, t.companyId),
    row: (await liveCalls(t.tx, t.companyId, t.numbers, { id, mine: t.actor.userId }))[0],
    contacts: await ringableContacts(t.tx, t.companyId),
  }));
  if (!row) fail('call.ended');
  const wanted = fold(search);
  const ready = new Set(takingCalls(people, pauses, ctx.actor.userId).map((p) => p.user_id));
  const fits = (...words: string[]) => words.some((word) => fold(word).includes(wanted));
  return {
    data: {
      people: people
        .filter((p) => p.set_up && p.user_id !== ctx.actor.userId && fits(p.name))
        .map((p) => ({
          user_id: p.user_id,
          name: p.name,
          ...shownStatus(p, pauses.get(p.user_id)),
        })),
      teams: teams
        .filter((team) => fits(team.name))
        .map((team) => ({
          team_id: team.id,
          name: team.name,
          ready: team.userIds.filter((userId) => ready.has(userId)).length,
        })),
      contacts: contacts
        .filter((c) => fits(c.name, c.phone ?? ''))
        .map((c) => ({ forward_contact_id: c.id, name: c.name, number: c.phone ?? '' })),
      extensions: row.state.flow.routes
        .filter((r) => r.id !== row.state.facts.routeId && fits(r.label, String(r.extension)))
        .map((r) => ({
          route_id: r.id,
          extension: r.extension,
          label: r.label || `Extension ${r.extension}`,
        })),
    },
  };
}

/**
 * The chosen destination, ready to ring. Phones see the company's number as caller ID, app users
 * see the caller's. Throws when it cannot be rung. `isBlind`: the call is sent there and not held.
 */
export async function resolveDestination(
  t: TxCtx,
  row: LiveCallRow,
  to: Destination,
  isBlind: boolean,
): Promise<TransferTo> {
  if (to.route_id !== undefined) {
    if (!row.state.flow.routes.some((one) => one.id === to.route_id))
      invalid({ route_id: 'This number doesn’t have that extension.' });
    return { kind: 'route', routeId: to.route_id };
  }
  if (to.team_id !== undefined) return teamTarget(t, row, to.team_id);
  if (to.user_id !== undefined) return userTarget(t, row, to.user_id, isBlind);
  if (to.forward_contact_id !== undefined) {
    const contact =
      (await contactDestinations(t.tx, t.companyId, [to.forward_contact_id])).get(
        to.forward_contact_id,
      ) ?? invalid({ forward_contact_id: 'This forwarding contact no longer exists.' });
    if (contact.user_id) return userTarget(t, row, contact.user_id, isBlind);
    const number =
      contact.number ?? invalid({ forward_contact_id: 'This forwarding contact has no number.' });
    return { kind: 'target', target: outsideTarget(row, number, contact.name) };
  }
  const typed = to.number ?? '';
  if (isEmergency(typed)) fail('calling.emergency');
  const number =
    normalizePhone(keypadDigits(typed)) ?? invalid({ number: 'This isn’t a phone number.' });
  if (number === row.number || number === row.party)
    invalid({
      number:
        number === row.party
          ? 'This person is already on the call.'
          : 'This is the number the call came in on.',
    });
  if (await isBlocked(t.tx, t.companyId, row.number_id, number))
    fail('calling.blocked', { number });
  const known = (await contactsByNumber(t.tx, t.companyId, [number]))[0];
  return { kind: 'target', target: outsideTarget(row, number, known?.name || formatPhone(number)) };
}

/** Someone who takes no calls now can't be asked or added; a call sent to them isn't answered. */
async function userTarget(
  t: TxCtx,
  row: LiveCallRow,
  userId: number,
  isBlind: boolean,
): Promise<TransferTo> {
  const person = (await presenceOf(t.db, t.companyId, t.now, userId))[0];
  if (!person || !person.set_up) invalid({ user_id: 'This person can’t be called in the app.' });
  if (userId === t.actor.userId) invalid({ user_id: 'This is you. Choose someone else.' });
  const target = appTarget(t.companyId, row, userId, person.name);
  const pause = (await pausesNow(t)).get(userId);
  if (!pause) return { kind: 'target', target };
  if (!isBlind)
    invalid({
      user_id: `${person.name} isn’t taking calls. ${pause.because} Choose someone else.`,
    });
  return { kind: 'target', target, pause: `${person.name}: ${pause.because}` };
}
/** Those who can take a call in the app now, but for one. */
const takingCalls = (
  people: readonly PresenceRow[],
  pauses: ReadonlyMap<number, PersonPause>,
  except: number,
): PresenceRow[] =>
  people.filter(
    (one) =>
      one.set_up &&
      one.user_id !== except &&
      !['offline', 'away'].includes(shownStatus(one, pauses.get(one.user_id)).status),
  );

/** A team as those of its people who can take the call now, beside who transfers it. */
async function teamTarget(t: TxCtx, row: LiveCallRow, teamId: number): Promise<TransferTo> {
  const [team] = await teamsWithPeople(t.tx, t.companyId, [teamId]);
  if (!team) return invalid({ team_id: 'This team no longer exists. Choose someone else.' });
  const people = await presenceOf(t.db, t.companyId, t.now);
  const ready = takingCalls(people, await pausesNow(t), t.actor.userId).filter((one) =>
    team.userIds.includes(one.user_id),
  );
  if (ready.length === 0)
    invalid({ team_id: `No one in ${team.name} can take the call now. Choose someone else.` });
  const rung = { key: `team:${team.id}`, label: team.name };
  return {
    kind: 'team',
    ...rung,
    targets: ready.map((one) => ({
      ...appTarget(t.companyId, row, one.user_id, one.name),
      team: rung,
    })),
  };
}
/** A user's app as a ring target. `device`: only this one. */
export const appTarget = (
  companyId: number,
  row: Pick<LiveCallRow, 'party' | 'number'>,
  userId: number,
  label: string,
  device?: string,
): Target => ({
  key: `user:${userId}`,
  to: { kind: 'app', userId, companyId, ...(device ? { device } : {}) },
  label,
  callerId: row.party.startsWith('+') ? row.party : row.number,
  forwardId: null,
  timeoutSeconds: RING_SECONDS,
});
const outsideTarget = (row: LiveCallRow, number: string, label: string): Target => ({
  key: number,
  to: number.startsWith('sip') ? { kind: 'sip', uri: number } : { kind: 'phone', number },
  label,
  callerId: row.number,
  forwardId: null,
  timeoutSeconds: RING_SECONDS,
});
