import { companies, type Answer } from '#contract';
import { industries } from '#contract/compliance/registration/lists';

type Company = Answer<typeof companies.getCompany>['data'];
/** A new registration begins with what the company has said about itself. */
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
