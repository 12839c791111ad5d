import { t } from '#ui';

/** What a scope allows, as a plain sentence. */
export const scopeSentence = (scope: string): string =>
  ({
    read: t('See calls, messages, contacts, numbers and reports'),
    write: t('Change contacts, tags, notes, numbers and settings of numbers'),
    'messages:send': t('Send texts, faxes and campaigns'),
    'calls:place': t('Place and control calls'),
    'billing:read': t('See plans, invoices and usage'),
    admin: t('Manage users, integrations and the company’s settings'),
  })[scope] ?? scope;
