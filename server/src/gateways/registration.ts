/** The carriers' registry of business texting: who sends (brand), what for (campaign), with which numbers. Numbers are E.164. */
export interface RegistrationDocuments {
  kind: 'local' | 'toll_free';
  brand: {
    /** The registry's word: PUBLIC_PROFIT, PRIVATE_PROFIT, NON_PROFIT, GOVERNMENT. */
    type: string;
    /** How it is constituted. */ legalForm:
      | 'corporation'
      | 'llc'
      | 'partnership'
      | 'cooperative'
      | 'non_profit';
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
    /** Texts a month: the upper bound of the band. */
    monthlyVolume: number;
    /** Registered as low volume, which has its own price, speed and use case. */ lowVolume: boolean;
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
  /** 0 to 100; null where the registry gave none. */
  brandScore: number | null;
  objections: RejectionReason[];
  numbers: { number: string; state: 'asked' | 'approved' | 'rejected'; reason: string | null }[];
}

/** Every call throws when the carrier is away; each may be made twice. */
export interface RegistrationCarrier {
  readonly name: string;
  /** What it charges once for a brand, US cents: some have every brand vetted that is not of low volume. */
  brandFeeCents(lowVolume: boolean): number;
  /** Hand papers in; one registration a key and attempt, however often it is asked. A later attempt mends what came back, where the carrier can. */
  submit(papers: RegistrationDocuments, key: string, attempt: number): Promise<{ ref: string }>;
  /** Where it stands; null = never heard of it. */
  getStatus(ref: string): Promise<RegistrationReport | null>;
  /** The numbers of a registration from now on, all of them. */
  setNumbers(ref: string, numbers: readonly string[]): Promise<void>;
  /** End it. Ending what has ended is fine. */
  end(ref: string): Promise<void>;
}

/** What the registry itself charges for a brand, once, US cents. */
export const registryBrandFeeCents = 450;
