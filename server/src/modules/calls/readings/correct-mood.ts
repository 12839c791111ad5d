import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { patchMetadata, readableTranscript } from './store.ts';

/** Sets the mood as a person says it was. Fails at the field for a call without a transcript. */
export async function correctMood(
  { tx, companyId }: TxCtx,
  callId: number,
  mood: string | undefined,
): Promise<void> {
  const transcript = await readableTranscript(tx, companyId, callId);
  if (!transcript) return invalid({ sentiment: 'This call has no transcript.' });
  await patchMetadata(tx, companyId, transcript.id, { mood });
}
