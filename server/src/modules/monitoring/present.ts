import type { Answer, monitoring } from '#contract';
import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import type { AlertChangeRow } from './store.ts';
import type { ListedAlert } from './store-lists.ts';

type Alert = Answer<typeof monitoring.updateAlert>['data'];
type Change = Answer<typeof monitoring.listAlertHistory>['data'][number];

/** An alert as the API returns it. */
export function presentAlert(row: ListedAlert): Alert {
  const { title, suggestions } = alertKinds[row.kind as AlertKind];
  return {
    id: row.id,
    kind: row.kind as AlertKind,
    severity: row.severity as Alert['severity'],
    state: row.state as Alert['state'],
    company: { id: row.company_id, name: row.company_name },
    organization_id: row.organization_id,
    subject: {
      type: row.subject_type as Alert['subject']['type'],
      id: row.subject_id,
      label: row.subject_label,
    },
    title,
    message: row.message,
    metric: row.metric as Alert['metric'],
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    occurrences: row.occurrences,
    auto_resolve: true,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    resolved_by: row.resolved_by ? { id: row.resolved_by, name: row.resolved_by_name ?? '' } : null,
    comment: row.comment,
    reason: row.reason as Alert['reason'],
    suggestions: suggestions.map(({ text, link }) => ({
      text,
      link: link.replace('{id}', String(row.subject_id)),
    })),
    created_at: row.created_at.toISOString(),
  };
}

/** An entry of an alert's history. */
export const presentChange = (row: AlertChangeRow): Change => ({
  at: row.at.toISOString(),
  actor: row.actor_id ? { id: row.actor_id, name: row.actor_name ?? '' } : null,
  from: row.from_state as Change['from'],
  to: row.to_state as Change['to'],
  reason: row.reason as Change['reason'],
  comment: row.comment,
  metric: row.metric as Change['metric'],
});
