import { greetings as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Upload } from '../../../platform/routes.ts';
import type { Ctx } from '../../../platform/context.ts';
import { invalid, fail, notFound } from '../../../platform/errors.ts';
import { ThreadLimitError, runInThread } from '../../../platform/worker-thread.ts';
import { presentDetail } from './present.ts';
import { synthesizeSpeech } from './speak-greeting.ts';
import { greetingRow, insertGreeting, clearDefault } from './store.ts';
import type { TelephoneSound } from './telephone-sound.ts';

/** Limit of a conversion. */
const CONVERSION_SECONDS = 30;

/**
 * POST /greetings: an uploaded file, or text that is synthesized now. Fails with a field error
 * without either.
 */
export async function addGreeting(
  ctx: Ctx,
  body: Body<typeof contract.addGreeting>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.addGreeting>> {
  const upload = files.find((one) => one.field === 'file');
  if (upload === undefined && body.content === '')
    invalid({ content: 'Enter the text to read aloud, or choose a file.' });
  const sound =
    upload === undefined
      ? await synthesizeSpeech(ctx, body.content, body.voice ?? null, body.language ?? null)
      : await readUpload(upload);
  return ctx.transaction(async (t) => {
    const file = await t.files.save(
      t.tx,
      t.companyId,
      { name: `${body.name}.wav`, contentType: 'audio/wav', bytes: sound.wav, purpose: 'greeting' },
      t.now,
    );
    if (body.is_default) await clearDefault(t.tx, t.companyId, body.type);
    const id = await insertGreeting(
      t.tx,
      t.companyId,
      {
        name: body.name,
        type: body.type,
        content: body.content,
        voice: upload === undefined ? (body.voice ?? null) : null,
        language: body.language ?? null,
        file_id: file.id,
        duration_ms: sound.durationMs,
        source: upload === undefined ? 'tts' : (body.source ?? 'upload'),
        is_default: body.is_default,
      },
      t.actor.userId || null,
      t.now,
    );
    await audit(t, 'greeting.added', `greeting:${id}`, {
      after: { name: body.name, type: body.type },
    });
    await t.publish(contract.greetingChanged, {
      companyId: t.companyId,
      greetingId: id,
      change: 'added',
    });
    const row = (await greetingRow(t.tx, t.companyId, id)) ?? notFound();
    return { data: presentDetail(t, row, []) };
  });
}

/**
 * Converts an uploaded file in a worker thread. Throws greeting.too_large or greeting.unreadable.
 */
export async function readUpload(upload: Upload): Promise<TelephoneSound> {
  if (upload.size > contract.greetingBytes) fail('greeting.too_large', { limit: '10 MB' });
  const sound = await runInThread<{ wav: Uint8Array; durationMs: number } | { why: string }>(
    'readSound',
    await upload.bytes(),
    CONVERSION_SECONDS,
  ).catch((error: unknown) => {
    if (error instanceof ThreadLimitError) return { why: 'it takes too long to convert.' };
    throw error;
  });
  return 'why' in sound
    ? fail('greeting.unreadable', { why: sound.why })
    : { wav: Buffer.from(sound.wav), durationMs: sound.durationMs };
}
