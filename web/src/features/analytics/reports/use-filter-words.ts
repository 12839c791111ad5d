import {
  questionOfChoices,
  startChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { tracking } from '#contract';
import { listPhraseLists } from '#contract/calls/phrases/endpoints';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { departmentName, moodName, outcomeTagName } from '../../calls/index.ts';
import { useOurNumbers } from '../../conversations/index.ts';
import { modelName } from '../../tracking/index.ts';
import { rowLabel } from './row-label.ts';

const limit = (what: string, value: string): string => t('{what}: {value}', { what, value });

/** What a report or the dashboard is limited to, in words; of names those that its filters show. */
export function useFilterWords(chosen: Partial<ReportChoices>): string[] {
  const choices = { ...startChoices, ...chosen };
  const companyId = useCompanyId() ?? 0;
  const maySeeSources = usePermission('dni.view');
  const numbers = useOurNumbers();
  const sources = useApiQuery(
    tracking.listSources,
    { params: { companyId } },
    { silent: true, enabled: maySeeSources && choices.source !== '', staleTime: 60_000 },
  );
  const lists = useApiQuery(
    listPhraseLists,
    { params: { companyId } },
    { silent: true, enabled: companyId !== 0 && choices.phrases !== '', staleTime: 60_000 },
  );
  const name = (list: readonly { key: string; label: string }[] = [], key: string): string =>
    list.find((one) => one.key === key)?.label ?? key;
  const named = {
    number: name(
      numbers.map(({ id, label }) => ({ key: String(id), label })),
      choices.number,
    ),
    source: name(sources.response?.data, choices.source),
    phrases: name(
      lists.response?.data.map((list) => ({ key: String(list.id), label: list.name })),
      choices.phrases,
    ),
  };
  return [...wordsOfNames(choices, named), ...wordsOfKinds(choices)];
}

const wordsOfNames = (
  choices: ReportChoices,
  named: Record<'number' | 'source' | 'phrases', string>,
): string[] => [
  ...(choices.number ? [limit(t('Your number'), named.number)] : []),
  ...(choices.source ? [limit(t('Source'), named.source)] : []),
  ...(choices.phrases ? [limit(t('Phrase list'), named.phrases)] : []),
];

/** Choices of fixed lists. */
function wordsOfKinds(choices: ReportChoices): string[] {
  const question = questionOfChoices(choices);
  const { direction, attribution_model: model, first_contact, qualified } = question;
  return [
    ...(direction === 'outbound' ? [t('Outgoing')] : []),
    ...(direction === 'all' ? [t('Both directions')] : []),
    ...(question.answer_status ?? []).map((one) =>
      limit(t('Outcome'), rowLabel('outcome', one, one)),
    ),
    ...(question.departments ?? []).map((one) => limit(t('Department'), departmentName(one))),
    ...(question.sentiments ?? []).map((one) => limit(t('Sentiment'), moodName(one))),
    ...(question.outcomes ?? []).map((one) => limit(t('Result'), outcomeTagName(one))),
    ...(first_contact === undefined
      ? []
      : [first_contact ? t('First-time callers') : t('Known callers')]),
    ...(qualified === undefined ? [] : [qualified ? t('Qualified') : t('Not qualified')]),
    ...(model ? [limit(t('Attribution model'), modelName(model))] : []),
  ];
}
