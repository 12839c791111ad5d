/** What every kind of alert says of itself. */

export const alertSeverities = ['critical', 'warning', 'info'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];
export const alertSubjects = [
  'number',
  'dniPool',
  'integration',
  'campaign',
  'company',
  'port',
  'smsVerification',
  'forwardContact',
  'user',
  'phraseList',
] as const;
type AlertSubject = (typeof alertSubjects)[number];

export interface AlertRule {
  title: string;
  severity: AlertSeverity;
  subject: AlertSubject;
  /** How often it is checked. */
  every: 'five_minutes' | 'quarter' | 'hour' | 'day';
  /** What it means and what to do, each with a screen. `{id}` is the subject's. */
  suggestions: readonly { text: string; link: string }[];
}
