import type { CompanySettings } from '#contract/settings/rules';
import type { Tx } from '../../../platform/db.ts';

/** What a figure was measured against. */
interface Metric {
  name: string;
  value: number;
  threshold: number;
  unit: string;
  /** The time that the value is of, in words. */
  window: string;
}
/** Something that a rule found in a company: it opens an alert, or keeps one open. */
export interface Finding {
  subjectId: number;
  label: string;
  message: string;
  metric: Metric;
}
/** What a rule may read. */
export interface Look {
  tx: Tx;
  /** What belongs to people, not to the company. The system role. */
  everywhere: Tx;
  company: { id: number; name: string; timezone: string };
  now: Date;
  /** The company's settings, among them from when on an alert is raised. */
  limits: CompanySettings;
}
/** What is wrong now; nothing, when all is well. */
export type Rule = (look: Look) => Promise<Finding[]>;

/** The only finding of a rule about the company itself. */
export const aboutCompany = ({ company }: Look, message: string, metric: Metric): Finding[] => [
  { subjectId: company.id, label: company.name, message, metric },
];
