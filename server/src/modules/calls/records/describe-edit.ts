import type { TxCtx } from '../../../platform/context.ts';

/** The fields that people and rules change, and their labels in the history. */
const editLabels = {
  note: 'Note changed',
  qualified: 'Qualification changed',
  lead: 'Lead changed',
  outcome_tags: 'Outcome changed',
  department: 'Department changed',
  summary: 'Summary changed',
  sentiment: 'Sentiment changed',
  value_cents: 'Value changed',
  spam: 'Spam status changed',
  contact_id: 'Contact changed',
} as const;
export type EditedField = keyof typeof editLabels;

/** The fields that history entries of an edit share. `by`: what made it, where no person did. */
export const editEntry = ({ now, actor }: TxCtx, by?: string) => ({
  kind: 'history' as const,
  at: now,
  code: null,
  leg: null,
  target: null,
  actor: by ?? actor.name,
  actor_id: by === undefined ? actor.userId : null,
  node: null,
  matched: null,
});

/** A value in words, for the history; null: the history only says that it changed. */
function describeField(field: EditedField, value: unknown): string | null {
  if (field === 'qualified') return value ? 'Qualified' : 'Not qualified';
  if (field === 'lead' || field === 'spam') return value ? 'Yes' : 'No';
  if (field === 'outcome_tags') return (value as string[]).join(', ') || 'None';
  if (field === 'department' || field === 'sentiment') return String(value);
  return null;
}

/** The history entry of a changed field. `by`: what changed it, where no person did. */
export const changeEntry = (
  ctx: TxCtx,
  field: EditedField,
  before: unknown,
  after: unknown,
  by?: string,
) => ({
  ...editEntry(ctx, by),
  label: editLabels[field],
  detail: describeField(field, after),
  before: before ?? null,
  after: after ?? null,
});
