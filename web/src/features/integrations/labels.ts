import type { CrmField } from '#contract/integrations/oauth-integrations/rules';
import { t } from '#ui';

/** A fact of ours that can be written to a CRM. */
export function crmFieldLabel(field: CrmField): string {
  const labels: Record<CrmField, string> = {
    source: t('Source'),
    medium: t('Medium'),
    campaign: t('Campaign'),
    keyword: t('Keyword'),
    landing_page: t('Landing page'),
    tracking_number: t('Number called'),
    number_label: t('Label of the number'),
    department: t('Department'),
    outcome: t('Outcome'),
    value: t('Value'),
    company: t('Company'),
    street: t('Street'),
    city: t('City'),
    state: t('State'),
    zip: t('ZIP code'),
    country: t('Country'),
  };
  return labels[field];
}
