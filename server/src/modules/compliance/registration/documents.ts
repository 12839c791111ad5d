import type { Body } from '#contract';
import type { createSmsCampaign } from '#contract/compliance/registration/endpoints';
import {
  brandTypeCodes,
  isLowVolume,
  volumeBands,
  type RegistrationKind,
} from '#contract/compliance/registration/lists';
import { normalizePhone } from '#contract/phone';
import {
  einDigits,
  legalFormOf,
  regionCode,
  webAddress,
  type BrandFacts,
  type CampaignFacts,
  type OptInFacts,
} from '#contract/compliance/registration/rules';
import type { RegistrationDocuments } from '../../../gateways/registration.ts';

/** An uploaded proof file as stored with the registration. `size` is in bytes. */
interface ProofFile {
  id: number;
  name: string;
  mime: string;
  size: number;
}
/** One way people agree to receive texts, with its proof files. */
interface OptIn extends Omit<OptInFacts, 'files' | 'keywords'> {
  keywords: string[];
  files: ProofFile[];
}
export interface CampaignDetails extends Omit<
  CampaignFacts,
  'optins' | 'sample_messages' | 'sub_usecases'
> {
  sub_usecases: CampaignFacts['sub_usecases'][number][];
  sample_messages: string[];
  optins: OptIn[];
  has_links: boolean;
  has_phone_numbers: boolean;
  age_gated: boolean;
  affiliate_marketing: boolean;
  direct_lending: boolean;
}
type RegistrationBody = Body<typeof createSmsCampaign>;

const emptyBrand: BrandFacts = {
  type: null,
  legal_name: '',
  dba: '',
  ein: '',
  registration_id_type: null,
  registration_id: '',
  stock_exchange: null,
  stock_symbol: '',
  industry: null,
  website: '',
  email: '',
  phone: '',
  support_email: '',
  support_phone: '',
  address: {},
  contact: {},
};
const emptyCampaign: CampaignDetails = {
  use_case: null,
  sub_usecases: [],
  description: '',
  sample_messages: [],
  optins: [],
  opt_in_message: '',
  opt_out_message: '',
  help_message: '',
  privacy_url: '',
  terms_url: '',
  monthly_volume: null,
  has_links: false,
  has_phone_numbers: false,
  age_gated: false,
  affiliate_marketing: false,
  direct_lending: false,
};
/** The stored brand details, with defaults for missing fields. */
export const brandOf = (details: unknown): BrandFacts => ({
  ...emptyBrand,
  ...(details as object),
});
/** The stored campaign details, with defaults for missing fields. */
export const campaignOf = (details: unknown): CampaignDetails => ({
  ...emptyCampaign,
  ...(details as object),
});
/** The campaign as the shared checks take it: the number of files instead of the files. */
export const campaignFactsOf = (c: CampaignDetails): CampaignFacts => ({
  ...c,
  optins: c.optins.map((o) => ({ ...o, files: o.files.length })),
});

const definedOnly = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as Partial<T>;
const normalizeWebAddress = (typed: string): string => webAddress(typed) ?? typed;

/**
 * Merges input into the stored brand. Web addresses get a scheme, an EIN is reduced to its digits,
 * and a company that is not publicly traded loses its stock exchange.
 */
export function mergeBrand(
  before: BrandFacts,
  input: NonNullable<RegistrationBody['brand']>,
): BrandFacts {
  const b = {
    ...before,
    ...definedOnly(input),
    address: { ...before.address, ...definedOnly(input.address ?? {}) },
    contact: { ...before.contact, ...definedOnly(input.contact ?? {}) },
  } as BrandFacts;
  const id = b.registration_id.trim().toUpperCase();
  return {
    ...b,
    registration_id: b.registration_id_type === 'DUNS' ? id.replace(/[\s-]/g, '') : id,
    ...(b.address.state ? { address: { ...b.address, state: regionCode(b.address.state) } } : {}),
    website: normalizeWebAddress(b.website),
    ein: einDigits(b.ein) ?? b.ein,
    ...(b.type === 'publicly_traded' ? {} : { stock_exchange: null, stock_symbol: '' }),
  };
}

/**
 * Merges input into the stored campaign. An opt-in keeps the files it names, or all of its files if
 * it names none. Files this campaign doesn't have are ignored.
 */
export function mergeCampaign(
  before: CampaignDetails,
  input: NonNullable<RegistrationBody['campaign']>,
): CampaignDetails {
  const { numbers: _, optins, ...plain } = input;
  const known = new Map(before.optins.flatMap((o) => o.files).map((f) => [f.id, f]));
  const c = { ...before, ...definedOnly(plain) } as CampaignDetails;
  if (optins) {
    c.optins = optins.map((o, i) => ({
      type: o.type ?? null,
      description: o.description,
      url: normalizeWebAddress(o.url),
      keywords: o.keywords.map((k) => k.toUpperCase()),
      files: o.supporting_files
        ? o.supporting_files.flatMap((f) => known.get(f.id) ?? [])
        : (before.optins[i]?.files ?? []),
    }));
  }
  return {
    ...c,
    privacy_url: normalizeWebAddress(c.privacy_url),
    terms_url: normalizeWebAddress(c.terms_url),
    sub_usecases: c.use_case === 'MIXED' ? [...new Set(c.sub_usecases)] : [],
  };
}

/**
 * The registration in the provider-neutral format of the registration gateway. `proofUrl` returns a
 * signed URL for a file.
 */
export const documentsOf = (
  kind: RegistrationKind,
  brand: BrandFacts,
  campaign: CampaignDetails,
  numbers: readonly string[],
  proofUrl: (fileId: number) => string,
): RegistrationDocuments => ({
  kind,
  brand: brandDocument(brand),
  campaign: campaignDocument(campaign, proofUrl),
  numbers: [...numbers],
});

function brandDocument(b: BrandFacts): RegistrationDocuments['brand'] {
  const { line1 = '', line2 = '', city = '', state = '', zip = '', country = 'US' } = b.address;
  // Registries take E.164; a contact without a phone gets the business phone.
  const phone = (typed: string | undefined): string => normalizePhone(typed ?? '') ?? '';
  return {
    legalForm: legalFormOf(b.legal_name, b.type),
    type: brandTypeCodes[b.type ?? 'private'],
    legalName: b.legal_name,
    dba: b.dba,
    ein: b.ein,
    altId: b.registration_id_type ? { type: b.registration_id_type, id: b.registration_id } : null,
    stock: b.stock_exchange ? { exchange: b.stock_exchange, symbol: b.stock_symbol } : null,
    vertical: b.industry ?? '',
    website: b.website,
    email: b.email,
    phone: phone(b.phone),
    supportEmail: b.support_email || b.email,
    supportPhone: phone(b.support_phone) || phone(b.phone),
    address: { line1, line2, city, state, zip, country },
    contact: {
      firstName: b.contact.first_name ?? '',
      lastName: b.contact.last_name ?? '',
      title: b.contact.title ?? '',
      email: b.contact.email ?? '',
      phone: phone(b.contact.phone) || phone(b.phone),
    },
  };
}

const campaignDocument = (
  c: CampaignDetails,
  proofUrl: (fileId: number) => string,
): RegistrationDocuments['campaign'] => ({
  useCase: c.use_case ?? '',
  subUseCases: [...c.sub_usecases],
  description: c.description,
  samples: c.sample_messages.filter((s) => s.trim()),
  optIns: c.optins.map((o) => ({
    type: o.type ?? 'other',
    description: o.description,
    url: o.url,
    keywords: o.keywords,
    proofUrls: o.files.map((f) => proofUrl(f.id)),
  })),
  optInMessage: c.opt_in_message,
  optOutMessage: c.opt_out_message,
  helpMessage: c.help_message,
  hasLinks: c.has_links,
  hasPhoneNumbers: c.has_phone_numbers,
  ageGated: c.age_gated,
  affiliateMarketing: c.affiliate_marketing,
  directLending: c.direct_lending,
  privacyUrl: c.privacy_url,
  termsUrl: c.terms_url,
  monthlyVolume: volumeBands[c.monthly_volume ?? '1-10,000'].to,
  lowVolume: isLowVolume(c.monthly_volume),
});
