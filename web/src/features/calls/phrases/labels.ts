import type { Answer, outcomeRules, phrases } from '#contract';
import { formatDuration, t } from '#ui';
import { departmentName } from '../record/department-name.ts';
import { outcomeTagName } from '../record/outcome-tag-name.ts';

export type PhraseList = Answer<typeof phrases.listPhraseLists>['data'][number];
export type OutcomeRule = Answer<typeof outcomeRules.listOutcomeRules>['data'][number];

export const sideName = (side: PhraseList['said_by']): string =>
  ({ either: t('Agent or client'), agent: t('Agent'), client: t('Client') })[side];

/** Who must say a phrase how often. */
export const wantedSentence = ({ said_by, at_least }: PhraseList): string =>
  ({
    either: t('{n, plural, one {Said by either side} other {Said by either side, # times}}', {
      n: at_least,
    }),
    agent: t('{n, plural, one {Said by the agent} other {Said by the agent, # times}}', {
      n: at_least,
    }),
    client: t('{n, plural, one {Said by the client} other {Said by the client, # times}}', {
      n: at_least,
    }),
  })[said_by];

const list = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);

/** When a rule applies: "When a phrase of “Booking” is said and the talk lasts at least 1m". */
export function whenSentence(rule: OutcomeRule): string {
  const conditions = [
    ...(rule.phrase_list
      ? [t('a phrase of “{list}” is said', { list: rule.phrase_list.name })]
      : []),
    ...(rule.min_talk_seconds > 0
      ? [t('the talk lasts at least {time}', { time: formatDuration(rule.min_talk_seconds) })]
      : []),
    ...(rule.direction === 'inbound' ? [t('the call is incoming')] : []),
    ...(rule.direction === 'outbound' ? [t('the call is outgoing')] : []),
  ];
  return conditions.length > 0
    ? t('When {conditions}', { conditions: list(conditions) })
    : t('When a call ends');
}

/** What a rule sets: "set outcome to Appointment booked and qualification to Qualified". */
export function setSentence({ sets }: Pick<OutcomeRule, 'sets'>): string {
  const parts = [
    ...(sets.outcome_tag
      ? [t('outcome to {value}', { value: outcomeTagName(sets.outcome_tag) })]
      : []),
    ...(sets.department
      ? [t('department to {value}', { value: departmentName(sets.department) })]
      : []),
    ...(sets.qualified === null
      ? []
      : [sets.qualified ? t('qualification to Qualified') : t('qualification to Not qualified')]),
    ...(sets.lead === null ? [] : [sets.lead ? t('lead to Yes') : t('lead to No')]),
  ];
  return t('set {things}', { things: list(parts) });
}
