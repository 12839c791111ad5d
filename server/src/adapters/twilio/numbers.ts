import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/vanity';
import type { FoundNumber, NumberInventory, NumberQuery } from '../../ports/number-inventory.ts';
import { refusedInWords, whatBecame } from './api.ts';
import { pathOf, type Desk } from './desk.ts';

/** Twilio's own list prices in the United States and Canada, a month. Cents. */
const monthlyCents = { local: 115, tollFree: 215 };
/** Asked for more than wanted, because Twilio cannot match beginnings, ends and shapes. */
const mostAsked = 100;
/** Somebody else has it, or it cannot be had. */
const notToBeHad = new Set([21421, 21422, 21452]);

/** Finding, buying and giving back numbers at Twilio; our webhook addresses are set as they are bought. */
export function twilioNumbers(desk: Desk): NumberInventory {
  return {
    name: 'twilio',
    search: (query) => search(desk, query).catch(refusedInWords),
    order: (number, key) => order(desk, number, key),
    giveBack: (number) => giveBack(desk, number),
  };
}

async function search(desk: Desk, query: NumberQuery): Promise<FoundNumber[]> {
  if (query.category === 3 || !['US', 'CA'].includes(query.country)) return []; // its numbers take no fax
  const tollFree = query.category === 1;
  const at = desk.api.client.availablePhoneNumbers(query.country);
  const unwanted = new Set(query.exclude);
  const found: FoundNumber[] = [];
  for (const contains of [
    ...templatesOf(query)
      .filter((t) => t.length <= 10)
      .map((t) => t.replace(/[^0-9A-Za-z*]/g, '*'))
      .slice(0, 5),
    undefined,
  ]) {
    if (found.length >= query.limit) break;
    if (contains === undefined && templatesOf(query).length) break; // what was asked for was asked for
    const wanted = {
      ...(contains ? { contains } : {}),
      ...(query.areaCode && /^\d{3}$/.test(query.areaCode) && !contains
        ? { areaCode: Number(query.areaCode) }
        : {}),
      limit: contains ? mostAsked : Math.min(mostAsked, query.limit + unwanted.size),
      voiceEnabled: true,
    };
    const offers = tollFree
      ? await at.tollFree.list(wanted)
      : await at.local.list({
          ...wanted,
          ...(query.state ? { inRegion: query.state } : {}),
          ...(query.city ? { inLocality: query.city } : {}),
        });
    for (const offer of offers) {
      const match = matchNumber(offer.phoneNumber.slice(2), query);
      if (
        !match ||
        unwanted.has(offer.phoneNumber) ||
        found.length >= query.limit ||
        (query.areaCode &&
          /^\d{3}$/.test(query.areaCode) &&
          offer.phoneNumber.slice(2, 5) !== query.areaCode)
      )
        continue;
      unwanted.add(offer.phoneNumber);
      const { voice, sms, mms } = offer.capabilities;
      found.push({
        number: offer.phoneNumber,
        region: offer.region ?? '',
        city: offer.locality ?? '',
        rateCenter: offer.rateCenter ?? '',
        vanityText: match.text,
        monthlyCents: tollFree ? monthlyCents.tollFree : monthlyCents.local,
        setupCents: 0,
        providerId: 3,
        features: [
          ...(voice ? ['voice' as const] : []),
          ...(sms ? ['sms' as const] : []),
          ...(mms ? ['mms' as const] : []),
        ],
      });
    }
  }
  return found;
}

type Ordered = Awaited<ReturnType<NumberInventory['order']>>;
async function order(desk: Desk, number: string, key: string): Promise<Ordered> {
  const { client } = desk.api;
  const ordered = (ref: string): Ordered => ({
    state: 'ordered',
    providerRef: ref,
    found: {
      number,
      region: '',
      city: '',
      rateCenter: '',
      vanityText: null,
      monthlyCents: isTollFree(number) ? monthlyCents.tollFree : monthlyCents.local,
      setupCents: 0,
      providerId: 3,
      features: ['voice', 'sms', 'mms'],
    },
  });
  const { thing } = await desk.book.keep('order', number, { facts: { key } });
  // Twilio's own list knows whether an order whose answer was lost went through.
  const [ours] = await client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 1 });
  if (thing.facts['key'] !== key) {
    if (ours) return { state: 'taken' };
    await desk.book.change('order', number, { facts: { key } });
  }
  if (ours) {
    await desk.book.change('order', number, { ref: ours.sid });
    return ordered(ours.sid);
  }
  const at = (what: string) => `${desk.publicUrl}${pathOf(what)}`;
  try {
    const bought = await client.incomingPhoneNumbers.create({
      phoneNumber: number,
      friendlyName: `Trunkline ${number}`,
      voiceUrl: at('voice'),
      voiceMethod: 'POST',
      voiceFallbackUrl: at('voice'),
      voiceFallbackMethod: 'POST',
      statusCallback: at('voice/status'),
      statusCallbackMethod: 'POST',
      smsUrl: at('sms'),
      smsMethod: 'POST',
      smsFallbackUrl: at('sms'),
      smsFallbackMethod: 'POST',
    });
    await desk.book.change('order', number, { ref: bought.sid });
    return ordered(bought.sid);
  } catch (error) {
    const became = whatBecame(error);
    if (became.is !== 'refused') throw error;
    await desk.book.drop('order', number);
    if (!notToBeHad.has(became.code)) return refusedInWords(error);
    return { state: 'taken' };
  }
}

async function giveBack(desk: Desk, number: string): Promise<void> {
  for (const ours of await desk.api.client.incomingPhoneNumbers.list({
    phoneNumber: number,
    limit: 5,
  })) {
    if (ours.phoneNumber !== number) continue; // its filter matches parts of numbers too
    await desk.api.client
      .incomingPhoneNumbers(ours.sid)
      .remove()
      .catch((error: unknown) => {
        const became = whatBecame(error);
        if (became.is !== 'refused' || became.status !== 404) throw error;
      });
  }
  await desk.book.drop('order', number);
}

/** Twilio's id of one of our numbers; undefined when it is not in the account. */
export async function sidOfNumber(desk: Desk, number: string): Promise<string | undefined> {
  const known = await desk.book.find('order', number);
  if (known?.ref) return known.ref;
  return (await desk.api.client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 1 })).find(
    (n) => n.phoneNumber === number,
  )?.sid;
}
