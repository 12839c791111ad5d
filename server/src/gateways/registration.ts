/**
 * What the registry of business texting needs to know: the brand, the campaign and the numbers
 * (E.164).
 */
export interface RegistrationDocuments {
  kind: 'local' | 'toll_free';
  brand: {
    /** The registry's entity type: PUBLIC_PROFIT, PRIVATE_PROFIT, NON_PROFIT, GOVERNMENT. */
    type: string;
    legalForm: 'corporation' | 'llc' | 'partnership' | 'cooperative' | 'non_profit';
    legalName: string;
    dba: string;
    ein: string;
    altId: { type: string; id: string } | null;
    stock: { exchange: string; symbol: string } | null;
    vertical: string;
    website: string;
    email: string;
    phone: string;
    supportEmail: string;
    supportPhone: string;
    address: {
      line1: string;
      line2: string;
      city: string;
      state: string;
      zip: string;
      country: string;
    };
    contact: { firstName: string; lastName: string; title: string; email: string; phone: string };
  };
  campaign: {
    useCase: string;
    subUseCases: string[];
    description: string;
    samples: string[];
    optIns: {
      type: string;
      description: string;
      url: string;
      keywords: string[];
      proofUrls: string[];
    }[];
    optInMessage: string;
    optOutMessage: string;
    helpMessage: string;
    hasLinks: boolean;
    hasPhoneNumbers: boolean;
    ageGated: boolean;
    affiliateMarketing: boolean;
    directLending: boolean;
    privacyUrl: string;
    termsUrl: string;
    /** Texts a month: the upper bound of the range chosen. */
    monthlyVolume: number;
    /** Registered as low volume, with its own price, rate and use case. */
    lowVolume: boolean;
  };
  numbers: string[];
}
export interface RejectionReason {
  code: string;
  text: string;
  fix: string;
}
export interface RegistrationReport {
  ref: string;
  state: 'in_review' | 'approved' | 'rejected' | 'action_required' | 'expired' | 'suspended';
  /** 0 to 100; null when the registry gave none. */
  brandScore: number | null;
  objections: RejectionReason[];
  numbers: { number: string; state: 'asked' | 'approved' | 'rejected'; reason: string | null }[];
}

/** Every call throws when the carrier is unreachable, and each may be repeated. */
export interface RegistrationCarrier {
  readonly name: string;
  /**
   * The one-time fee for a brand in US cents. Some carriers vet every brand that is not low volume.
   */
  brandFeeCents(lowVolume: boolean): number;
  /**
   * Submits documents; idempotent by key and attempt. A later attempt corrects what was rejected,
   * where the carrier allows it.
   */
  submit(documents: RegistrationDocuments, key: string, attempt: number): Promise<{ ref: string }>;
  /** Null when the carrier does not know it. */
  getStatus(ref: string): Promise<RegistrationReport | null>;
  /** Replaces the numbers of a registration. */
  setNumbers(ref: string, numbers: readonly string[]): Promise<void>;
  /** Ends a registration; doing it twice changes nothing. */
  end(ref: string): Promise<void>;
}

/** The registry's own one-time fee for a brand. US cents. */
export const registryBrandFeeCents = 450;
