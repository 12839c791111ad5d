import { forwarding as contract, routing } from '#contract';
import { isFailing } from './rules.ts';
import type { ContactView } from './store-lists.ts';

const instant = <At extends Date | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;
const presentConfirmKey = (stored: string | null): contract.ForwardContact['confirm_key'] =>
  stored === null ? false : routing.confirmKey.parse(stored.length > 1 ? Number(stored) : stored);

/** A forwarding contact as the API shows it. `names`: users by ID. */
export function presentContact(
  row: ContactView,
  names: ReadonlyMap<number, string>,
): contract.ForwardContact {
  return {
    id: row.id,
    companyId: row.company_id,
    name: row.name,
    number: row.phone,
    extension: row.extension || null,
    type: row.type as contract.ForwardContact['type'],
    user_id: row.user_id,
    user: row.user_id === null ? null : { id: row.user_id, name: names.get(row.user_id) ?? '' },
    caller_id_pass_thru: row.caller_id_pass_thru,
    confirm_key: presentConfirmKey(row.confirm_key),
    schedule_id: row.schedule_id,
    timezone: row.timezone,
    tags: row.tags,
    notes: row.notes,
    is_verified: row.verified_at !== null,
    verified_at: instant(row.verified_at),
    used_by_count: row.used,
    last_answered_at: instant(row.last_answered_at),
    answer_rate_30d: row.attempts === 0 ? null : row.answered / row.attempts,
    attempts_30d: row.attempts,
    is_failing: isFailing(row.attempts, row.answered),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  };
}
