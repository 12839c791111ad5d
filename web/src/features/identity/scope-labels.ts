import type { identity } from '#contract';
import { t } from '#ui';

/** What a permission of an API key lets it do, as a sentence. */
export const scopeLabel = (scope: identity.Scope): string =>
  ({
    read: t('Read calls, texts, contacts, numbers and reports'),
    write: t('Change contacts, numbers, campaigns and other records'),
    'messages:send': t('Send texts, faxes and campaigns'),
    'calls:place': t('Place and control calls'),
    'billing:read': t('Read invoices and usage'),
    admin: t('Manage people, company settings and integrations'),
  })[scope];
