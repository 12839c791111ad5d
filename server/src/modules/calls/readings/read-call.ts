import { calls as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { LanguageModelRefused, type CallReading } from '../../../gateways/language-model.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import { fieldsFilledByAi, setManyValues, valuesOfOne, type FieldRow } from '../../fields/index.ts';
import { editEntry } from '../records/describe-edit.ts';
import { addHistory } from '../records/store-history.ts';
import { lockCall, patchCall, type CallRow } from '../records/store.ts';
import { checkFindings, shownField, type CheckedField } from './check-findings.ts';
import { callToRead, readableSegments } from './prepare-call.ts';
import {
  finishReading,
  lockReading,
  patchMetadata,
  readableTranscript,
  type Found,
  type ReadingRow,
} from './store.ts';

/** A reading with what the model is given. */
interface Asked {
  reading: ReadingRow;
  fields: FieldRow[];
  segments: TranscriptSegment[];
}

/**
 * Asks the language model about a call, outside of any transaction, and stores what it found. Throws to
 * be asked again, until the last attempt; a refusal is final.
 */
export async function readCall(
  ctx: Ctx,
  { readingId }: { readingId: number },
  attempt: { last: boolean },
): Promise<void> {
  const model = ctx.gateways.languageModel;
  const asked = await ctx.transaction(async (t): Promise<Asked | null> => {
    const reading = await lockReading(t.tx, t.companyId, readingId);
    if (reading?.state !== 'queued') return null;
    const transcript = await readableTranscript(t.tx, t.companyId, reading.call_id);
    const fields = await fieldsFilledByAi(t);
    return { reading, fields, segments: transcript ? readableSegments(transcript) : [] };
  });
  if (!asked) return;
  const { fields, segments } = asked;
  let result: CallReading | { error: string };
  try {
    result =
      model && segments.length > 0
        ? await model.readCall(callToRead(segments, fields))
        : { error: 'There is nothing to read, or no language model is connected.' };
  } catch (error) {
    if (!attempt.last && !(error instanceof LanguageModelRefused)) throw error;
    ctx.log.warn({ err: error, readingId }, 'a call could not be read by the language model');
    result = { error: (error as Error).message.slice(0, 300) };
  }
  await ctx.transaction((t) => storeResult(t, asked, result));
}

/** Stores what was found and writes it into the call, or why nothing was. */
async function storeResult(
  t: TxCtx,
  { reading, fields, segments }: Asked,
  result: CallReading | { error: string },
): Promise<void> {
  const { id } = reading;
  // Another run may have stored it, and the text may have gone meanwhile.
  const row = await lockReading(t.tx, t.companyId, id);
  const call = await lockCall(t.tx, t.companyId, reading.call_id);
  if (row?.state !== 'queued' || !call) return;
  if ('error' in result)
    await finishReading(t.tx, t.companyId, id, {
      finished_at: t.now,
      state: 'failed',
      error: result.error,
    });
  else {
    const checked = checkFindings(result, segments, fields);
    const found = row.is_dry_run
      ? { ...checked, fields: checked.fields.map((one) => shownField(one, 'found')) }
      : await writeFindings(t, call, row, checked);
    await finishReading(t.tx, t.companyId, id, {
      finished_at: t.now,
      state: 'ready',
      model: result.model,
      found,
      input_tokens: result.inputTokens,
      output_tokens: result.outputTokens,
      cost_micros: result.costMicros,
    });
  }
  await t.publish(
    contract.callUpdated,
    { callId: call.id, numberId: call.number_id, changed: ['ai'] },
    { numberId: call.number_id },
  );
}

type Checked = ReturnType<typeof checkFindings>;

/** Writes what was found into the call. What a person set stays. Returns it as it is shown. */
async function writeFindings(
  t: TxCtx,
  call: CallRow,
  { transcription_id: transcriptionId }: ReadingRow,
  { fields, ...found }: Checked,
): Promise<Found> {
  const isOpen = (field: string) => !call.person_set.includes(field);
  const summary = isOpen('summary') ? found.summary?.text : undefined;
  const mood = isOpen('sentiment') ? found.sentiment?.label : undefined;
  if (summary !== undefined)
    await patchCall(t.tx, t.companyId, call.id, { summary, updated_at: t.now });
  if (summary !== undefined || mood !== undefined)
    await patchMetadata(t.tx, t.companyId, transcriptionId, { summary, mood });
  const shown = await fillFields(t, call, fields);
  const written = [
    ...(summary === undefined ? [] : ['Summary']),
    ...(mood === undefined ? [] : ['Sentiment']),
    ...shown.filter(({ state }) => state === 'set').map(({ name }) => name),
  ];
  if (written.length > 0)
    await addHistory(t.tx, t.companyId, call.id, [
      { ...editEntry(t, 'AI'), label: 'Filled by AI', detail: written.join(', ') },
    ]);
  return { ...found, fields: shown };
}

/** Sets the custom fields that no person set. A value that another call has already is dropped. */
async function fillFields(
  t: TxCtx,
  call: CallRow,
  fields: readonly CheckedField[],
): Promise<Found['fields']> {
  const own = await valuesOfOne(t, entityOf.call, call.id);
  const shown: Found['fields'] = [];
  for (const one of fields) {
    const before = own.find(({ attribute_id: id }) => id === one.field.id);
    const isOpen =
      !call.person_set.includes(`field:${one.field.id}`) &&
      (!before || before.source === 'ai' || before.source === 'default');
    const values = [{ attribute_id: one.field.id, value: one.value, reason: one.reason }];
    const errors = isOpen
      ? await setManyValues(t, entityOf.call, [{ entityId: call.id, values }], { source: 'ai' })
      : new Map();
    if (errors.size === 0) shown.push(shownField(one, isOpen ? 'set' : 'kept'));
  }
  return shown;
}
