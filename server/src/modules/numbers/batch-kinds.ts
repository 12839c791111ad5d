import { z } from 'zod';
import type { numbers as contract } from '#contract';
import { asAsked, batchKind } from '../../platform/batch-kind.ts';
import type { NumberRequest } from './order-numbers.ts';

const purchase = z.object({
  wishes: asAsked<NumberRequest[]>(),
  label: z.string(),
  tags: z.array(z.string()),
  buyer: z.number(),
  templateId: z.number().nullish(),
  /** The tracking pool they are for. */
  poolId: z.number().nullish(),
});
/** Input of the job `numbers.buyInBulk`, stored with its batch. */
export type BulkPurchase = z.output<typeof purchase>;
/** Batches of purchases by a job. */
export const purchaseKind = batchKind('bulk-purchase', purchase);

/** Numbers to change, and for whom; 0: the system. */
const chosen = { ids: z.array(z.number()), by: z.number() };
const update = z.object({ ...chosen, patch: asAsked<contract.BulkPatch>() });
/** Input of the job `numbers.updateMany`, stored with its batch. */
export type BulkUpdate = z.output<typeof update>;
/** Batches of changes to many numbers. */
export const updateKind = batchKind('update-numbers', update);
/** Batches of releases or, with `undo`, returns of many numbers. */
export const releaseKind = batchKind(
  'release-numbers',
  z.object({ ...chosen, undo: z.boolean(), reason: z.string().nullable() }),
);
