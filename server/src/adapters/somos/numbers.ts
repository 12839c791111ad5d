import { matchNumber, templatesOf } from '#contract/vanity';
import type { SomosSettings } from '../../platform/settings.ts';
import type { FoundNumber, NumberInventory, NumberQuery } from '../../ports/number-inventory.ts';
import type { LegBook } from '../leg-book.ts';
import type { Api } from './api.ts';

/** The registry shows ten at a time. */
const atOnce = 10;
const tollFreeCodes = ['800', '888', '877', '866', '855', '844', '833'];
const found = (
  settings: SomosSettings,
  number: string,
  vanityText: string | null,
): FoundNumber => ({
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
  api: Api,
  book: LegBook<{ kind: string }>,
): NumberInventory {
  const statusOf = async (number: string): Promise<{ status: string; respOrg: string }> => {
    const { said } = await api.ask('GET', `/v3/ip/num/tfn/query/tfn/${number.slice(2)}`);
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
    search: (query) => search(settings, api, query),
    async order(number, key) {
      if (!/^\+18\d{9}$/.test(number)) return { state: 'taken' };
      const { thing } = await book.keep('order', number, { facts: { key } });
      const standing = await statusOf(number);
      const ours =
        standing.respOrg === settings.respOrg &&
        ['RESERVE', 'RESERVED', 'ASSIGNED', 'WORKING'].includes(standing.status);
      if (thing.facts['key'] !== key) {
        if (ours) return { state: 'taken' };
        await book.change('order', number, { facts: { key } });
      }
      if (!ours) {
        const { status, said } = await api.ask('POST', '/v3/ip/num/tfn/reserve', {
          numList: [number.slice(2)],
          conName: settings.contact.name,
          conTel: settings.contact.phone,
          shrtNotes: 'Trunkline',
        });
        const got = (Array.isArray(said['numList']) ? said['numList'] : []).map(String);
        if (status >= 400 || !got.includes(number.slice(2))) {
          await book.drop('order', number);
          return { state: 'taken' };
        }
      }
      await book.change('order', number, { ref: number.slice(2) });
      return {
        state: 'ordered',
        providerRef: number.slice(2),
        found: found(settings, number, null),
      };
    },
    async giveBack(number) {
      const standing = await statusOf(number);
      if (standing.respOrg === settings.respOrg && standing.status !== 'SPARE') {
        const { status } = await api.ask('PUT', '/v3/ip/num/tfn/update', {
          tfNumList: [number.slice(2)],
          status: 'SPARE',
          respOrgId: settings.respOrg,
        });
        if (status >= 400) throw new Error(`Somos did not take ${number} back (${status}).`);
      }
      await book.drop('order', number);
    },
  };
}

async function search(
  settings: SomosSettings,
  api: Api,
  query: NumberQuery,
): Promise<FoundNumber[]> {
  if (query.category !== 1 || !['US', 'CA'].includes(query.country)) return [];
  const unwanted = new Set(query.exclude);
  const result: FoundNumber[] = [];
  const code = query.areaCode && /^8\d\d$/.test(query.areaCode) ? query.areaCode : null;
  // The registry's own wildcard is `*` for any digit, over all ten.
  const masks = templatesOf(query)
    .filter((t) => t.length <= 10)
    .map((t) => t.replace(/[^0-9*]/g, '*'))
    .map((t) => (query.match === 'Starts with' ? t.padEnd(7, '*') : t.padStart(7, '*')).slice(-7))
    .slice(0, 5);
  const ways: [string, object][] = masks.length
    ? masks.map((mask) => ['wildcard', { qty: atOnce, wildCardNum: `${code ?? '8**'}${mask}` }])
    : (code ? [code] : tollFreeCodes).map((npa) => [
        'random',
        { qty: Math.min(atOnce, query.limit + unwanted.size), npa },
      ]);
  for (const [way, body] of ways) {
    if (result.length >= query.limit) break;
    const { status, said } = await api.ask('PUT', `/v2/ip/num/tfn/${way}`, body);
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
      result.push(found(settings, number, match.text));
    }
  }
  return result;
}
