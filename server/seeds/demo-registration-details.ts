/** What the demo's registrations say, and why one of them was rejected. */
export const brand = {
  type: 'private',
  legal_name: 'Harbor Dental LLC',
  dba: 'Harbor Dental',
  ein: '121234567',
  industry: 'healthcare',
  website: 'https://harbor-dental.test/',
  email: 'hello@harbor-dental.test',
  phone: '+12125552300',
  support_email: 'hello@harbor-dental.test',
  support_phone: '+12125552300',
  address: {
    line1: '1 Harbor Street',
    line2: '',
    city: 'New York',
    state: 'NY',
    zip: '10001',
    country: 'US',
  },
  contact: {
    first_name: 'Olive',
    last_name: 'Owner',
    title: 'Owner',
    email: 'owner@harbor-dental.test',
    phone: '+12125552300',
  },
};
export const campaign = {
  use_case: 'CUSTOMER_CARE',
  sub_usecases: [],
  description:
    'Appointment reminders and answers to questions of patients of the practice who gave us their number at the desk.',
  sample_messages: [
    'Harbor Dental: your visit is on Tuesday at 10:30. Reply STOP to stop.',
    'Harbor Dental: your invoice is ready at the desk. Reply STOP to stop.',
  ],
  optins: [
    {
      type: 'text_to_join',
      description: 'Patients text JOIN to the number on the reception desk.',
      url: '',
      keywords: ['JOIN'],
      files: [],
    },
  ],
  opt_in_message: 'Harbor Dental: you will get reminders of your visits. Reply STOP to stop.',
  opt_out_message: 'Harbor Dental: you will get no more texts.',
  help_message: 'Harbor Dental: call (212) 555-2300.',
  privacy_url: 'https://harbor-dental.test/privacy',
  terms_url: '',
  monthly_volume: '10,001-25,000',
  has_links: false,
  has_phone_numbers: true,
  age_gated: false,
  affiliate_marketing: false,
  direct_lending: false,
};
const silent = 'Harbor Dental: 10% off whitening this week.';
export const why = [
  {
    kind: 'local',
    code: 'sample.no_opt_out',
    text: 'Sample message 2 doesn’t explain how to opt out.',
    fix: 'Add text such as “Reply STOP to stop.” to sample message 2, then submit again.',
  },
];
export const rejected = {
  ...campaign,
  use_case: 'MARKETING',
  description:
    'Offers and news for patients who asked for them on the form at the desk, at most two a month.',
  sample_messages: ['Harbor Dental: book your check-up this month. Reply STOP to stop.', silent],
  monthly_volume: '1-10,000',
};
