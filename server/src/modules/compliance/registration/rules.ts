import type { Rejection } from '#contract/compliance/registration/schemas';
import { moneyToDecimal } from '#contract/money';
import { sumMoney } from '../../../platform/money.ts';
import { registryBrandFeeCents } from '../../../gateways/registration.ts';
import {
  isLowVolume,
  type RegistrationKind,
  type RegistrationStatus,
  type UseCase,
  type VolumeBand,
} from '#contract/compliance/registration/lists';

/** The status of a review; a registration without one is a draft. */
export type ReviewStatus = Exclude<RegistrationStatus, 'draft'>;
interface ReviewSummary {
  kind: RegistrationKind;
  status: ReviewStatus;
}

const awaitingCarrier = new Set<RegistrationStatus>(['submitted', 'in_review', 'canceling']);
const resubmittable = new Set<RegistrationStatus>(['rejected', 'action_required', 'expired']);

/**
 * Whether a registration may be edited: not while a review is pending, and not once every part is
 * approved.
 */
export const canEdit = (reviews: readonly ReviewSummary[]): boolean =>
  !reviews.some((r) => awaitingCarrier.has(r.status)) &&
  (reviews.length === 0 ||
    reviews.some((r) => r.status !== 'approved' && r.status !== 'suspended'));
/**
 * The kinds that submitting would send: those never sent, and those rejected, expired or needing
 * action.
 */
export const kindsToSubmit = (
  kinds: readonly RegistrationKind[],
  reviews: readonly ReviewSummary[],
): RegistrationKind[] =>
  kinds.filter((k) => {
    const at = reviews.find((r) => r.kind === k);
    return !at || resubmittable.has(at.status);
  });
/** Whether a review in this status can be canceled; `undefined` means there is none. */
export const canCancel = (status: RegistrationStatus | undefined): boolean =>
  status !== undefined &&
  ['submitted', 'in_review', 'action_required', 'approved', 'rejected', 'suspended'].includes(
    status,
  );
/**
 * Whether a registration may be deleted: it is a draft, or has ended or was rejected for every
 * kind.
 */
export const canDelete = (reviews: readonly ReviewSummary[]): boolean =>
  reviews.every(
    (r) => r.status === 'expired' || r.status === 'rejected' || r.status === 'action_required',
  );
/**
 * Whether numbers may be added: nothing was submitted yet, or at least one review is still alive.
 */
export const canAddNumbers = (reviews: readonly ReviewSummary[]): boolean =>
  reviews.length === 0 || reviews.some((r) => r.status !== 'expired' && r.status !== 'canceling');

/** The brand's status after a review report. Once approved, a brand stays known to the registry. */
export function brandStatusAfter(
  before: string,
  report: { state: ReviewStatus; objections: readonly { code: string }[] },
): string {
  if (report.state === 'approved' || before === 'approved')
    return report.state === 'suspended' ? before : 'approved';
  if (report.state === 'rejected' || report.state === 'action_required')
    return report.objections.some((o) => o.code.startsWith('brand.')) ? report.state : 'in_review';
  return before === 'draft' ||
    before === 'submitted' ||
    before === 'rejected' ||
    before === 'action_required'
    ? 'in_review'
    : before;
}

/**
 * A number in a registration: chosen in a draft, asked for at the carrier, approved, rejected, or
 * leaving.
 */
export type NumberState = 'chosen' | 'asked' | 'approved' | 'rejected' | 'leaving';
/**
 * A number's registration status, from its own state and the review of its kind. `undefined`: never
 * submitted.
 */
export function numberStatus(
  state: NumberState,
  review: ReviewStatus | undefined,
): RegistrationStatus {
  if (!review || state === 'chosen') return 'draft';
  if (state === 'leaving') return 'canceling';
  if (state === 'rejected') return 'rejected';
  if (review === 'approved') return state === 'approved' ? 'approved' : 'submitted';
  return review;
}

/**
 * Registry fees in US cents, passed on at cost. Source: the fees The Campaign Registry publishes
 * and carriers pass on for 10DLC (brand once, each campaign's review once, each campaign monthly;
 * the low-volume band has its own monthly fee). The brand fee depends on the carrier. A campaign
 * registered again after it ended is a new one, whose review is charged again. Toll-free
 * verification is free. The sandbox charges nothing.
 */
const registryFees = {
  reviewCents: 1500,
  monthlyCents: 1000,
  lowVolumeMonthlyCents: 150,
} as const;
/** What a registration for local numbers costs each month, in US cents. */
export const monthlyCents = (volume: VolumeBand | null): number =>
  isLowVolume(volume) ? registryFees.lowVolumeMonthlyCents : registryFees.monthlyCents;

/** The fees of a registration, in US cents (`due_today` in dollars), due today and monthly. */
export function feesOf(f: {
  kinds: readonly RegistrationKind[];
  brandPaid: boolean;
  brandCents: number;
  campaignPaid: boolean;
  volume: VolumeBand | null;
}) {
  const lines: { label: string; cents: number; when: 'today' | 'monthly' }[] = [];
  if (f.kinds.includes('local')) {
    if (!f.brandPaid)
      lines.push({
        label: f.brandCents > registryBrandFeeCents ? 'Brand with vetting, once' : 'Brand, once',
        cents: f.brandCents,
        when: 'today',
      });
    if (!f.campaignPaid)
      lines.push({
        label: 'Campaign review, once',
        cents: registryFees.reviewCents,
        when: 'today',
      });
    lines.push({
      label: 'Campaign, monthly',
      cents: monthlyCents(f.volume),
      when: 'monthly',
    });
  }
  const sum = (when: 'today' | 'monthly') =>
    sumMoney(lines.filter((l) => l.when === when).map((l) => l.cents));
  return {
    due_today: Number(moneyToDecimal(sum('today'))),
    due_today_cents: sum('today'),
    monthly_cents: sum('monthly'),
    currency: 'USD' as const,
    lines,
  };
}

/**
 * Send rates in text segments per second. Source: the 10DLC throughput that Twilio, Aircall and
 * others publish by the registry's trust score (75–100: 225 to all networks, 75 to each; 50–74: 120
 * and 40; below: 12 and 4; low volume: 3.75, rounded down to 3 because limits are whole segments),
 * and Twilio's 3 for a toll-free number. A number may send all of its texts to one network, so it
 * gets one network's share. Daily caps of single networks are unknown to us and not enforced.
 */
export function sendRatesOf(r: {
  kind: RegistrationKind;
  score: number | null;
  volume: VolumeBand | null;
  useCase: UseCase | null;
}): { number: number; campaign: number; brand: number } {
  if (r.kind === 'toll_free') return { number: 3, campaign: 3 * 500, brand: 3 * 500 };
  const score = r.score ?? 0;
  const brandRate = score >= 75 ? 225 : score >= 50 ? 120 : 12;
  if (isLowVolume(r.volume)) return { number: 1, campaign: 3, brand: brandRate };
  return { number: brandRate / 3, campaign: brandRate, brand: brandRate };
}

/** A reviewer's objections as rejections of one kind of number. */
export const rejectionsOf = (
  kind: RegistrationKind,
  objections: readonly { code: string; text: string; fix: string }[],
): Rejection[] => objections.map((o) => ({ kind, code: o.code, text: o.text, fix: o.fix }));

/**
 * Detects a proof file's type from its first bytes, because names can lie; null unless PNG, JPEG or
 * PDF.
 */
export function proofKind(
  bytes: Uint8Array,
): 'image/png' | 'image/jpeg' | 'application/pdf' | null {
  const starts = (...first: number[]) => first.every((b, i) => bytes[i] === b);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  return starts(0x25, 0x50, 0x44, 0x46, 0x2d) ? 'application/pdf' : null;
}
