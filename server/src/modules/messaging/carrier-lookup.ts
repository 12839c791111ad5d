import type { Gateways } from '../../gateways/index.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';

/** A text as its carrier knows it: by our idempotency key. */
interface SubmittedText {
  carrier: string;
  key: string;
}
/** A text that its carrier has, with its delivery state. */
export interface FoundText {
  providerId: string;
  state: DeliveryReport['state'];
}

/**
 * What a table does with texts whose result is uncertain. Each method is called in one transaction
 * and may find that the text changed meanwhile (a receipt came): then it leaves it as it is.
 */
export interface UncertainTexts<T> {
  submittedAs(text: T): SubmittedText;
  /** The carrier has it. */
  found(t: TxCtx, text: T, found: FoundText): Promise<void>;
  /** The carrier has nothing of it: it waits again, under the same key. */
  requeue(t: TxCtx, text: T): Promise<void>;
  /** No one can tell whether it was sent: it is unknown, and never sent again. */
  markUnknown(t: TxCtx, text: T): Promise<void>;
  /** It was unknown and still is. Called at most `maxStatusChecks` times. */
  countCheck(t: TxCtx, text: T): Promise<void>;
}

/**
 * A text whose response was lost is looked up so often, after 4, 8, 16 … seconds; then it stays
 * unknown until the carrier reports on it.
 */
export const maxStatusChecks = 10;
const lookupTimeoutMs = 10_000;

type Lookup = FoundText | 'not_found' | 'unreachable';
/** Asks the carrier for a text. `unreachable`: it isn't connected, failed, or took too long. */
async function lookUp(gateways: Gateways, { carrier, key }: SubmittedText): Promise<Lookup> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Lookup>((resolve) => {
    timer = setTimeout(() => resolve('unreachable'), lookupTimeoutMs);
  });
  const ask = async (): Promise<Lookup> =>
    (await gateways.carriers.messaging(carrier).findByKey(key)) ?? 'not_found';
  return Promise.race([ask().catch((): Lookup => 'unreachable'), timeout]).finally(() =>
    clearTimeout(timer),
  );
}

/**
 * A text was claimed, and its worker died before it stored the result. Looks it up by key: found →
 * the carrier has it; not found and the carrier sends each key only once → it waits again; otherwise
 * unknown. False: the carrier can't be asked now, so nothing changed.
 */
export async function recoverOrphan<T>(
  ctx: Ctx,
  table: UncertainTexts<T>,
  text: T,
): Promise<boolean> {
  const submitted = table.submittedAs(text);
  const answer = await lookUp(ctx.gateways, submitted);
  if (answer === 'unreachable') return false;
  await ctx.transaction(async (t) => {
    if (answer !== 'not_found') await table.found(t, text, answer);
    else if (t.gateways.carriers.messaging(submitted.carrier).isIdempotent)
      await table.requeue(t, text);
    else await table.markUnknown(t, text);
  });
  return true;
}

/** A text's response was lost: looks it up. It is only asked about, never sent again. */
export async function checkUnknown<T>(ctx: Ctx, table: UncertainTexts<T>, text: T): Promise<void> {
  const answer = await lookUp(ctx.gateways, table.submittedAs(text));
  await ctx.transaction(async (t) => {
    if (answer === 'not_found' || answer === 'unreachable') await table.countCheck(t, text);
    else await table.found(t, text, answer);
  });
}

/** The carrier's state of a text; null when it has none or can't be asked. */
export async function findText(gateways: Gateways, text: SubmittedText): Promise<FoundText | null> {
  const answer = await lookUp(gateways, text);
  return answer === 'not_found' || answer === 'unreachable' ? null : answer;
}
