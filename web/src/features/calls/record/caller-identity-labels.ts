import type { Answer } from '#contract/kit';
import type { calls } from '#contract';
import { t } from '#ui';

export type Identity = Answer<typeof calls.lookUpCaller>['data'];
export const callerTypes: Record<Identity['type'], string> = {
  person: 'Person',
  business: 'Business',
  unknown: 'Unknown',
};
export const lineTypes: Record<Identity['line_type'], string> = {
  mobile: 'Mobile',
  landline: 'Landline',
  voip: 'VoIP',
  toll_free: 'Toll-free',
  other: 'Other',
};

/** Kind and line type as labels; unknown values are left out. */
export const callerIdText = (type: string, line: string): string[] =>
  [
    type === 'unknown' ? '' : t(callerTypes[type as Identity['type']] ?? ''),
    t(lineTypes[line as Identity['line_type']] ?? ''),
  ].filter(Boolean);
