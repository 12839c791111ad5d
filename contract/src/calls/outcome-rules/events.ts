import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A rule for outcomes was added, changed or deleted. */
export const outcomeRulesChanged = event<typeof payloads.outcomeRulesChanged>({
  name: 'outcome_rules.changed',
  channel: 'companies',
  invalidates: ['listOutcomeRules'],
});
