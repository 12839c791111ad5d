import type {
  RegistrationKind,
  UseCase,
  VolumeBand,
} from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { sendRatesOf } from './rules.ts';
import { numberRegistration } from './store-numbers.ts';

/** A limit shared by all texts counted under `key`, in segments per second. */
export interface SendRateLimit {
  key: string;
  limit: number;
}

/**
 * The limits of a registered number: its own, its campaign's and its brand's, in this order. Null
 * without an approved registration.
 */
export async function sendRateLimits(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
): Promise<SendRateLimit[] | null> {
  const registration = await numberRegistration(ctx.tx, ctx.companyId, numberId);
  if (!registration || registration.review !== 'approved' || registration.state !== 'approved')
    return null;
  const rates = sendRatesOf({
    kind: registration.kind as RegistrationKind,
    score: registration.score,
    volume: registration.volume as VolumeBand | null,
    useCase: registration.use_case as UseCase | null,
  });
  return [
    { key: `number:${numberId}`, limit: rates.number },
    { key: `campaign:${registration.campaign_id}:${registration.kind}`, limit: rates.campaign },
    { key: `brand:${registration.brand_id}:${registration.kind}`, limit: rates.brand },
  ];
}

/**
 * Segments per second this number may send under its registration; null without an approved one.
 */
export async function registeredRate(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
): Promise<number | null> {
  const limits = await sendRateLimits(ctx, numberId);
  return limits && Math.min(...limits.map((each) => each.limit));
}
