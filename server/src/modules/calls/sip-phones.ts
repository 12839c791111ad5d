/** What the SIP front door asks of the product: who a phone's user is, that it is there, and the calls it dials. */
import { createHash } from 'node:crypto';
import { calls as contract, grantOf, type EffectiveRole } from '#contract';
import { makeCtx, systemCtx, type Ctx, type House, type Said } from '../../platform/context.ts';
import { Refusal } from '../../platform/refuse.ts';
import { unseal } from '../../platform/secrets.ts';
import { holdCall } from './control-call.ts';
import { transferCall } from './live/pass-call.ts';
import { placeCall } from './place-call.ts';
import { placeOfName } from './place.ts';
import { firstNumberOf, memberOf, sipPerson } from './store-sip.ts';
import { dropDevice, seeDevice } from './store-presence.ts';

interface Who {
  companyId: number;
  userId: number;
  device: string;
}

/**
 * A person by SIP user name, with what checks their password for this realm (HA1) and the companies whose calls they may
 * take, in the order they joined. The password itself leaves this function in no form.
 */
export async function sipLogin(
  house: House,
  user: string,
  realm: string,
): Promise<{ userId: number; companies: number[]; ha1: string } | null> {
  const person = await sipPerson(house.db, user);
  const companies = (person?.places ?? [])
    .filter((place) => grantOf(place.role, 'calling.use') !== 'none')
    .map((place) => place.companyId);
  if (!person || !companies.length) return null;
  const password = unseal(house.settings.appSecret, person.sealed);
  return {
    userId: person.userId,
    companies,
    ha1: createHash('md5').update(`${user}:${realm}:${password}`).digest('hex'),
  };
}

/** A registered phone counts as a device of its person, like an open page. */
export async function sipPresent(
  house: House,
  said: Said,
  who: Who,
  there: boolean,
): Promise<void> {
  await systemCtx(house, who.companyId, said, 'sip').transaction(async (t) => {
    const news = there
      ? await seeDevice(t.tx, who.companyId, who.userId, who.device, t.now)
      : await dropDevice(t.tx, who.companyId, who.userId, who.device);
    if (news)
      await t.say(contract.callingPresenceChanged, {
        companyId: who.companyId,
        userId: who.userId,
      });
  });
}

/** The person at a phone, acting in one of their companies; null when they no longer may. */
async function personAt(house: House, said: Said, { companyId, userId }: Who): Promise<Ctx | null> {
  const found = await memberOf(house.db, companyId, userId);
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
  return makeCtx(
    house,
    { companyId, actor, role: membership.role, grant, numbers, requestId: 'sip' },
    said,
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
  house: House,
  said: Said,
  who: Who & { to: string },
): Promise<{ leg: string } | SipRefusal> {
  const { companyId, userId, device, to } = who;
  const numberId = await firstNumberOf(house.db, companyId, userId);
  const ctx = await personAt(house, said, who);
  if (numberId === null || !ctx) return { status: 403, reason: 'You have no number to call from.' };
  try {
    const { data } = await placeCall(ctx, { number_id: numberId, destination: to, device });
    return { leg: data.leg };
  } catch (error) {
    if (error instanceof Refusal)
      return {
        status: sipStatusOf(error, to),
        reason: error.code === 'invalid' ? 'This is not a phone number.' : error.message,
      };
    house.log.error(
      { err: error, companyId, userId },
      'a call dialled on a SIP phone could not be placed',
    );
    return { status: 500, reason: 'The call could not be placed.' };
  }
}

/** Too few digits may become a number yet; too many, or none, never. */
function sipStatusOf({ code }: Refusal, dialled: string): number {
  if (code === 'invalid') return dialled.replace(/[^0-9]/g, '').length < 10 ? 484 : 404;
  if (code === 'calling.busy') return 486;
  return code === 'carrier.unreachable' ? 503 : 403;
}

/** A phone puts its call on hold, or takes it back: who is outside hears the music. */
export async function holdFromSip(
  house: House,
  said: Said,
  who: Who,
  leg: string,
  on: boolean,
): Promise<void> {
  const ctx = await personAt(house, said, who);
  const place = placeOfName(leg);
  if (!ctx || place?.companyId !== who.companyId) return;
  try {
    await holdCall(ctx, place.callId, on);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** A phone's transfer key: the call rings on at a colleague's (by SIP user name) or at a number. Answers why not, or null. */
export async function transferFromSip(
  house: House,
  said: Said,
  who: Who,
  leg: string,
  to: string,
): Promise<string | null> {
  const ctx = await personAt(house, said, who);
  const place = placeOfName(leg);
  if (!ctx || place?.companyId !== who.companyId) return 'This call cannot be transferred.';
  try {
    const colleague = /^[\x21-\x7e]{1,64}$/.test(to) ? await sipPerson(house.db, to) : null;
    await transferCall(ctx, place.callId, {
      ...(colleague ? { user_id: colleague.userId } : { number: to }),
      ask: false,
    });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    house.log.error({ err: error, ...place }, 'a call could not be transferred from a SIP phone');
    return 'The call could not be transferred.';
  }
}
