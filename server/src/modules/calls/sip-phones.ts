/** What the SIP front door asks of the product: who a phone's user is, that it is there, and the calls it dials. */
import { createHash } from 'node:crypto';
import { calls as contract, grantOf, type EffectiveRole } from '#contract';
import { makeCtx, systemCtx, type House, type Said } from '../../platform/context.ts';
import { Refusal } from '../../platform/refuse.ts';
import { unseal } from '../../platform/secrets.ts';
import { placeCall } from './place-call.ts';
import { firstNumberOf, sipPerson } from './store-sip.ts';
import { dropDevice, seeDevice } from './store-presence.ts';

interface Who { companyId: number; userId: number; device: string }

/**
 * A person by SIP user name, with what checks their password for this realm (HA1) and the companies whose calls they may
 * take, in the order they joined. The password itself leaves this function in no form.
 */
export async function sipLogin(house: House, user: string, realm: string): Promise<{ userId: number; companies: number[]; ha1: string } | null> {
  const person = await sipPerson(house.db, user);
  const companies = (person?.places ?? []).filter((place) => grantOf(place.role, 'calling.use') !== 'none').map((place) => place.companyId);
  if (!person || !companies.length) return null;
  const password = unseal(house.settings.appSecret, person.sealed);
  return { userId: person.userId, companies, ha1: createHash('md5').update(`${user}:${realm}:${password}`).digest('hex') };
}

/** A registered phone counts as a device of its person, like an open page. */
export async function sipPresent(house: House, said: Said, who: Who, there: boolean): Promise<void> {
  await systemCtx(house, who.companyId, said, 'sip').transaction(async (t) => {
    const news = there ? await seeDevice(t.tx, who.companyId, who.userId, who.device, t.now) : await dropDevice(t.tx, who.companyId, who.userId, who.device);
    if (news) await t.say(contract.callingPresenceChanged, { companyId: who.companyId, userId: who.userId });
  });
}

/** A phone dials: that person's call, shown as the first number they may use. Answers why not, in words, or null. */
export async function placeFromSip(house: House, said: Said, who: Who & { to: string }): Promise<string | null> {
  const { companyId, userId, device, to } = who;
  const found = await firstNumberOf(house.db, companyId, userId);
  if (!found) return 'You have no number to call from.';
  const membership = { companyId, role: found.role as EffectiveRole, numberIds: found.numberIds, switches: {} };
  const actor = { kind: 'user' as const, userId, name: '', email: '', sessionId: 0, staff: false, adminMode: false, memberships: [membership] };
  const ctx = makeCtx(house, { companyId, actor, role: membership.role, grant: grantOf(membership.role, 'calling.use'), numbers: found.numberIds.length ? found.numberIds : null, requestId: 'sip' }, said);
  try {
    await placeCall(ctx, { number_id: found.numberId, destination: to, device });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    house.log.error({ err: error, companyId, userId }, 'a call dialled on a SIP phone could not be placed');
    return 'The call could not be placed.';
  }
}
