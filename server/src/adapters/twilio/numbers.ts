import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/vanity';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { rethrowRefusal, classifyError } from './api.ts';
import { webhookPath, type TwilioClient } from './client.ts';

/** Twilio's own list prices in the United States and Canada, a month. Cents. */
const monthlyCents = { local: 115, tollFree: 215 };
/** Asked for more than wanted, because Twilio cannot match beginnings, ends and shapes. */
const maxResults = 100;
/** Somebody else has it, or it cannot be had. */
const unavailableCodes = new Set([21421, 21422, 21452]);

/** Finding, buying and giving back numbers at Twilio; our webhook addresses are set as they are bought. */
export function twilioNumbers(client: TwilioClient): NumberInventory {
  return {
    name: 'twilio',
    search: (query) => searchNumbers(client, query).catch(rethrowRefusal),
    order: (number, key) => orderNumber(client, number, key),
    release: (number) => releaseNumber(client, number),
  };
}

async function searchNumbers(client: TwilioClient, query: NumberQuery): Promise<AvailableNumber[]> {
  if (query.category === 3 || !['US', 'CA'].includes(query.country)) return []; // its numbers take no fax
  const tollFree = query.category === 1;
  const at = client.api.client.availablePhoneNumbers(query.country);
  const unwanted = new Set(query.exclude);
  const found: AvailableNumber[] = [];
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
      limit: contains ? maxResults : Math.min(maxResults, query.limit + unwanted.size),
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
  // Twilio's own list knows whether an order whose answer was lost went through.
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
