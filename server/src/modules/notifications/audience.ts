import type { PermissionKey } from '#contract';
import type { NotificationKind } from '#contract/notifications/rules';
import { grantIn } from '../../platform/access.ts';
import type { TxCtx } from '../../platform/context.ts';
import { accessOfPerson } from '../companies/index.ts';
import { laterOf, pausedPeople } from './pauses.ts';
import { quietUntil, wantsNotification } from './preferences.ts';
import { connectedPersons } from './store.ts';
import { mutedEvents, readersOf, settingsOfUsers, type Reader } from './store-settings.ts';

// The system role: names, addresses and presence of people, for IDs that the company’s own rows hold.

/** A member of the company whom a notification can be for. */
export interface Listener extends Pick<Reader, 'user_id' | 'email' | 'company'> {
  /** A push reaches them now: no page open, no quiet hours, no do not disturb, within their hours. */
  isReachable: boolean;
  /** When their quiet hours, do not disturb and time off end; now, where there are none. */
  mailAt: Date;
  /** Whether their settings ask for it this way, and they didn't mute its number. */
  wants: (way: 'push' | 'email', numberId: number | null) => boolean;
}

/**
 * The members who get into the company with this permission, and how each wants to be told of this
 * kind of event. Administrators of its organization who aren't members are left out.
 */
export async function audienceOf(
  ctx: TxCtx,
  kind: Extract<NotificationKind, 'alert'>,
  permission: PermissionKey,
): Promise<Listener[]> {
  const members = (await readersOf(ctx.db.unscoped, ctx.companyId)).filter(
    ({ role }) => role !== 'org-administrator',
  );
  const readers: Reader[] = [];
  for (const one of members)
    if (grantIn(await accessOfPerson(ctx.db, ctx.companyId, one.user_id), permission) !== 'none')
      readers.push(one);
  const ids = readers.map(({ user_id }) => user_id);
  const settings = await settingsOfUsers(ctx.tx, ctx.companyId, ids);
  const connected = await connectedPersons(ctx.db.unscoped, ids, ctx.now);
  const paused = await pausedPeople(ctx);
  const muted = await mutedEvents(ctx.tx, ctx.companyId, kind);
  return readers.map((reader) => {
    const { user_id, email, company } = reader;
    const own = settings.get(user_id);
    const zone = own?.timezone ?? reader.timezone ?? reader.company_timezone;
    const quietEnd = quietUntil(own, zone, ctx.now);
    return {
      ...{ user_id, email, company },
      isReachable: !connected.has(user_id) && quietEnd === null && !paused.has(user_id),
      mailAt: laterOf(quietEnd, paused.get(user_id) ?? null) ?? ctx.now,
      wants: (way, numberId) =>
        wantsNotification(own, kind, way, numberId) &&
        !muted.get(`${numberId}:${way}`)?.has(user_id),
    };
  });
}
