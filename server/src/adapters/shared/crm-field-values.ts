import type { CrmField } from '#contract/integrations/oauth-integrations/rules';
import type { DeliveryFacts } from '../../gateways/destination.ts';

/** Facts that can be written to fields of a person in a CRM, as text. Empty: not known. */
export function crmFieldValues(facts: DeliveryFacts): Record<CrmField, string> {
  const { source, contact, number } = facts;
  return {
    source: source?.label ?? '',
    medium: source?.medium ?? '',
    campaign: source?.campaign ?? '',
    keyword: source?.keyword ?? '',
    landing_page: source?.landingUrl ?? '',
    tracking_number: number.number,
    number_label: number.label,
    department: facts.department === 'unknown' ? '' : facts.department,
    outcome: facts.outcome ?? '',
    value: facts.valueCents === null ? '' : (facts.valueCents / 100).toFixed(2),
    company: contact?.companyName ?? '',
    street: contact?.street ?? '',
    city: contact?.city ?? '',
    state: contact?.state ?? '',
    zip: contact?.zip ?? '',
    country: contact?.country ?? '',
  };
}
