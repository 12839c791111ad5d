import { companySettingsOf } from '#contract/settings/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import type { CallRow } from '../records/store.ts';
import { tagsOfCall } from '../records/store-tags.ts';
import { wasQualifiedLately } from './store.ts';

/**
 * Whether the company's `qualified_rule` qualifies an inbound call that no one decided on: people talked long
 * enough, and it has one of the tags and outcomes, where some are named. A caller who calls again
 * within `duplicate_caller_minutes` counts once.
 */
export async function isQualifiedBySetting(t: TxCtx, call: CallRow): Promise<boolean> {
  const isOpen = !call.qualified && !call.person_set.includes('qualified');
  if (!isOpen || call.ended_at === null || call.outbound || call.spam) return false;
  const settings = companySettingsOf((await companyRow(t.tx, t.companyId))?.settings);
  const { is_on: isOn, min_duration: least, tags, outcomes } = settings.qualified_rule;
  if (!isOn || call.talk_seconds < least) return false;
  if (outcomes.length > 0 && !call.outcome_tags.some((one) => outcomes.includes(one))) return false;
  if (tags.length > 0) {
    const given = await tagsOfCall(t.tx, t.companyId, call.id);
    if (!given.some(({ id }) => tags.includes(id))) return false;
  }
  const minutes = settings.duplicate_caller_minutes;
  return minutes === 0 || !(await wasQualifiedLately(t.tx, call, minutes));
}
