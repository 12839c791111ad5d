/** What the SIP front door asks of the product: who a phone's user is, that it is there, and the calls it dials. */
import { createHash } from 'node:crypto';
import { calls as contract, grantOf, type EffectiveRole } from '#contract';
import {
  createCtx,
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
} from '../../platform/context.ts';
import { ApiError } from '../../platform/errors.ts';
import { unseal } from '../../platform/secrets.ts';
import { holdCall } from './control-call.ts';
import { transferCall } from './live/transfer-call.ts';
import { placeCall } from './place-call.ts';
import { callRefOfName } from './call-ref.ts';
import { firstNumberOf, membershipOf, sipPerson } from './store-sip.ts';
import { deleteDevice, seeDevice } from './store-presence.ts';

interface PhoneUser {
  companyId: number;
  userId: number;
  device: string;
}

/**
 * A person by SIP user name, with what checks their password for this realm (HA1) and the companies whose calls they may
 * take, in the order they joined. The password itself leaves this function in no form.
 */
export async function sipLogin(
  services: Services,
  user: string,
  realm: string,
): Promise<{ userId: number; companies: number[]; ha1: string } | null> {
  const person = await sipPerson(services.db, user);
  const companies = (person?.places ?? [])
    .filter((place) => grantOf(place.role, 'calling.use') !== 'none')
    .map((place) => place.companyId);
  if (!person || !companies.length) return null;
  const password = unseal(services.settings.appSecrets, person.sealed);
  return {
    userId: person.userId,
    companies,
    ha1: createHash('md5').update(`${user}:${realm}:${password}`).digest('hex'),
  };
}

/** A registered phone counts as a device of its person, like an open page. */
export async function sipPresent(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser,
  there: boolean,
): Promise<void> {
  await systemCtx(services, who.companyId, notifier, 'sip').transaction(async (t) => {
    const news = there
      ? await seeDevice(t.tx, who.companyId, who.userId, who.device, t.now)
      : await deleteDevice(t.tx, who.companyId, who.userId, who.device);
    if (news)
      await t.publish(contract.callingPresenceChanged, {
        companyId: who.companyId,
        userId: who.userId,
      });
  });
}

/** The person at a phone, acting in one of their companies; null when they no longer may. */
async function phoneUserCtx(
  services: Services,
  notifier: OutboxNotifier,
  { companyId, userId }: PhoneUser,
): Promise<Ctx | null> {
  const found = await membershipOf(services.db, companyId, userId);
  if (!found) return null;
  const membership = {
    companyId,
    role: found.role as EffectiveRole,
    numberIds: found.numberIds,
    switches: {},
  };
  const actor = {
    kind: 'user' as const,
    userId,
    name: '',
    email: '',
    sessionId: 0,
    staff: false,
    adminMode: false,
    memberships: [membership],
  };
  const grant = grantOf(membership.role, 'calling.use');
  if (grant === 'none') return null;
  const numbers = found.numberIds.length ? found.numberIds : null;
  return createCtx(
    services,
    { companyId, actor, role: membership.role, grant, numbers, requestId: 'sip' },
    notifier,
  );
}

/** Why a phone's wish is not done, as SIP says it: a status and a sentence. */
export interface SipRefusal {
  status: number;
  reason: string;
}

/**
 * A phone dials: that person's call, shown as the first number they may use. Answers the leg that rings the phone for it, or
 * why there is no call.
 */
export async function placeFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser & { to: string },
): Promise<{ leg: string } | SipRefusal> {
  const { companyId, userId, device, to } = who;
  const numberId = await firstNumberOf(services.db, companyId, userId);
  const ctx = await phoneUserCtx(services, notifier, who);
  if (numberId === null || !ctx) return { status: 403, reason: 'You have no number to call from.' };
  try {
    const { data } = await placeCall(ctx, { number_id: numberId, destination: to, device });
    return { leg: data.leg };
  } catch (error) {
    if (error instanceof ApiError)
      return {
        status: sipRejection(error, to),
        reason: error.code === 'invalid' ? 'This is not a phone number.' : error.message,
      };
    services.log.error(
      { err: error, companyId, userId },
      'a call dialled on a SIP phone could not be placed',
    );
    return { status: 500, reason: 'The call could not be placed.' };
  }
}

/** Too few digits may become a number yet; too many, or none, never. */
function sipRejection({ code }: ApiError, dialled: string): number {
  if (code === 'invalid') return dialled.replace(/[^0-9]/g, '').length < 10 ? 484 : 404;
  if (code === 'calling.busy') return 486;
  return code === 'carrier.unreachable' ? 503 : 403;
}

/** A phone puts its call on hold, or takes it back: who is outside hears the music. */
export async function holdFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser,
  leg: string,
  on: boolean,
): Promise<void> {
  const ctx = await phoneUserCtx(services, notifier, who);
  const place = callRefOfName(leg);
  if (!ctx || place?.companyId !== who.companyId) return;
  try {
    await holdCall(ctx, place.callId, on);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** A phone's transfer key: the call rings on at a colleague's (by SIP user name) or at a number. Answers why not, or null. */
export async function transferFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser,
  leg: string,
  to: string,
): Promise<string | null> {
  const ctx = await phoneUserCtx(services, notifier, who);
  const place = callRefOfName(leg);
  if (!ctx || place?.companyId !== who.companyId) return 'This call cannot be transferred.';
  try {
    const colleague = /^[\x21-\x7e]{1,64}$/.test(to) ? await sipPerson(services.db, to) : null;
    await transferCall(ctx, place.callId, {
      ...(colleague ? { user_id: colleague.userId } : { number: to }),
      ask: false,
    });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    services.log.error(
      { err: error, ...place },
      'a call could not be transferred from a SIP phone',
    );
    return 'The call could not be transferred.';
  }
}
