import { companies, type Answer } from '#contract';
import { industries } from '#contract/compliance/registration/lists';

type Company = Answer<typeof companies.getCompany>['data'];
/**
 * A new registration, prefilled with the company's details. Empty texts when `c` is undefined (not
 * loaded or not allowed).
 */
export function initialRegistration(c: Company | undefined) {
  const a = c?.address ?? {};
  return {
    is_draft: true,
    brand: {
      legal_name: c?.name ?? '',
      website: c?.website ?? '',
      email: c?.email ?? '',
      phone: c?.phone ?? '',
      support_email: c?.email ?? '',
      support_phone: c?.phone ?? '',
      industry: industries.find((i) => i === c?.industry) ?? null,
      address: {
        line1: a['address1'] ?? '',
        line2: a['address2'] ?? '',
        city: a['city'] ?? '',
        state: a['state'] ?? '',
        zip: a['zip'] ?? '',
        country: 'US',
      },
    },
  };
}
