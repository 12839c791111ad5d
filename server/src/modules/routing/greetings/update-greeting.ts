import { greetings as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Upload } from '../../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { readUpload } from './add-greeting.ts';
import { presentDetail } from './present.ts';
import { synthesizeSpeech } from './speak-greeting.ts';
import {
  patchGreeting,
  greetingRow,
  lockGreeting,
  clearDefault,
  greetingUses,
  type GreetingRow,
  type GreetingValues,
} from './store.ts';
import type { TelephoneSound } from './telephone-sound.ts';
import { deleteSoundJob } from '../job-kinds.ts';

/** The old sound is deleted after a day: running calls may still play it. */
const oldSoundTtlMs = 86_400_000;

/**
 * PUT /greetings/{id}: absent fields stay. New text of a spoken greeting is synthesized again; for
 * an uploaded one it is only its transcript. `not_found` when it doesn't exist.
 */
export async function updateGreeting(
  ctx: Ctx,
  id: number,
  patch: Body<typeof contract.updateGreeting>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.updateGreeting>> {
  const before = (await ctx.transaction((t) => greetingRow(t.tx, t.companyId, id))) ?? notFound();
  const upload = files.find((one) => one.field === 'file');
  const content = patch.content ?? before.content;
  const voice = patch.voice === undefined ? before.voice : patch.voice;
  const language = patch.language === undefined ? before.language : patch.language;
  const speechChanged =
    content !== before.content || voice !== before.voice || language !== before.language;
  const speakAgain = upload === undefined && before.source === 'tts' && speechChanged;
  if (speakAgain && content === '')
    invalid({ content: 'Enter the text to read aloud, or choose a file.' });
  const speak = () => synthesizeSpeech(ctx, content, voice, language);
  const sound = upload ? await readUpload(upload) : speakAgain ? await speak() : null;

  return ctx.transaction(async (t) => {
    const row = (await lockGreeting(t.tx, t.companyId, id)) ?? notFound();
    const type = patch.type ?? (row.type as contract.GreetingType);
    const isDefault = patch.is_default ?? (type === row.type && row.is_default);
    if (isDefault && !(row.is_default && type === row.type))
      await clearDefault(t.tx, t.companyId, type);
    const name = patch.name ?? row.name;
    const values: Partial<GreetingValues> = {
      name,
      type,
      content,
      voice: upload === undefined ? voice : null,
      language,
      is_default: isDefault,
      ...(sound && (await replaceSound(t, row, name, sound))),
      ...(upload && { source: patch.source ?? 'upload' }),
    };
    await patchGreeting(t.tx, t.companyId, id, values, t.now);
    await audit(t, 'greeting.updated', `greeting:${id}`, {
      before: { name: row.name, type: row.type, content: row.content },
      after: { name, type, content },
    });
    await t.publish(contract.greetingChanged, {
      companyId: t.companyId,
      greetingId: id,
      change: 'updated',
    });
    const updated = (await greetingRow(t.tx, t.companyId, id)) ?? notFound();
    return { data: presentDetail(t, updated, await greetingUses(t.tx, t.companyId, [id])) };
  });
}

/** Saves the new sound and schedules the deletion of the old one. */
async function replaceSound(
  t: TxCtx,
  row: GreetingRow,
  name: string,
  sound: TelephoneSound,
): Promise<Pick<GreetingValues, 'file_id' | 'duration_ms'>> {
  const file = await t.files.save(
    t.tx,
    t.companyId,
    { name: `${name}.wav`, contentType: 'audio/wav', bytes: sound.wav, purpose: 'greeting' },
    t.now,
  );
  await t.enqueue(
    deleteSoundJob,
    { companyId: t.companyId, fileId: row.file_id },
    { runAt: new Date(t.now.getTime() + oldSoundTtlMs) },
  );
  return { file_id: file.id, duration_ms: sound.durationMs };
}
