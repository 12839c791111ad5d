import type {
  RejectionReason,
  RegistrationDocuments,
  RegistrationReport,
} from '../../gateways/registration.ts';

/** Free mail providers: the registry requires an address at the business's own domain. */
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
 * How the sandbox's reviewer decides. A sample message that does not say how to stop: rejected
 * (A13). An address at a free mail provider: action required. Everything else is approved, with a
 * score by the kind of business. The score (0 to 100) is null unless approved.
 */
export function reviewVerdict({ brand, campaign }: RegistrationDocuments): {
  state: RegistrationReport['state'];
  objections: RejectionReason[];
  score: number | null;
} {
  const withoutStop = campaign.samples
    .map((s, i) => (/(^|[^a-z])stop([^a-z]|$)/i.test(s) ? 0 : i + 1))
    .filter(Boolean);
  if (withoutStop.length) {
    return {
      state: 'rejected',
      score: null,
      objections: withoutStop.map((n) => ({
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
