import { departments } from '../../calls/rules.ts';
import { attributionModels } from '../../tracking/pool-rules.ts';
import { answerStatuses, callGroups, callTargets } from './rules.ts';

/** The choices of the screen of call reports, as they are in its address and in a favorite. */
export const startChoices = {
  group: 'day',
  target: 'calls',
  period: 'month',
  from: '',
  to: '',
  direction: 'inbound',
  status: '',
  number: '',
  source: '',
  model: '',
  department: '',
  first: '',
  qualified: '',
};
export type ReportChoices = typeof startChoices;

const oneOf = <T extends string>(list: readonly T[], value: string): T | undefined =>
  list.find((one) => one === value);

/** The question that choices ask of any days. What isn't a choice counts as not chosen. */
export function questionOfChoices(choices: ReportChoices) {
  const status = oneOf(answerStatuses, choices.status);
  const department = oneOf(departments, choices.department);
  const model = oneOf(attributionModels, choices.model);
  const number = Number(choices.number);
  return {
    group: oneOf(callGroups, choices.group) ?? 'day',
    target: oneOf(callTargets, choices.target) ?? 'calls',
    direction: oneOf(['inbound', 'outbound', 'all'] as const, choices.direction) ?? 'inbound',
    ...(status && { answer_status: [status] }),
    ...(department && { departments: [department] }),
    ...(Number.isSafeInteger(number) && number > 0 && { number_ids: [number] }),
    ...(choices.source && { sources: [choices.source] }),
    ...(model && { attribution_model: model }),
    ...(choices.first && { first_contact: choices.first === 'yes' }),
    ...(choices.qualified && { qualified: choices.qualified === 'yes' }),
  };
}
