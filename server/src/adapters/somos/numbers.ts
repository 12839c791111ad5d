import { matchNumber, templatesOf } from '#contract/numbers/vanity';
import type { SomosSettings } from './settings.ts';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import type { CarrierObjectStore } from '../shared/carrier-object-store.ts';
import type { SomosApi } from './api.ts';

/** The registry returns ten numbers at a time. */
const pageSize = 10;
const tollFreeCodes = ['800', '888', '877', '866', '855', '844', '833'];
const toFoundNumber = (
  settings: SomosSettings,
  number: string,
  vanityText: string | null,
): AvailableNumber => ({
  number,
  region: '',
  city: '',
  rateCenter: '',
  vanityText,
  monthlyCents: settings.cents,
  setupCents: 0,
  providerId: 2,
  features: ['voice', 'sms', 'mms'],
});

/**
 * Searching, reserving and releasing toll-free numbers. A reserved number still has to be pointed at the carrier
 * that serves it.
 */
export function somosNumbers(
  settings: SomosSettings,
  api: SomosApi,
  store: CarrierObjectStore,
): NumberInventory {
  return {
    name: 'somos',
    search: (query) => searchNumbers(settings, api, query),
    order: (number, key) => orderNumber(settings, api, store, number, key),
    async release(number) {
      const { respOrg, status: current } = await statusOf(api, number);
      if (respOrg === settings.respOrg && current !== 'SPARE') {
        const { status } = await api.request('PUT', '/v3/ip/num/tfn/update', {
          tfNumList: [number.slice(2)],
          status: 'SPARE',
          respOrgId: settings.respOrg,
        });
        if (status >= 400) throw new Error(`Somos did not release ${number} (${status}).`);
      }
      await store.drop('order', number);
    },
  };
}

/** The registry's status of a number, and the responsible organization (RespOrg) that has it. */
async function statusOf(
  api: SomosApi,
  number: string,
): Promise<{ status: string; respOrg: string }> {
  const path = `/v3/ip/num/tfn/query/tfn/${number.slice(2)}`;
  const { said: body } = await api.request('GET', path);
  const results = body['queryResult'];
  const entry = (Array.isArray(results) ? (results[0] as Record<string, unknown>) : body) ?? {};
  return {
    status: String(entry['status'] ?? '').toUpperCase(),
    respOrg: String(entry['respOrgId'] ?? entry['ctrlRespOrgId'] ?? ''),
  };
}

const heldStatuses = ['RESERVE', 'RESERVED', 'ASSIGNED', 'WORKING'];

async function orderNumber(
  settings: SomosSettings,
  api: SomosApi,
  store: CarrierObjectStore,
  number: string,
  key: string,
): ReturnType<NumberInventory['order']> {
  if (!/^\+18\d{9}$/.test(number)) return { state: 'taken' };
  const { thing: object } = await store.put('order', number, { facts: { key } });
  const { respOrg, status } = await statusOf(api, number);
  const isOurs = respOrg === settings.respOrg && heldStatuses.includes(status);
  if (object.facts['key'] !== key) {
    if (isOurs) return { state: 'taken' };
    await store.change('order', number, { facts: { key } });
  }
  if (!isOurs && !(await reserve(settings, api, number))) {
    await store.drop('order', number);
    return { state: 'taken' };
  }
  const providerRef = number.slice(2);
  await store.change('order', number, { ref: providerRef });
  return { state: 'ordered', providerRef, found: toFoundNumber(settings, number, null) };
}

/** False when the number is not available. */
async function reserve(settings: SomosSettings, api: SomosApi, number: string): Promise<boolean> {
  const { status, said: body } = await api.request('POST', '/v3/ip/num/tfn/reserve', {
    numList: [number.slice(2)],
    conName: settings.contact.name,
    conTel: settings.contact.phone,
    shrtNotes: 'Trunkline',
  });
  const reserved = (Array.isArray(body['numList']) ? body['numList'] : []).map(String);
  return status < 400 && reserved.includes(number.slice(2));
}

async function searchNumbers(
  settings: SomosSettings,
  api: SomosApi,
  query: NumberQuery,
): Promise<AvailableNumber[]> {
  if (query.category !== 1 || !['US', 'CA'].includes(query.country)) return [];
  const unwanted = new Set(query.exclude);
  const result: AvailableNumber[] = [];
  const code = query.areaCode && /^8\d\d$/.test(query.areaCode) ? query.areaCode : null;
  // The registry’s wildcard is `*` for any digit, over all ten digits.
  const masks = templatesOf(query)
    .filter((t) => t.length <= 10)
    .map((t) => t.replace(/[^0-9*]/g, '*'))
    .map((t) => (query.match === 'Starts with' ? t.padEnd(7, '*') : t.padStart(7, '*')).slice(-7))
    .slice(0, 5);
  const ways: [string, object][] = masks.length
    ? masks.map((mask) => ['wildcard', { qty: pageSize, wildCardNum: `${code ?? '8**'}${mask}` }])
    : (code ? [code] : tollFreeCodes).map((npa) => [
        'random',
        { qty: Math.min(pageSize, query.limit + unwanted.size), npa },
      ]);
  for (const [way, body] of ways) {
    if (result.length >= query.limit) break;
    const { status, said } = await api.request('PUT', `/v2/ip/num/tfn/${way}`, body);
    if (status >= 400) continue; // nothing spare of that shape
    for (const tfn of Array.isArray(said['numList']) ? said['numList'].map(String) : []) {
      const national = tfn.replace(/\D/g, '');
      const number = `+1${national}`;
      const match = /^8\d{9}$/.test(national) ? matchNumber(national, query) : null;
      if (
        !match ||
        unwanted.has(number) ||
        result.length >= query.limit ||
        (code && !national.startsWith(code))
      )
        continue;
      unwanted.add(number);
      result.push(toFoundNumber(settings, number, match.text));
    }
  }
  return result;
}
