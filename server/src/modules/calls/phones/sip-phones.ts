/** What our exchange's SIP server needs: login, registration, and calls that SIP phones control. */
import { createHash } from 'node:crypto';
import { calls as contract } from '#contract';
import { accessTo, grantIn, numbersIn } from '../../../platform/access.ts';
import {
  createCtx,
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
} from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { unseal } from '../../../platform/secrets.ts';
import { personNow } from '../../companies/index.ts';
import { holdCall } from './control-call.ts';
import { transferCall } from '../live/transfer-call.ts';
import { placeCall } from './place-call.ts';
import { callRefOfName } from '../runtime/call-ref.ts';
import { firstNumberOf, sipPerson } from './store-sip.ts';
import { deleteDevice, seeDevice } from './store-presence.ts';

interface PhoneUser {
  companyId: number;
  userId: number;
  device: string;
}

/**
 * A user by SIP user name: the digest HA1 for this realm and the companies whose calls they may
 * take, by company id. null = unknown, or may not call. The password itself is never returned.
 */
export async function sipLogin(
  services: Services,
  user: string,
  realm: string,
): Promise<{ userId: number; companies: number[]; ha1: string } | null> {
  const person = await sipPerson(services.db, user);
  const actor = person && (await personNow(services.db, person.userId));
  const companies = (actor?.memberships ?? [])
    .filter((access) => grantIn(access, 'calling.use') !== 'none')
    .map((access) => access.companyId);
  if (!person || !companies.length) return null;
  const password = unseal(services.settings.appSecrets, person.sealed);
  return {
    userId: person.userId,
    companies,
    ha1: createHash('md5').update(`${user}:${realm}:${password}`).digest('hex'),
  };
}

/** A SIP registration began or ended: the phone counts as a device, like an open page. */
export async function sipPresent(
  services: Services,
  notifier: OutboxNotifier,
  { companyId, userId, device }: PhoneUser,
  registered: boolean,
): Promise<void> {
  await systemCtx(services, companyId, notifier, 'sip').transaction(async (t) => {
    const changed = registered
      ? await seeDevice(t.tx, companyId, userId, device, t.now)
      : await deleteDevice(t.tx, companyId, userId, device);
    if (changed) await t.publish(contract.callingPresenceChanged, { companyId, userId });
  });
}

/** The context of the phone's user in a company; null = no longer allowed to call. */
async function phoneUserCtx(
  services: Services,
  notifier: OutboxNotifier,
  { companyId, userId }: PhoneUser,
): Promise<Ctx | null> {
  const person = await personNow(services.db, userId);
  // A phone knows no admin mode: it rings and calls in its person's own companies.
  const actor = person && { ...person, adminMode: false };
  const access = actor && accessTo(actor, companyId);
  const grant = grantIn(access, 'calling.use');
  if (!actor || !access || grant === 'none') return null;
  const { roles } = access;
  const numbers = numbersIn(access, grant);
  return createCtx(
    services,
    { companyId, actor, roles, grant, numbers, requestId: 'sip' },
    notifier,
  );
}

/** Why a phone's request failed: SIP status and reason phrase. */
interface SipRefusal {
  status: number;
  reason: string;
}

/**
 * Places a call a phone dialed, from the first number its user may use. Returns the leg that rings
 * the phone, or why there is no call.
 */
export async function placeFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser & { to: string; exchange: string | null },
): Promise<{ leg: string } | SipRefusal> {
  const { companyId, userId, device, to, exchange } = who;
  const ctx = await phoneUserCtx(services, notifier, who);
  const numberId = ctx && (await firstNumberOf(services.db, companyId, ctx.numbers));
  if (numberId === null || !ctx)
    return { status: 403, reason: 'You don’t have a number to call from.' };
  try {
    const { data } = await placeCall(
      ctx,
      { number_id: numberId, destination: to, device },
      exchange,
    );
    return { leg: data.leg };
  } catch (error) {
    if (error instanceof ApiError)
      return {
        status: sipRejection(error, to),
        reason: error.code === 'invalid' ? 'This isn’t a phone number.' : error.message,
      };
    services.log.error(
      { err: error, companyId, userId },
      'could not place a call dialed on a SIP phone',
    );
    return { status: 500, reason: 'The call couldn’t be placed.' };
  }
}

/** The SIP status of an API error (RFC 3261 21): too few digits are 484 (Address Incomplete). */
function sipRejection({ code }: ApiError, dialed: string): number {
  const [number = ''] = dialed.split(',');
  if (code === 'invalid') return number.replace(/[^0-9]/g, '').length < 10 ? 484 : 404;
  if (code === 'calling.busy') return 486;
  return code === 'carrier.unreachable' ? 503 : 403;
}

/**
 * A phone puts its call on hold or resumes it; the external party hears music. A refusal
 * (`ApiError`) is ignored, as the phone can't show it; throws all others.
 */
export async function holdFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser,
  leg: string,
  on: boolean,
): Promise<void> {
  const ctx = await phoneUserCtx(services, notifier, who);
  const callRef = callRefOfName(leg);
  if (!ctx || callRef?.companyId !== who.companyId) return;
  try {
    await holdCall(ctx, callRef.callId, on);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * A phone transfers its call (blind) to a SIP user name or a number. Returns why it failed; null =
 * transferred.
 */
export async function transferFromSip(
  services: Services,
  notifier: OutboxNotifier,
  who: PhoneUser,
  leg: string,
  to: string,
): Promise<string | null> {
  const ctx = await phoneUserCtx(services, notifier, who);
  const callRef = callRefOfName(leg);
  if (!ctx || callRef?.companyId !== who.companyId) return 'This call can’t be transferred.';
  try {
    const colleague = /^[\x21-\x7e]{1,64}$/.test(to) ? await sipPerson(services.db, to) : null;
    await transferCall(ctx, callRef.callId, {
      ...(colleague ? { user_id: colleague.userId } : { number: to }),
      ask: false,
    });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    services.log.error({ err: error, ...callRef }, 'could not transfer a call from a SIP phone');
    return 'The call couldn’t be transferred.';
  }
}
