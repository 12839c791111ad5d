/**
 * Legal forms of a business (A13). Lists of this file are word for word from B §9 and decisions
 * A29.
 */
export const brandTypes = {
  publicly_traded: 'Publicly traded',
  private: 'Private',
  non_profit: 'Non-profit',
  government: 'Government',
} as const;

export type BrandType = keyof typeof brandTypes;

export const brandTypeCodes = {
  publicly_traded: 'PUBLIC_PROFIT',
  private: 'PRIVATE_PROFIT',
  non_profit: 'NON_PROFIT',
  government: 'GOVERNMENT',
} as const satisfies Record<BrandType, string>;

/** The 23 verticals (A29). */
export const industries = [
  'agriculture',
  'communication',
  'construction',
  'education',
  'energy',
  'entertainment',
  'financial',
  'gambling',
  'government',
  'healthcare',
  'hospitality',
  'human resources',
  'insurance',
  'legal',
  'manufacturing',
  'NGO',
  'political',
  'postal',
  'professional',
  'real estate',
  'retail',
  'technology',
  'transportation',
] as const;

/** Kinds of business registration numbers besides the EIN (B §9). */
export const registrationIdTypes = ['DUNS', 'GIIN', 'LEI'] as const;

/** Stock exchanges (A29); for public companies only. */
export const stockExchanges = [
  'NASDAQ',
  'NYSE',
  'AMEX',
  'AMX',
  'ASX',
  'B3',
  'BME',
  'BSE',
  'FRA',
  'ICEX',
  'JPX',
  'JSE',
  'KRX',
  'LON',
  'NSE',
  'OMX',
  'SEHK',
  'SSE',
  'STO',
  'SWX',
  'SZSE',
  'TSX',
  'TWSE',
  'VSE',
  'other',
] as const;

/** Use cases of texting: the codes of A29 with B §9's names. */
export const plainUseCases = {
  '2FA': '2FA',
  ACCOUNT_NOTIFICATION: 'Account notification',
  CUSTOMER_CARE: 'Customer care',
  DELIVERY_NOTIFICATION: 'Delivery notification',
  FRAUD_ALERT: 'Fraud alert',
  HIGHER_EDUCATION: 'Higher education',
  MARKETING: 'Marketing',
  POLLING_VOTING: 'Polling and voting',
  PUBLIC_SERVICE_ANNOUNCEMENT: 'Public service announcement',
  SECURITY_ALERT: 'Security alert',
} as const;

export type PlainUseCase = keyof typeof plainUseCases;

/** `MIXED` combines two to five of the others (A13). */
export const useCases = { ...plainUseCases, MIXED: 'Mixed' } as const;

export type UseCase = keyof typeof useCases;

/**
 * Texts per month (B §9), and the figure sent to toll-free review: the upper bound (A29). `60,001+`
 * has none, so ten times a band is sent.
 */
export const volumeBands = {
  '1-10,000': { from: 1, to: 10_000 },
  '10,001-25,000': { from: 10_001, to: 25_000 },
  '25,001-60,000': { from: 25_001, to: 60_000 },
  '60,001+': { from: 60_001, to: 600_000 },
} as const;

export type VolumeBand = keyof typeof volumeBands;

/** Whether the volume counts as "low volume", which is cheaper, slower, and a separate use case. */
export const isLowVolume = (volume: VolumeBand | null): boolean => volume === '1-10,000';

/** How people agree to be texted (B §9). */
export const optInTypes = {
  text_to_join: 'Text to join',
  point_of_sale: 'Point of sale',
  other: 'Other',
} as const;

export type OptInType = keyof typeof optInTypes;

/** Registration statuses (A13); local and toll-free numbers are reviewed separately. */
export const registrationStatuses = [
  'draft',
  'submitted',
  'in_review',
  'action_required',
  'approved',
  'rejected',
  'canceling',
  'expired',
  'suspended',
] as const;

export type RegistrationStatus = (typeof registrationStatuses)[number];

export const registrationKinds = ['local', 'toll_free'] as const;

export type RegistrationKind = (typeof registrationKinds)[number];

/** Checks that run before submission (A13), in display order. */
export const registrationChecks = {
  website: 'The website responds',
  privacy: 'The privacy page mentions SMS and says numbers aren’t shared',
  samples: 'A sample message names you and explains how to opt out',
  opt_in: 'Proof of opt-in is attached',
  numbers: 'The numbers can be registered',
} as const;

/** Limits of opt-in proof files (A13). */
export const proofFiles = {
  most: 10,
  bytes: 5 * 1024 * 1024,
  types: ['image/png', 'image/jpeg', 'application/pdf'],
} as const;

/** Seconds that clients cache the response (B §9). */
export const verificationFreshSeconds = 180;

export const cancelRefreshSeconds = 15;
