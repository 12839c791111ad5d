import type { Contact } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

export const contactExample: Contact = {
  id: 77,
  companyId: 1,
  name: 'Dana Reed',
  number: '+12125550147',
  companyName: '',
  title: '',
  email: 'dana@example.com',
  address1: '',
  address2: '',
  city: 'New York',
  state: 'NY',
  zip: '',
  country: 'US',
  notes: 'Prefers mornings.',
  optinType: null,
  optinSource: '',
  alternativeNames: [],
  secondaryEmails: [],
  otherNumbers: [],
  carrier: null,
  gender: null,
  ageRange: null,
  type: 'Person',
  source: 'Manual',
  addedAt: at,
  updatedAt: at,
  deletedAt: null,
  invalid: false,
  unsubscribed: false,
  isUnsubscribed: false,
  groups: [],
  labels: [],
  eavAttributeValues: [],
  nameFrom: null,
  companyNameFrom: null,
  crmOwner: null,
  masked: false,
};

export const batchExample = '0199a8f0-0000-7000-8000-000000000001';

export const bulkExample = {
  data: { batchId: batchExample, status: 'finished' as const, total: 3, changed: 3 },
};
