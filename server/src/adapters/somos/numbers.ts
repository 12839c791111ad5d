import { matchNumber, templatesOf } from '#contract/vanity';
import type { SomosSettings } from '../../platform/settings.ts';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import type { CarrierLegStore } from '../carrier-leg-store.ts';
import type { SomosApi } from './api.ts';

/** The registry shows ten at a time. */
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

/** Finding, reserving and giving back toll-free numbers. A reserved number still has to be pointed at the carrier that answers it. */
export function somosNumbers(
  settings: SomosSettings,
  api: SomosApi,
  store: CarrierLegStore<{ kind: string }>,
): NumberInventory {
  const statusOf = async (number: string): Promise<{ status: string; respOrg: string }> => {
    const { said } = await api.request('GET', `/v3/ip/num/tfn/query/tfn/${number.slice(2)}`);
    const of =
      (Array.isArray(said['queryResult'])
        ? (said['queryResult'][0] as Record<string, unknown>)
        : said) ?? {};
    return {
      status: String(of['status'] ?? '').toUpperCase(),
      respOrg: String(of['respOrgId'] ?? of['ctrlRespOrgId'] ?? ''),
    };
  };
  return {
    name: 'somos',
    search: (query) => searchNumbers(settings, api, query),
    async order(number, key) {
      if (!/^\+18\d{9}$/.test(number)) return { state: 'taken' };
      const { thing: object } = await store.put('order', number, { facts: { key } });
      const standing = await statusOf(number);
      const ours =
        standing.respOrg === settings.respOrg &&
        ['RESERVE', 'RESERVED', 'ASSIGNED', 'WORKING'].includes(standing.status);
      if (object.facts['key'] !== key) {
        if (ours) return { state: 'taken' };
        await store.change('order', number, { facts: { key } });
      }
      if (!ours) {
        const { status, said } = await api.request('POST', '/v3/ip/num/tfn/reserve', {
          numList: [number.slice(2)],
          conName: settings.contact.name,
          conTel: settings.contact.phone,
          shrtNotes: 'Trunkline',
        });
        const got = (Array.isArray(said['numList']) ? said['numList'] : []).map(String);
        if (status >= 400 || !got.includes(number.slice(2))) {
          await store.drop('order', number);
          return { state: 'taken' };
        }
      }
      await store.change('order', number, { ref: number.slice(2) });
      return {
        state: 'ordered',
        providerRef: number.slice(2),
        found: toFoundNumber(settings, number, null),
      };
    },
    async release(number) {
      const standing = await statusOf(number);
      if (standing.respOrg === settings.respOrg && standing.status !== 'SPARE') {
        const { status } = await api.request('PUT', '/v3/ip/num/tfn/update', {
          tfNumList: [number.slice(2)],
          status: 'SPARE',
          respOrgId: settings.respOrg,
        });
        if (status >= 400) throw new Error(`Somos didn’t take back ${number} (${status}).`);
      }
      await store.drop('order', number);
    },
  };
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
  // The registry's own wildcard is `*` for any digit, over all ten.
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
