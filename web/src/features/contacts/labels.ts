import type { contacts } from '#contract';
import {
  optinNames,
  ruleFields,
  ruleOps,
  takesValue,
  type CrmName,
  type RuleKind,
} from '#contract/contacts/rules';
import { formatPhoneNumber, t, type Tone } from '#ui';

export type Contact = contacts.Contact;
export type Rule = contacts.ContactRule;
export type RuleCondition = Rule['all'][number];

/** The contact's name, else the company's, else the number. */
export const contactName = (c: Pick<Contact, 'name' | 'companyName' | 'number'>): string =>
  c.name || c.companyName || displayNumber(c.number);
/** Formats a number; a masked one keeps its dots. */
export const displayNumber = (number: string): string =>
  number.includes('•') ? number : formatPhoneNumber(number);
/** Whether the contact can be texted; an invalid number comes before an opt-out. */
export const stateOf = (
  c: Pick<Contact, 'invalid' | 'unsubscribed'>,
): 'invalid' | 'unsubscribed' | 'active' =>
  c.invalid ? 'invalid' : c.unsubscribed ? 'unsubscribed' : 'active';
/** The name of a contact's state. */
export const stateName = (state: 'invalid' | 'unsubscribed' | 'active'): string =>
  ({ invalid: t('Invalid'), unsubscribed: t('Unsubscribed'), active: t('Active') })[state];
/** The color of a contact's state. */
export const stateTone = (state: 'invalid' | 'unsubscribed' | 'active'): Tone =>
  ({ invalid: 'danger', unsubscribed: 'warn', active: 'success' } as const)[state];
/** Where a contact comes from. */
export const sourceName = (source: Contact['source']): string =>
  ({ Manual: t('Manual'), Import: t('Import'), keyword: t('Keyword'), Migration: t('Migration') })[
    source
  ];
/** A CRM as people call it. */
export const crmName = (crm: CrmName): string =>
  ({ hubspot: t('HubSpot'), salesforce: t('Salesforce') })[crm];
/** How the contact opted in; '' when unknown. */
export const optInName = (type: Contact['optinType']): string => (type ? t(optinNames[type]) : '');

/** One rule condition as text. The caller passes the names of groups, labels and custom fields. */
export function ruleLineText(
  line: RuleCondition,
  names: {
    kind: (field: string) => RuleKind | null;
    field: (field: string) => string;
    value: (line: RuleCondition) => string;
  },
): string {
  const kind = names.kind(line.field);
  const op = (kind && ruleOps[kind][line.op]) ?? line.op;
  if (kind === 'flag')
    return line.value
      ? names.field(line.field)
      : t('Not {field}', { field: names.field(line.field).toLowerCase() });
  return [names.field(line.field), t(op), takesValue(line.op) ? names.value(line) : '']
    .filter(Boolean)
    .join(' ');
}
const choiceLabels: Record<string, string> = {
  Male: 'Male',
  Female: 'Female',
  Person: 'Person',
  Business: 'Business',
  Other: 'Other',
};
/** The label of a contact field's choice. */
export const ruleChoiceName = (field: string, value: string): string =>
  field === 'optinType'
    ? optInName(value as Contact['optinType'])
    : field === 'source'
      ? sourceName(value as Contact['source'])
      : t(choiceLabels[value] ?? value);
/** The name of a field in a group's rule; custom fields stay as they are. */
export const ruleFieldName = (field: string): string => t(ruleFields[field]?.label ?? field);
