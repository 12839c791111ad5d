import type {
  RejectionReason,
  RegistrationDocuments,
  RegistrationReport,
} from '../../gateways/registration.ts';

/** Post boxes that anybody can have: a registry asks for an address of the business itself. */
const freeMail = new Set([
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'live.com',
  'aol.com',
  'icloud.com',
  'proton.me',
  'protonmail.com',
  'gmx.com',
]);
const scores: Readonly<Record<string, number>> = {
  PUBLIC_PROFIT: 92,
  GOVERNMENT: 88,
  NON_PROFIT: 71,
  PRIVATE_PROFIT: 64,
};

/**
 * How the sandbox's reviewer decides: every sample must say how to stop, else rejected (A13); the business must be reachable
 * at an address of its own, else it has to act; everything else is approved, with a score by what kind of business it is.
 */
export function reviewVerdict({ brand, campaign }: RegistrationDocuments): {
  state: RegistrationReport['state'];
  objections: RejectionReason[];
  score: number | null;
} {
  const silent = campaign.samples
    .map((s, i) => (/(^|[^a-z])stop([^a-z]|$)/i.test(s) ? 0 : i + 1))
    .filter(Boolean);
  if (silent.length) {
    return {
      state: 'rejected',
      score: null,
      objections: silent.map((n) => ({
        code: 'sample.no_opt_out',
        text: `Sample message ${n} doesn’t explain how to opt out.`,
        fix: `Add text such as “Reply STOP to stop.” to sample message ${n}, then submit again.`,
      })),
    };
  }
  const domain = brand.email.split('@')[1]?.toLowerCase() ?? '';
  if (freeMail.has(domain)) {
    return {
      state: 'action_required',
      score: null,
      objections: [
        {
          code: 'brand.free_mail',
          text: `${brand.email} isn’t an address at the business’s domain.`,
          fix: 'Use an email address at your website’s domain, then submit again.',
        },
      ],
    };
  }
  return { state: 'approved', score: scores[brand.type] ?? 50, objections: [] };
}
