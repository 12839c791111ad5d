import type { RegistrationDocuments } from '../../gateways/registration.ts';
import type { Xml } from './dashboard.ts';

const verticals: Readonly<Record<string, string>> = {
  NGO: 'NGO',
  'real estate': 'REAL_ESTATE',
  'human resources': 'HUMAN_RESOURCES',
};
/** The registry's name of an industry. */
const verticalOf = (ours: string): string =>
  verticals[ours] ?? ours.toUpperCase().replaceAll(' ', '_');

/** A brand as Bandwidth's Dashboard takes it, cut to its length limits. */
export const brandXml = ({ brand: b }: RegistrationDocuments): Xml => ({
  Brand: {
    EntityType: b.type,
    ...(b.altId ? { AltBusinessId: b.altId.id, AltBusinessIdType: b.altId.type } : {}),
    BrandRelationship: 'BASIC_ACCOUNT',
    City: b.address.city,
    CompanyName: b.legalName.slice(0, 100),
    Country: b.address.country,
    DisplayName: (b.dba || b.legalName).slice(0, 100),
    Ein: b.ein,
    Email: b.email,
    FirstName: b.contact.firstName,
    LastName: b.contact.lastName,
    Phone: b.phone,
    PostalCode: b.address.zip,
    State: b.address.state,
    Street: [b.address.line1, b.address.line2].filter(Boolean).join(', ').slice(0, 100),
    ...(b.stock ? { StockExchange: b.stock.exchange, StockSymbol: b.stock.symbol } : {}),
    Vertical: verticalOf(b.vertical),
    Website: b.website.slice(0, 100),
    IsMain: false,
  },
});
/** How contacts opt in, as one text. */
const messageFlow = (c: RegistrationDocuments['campaign']): string =>
  [
    ...c.optIns.map((o) => [o.description, o.url].filter(Boolean).join(' ')),
    c.privacyUrl && `Privacy policy: ${c.privacyUrl}`,
  ]
    .filter(Boolean)
    .join(' ')
    .slice(0, 2048);
/** Low volume is a use case of its own, with the real uses below it. */
const subUseCaseXml = (c: RegistrationDocuments['campaign']): Xml => {
  const uses = c.useCase === 'MIXED' ? c.subUseCases : c.lowVolume ? [c.useCase] : [];
  return uses.length ? { SubUsecases: { SubUsecase: uses } } : {};
};
/**
 * A 10DLC campaign as Bandwidth's Dashboard takes it: at most five samples, with our opt-out and
 * help words.
 */
export const campaignXml = ({ campaign: c }: RegistrationDocuments, brandId: string): Xml => {
  const keywords = [...new Set(c.optIns.flatMap((o) => o.keywords))].join(',');
  return {
    Campaign: {
      BrandId: brandId,
      Description: c.description,
      Usecase: c.lowVolume ? 'LOW_VOLUME' : c.useCase,
      ...subUseCaseXml(c),
      ...Object.fromEntries(c.samples.slice(0, 5).map((text, i) => [`Sample${i + 1}`, text])),
      MessageFlow: messageFlow(c),
      ...(keywords ? { OptinKeywords: keywords } : {}),
      ...(c.optInMessage ? { OptinMessage: c.optInMessage } : {}),
      OptoutKeywords: 'STOP',
      OptoutMessage: c.optOutMessage,
      HelpKeywords: 'HELP',
      HelpMessage: c.helpMessage,
      SubscriberOptin: true,
      SubscriberOptout: true,
      SubscriberHelp: true,
      NumberPool: false,
      DirectLending: c.directLending,
      EmbeddedLink: c.hasLinks,
      EmbeddedPhone: c.hasPhoneNumbers,
      AffiliateMarketing: c.affiliateMarketing,
      AgeGated: c.ageGated,
      AutoRenewal: true,
      ...(c.privacyUrl ? { PrivacyPolicyLink: c.privacyUrl } : {}),
      ...(c.termsUrl ? { TermsAndConditionsLink: c.termsUrl } : {}),
    },
  };
};

/** A toll-free verification in Bandwidth's format. */
export const tollFreeJson = ({ brand: b, campaign: c }: RegistrationDocuments) => ({
  businessAddress: {
    name: b.legalName,
    addr1: b.address.line1,
    ...(b.address.line2 ? { addr2: b.address.line2 } : {}),
    city: b.address.city,
    state: b.address.state,
    zip: b.address.zip,
    url: b.website,
  },
  businessContact: {
    firstName: b.contact.firstName,
    lastName: b.contact.lastName,
    email: b.contact.email.toLowerCase(),
    phoneNumber: b.contact.phone || b.phone,
  },
  messageVolume: Math.min(10_000_000, Math.max(10, c.monthlyVolume)),
  useCase: c.useCase === 'MIXED' ? 'Mixed' : c.useCase,
  useCaseSummary: c.description.slice(0, 500),
  productionMessageContent: (c.samples[0] ?? '').slice(0, 500),
  optInWorkflow: {
    description: messageFlow(c).slice(0, 500),
    imageUrls: c.optIns
      .flatMap((o) => (o.proofUrls.length ? o.proofUrls : o.url ? [o.url] : []))
      .map((u) => u.slice(0, 500)),
    ...(c.optInMessage ? { confirmationResponse: c.optInMessage.slice(0, 500) } : {}),
  },
  ...(c.privacyUrl ? { privacyPolicyUrl: c.privacyUrl } : {}),
  ...(c.termsUrl ? { termsAndConditionsUrl: c.termsUrl } : {}),
  ...(b.dba ? { businessDba: b.dba } : {}),
  businessEntityType: b.type,
  ...(b.ein
    ? {
        businessRegistrationNumber: b.ein,
        businessRegistrationType: 'EIN',
        businessRegistrationIssuingCountry: 'USA',
      }
    : {}),
  ...(c.helpMessage ? { helpMessageResponse: c.helpMessage.slice(0, 500) } : {}),
  ageGatedContent: c.ageGated,
});
