import type { TxCtx } from '../../../platform/context.ts';
import { stateNames } from '#contract/states';
import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { namesOfKeys } from './names-of-keys.ts';
import type { CompanyPlaced } from './placed-companies.ts';
import { labelOf } from './present.ts';
import { needsCredit, type Question } from './question.ts';

/** Names of one limit; further ones are counted. */
const MOST_NAMES = 5;

const directions = {
  inbound: 'Incoming calls',
  outbound: 'Outgoing calls',
  all: 'Incoming and outgoing calls',
};
const sentence = (word: string) =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`.replaceAll('_', ' ');
const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/** `Ads or Maps or 3 others`. */
function anyOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES);
  return [...shown, ...(rest > 0 ? [counted(rest, 'other')] : [])].join(' or ');
}

/** What companies are called together: their organization, or the one that it is. */
export async function nameOfAll(
  ctx: Pick<TxCtx, 'tx' | 'db'>,
  { businessUnitIds }: Pick<Question, 'businessUnitIds'>,
  companies: readonly CompanyPlaced[],
): Promise<string> {
  const names = businessUnitIds.length
    ? [...(await namesOfKeys(ctx, companies, 'business_unit', [])).values()]
    : companies;
  return names.map(({ name }) => name).join(', ');
}

/** Which companies of an organization are counted. */
const wordsOfCompanies = (
  { businessUnitIds }: Pick<Question, 'businessUnitIds'>,
  companies: readonly CompanyPlaced[],
): string[] => {
  if (!businessUnitIds.length) return [];
  const limited = companies.filter(({ only }) => only !== null);
  return [
    `${companies.length === 1 ? 'Company' : 'Companies'}: ${allOf(companies)}`,
    ...(limited.length ? [`Only some numbers of ${allOf(limited)}`] : []),
  ];
};

/** `Ads, Maps and 3 others`. */
function allOf(named: readonly { name: string }[]): string {
  const rest = named.length - MOST_NAMES;
  const shown = named.slice(0, MOST_NAMES).map(({ name }) => name);
  return `${shown.join(', ')}${rest > 0 ? ` and ${counted(rest, 'other')}` : ''}`;
}

/**
 * What a question limits calls to, in words. A number that its reader doesn't see has no name, and
 * neither have people: an ID could be anyone's.
 */
export async function questionWords(
  ctx: Pick<TxCtx, 'tx' | 'db'>,
  question: Question,
  companies: readonly CompanyPlaced[],
): Promise<string[]> {
  const { filters: f, attributionModel } = question;
  const named = async (
    group: CallGroup,
    keys: readonly (string | number)[] = [],
  ): Promise<string> => {
    const found = await namesOfKeys(ctx, companies, group, keys.map(String));
    return anyOf(
      keys.map((key) => labelOf(group, String(key), found.get(String(key))?.name ?? null)),
    );
  };
  const said = (name: string, words: readonly (string | number)[] | undefined): string =>
    words?.length ? `${name}${anyOf(words.map(String))}` : '';
  const numbers = f.number_ids ?? [];
  const seen = numbers.filter((number) =>
    companies.every(({ only }) => !only || only.includes(number)),
  );
  return [
    ...wordsOfCompanies(question, companies),
    directions[f.direction],
    said(
      '',
      f.answer_status?.map((one) => (one === 'running' ? 'In progress' : sentence(one))),
    ),
    seen.length === numbers.length
      ? await named('number', numbers)
      : counted(numbers.length, 'number').replace(/^1 /, 'One '),
    await named('source', f.sources),
    said('Campaign: ', f.campaigns),
    said('', f.departments?.map(sentence)),
    f.first_contact === undefined ? '' : f.first_contact ? 'First-time callers' : 'Known callers',
    f.qualified === undefined ? '' : f.qualified ? 'Qualified' : 'Not qualified',
    f.lead === undefined ? '' : f.lead ? 'Leads' : 'Not leads',
    f.phrase_list_ids?.length ? `Said: ${await named('phrase_list', f.phrase_list_ids)}` : '',
    said('Sentiment: ', f.sentiments),
    said('', f.outcomes?.map(sentence)),
    f.tags?.length ? `Tagged ${await named('tag', f.tags)}` : '',
    f.dni_pool_ids?.length ? `Tracking pool: ${await named('dni_pool', f.dni_pool_ids)}` : '',
    f.min_duration ? `At least ${counted(f.min_duration, 'second')} of talk` : '',
    said('Answered by: ', f.answered_by),
    f.user_ids?.length ? `Calls of ${counted(f.user_ids.length, 'teammate')}` : '',
    f.data_group_ids?.length ? counted(f.data_group_ids.length, 'data group') : '',
    said(
      'State: ',
      f.geo_states?.map((one) => stateNames[one] ?? one),
    ),
    said('Area code: ', f.geo_areas),
    said('Extension: ', f.extension_labels),
    needsCredit(question) && attributionModel
      ? `Attribution: ${sentence(attributionModel).toLowerCase()}`
      : '',
  ].filter((word) => word !== '');
}
