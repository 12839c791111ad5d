import type { RejectionReason, RegistrationDocuments } from '../../gateways/registration.ts';

/**
 * Policy ids of Twilio's bundles, from its guides: the customer profile and the messaging trust
 * product.
 */
export const bundlePolicies = {
  profile: 'RNdfbf3fae0e1107f8aded0e7cead80bf5',
  messaging: 'RNb0d4771c2c98518d916a3d4cd70a8f8b',
} as const;

const industries: Readonly<Record<string, string>> = {
  agriculture: 'AGRICULTURE',
  communication: 'TELECOMMUNICATIONS',
  construction: 'CONSTRUCTION',
  education: 'EDUCATION',
  energy: 'ENERGY',
  entertainment: 'MEDIA',
  financial: 'FINANCIAL',
  government: 'GOVERNMENT',
  healthcare: 'HEALTHCARE',
  hospitality: 'HOSPITALITY',
  insurance: 'INSURANCE',
  legal: 'LEGAL',
  manufacturing: 'MANUFACTURING',
  NGO: 'NOT_FOR_PROFIT',
  professional: 'PROFESSIONAL_SERVICES',
  'real estate': 'REAL_ESTATE',
  retail: 'RETAIL',
  technology: 'TECHNOLOGY',
  transportation: 'TRANSPORTATION',
};
type Brand = RegistrationDocuments['brand'];
const legalForms = {
  corporation: 'Corporation',
  llc: 'Limited Liability Corporation',
  partnership: 'Partnership',
  cooperative: 'Co-operative',
  non_profit: 'Non-profit Corporation',
} as const satisfies Record<Brand['legalForm'], string>;

/** The business, as attributes of a Twilio end user. */
export const businessFields = (b: Brand) => ({
  business_name: b.legalName,
  website_url: b.website,
  business_regions_of_operation: 'USA_AND_CANADA',
  business_type: legalForms[b.legalForm],
  business_identity: 'direct_customer',
  business_registration_identifier: b.ein ? 'EIN' : (b.altId?.type ?? 'Other'),
  business_registration_number: b.ein || (b.altId?.id ?? ''),
  business_industry: industries[b.vertical] ?? 'CONSUMER',
  social_media_profile_urls: '',
});
/** The authorized representative in Twilio's Trust Hub. */
export const representativeFields = ({ contact: c }: Brand) => ({
  first_name: c.firstName,
  last_name: c.lastName,
  email: c.email,
  phone_number: c.phone,
  business_title: c.title,
  job_position: jobPosition(c.title),
});
/** The messaging profile of a business in Twilio's Trust Hub. */
export const messagingFields = (b: Brand) => ({
  company_type:
    { PUBLIC_PROFIT: 'public', NON_PROFIT: 'non-profit', GOVERNMENT: 'government' }[b.type] ??
    'private',
  ...(b.stock ? { stock_exchange: b.stock.exchange, stock_ticker: b.stock.symbol } : {}),
  brand_contact_email: b.email,
});
function jobPosition(title: string): string {
  const known = [
    [/general counsel/i, 'General Counsel'],
    [/\bceo\b|chief executive/i, 'CEO'],
    [/\bcfo\b|chief financial/i, 'CFO'],
    [/\bvp\b|vice president/i, 'VP'],
    [/\bgm\b|general manager/i, 'GM'],
    [/director/i, 'Director'],
  ] as const;
  return known.find(([words]) => words.test(title))?.[1] ?? 'Other';
}

/** The fields of a campaign that can be changed later. */
export const campaignFields = ({ campaign: c }: RegistrationDocuments) => ({
  description: c.description,
  messageFlow: messageFlow(c),
  messageSamples: c.samples.slice(0, 5),
  hasEmbeddedLinks: c.hasLinks,
  hasEmbeddedPhone: c.hasPhoneNumbers,
  ageGated: c.ageGated,
  directLending: c.directLending,
});
/** The fields of a 10DLC campaign that can't change after Twilio has it. */
export const fixedCampaignFields = ({ campaign: c }: RegistrationDocuments) => {
  const keywords = [...new Set(c.optIns.flatMap((o) => o.keywords))];
  return {
    usAppToPersonUsecase: c.lowVolume ? 'LOW_VOLUME' : c.useCase,
    subscriberOptIn: true,
    ...(c.optInMessage ? { optInMessage: c.optInMessage } : {}),
    ...(c.optOutMessage ? { optOutMessage: c.optOutMessage } : {}),
    ...(c.helpMessage ? { helpMessage: c.helpMessage } : {}),
    ...(keywords.length ? { optInKeywords: keywords } : {}),
    optOutKeywords: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
    helpKeywords: ['HELP', 'INFO'],
  };
};
/** How contacts opt in, as one text for reviewers. */
const messageFlow = (c: RegistrationDocuments['campaign']): string =>
  [
    ...c.optIns.map((o) =>
      [o.description, o.url, o.keywords.length ? `Keywords: ${o.keywords.join(', ')}.` : '']
        .filter(Boolean)
        .join(' '),
    ),
    c.privacyUrl && `Privacy policy: ${c.privacyUrl}`,
    c.termsUrl && `Terms: ${c.termsUrl}`,
  ]
    .filter(Boolean)
    .join('\n')
    .slice(0, 2048);

const tollFreeCategories: Readonly<Record<string, string>> = {
  '2FA': 'TWO_FACTOR_AUTHENTICATION',
  ACCOUNT_NOTIFICATION: 'ACCOUNT_NOTIFICATIONS',
  CUSTOMER_CARE: 'CUSTOMER_CARE',
  DELIVERY_NOTIFICATION: 'DELIVERY_NOTIFICATIONS',
  FRAUD_ALERT: 'FRAUD_ALERT_MESSAGING',
  HIGHER_EDUCATION: 'HIGHER_EDUCATION',
  MARKETING: 'MARKETING',
  POLLING_VOTING: 'POLLING_AND_VOTING_NON_POLITICAL',
  PUBLIC_SERVICE_ANNOUNCEMENT: 'PUBLIC_SERVICE_ANNOUNCEMENT',
  SECURITY_ALERT: 'SECURITY_ALERT',
};
/**
 * Fields of the SDK that Twilio's published OpenAPI lacks: the kind of business, and its
 * registration number for all but sole proprietors.
 */
const businessNumberFields = (b: Brand) => ({
  businessType:
    (['PUBLIC_PROFIT', 'NON_PROFIT', 'GOVERNMENT'] as const).find((type) => type === b.type) ??
    ('PRIVATE_PROFIT' as const),
  ...(b.dba ? { doingBusinessAs: b.dba } : {}),
  ...(b.ein
    ? {
        businessRegistrationNumber: b.ein,
        businessRegistrationAuthority:
          b.address.country === 'CA' ? ('CBN' as const) : ('EIN' as const),
        businessRegistrationCountry: b.address.country,
      }
    : {}),
});
/** Monthly volumes, as Twilio writes them. */
const volumes: readonly (readonly [number, string])[] = [
  [10, '10'],
  [100, '100'],
  [1000, '1,000'],
  [10_000, '10,000'],
  [100_000, '100,000'],
  [250_000, '250,000'],
  [500_000, '500,000'],
  [750_000, '750,000'],
  [1_000_000, '1,000,000'],
  [5_000_000, '5,000,000'],
];

/** The fields of the verification of one toll-free number. */
export const tollFreeFields = ({ brand: b, campaign: c }: RegistrationDocuments) => ({
  businessName: b.legalName,
  businessWebsite: b.website,
  notificationEmail: b.email,
  useCaseCategories: (c.useCase === 'MIXED' ? c.subUseCases : [c.useCase]).map(
    (u) => tollFreeCategories[u] ?? 'CUSTOMER_CARE',
  ),
  useCaseSummary: c.description.slice(0, 500),
  productionMessageSample: (c.samples[0] ?? '').slice(0, 1000),
  optInImageUrls: c.optIns.flatMap((o) => [...o.proofUrls, ...(o.url ? [o.url] : [])]).slice(0, 5),
  optInType:
    ({ text_to_join: 'VIA_TEXT', point_of_sale: 'PAPER_FORM' } as const)[c.optIns[0]?.type ?? ''] ??
    ('WEB_FORM' as const),
  messageVolume: volumes.find(([most]) => c.monthlyVolume <= most)?.[1] ?? '10,000,000+',
  businessStreetAddress: b.address.line1,
  ...(b.address.line2 ? { businessStreetAddress2: b.address.line2 } : {}),
  businessCity: b.address.city,
  businessStateProvinceRegion: b.address.state,
  businessPostalCode: b.address.zip,
  businessCountry: b.address.country,
  businessContactFirstName: b.contact.firstName,
  businessContactLastName: b.contact.lastName,
  businessContactEmail: b.contact.email,
  businessContactPhone: b.contact.phone,
  ...businessNumberFields(b),
  additionalInformation: messageFlow(c).slice(0, 500),
});

/** The rejection reasons in a Twilio response, which come in several formats. */
export function parseObjections(errors: unknown, otherwise: string | null): RejectionReason[] {
  const list = (Array.isArray(errors) ? errors : []) as Record<string, unknown>[];
  const word = (e: Record<string, unknown>, ...names: string[]) =>
    names
      .map((n) => e[n])
      .find((v): v is string | number => typeof v === 'string' || typeof v === 'number');
  const found = list.map((e) => ({
    code: String(word(e, 'error_code', 'errorCode', 'code', 'rejection_reason_code') ?? 'refused'),
    text: String(
      word(e, 'description', 'message', 'reason', 'rejection_reason', 'failure_reason') ??
        'The registry rejected the documents.',
    ),
    fix: fixFor(
      word(e, 'fields') ??
        (Array.isArray(e['fields']) ? (e['fields'] as string[]).join(', ') : undefined),
    ),
  }));
  return found.length || !otherwise
    ? found
    : [{ code: 'refused', text: otherwise, fix: fixFor(undefined) }];
}
const fixFor = (fields: string | number | undefined): string =>
  fields === undefined
    ? 'Fix the reported problem, then submit again.'
    : `Fix ${String(fields).toLowerCase().replaceAll('_', ' ')}, then submit again.`;
