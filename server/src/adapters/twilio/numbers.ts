import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/numbers/vanity';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { rethrowRefusal, classifyError } from './api.ts';
import { webhookPath, type TwilioClient } from './client.ts';

/** Twilio's list prices a month in the United States and Canada. */
const monthlyCents = { local: 115, tollFree: 215 };
/**
 * Numbers requested per search: more than needed, because Twilio cannot match by position and
 * pattern.
 */
const maxResults = 100;
/** Error codes for a number that is not available. */
const unavailableCodes = new Set([21421, 21422, 21452]);

/**
 * Searching, buying and releasing numbers at Twilio. Our webhook URLs are set with the purchase.
 */
export function twilioNumbers(client: TwilioClient): NumberInventory {
  return {
    name: 'twilio',
    search: (query) => searchNumbers(client, query).catch(rethrowRefusal),
    order: (number, key) => orderNumber(client, number, key),
    release: (number) => releaseNumber(client, number),
  };
}

async function searchNumbers(client: TwilioClient, query: NumberQuery): Promise<AvailableNumber[]> {
  // Twilio's numbers do not support fax.
  if (query.category === 3 || !['US', 'CA'].includes(query.country)) return [];
  const excluded = new Set(query.exclude);
  const found: AvailableNumber[] = [];
  for (const contains of patternsOf(query)) {
    if (found.length >= query.limit) break;
    for (const offer of await fetchOffers(client, query, contains, excluded.size)) {
      const available = readOffer(offer, query);
      if (!available || excluded.has(available.number) || found.length >= query.limit) continue;
      excluded.add(available.number);
      found.push(available);
    }
  }
  return found;
}

/** Twilio's search patterns. Undefined, for any number, only when the query has no pattern. */
function patternsOf(query: NumberQuery): (string | undefined)[] {
  const templates = templatesOf(query);
  if (!templates.length) return [undefined];
  return templates
    .filter((template) => template.length <= 10)
    .map((template) => template.replace(/[^0-9A-Za-z*]/g, '*'))
    .slice(0, 5);
}

const isAreaCode = (text: string | undefined): text is string =>
  text !== undefined && /^\d{3}$/.test(text);

type Offer = Awaited<ReturnType<typeof fetchOffers>>[number];

function fetchOffers(
  client: TwilioClient,
  query: NumberQuery,
  contains: string | undefined,
  excludedCount: number,
) {
  const available = client.api.client.availablePhoneNumbers(query.country);
  const search = {
    ...(contains ? { contains } : {}),
    ...(isAreaCode(query.areaCode) && !contains ? { areaCode: Number(query.areaCode) } : {}),
    limit: contains ? maxResults : Math.min(maxResults, query.limit + excludedCount),
    voiceEnabled: true,
  };
  if (query.category === 1) return available.tollFree.list(search);
  return available.local.list({
    ...search,
    ...(query.state ? { inRegion: query.state } : {}),
    ...(query.city ? { inLocality: query.city } : {}),
  });
}

/** Null when the number does not fit the query. */
function readOffer(offer: Offer, query: NumberQuery): AvailableNumber | null {
  const national = offer.phoneNumber.slice(2);
  const match = matchNumber(national, query);
  if (!match) return null;
  if (isAreaCode(query.areaCode) && national.slice(0, 3) !== query.areaCode) return null;
  const { voice, sms, mms } = offer.capabilities;
  return {
    number: offer.phoneNumber,
    region: offer.region ?? '',
    city: offer.locality ?? '',
    rateCenter: offer.rateCenter ?? '',
    vanityText: match.text,
    monthlyCents: query.category === 1 ? monthlyCents.tollFree : monthlyCents.local,
    setupCents: 0,
    providerId: 3,
    features: [
      ...(voice ? ['voice' as const] : []),
      ...(sms ? ['sms' as const] : []),
      ...(mms ? ['mms' as const] : []),
    ],
  };
}

type OrderResult = Awaited<ReturnType<NumberInventory['order']>>;
async function orderNumber(
  client: TwilioClient,
  number: string,
  key: string,
): Promise<OrderResult> {
  const { client: sdkClient } = client.api;
  const ordered = (ref: string): OrderResult => ({
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
  const { thing: object } = await client.store.put('order', number, { facts: { key } });
  // Twilio's list of numbers shows whether an order whose response was lost succeeded.
  const [ours] = await sdkClient.incomingPhoneNumbers.list({ phoneNumber: number, limit: 1 });
  if (object.facts['key'] !== key) {
    if (ours) return { state: 'taken' };
    await client.store.change('order', number, { facts: { key } });
  }
  if (ours) {
    await client.store.change('order', number, { ref: ours.sid });
    return ordered(ours.sid);
  }
  const at = (what: string) => `${client.publicUrl}${webhookPath(what)}`;
  try {
    const bought = await sdkClient.incomingPhoneNumbers.create({
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
    await client.store.change('order', number, { ref: bought.sid });
    return ordered(bought.sid);
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is !== 'refused') throw error;
    await client.store.drop('order', number);
    if (!unavailableCodes.has(failure.code)) return rethrowRefusal(error);
    return { state: 'taken' };
  }
}

async function releaseNumber(client: TwilioClient, number: string): Promise<void> {
  for (const ours of await client.api.client.incomingPhoneNumbers.list({
    phoneNumber: number,
    limit: 5,
  })) {
    if (ours.phoneNumber !== number) continue; // its filter matches parts of numbers too
    await client.api.client
      .incomingPhoneNumbers(ours.sid)
      .remove()
      .catch((error: unknown) => {
        const failure = classifyError(error);
        if (failure.is !== 'refused' || failure.status !== 404) throw error;
      });
  }
  await client.store.drop('order', number);
}

/** Twilio's id of one of our numbers; undefined when it is not in the account. */
export async function sidOfNumber(
  client: TwilioClient,
  number: string,
): Promise<string | undefined> {
  const known = await client.store.get('order', number);
  if (known?.ref) return known.ref;
  return (
    await client.api.client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 1 })
  ).find((n) => n.phoneNumber === number)?.sid;
}
